//! The print options 印刷选项 as a complete form: a page of its own, and what the cart's dialog shows at once.

use std::sync::Arc;

use base::error::Error;
use domain::binding::CoverSheet;
use domain::goods::{Goods, step_name};
use domain::ids::CartLineId;
use domain::price::Quote;
use domain::print_options::{
    ARTWORK_ID, Choice, EvaluatedStep, Evaluation, Quantity, Selection, evaluate, spec,
};
use leptos::prelude::*;
use press::{Finding, PageRef};
use web::islands::{Island, ReactIsland, When};
use web::render::{here, loaded, parameter, use_form, use_raw_query};
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{Book, ErrorSummary, FieldError, Limit, Money, area_text};
use web::ui::shell::Shell;

use crate::bundles::{self, Offer, offers};
use crate::forms::{ORDER, choice_of};
use crate::props::{ARTWORK_HINT, PrintOptionsProps};
use crate::{Line, artwork_findings, line, props};
use works::{RunOf, picture_address};

/// What the options page shows: the saved line, or the same line with choices that were asked for but not
/// saved, with the price they would have.
struct Shown {
    member: Member,
    line: Line,
    remark: String,
    quantity: String,
    /// What is to be known of what is put on its cover besides ink.
    artwork: Vec<Finding>,
}

/// GET /manager/shopping/cart/{line}/options: 印刷选项. With choices in the query it shows their price and saves
/// nothing.
#[component]
pub fn OptionsPage() -> impl IntoView {
    let here = here();
    let id = parameter::<CartLineId>("line");
    let form = use_form();
    let query = use_raw_query();
    let is_asked = !query.is_empty();
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let saved = line(&here.app, &id, &here.member).await?;
            let asked = if form.is_sent() { form } else { read_form(query.as_bytes())? };
            if !asked.is_sent() {
                let (remark, quantity) = (saved.remark.clone(), saved.quantity.to_string());
                let artwork = artwork_findings(&here.app, &here.member, &saved).await?;
                return Ok(Shown { member: here.member, line: saved, remark, quantity, artwork });
            }
            let quantity = asked.or("quantity", &saved.quantity.to_string());
            let remark = asked.or("remark", &saved.remark);
            let bundle = bundles::choice_of(&saved, asked.get("bundle"));
            let typed = choice_of(&asked, &saved.goods);
            let artwork = typed.artwork();
            let choice = bundle.map_or(typed, |bundle| bundle.with_artwork(artwork));
            let count = Quantity::read(&quantity).unwrap_or(saved.quantity);
            let line = with_choice(saved, &choice, count, &here.member)?;
            let artwork = artwork_findings(&here.app, &here.member, &line).await?;
            Ok(Shown { member: here.member, line, remark, quantity, artwork })
        },
        move |Shown { member, line, remark, quantity, artwork }| {
            let island = Island::new(&PrintOptionsProps::from(&line.id));
            // what the server refused stays as it says it
            let form = if use_form().is_refused() {
                view! { <OptionsForm line remark quantity artwork leads_on=true/> }.into_any()
            } else {
                view! {
                    <ReactIsland island when=When::Visible>
                        <OptionsForm line remark quantity artwork is_asked leads_on=true/>
                    </ReactIsland>
                }
                .into_any()
            };
            view! {
                <Shell member title="印刷选项".to_owned() assets=&["cart.css", "islands.js"]>
                    <header class="head"><h1>"印刷选项"</h1></header>
                    {form}
                </Shell>
            }
        },
    )
}

/// The front as a choice makes it: with what is put on it besides ink, or as cloth; else as it is printed.
fn front_address(line: &Line, cover: &CoverSheet) -> String {
    if cover.embellishment.is_none() && cover.cloth.is_none() {
        return picture_address(&line.work.id, line.work.revision, PageRef::Cover, 720);
    }
    face_address(line, "front", &line.evaluation.choice())
}

/// The address of a picture of a bound face, `front` or `back`, as a choice makes it.
pub(crate) fn face_address(line: &Line, face: &str, choice: &Choice) -> String {
    let cnums = choice.to_string().replace('|', "%7C");
    format!("{}&cnums={cnums}&artwork={}", face_base(line, face), choice.artwork())
}

/// The same without the choice that it shows.
pub(crate) fn face_base(line: &Line, face: &str) -> String {
    format!("/manager/shopping/cart/{}/{face}/720?r={}", line.id, line.work.revision)
}

/// The whole form: what is printed, each step, the quantity, the price.
#[component]
pub fn OptionsForm(
    line: Line,
    remark: String,
    quantity: String,
    #[prop(optional)] artwork: Vec<Finding>,
    /// Whether it shows choices that are not saved.
    #[prop(optional)]
    is_asked: bool,
    /// Whether it also leads past the cart, to the order of this line alone.
    #[prop(optional)]
    leads_on: bool,
) -> impl IntoView {
    let title = line.work.title.clone();
    let artwork: Vec<_> =
        artwork.into_iter().map(|finding| view! { <p class="notice warn">{finding.message}</p> }).collect();
    let offers = offers(&line);
    let bundles = (!offers.is_empty()).then(|| view! { <Bundles offers/> });
    let days = format!("付款后约 {} 个工作日做好寄出。", line.goods.making_days);
    let remarks = line.evaluation.steps.iter().any(EvaluatedStep::is_remarks);
    let remarks = remarks.then(|| {
        view! {
            <div class="step">
                <div class="field">
                    <label for="remark">"备注"</label>
                    <Limit name="remark" most="500".to_owned()/>
                    <textarea id="remark" name="remark" maxlength="500" aria-describedby="remark-limit" rows="2">{area_text(&remark)}</textarea>
                    <FieldError name="remark".to_owned()/>
                </div>
            </div>
        }
    });
    let form = use_form();
    let invalid = form.error("quantity").is_some();
    let action = format!("/manager/shopping/cart/{}/options", line.id);
    let stuck = !line.evaluation.is_complete();
    let order = leads_on
        .then(|| view! { <button class="button" name="then" value=ORDER disabled=stuck>"直接结算"</button> });
    view! {
        <form class="options" method="post" action=action data-asked=is_asked.then_some("")>
            // pressing Enter in a field asks for the price: a form's first button is the one that Enter presses
            <button hidden formmethod="get" formnovalidate></button>
            <div class="proof">
                <div class="trim">
                    <Book
                        src=front_address(&line, &line.cover_sheet())
                        trim=line.work.trim
                        alt=format!("《{title}》封面")
                        hung=line.work.is_calendar
                    />
                </div>
                <dl class="facts">
                    <dt>"作品"</dt><dd>{title}<RunOf names=line.copies.clone()/></dd>
                    <dt>"商品"</dt><dd>{line.goods.name.clone()}</dd>
                    <dt>"页数"</dt><dd class="num">{line.pages}" 页"</dd>
                    <dt>"单价"</dt>
                    <dd><Money amount=line.quote.unit_price_after()/>" "<span class="quiet">"每本"</span></dd>
                    <dt><label for="quantity">"数量（本）"</label></dt>
                    <dd>
                        <input
                            id="quantity"
                            class="input qty"
                            name="quantity"
                            type="number"
                            inputmode="numeric"
                            min="1"
                            max="1000000"
                            step="1"
                            value=quantity
                            required
                            aria-invalid=invalid.then_some("true")
                            aria-describedby=invalid.then_some("quantity-error")
                        />
                        <FieldError name="quantity".to_owned()/>
                    </dd>
                    <dt>"小计"</dt><dd><Money amount=line.quote.total/></dd>
                </dl>
                <details class="fold">
                    <summary>"价格怎么来的"</summary>
                    <PriceLines quote=line.quote.clone()/>
                </details>
                <p class="quiet">{line.goods.price_book.yhstr()}</p>
                <p class="quiet">{days}</p>
            </div>
            <div>
                <ErrorSummary title="更新购物车失败，请看下面的提示"/>
                {bundles}
                {artwork}
                <StepRows evaluation=line.evaluation.clone() goods=line.goods.clone()/>
                {remarks}
            </div>
            <div class="actionbar">
                <p>"总价 "<Money amount=line.quote.total class="price total"/></p>
                <button class="button" formmethod="get" formnovalidate>"重新计价"</button>
                {order}
                <button class="button primary" disabled=stuck>"下一步"</button>
            </div>
        </form>
    }
}

fn with_choice(saved: Line, choice: &Choice, quantity: Quantity, member: &Member) -> Result<Line, Error> {
    let evaluation = evaluate(&saved.goods, saved.pages, choice);
    let quote = domain::price::quote(&saved.goods, saved.pages, &evaluation.choice(), quantity, member.tier)
        .map_err(Error::internal)?;
    Ok(Line { evaluation, quote, quantity, ..saved })
}

/// Choices that go well together, each with what a copy costs.
#[component]
fn Bundles(offers: Vec<Offer>) -> impl IntoView {
    let offers: Vec<_> = offers
        .into_iter()
        .map(|offer| {
            let Offer { name, about, items, each, is_chosen, picture, .. } = offer;
            view! {
                <button name="bundle" value=name.clone() formmethod="get" formnovalidate aria-pressed=is_chosen.to_string()>
                    // what it shows stands beside it in words
                    <img src=picture width="250" height="220" alt=""/>
                    <strong>{name.clone()}</strong>
                    <span>{about}</span>
                    <small>{items.join(" · ")}</small>
                    <span class="price"><Money amount=each/>" 每本"</span>
                </button>
            }
        })
        .collect();
    view! {
        <fieldset class="bundles">
            <legend>"搭配好的"</legend>
            <div>{offers}</div>
        </fieldset>
    }
}

/// All steps but the remarks, with what the chosen craft is drawn from below it.
#[component]
pub fn StepRows(evaluation: Evaluation, goods: Arc<Goods>) -> impl IntoView {
    let Evaluation { steps, artwork, page_count: pages, .. } = evaluation;
    let rows = steps.into_iter().filter(|step| !step.is_remarks()).flat_map(|step| {
        let artwork = artwork.clone().filter(|_| step.name == step_name::CRAFT);
        let artwork = artwork.map(|step| view! { <ArtworkRow step goods=goods.clone() pages/> }.into_any());
        let row = view! { <StepRow step goods=goods.clone() pages/> }.into_any();
        [Some(row), artwork].into_iter().flatten()
    });
    rows.collect_view()
}

/// What the chosen craft is drawn from; what to do first where no chosen craft asks.
#[component]
fn ArtworkRow(step: EvaluatedStep, goods: Arc<Goods>, pages: u32) -> impl IntoView {
    if step.items.iter().any(|item| item.enable && Some(&item.cnum) != step.sel_cnum()) {
        return view! { <StepRow step goods pages/> }.into_any();
    }
    view! {
        <div class="step" id=ARTWORK_ID>
            <p class="tips">{ARTWORK_HINT}</p>
            <FieldError name=ARTWORK_ID.to_owned()/>
        </div>
    }
    .into_any()
}

/// One step: its items as chips. A disabled item stays visible and says why; another says what it adds to the price.
#[component]
fn StepRow(
    step: EvaluatedStep,
    /// Whose price book says what an item adds to a book of `pages`.
    goods: Arc<Goods>,
    pages: u32,
) -> impl IntoView {
    // what is no step has its field beside theirs
    let name = if step.id == ARTWORK_ID { step.id.clone() } else { format!("step-{}", step.id) };
    let selected = step.sel_cnum().cloned();
    let items: Vec<_> = step
        .items
        .iter()
        .map(|item| {
            let reason = item.reason.clone().map(|reason| view! { <small>{reason}</small> });
            let surcharge = goods.price_book.surcharge(&item.cnum, pages).filter(|_| reason.is_none());
            let price = format!("price-{}", item.cnum);
            let described = surcharge.is_some().then(|| price.clone());
            // a description, not a part of the name
            let surcharge = surcharge.map(|surcharge| {
                view! { <small class="num" id=price aria-hidden="true">{surcharge.to_string()}</small> }
            });
            view! {
                <label>
                    <input
                        type="radio"
                        name=name.clone()
                        value=item.cnum.to_string()
                        checked=Some(&item.cnum) == selected.as_ref()
                        disabled=!item.enable
                        aria-describedby=described
                    />
                    <span>{item.name.clone()}{reason}{surcharge}</span>
                </label>
            }
        })
        .collect();
    let binding = step.is_binding().then(|| {
        let picture = step.cover.as_ref().filter(|_| step.desc.is_some());
        let name = step.selected().map(|item| item.name.clone()).unwrap_or_default();
        let picture = picture.map(|key| {
            let alt = format!("{name}的样子");
            view! { <img src=props::picture(Some(key)) width="120" height="64" alt=alt/> }
        });
        view! {
            <div class="binding">
                {picture}
                <p>{step.desc.clone()}</p>
            </div>
        }
    });
    let note = (step.sel == Selection::NothingEnabled)
        .then(|| view! { <p class="error">"这一步没有适合这本书的选项，请换一种商品或调整页数"</p> });
    view! {
        <div class="step" id=name.clone()>
            <fieldset class="chips">
                <legend>{step.name.clone()}</legend>
                <div>{items}</div>
            </fieldset>
            {note}
            <FieldError name=name.clone()/>
            {binding}
            {step.tips.map(|tips| view! { <p class="tips">{tips}</p> })}
        </div>
    }
}

/// The chosen items in a line.
#[component]
pub fn ChoiceLine(choices: Vec<(String, String)>) -> impl IntoView {
    view! { <p class="spec">{spec(&choices).join("\u{a0}· ")}</p> }
}

/// Where a price comes from; the lines sum to the total.
#[component]
pub fn PriceLines(quote: Quote) -> impl IntoView {
    let rows: Vec<_> = quote
        .lines
        .iter()
        .map(|line| {
            view! { <dt>{line.label.clone()}" "<span class="quiet">{line.detail.clone()}</span></dt><dd><Money amount=line.amount/></dd> }
        })
        .collect();
    view! {
        <dl class="facts sums">
            {rows}
            <dt class="sum">"合计"</dt><dd class="sum"><Money amount=quote.total/></dd>
        </dl>
    }
}

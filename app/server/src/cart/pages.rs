//! Choosing goods, the cart, and the print options 印刷选项 as a complete form.

use domain::goods::{Goods, step_name};
use domain::ids::{CartLineId, WorkId};
use domain::money::Fen;
use domain::price::Quote;
use domain::print_options::{Choice, EvaluatedStep, Quantity, Selection, default_choice, evaluate};
use leptos::prelude::*;
use press::PageRef;

use super::forms::choice_of;
use super::{Line, line, lines};
use crate::db::new_id;
use crate::error::Error;
use crate::render::{here, loaded, parameter, use_form, use_raw_query};
use crate::session::Member;
use crate::ui::forms::read_form;
use crate::ui::parts::{Book, ErrorSummary, FieldError, Money};
use crate::ui::shell::Shell;
use crate::works::{Work, picture_address};
use crate::{catalog, works};

/// A goods as the catalogue page shows it for one work.
struct Offer {
    goods: Goods,
    /// The price of one copy as proposed; `None` when the work can't be made as these goods.
    from: Option<Fen>,
    reason: String,
}

/// GET /manager/add_shopping/{id}: the goods that fit a work's page size.
#[component]
pub fn AddPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = works::for_owner(&here.app, &id, &here.member.id).await?;
            let goods = catalog::of_size(&here.app, work.document.trim).await?;
            let offers = goods
                .into_iter()
                .map(|goods| offer(goods, &work, &here.member))
                .collect::<Result<Vec<_>, _>>()?;
            Ok((here.member, work, offers))
        },
        |(member, work, offers)| {
            // the form carries the new line's id: pressed twice, it adds one line
            let line: CartLineId = new_id();
            let pages = work.document.pages.len();
            let cards: Vec<_> = offers.into_iter().map(|offer| view! { <OfferCard offer/> }).collect();
            view! {
                <Shell member title="选择印刷方式".to_owned() assets=&["catalog.css"]>
                    <header class="head"><h1>"选择印刷方式"</h1></header>
                    <ErrorSummary title="还差一点"/>
                    <div class="chosen">
                        <Book
                            class="thumb"
                            src=picture_address(&work.id, work.revision, PageRef::Cover, 320)
                            trim=work.document.trim
                            alt=String::new()
                        />
                        <p>
                            <a href=format!("/manager/opus/{}", work.id)>{work.document.title.clone()}</a>
                            <br/>
                            <span class="quiet">"共 "<span class="num">{pages}</span>" 页"</span>
                        </p>
                    </div>
                    <form method="post" action=format!("/manager/add_shopping/{}", work.id)>
                        <input type="hidden" name="line" value=line.to_string()/>
                        <ul class="goods">{cards}</ul>
                    </form>
                </Shell>
            }
        },
    )
}

fn offer(goods: Goods, work: &Work, member: &Member) -> Result<Offer, Error> {
    let pages = u32::try_from(work.document.pages.len()).map_err(Error::internal)?;
    let one = Quantity::try_from(1).map_err(Error::internal)?;
    let evaluation = evaluate(&goods, pages, &default_choice(&goods, pages));
    if let Some(step) = evaluation.stuck().next() {
        let reason = step.items.iter().find_map(|item| item.reason.clone()).unwrap_or_default();
        let reason = format!("{}：{reason}", step.name);
        return Ok(Offer { goods, from: None, reason });
    }
    let quote = domain::price::quote(&goods, pages, &evaluation.choice(), one, member.tier);
    Ok(Offer { from: Some(quote.map_err(Error::internal)?.total), goods, reason: String::new() })
}

#[component]
fn OfferCard(offer: Offer) -> impl IntoView {
    let goods = offer.goods;
    let bindings: Vec<String> = goods
        .shown_steps()
        .filter(|step| step.name == step_name::BINDING)
        .flat_map(|step| step.items.iter().map(|item| item.name.clone()))
        .collect();
    let foot = match offer.from {
        Some(from) => view! {
            <div class="row">
                <p><Money amount=from class="price"/>" "<span class="quiet">"每本，按推荐的选项"</span></p>
                <button class="button primary" name="goods" value=goods.id.to_string()>"选这种，定材料"</button>
            </div>
        }
        .into_any(),
        None => view! { <p class="off">"这本书不能印成这种："{offer.reason}</p> }.into_any(),
    };
    view! {
        <li class="sheet">
            <div>
                <h2>{goods.name}</h2>
                <p class="quiet">{goods.description}</p>
                <dl class="facts"><dt>"装订"</dt><dd>{bindings.join("、")}</dd></dl>
            </div>
            {foot}
        </li>
    }
}

/// GET /manager/shopping/cart.
#[component]
pub fn CartPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let mut shown = Vec::new();
            for line in lines(&here.app, &here.member).await? {
                let obstacle = crate::orders::obstacle(&here.app, &here.member, &line).await?;
                shown.push((line, obstacle));
            }
            Ok((here.member, shown))
        },
        |(member, lines)| {
            let count = lines.len();
            if count == 0 {
                return view! {
                    <Shell member title="购物车".to_owned() assets=&["cart.css"]>
                        <header class="head"><h1>"购物车"</h1></header>
                        <section class="trim empty">
                            <h2>"购物车是空的"</h2>
                            <p class="quiet">"打开一件作品，选好印刷方式，它就会出现在这里。"</p>
                            <a class="button primary" href="/manager/opus_list/all">"挑一件作品来印"</a>
                        </section>
                    </Shell>
                }
                .into_any();
            }
            let ready: Vec<Fen> = lines
                .iter()
                .filter(|(_, obstacle)| obstacle.is_none())
                .map(|(line, _)| line.quote.total)
                .collect();
            let ready_count = ready.len();
            let total = Fen::sum(ready).unwrap_or_default();
            // each removal is a form of its own: Enter in the cart's form must never remove anything
            let removals: Vec<_> = lines
                .iter()
                .map(|(line, _)| {
                    let action = format!("/manager/shopping/cart/{}/removal", line.id);
                    view! { <form id=format!("remove-{}", line.id) method="post" action=action></form> }
                })
                .collect();
            let items: Vec<_> =
                lines.into_iter().map(|(line, obstacle)| view! { <CartItem line obstacle/> }).collect();
            view! {
                <Shell member title="购物车".to_owned() assets=&["cart.css"]>
                    <header class="head">
                        <div>
                            <h1>"购物车"</h1>
                            <p class="quiet">"共 "<span class="num">{count}</span>" 件"</p>
                        </div>
                    </header>
                    <ErrorSummary title="还不能结算"/>
                    <form class="cart" method="get" action="/manager/shopping/checkout">
                        <ul class="lines">{items}</ul>
                        <div class="actionbar">
                            <p>
                                "可结算 "<span class="num">{ready_count}</span>" 件，全部合计 "
                                <Money amount=total class="price total"/>
                            </p>
                            <button class="button primary" disabled=ready_count == 0>"结算"</button>
                        </div>
                    </form>
                    {removals}
                </Shell>
            }
            .into_any()
        },
    )
}

#[component]
fn CartItem(line: Line, obstacle: Option<String>) -> impl IntoView {
    let title = line.work.document.title.clone();
    let spec: Vec<String> = line.choices().into_iter().map(|(_, item)| item).collect();
    // of the whole ladder, only the rung that applies
    let rung = line.goods.price_book.rung(line.quantity).map(ToString::to_string);
    let discount = rung.map(|rung| view! { <p class="spec"><span class="badge good">{rung}</span></p> });
    let blocked = obstacle.is_some();
    let base = format!("/manager/shopping/cart/{}", line.id);
    view! {
        <li>
            <div class="pickline">
                <label class="check">
                    <input
                        type="checkbox"
                        name="line"
                        value=line.id.to_string()
                        checked=!blocked
                        disabled=blocked
                    />
                    <span class="sr">{format!("结算《{title}》")}</span>
                </label>
                <a href=format!("/manager/opus/{}", line.work.id)>
                    <Book
                        class="thumb"
                        src=picture_address(&line.work.id, line.work.revision, PageRef::Cover, 320)
                        trim=line.work.document.trim
                        alt=format!("《{title}》")
                        lazy=true
                    />
                </a>
            </div>
            <div>
                <h2>{title}</h2>
                <p class="quiet">{line.goods.name.clone()}" · "<span class="num">{line.pages}</span>" 页"</p>
                <p class="spec">{spec.join("\u{a0}· ")}</p>
                {discount}
                {obstacle.map(|reason| view! { <p class="error">{reason}</p> })}
                <div class="acts">
                    <a class="link" href=format!("{base}/options")>"改印刷选项"</a>
                    <button class="link danger" form=format!("remove-{}", line.id)>"移除"</button>
                </div>
            </div>
            <div class="amount">
                <strong><Money amount=line.quote.total class="price"/></strong>
                <span class="quiet num">
                    <Money amount=line.quote.unit_price_after()/>{format!(" × {} 本", line.quantity)}
                </span>
            </div>
        </li>
    }
}

/// What the options page shows: the saved line, or the same line with choices that were asked for but not
/// saved, with the price they would have.
struct Shown {
    member: Member,
    line: Line,
    remark: String,
    quantity: String,
}

/// GET /manager/shopping/cart/{line}/options: 印刷选项. With choices in the query it shows their price and saves
/// nothing.
#[component]
pub fn OptionsPage() -> impl IntoView {
    let here = here();
    let id = parameter::<CartLineId>("line");
    let form = use_form();
    let query = use_raw_query();
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let saved = line(&here.app, &id, &here.member).await?;
            let asked = if form.is_sent() { form } else { read_form(query.as_bytes())? };
            if !asked.is_sent() {
                let (remark, quantity) = (saved.remark.clone(), saved.quantity.to_string());
                return Ok(Shown { member: here.member, line: saved, remark, quantity });
            }
            let quantity = asked.or("quantity", &saved.quantity.to_string()).trim().to_owned();
            let remark = asked.or("remark", &saved.remark);
            let choice = choice_of(&asked, &saved.goods);
            let count = quantity.parse().unwrap_or(saved.quantity);
            let line = with_choice(saved, &choice, count, &here.member)?;
            Ok(Shown { member: here.member, line, remark, quantity })
        },
        |Shown { member, line, remark, quantity }| {
            let title = line.work.document.title.clone();
            let steps: Vec<_> = line
                .evaluation
                .steps
                .iter()
                .filter(|step| !step.is_remarks())
                .map(|step| view! { <StepRow step=step.clone()/> })
                .collect();
            let remarks = line.evaluation.steps.iter().any(EvaluatedStep::is_remarks);
            let remarks = remarks.then(|| {
                view! {
                    <div class="step">
                        <div class="field">
                            <label for="remark">"备注"</label>
                            <textarea id="remark" name="remark" maxlength="500" rows="2">{remark}</textarea>
                            <FieldError name="remark".to_owned()/>
                        </div>
                    </div>
                }
            });
            let form = use_form();
            let invalid = form.error("quantity").is_some();
            let action = format!("/manager/shopping/cart/{}/options", line.id);
            let stuck = !line.evaluation.is_complete();
            view! {
                <Shell member title="印刷选项".to_owned() assets=&["cart.css"]>
                    <form class="options" method="post" action=action>
                        <div class="proof">
                            <h1>"印刷选项"</h1>
                            <div class="trim">
                                <Book
                                    src=picture_address(&line.work.id, line.work.revision, PageRef::Cover, 720)
                                    trim=line.work.document.trim
                                    alt=format!("《{title}》封面")
                                />
                            </div>
                            <dl class="facts">
                                <dt>"作品"</dt><dd>{title}</dd>
                                <dt>"商品"</dt><dd>{line.goods.name.clone()}</dd>
                                <dt>"页数"</dt><dd class="num">{line.pages}" 页"</dd>
                                <dt>"单价"</dt>
                                <dd><Money amount=line.quote.unit_price_after()/>" "<span class="quiet">"每本"</span></dd>
                                <dt>"小计"</dt><dd><Money amount=line.quote.total/></dd>
                            </dl>
                            <details class="fold">
                                <summary>"价格怎么来的"</summary>
                                <PriceLines quote=line.quote.clone()/>
                            </details>
                            <p class="quiet">{line.goods.price_book.yhstr()}</p>
                        </div>
                        <div>
                            <ErrorSummary title="更新购物车失败，请看下面的提示"/>
                            {steps}
                            {remarks}
                            <div class="step">
                                <div class="field">
                                    <label for="quantity">"数量（本）"</label>
                                    <input
                                        id="quantity"
                                        class="qty"
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
                                </div>
                            </div>
                        </div>
                        <div class="actionbar">
                            <p>"总价 "<Money amount=line.quote.total class="price total"/></p>
                            <button class="button" formmethod="get" formnovalidate>"重新计价"</button>
                            <button class="button primary" disabled=stuck>"下一步"</button>
                        </div>
                    </form>
                </Shell>
            }
        },
    )
}

fn with_choice(saved: Line, choice: &Choice, quantity: Quantity, member: &Member) -> Result<Line, Error> {
    let evaluation = evaluate(&saved.goods, saved.pages, choice);
    let quote = domain::price::quote(&saved.goods, saved.pages, &evaluation.choice(), quantity, member.tier)
        .map_err(Error::internal)?;
    Ok(Line { evaluation, quote, quantity, ..saved })
}

/// One step: its items as chips. A disabled item stays visible and says why.
#[component]
fn StepRow(step: EvaluatedStep) -> impl IntoView {
    let name = format!("step-{}", step.id);
    let selected = step.sel_cnum().cloned();
    let items: Vec<_> = step
        .items
        .iter()
        .map(|item| {
            let reason = item.reason.clone().map(|reason| view! { <small>{reason}</small> });
            view! {
                <label>
                    <input
                        type="radio"
                        name=name.clone()
                        value=item.cnum.to_string()
                        checked=Some(&item.cnum) == selected.as_ref()
                        disabled=!item.enable
                    />
                    <span>{item.name.clone()}{reason}</span>
                </label>
            }
        })
        .collect();
    let binding = step.is_binding().then(|| {
        let picture = step.cover.clone().filter(|_| step.desc.is_some());
        let name = step.selected().map(|item| item.name.clone()).unwrap_or_default();
        view! {
            <div class="binding">
                {picture.map(|key| view! { <crate::ui::bindings::BindingPicture key name/> })}
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

//! /manager/opus_share_buy/{id}: what a reader buys of a shared work: reading it, packages that hold it, printed copies.
//! A copy is confirmed on a page below, with its address, and is an order like any other.

use std::sync::Arc;

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::artwork::Artwork;
use domain::goods::Goods;
use domain::ids::{GoodsId, WorkId};
use domain::money::Fen;
use domain::price::{Quote, quote};
use domain::print_options::{ARTWORK_ID, Choice, Evaluation, Quantity, check, default_choice, evaluate};
use domain::sharing::Access;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, here, loaded, parameter, use_form, use_raw_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{Book, ErrorSummary, FieldError, Limit, Money, area_text};
use web::ui::shell::Shell;

use super::open::{self, Opened};
use super::pictures;
use super::store::{self, Share};
use cart::{PriceLines, REMARK_LENGTH, StepRows, choice_of, refuse_choice};
use orders::{self, SharedCopy, Source};
use selling::{self, NotSold, Single};

/// Its address, by the router's pattern.
pub const BUYING: &str = "/manager/opus_share_buy/{id}";

/// The address for one work.
pub fn buying(work: &WorkId) -> String {
    BUYING.replace("{id}", work.as_str())
}

/// Goods that a work is printed as, with what a reader has chosen of them.
struct Print {
    goods: Arc<Goods>,
    evaluation: Evaluation,
    /// With what the maker adds; `None` where the work can't be made as these goods.
    quote: Option<Quote>,
}

impl Print {
    fn of(
        share: &Share,
        goods: Arc<Goods>,
        choice: Option<&Choice>,
        count: Quantity,
        reader: &Member,
    ) -> Result<Self, Error> {
        let pages = u32::try_from(share.facts.pages).map_err(Error::internal)?;
        let proposed = default_choice(&goods, pages);
        let evaluation = evaluate(&goods, pages, choice.unwrap_or(&proposed));
        let each = share.settings.markup.unwrap_or_default();
        let quote = match evaluation.is_complete() {
            true => {
                let printing = quote(&goods, pages, &evaluation.choice(), count, reader.tier);
                Some(printing.map_err(Error::internal)?.with_markup(each).map_err(Error::internal)?)
            }
            false => None,
        };
        Ok(Self { goods, evaluation, quote })
    }
}

/// Refuses whoever can't order copies, as a sentence.
fn may_order(opened: &Opened) -> Result<(), Error> {
    if opened.is_owner {
        return Err(Error::Conflict("这是您自己的作品，请在作品里选“印刷”。".into()));
    }
    match opened.share.settings.markup {
        Some(_) if opened.access != Access::Locked => Ok(()),
        _ => Err(Error::Conflict("作者没有开放这件作品的印刷本。".into())),
    }
}

fn found_goods(all: &[Arc<Goods>], id: &str) -> Option<Arc<Goods>> {
    let id: GoodsId = id.parse().ok()?;
    all.iter().find(|goods| goods.id == id).cloned()
}

/// POST /manager/opus_share_buy/{id}: begins to buy reading (`what=reading`), or goes on to confirm a printed copy
/// (`what=print` with goods, choice and quantity).
pub async fn buy(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let opened = open::open_for(&app, &parts, &id).await?;
    let page = buying(&id);
    if form.get("what") != "print" {
        if let Access::Whole = opened.access {
            // bought in another tab meanwhile, or free
            return Ok(Redirect::to(&page).into_response());
        }
        return read_on(&app, &member, &opened.share, parts, form).await;
    }
    may_order(&opened)?;
    let all = catalog::of_size(&app, opened.share.facts.trim).await?;
    let Some(goods) = found_goods(&all, form.get("goods")) else {
        form.refuse("goods", "请选择印刷商品");
        return render::again(&app, parts, &page, form).await;
    };
    let pages = u32::try_from(opened.share.facts.pages).map_err(Error::internal)?;
    let choice = choice_of(&form, &goods);
    refuse_choice(&mut form, &goods, pages, &choice);
    let quantity = Quantity::read(form.get("quantity"));
    if let Err(error) = &quantity {
        form.refuse("quantity", error.to_string());
    }
    check_length(&mut form, "remark", "备注", 0, REMARK_LENGTH);
    let Some(quantity) = quantity.ok().filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, &format!("{page}?goods={}", goods.id), form).await;
    };
    let chosen = [
        ("goods", goods.id.to_string()),
        ("cnums", choice.to_string()),
        (ARTWORK_ID, choice.artwork().to_string()),
        ("quantity", quantity.to_string()),
        ("remark", form.get("remark").to_owned()),
    ];
    let query = serde_urlencoded::to_string(chosen).map_err(Error::internal)?;
    Ok(Redirect::to(&format!("{page}/order?{query}")).into_response())
}

/// What of a shared work is sold by itself; nothing where it is not.
pub fn single_of(share: &Share) -> Option<Single<'_>> {
    share.settings.sale.and_then(|sale| sale.price).map(|price| Single {
        kind: "work",
        id: share.work.as_str(),
        title: &share.settings.title,
        seller: &share.member,
        price,
    })
}

/// Begins to buy reading for ever, or takes up what was begun.
async fn read_on(
    app: &App,
    member: &Member,
    share: &Share,
    parts: Parts,
    mut form: Form,
) -> Result<Response, Error> {
    let Some(single) = single_of(share) else {
        form.refuse("", "这件作品现在不单卖。");
        return render::again(app, parts, &buying(&share.work), form).await;
    };
    match selling::buy_single(app, member, &single).await {
        Ok(till) => Ok(Redirect::to(&till).into_response()),
        Err(NotSold::Failed(error)) => Err(error),
        Err(reason) => {
            form.refuse("", reason.to_string());
            render::again(app, parts, &buying(&share.work), form).await
        }
    }
}

/// What is to be confirmed, as the page's query says; the document is the one that readers see.
async fn chosen_copy(app: &App, member: &Member, parts: &Parts, id: &WorkId) -> Result<Source, Error> {
    let opened = open::open_for(app, parts, id).await?;
    may_order(&opened)?;
    let share = opened.share;
    let asked = read_form(parts.uri.query().unwrap_or_default().as_bytes())?;
    let gone = || Error::Conflict("选好的印刷方式现在不能订了，请重新选择。".into());
    let all = catalog::of_size(app, share.facts.trim).await?;
    let goods = found_goods(&all, asked.get("goods")).ok_or_else(gone)?;
    let artwork = asked.or(ARTWORK_ID, &Artwork::default().to_string());
    let choice = Choice::kept(asked.get("cnums"), &artwork).map_err(|_| gone())?;
    let pages = u32::try_from(share.facts.pages).map_err(Error::internal)?;
    check(&goods, pages, &choice).map_err(|_| gone())?;
    let quantity: Quantity = asked.get("quantity").parse().map_err(|_| gone())?;
    let remark: String = asked.get("remark").chars().take(REMARK_LENGTH).collect();
    let print = Print::of(&share, goods, Some(&choice), quantity, member)?;
    let quote = print.quote.ok_or_else(gone)?;
    let each = share.settings.markup.unwrap_or_default();
    let markup = each.times(u64::from(quantity.get())).map_err(Error::internal)?;
    let query = serde_urlencoded::to_string([
        ("goods", asked.get("goods")),
        ("cnums", asked.get("cnums")),
        (ARTWORK_ID, &artwork),
        ("quantity", asked.get("quantity")),
        ("remark", &remark),
    ]);
    Ok(Source::Shared(Box::new(SharedCopy {
        page: format!("{}/order?{}", buying(id), query.map_err(Error::internal)?),
        work: id.to_string(),
        maker: share.member.clone(),
        // a reader's copy is nobody's of the run
        document: store::document(&app.db, id).await?.without_variants(),
        goods: (*print.goods).clone(),
        evaluation: print.evaluation,
        quote,
        markup,
        remark,
        pictures: pictures::of_whole(&share, opened.access),
    })))
}

/// POST /manager/opus_share_buy/{id}/order: the reader's own order, with its own address.
pub async fn order(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let source = chosen_copy(&app, &member, &parts, &id).await?;
    orders::place_from(app, member, source, parts, &body).await
}

/// GET /manager/opus_share_buy/{id}/order: where it goes and what it costs.
#[component]
pub fn OrderCopyPage() -> impl IntoView {
    let (here, parts, id) = (here(), use_context::<Parts>(), parameter::<WorkId>("id"));
    orders::confirmation(async move {
        let here = here?;
        let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
        chosen_copy(&here.app, &here.member, &parts, &id?).await
    })
}

struct Shown {
    member: Member,
    opened: Opened,
    /// What it can be printed as.
    prints: Vec<Print>,
    /// The one whose options are chosen, and what was typed of it.
    chosen: Option<(Print, String, String)>,
}

/// GET /manager/opus_share_buy/{id}; with `goods` the options of a printed copy.
#[component]
pub fn BuyPage() -> impl IntoView {
    let (here, parts, id) = (here(), use_context::<Parts>(), parameter::<WorkId>("id"));
    let (form, query) = (use_form(), use_raw_query());
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let opened = open::open_for(&here.app, &parts, &id).await?;
            let asked = if form.is_sent() { form } else { read_form(query.as_bytes())? };
            load(&here.app, here.member, opened, &asked).await
        },
        |shown| view! { <Buy shown/> },
    )
}

async fn load(app: &App, member: Member, opened: Opened, asked: &Form) -> Result<Shown, Error> {
    let (mut prints, mut chosen) = (Vec::new(), None);
    if may_order(&opened).is_ok() {
        let share = &opened.share;
        let one = Quantity::try_from(1).map_err(Error::internal)?;
        let all = catalog::of_size(app, share.facts.trim).await?;
        if let Some(goods) = found_goods(&all, asked.get("goods")) {
            let typed = asked.or("quantity", "1");
            let choice = choice_of(asked, &goods);
            let choice = (!choice.cnums().is_empty()).then_some(&choice);
            let print = Print::of(share, goods, choice, Quantity::read(&typed).unwrap_or(one), &member)?;
            chosen = Some((print, typed, asked.or("remark", "")));
        } else {
            for goods in all {
                prints.push(Print::of(share, goods, None, one, &member)?);
            }
        }
    }
    Ok(Shown { member, opened, prints, chosen })
}

#[component]
fn Buy(shown: Shown) -> impl IntoView {
    let Shown { member, opened, prints, chosen } = shown;
    let share = opened.share.clone();
    let read = format!("/read/{}", share.work);
    if opened.access == Access::Locked {
        return view! {
            <Shell member title="购买".to_owned() assets=&["cart.css", "buying.css"]>
                <h1>"这本书要密码才能看"</h1>
                <p><a class="button primary" href=read>"先输入密码"</a></p>
            </Shell>
        }
        .into_any();
    }
    let title = share.settings.title.clone();
    let author =
        (!share.facts.author.is_empty()).then(|| view! { <p class="quiet">{share.facts.author.clone()}</p> });
    let body = match chosen {
        Some((print, quantity, remark)) => {
            view! { <Options work=share.work.clone() print quantity remark/> }.into_any()
        }
        None => view! {
            <ReadingOffer opened/>
            <PrintOffers share=share.clone() prints/>
        }
        .into_any(),
    };
    view! {
        <Shell member title=format!("购买《{title}》") assets=&["cart.css", "buying.css"]>
            <header class="chosen">
                <a href=read.clone()>
                    <Book
                        class="thumb"
                        src=pictures::address(&share, 0, 360)
                        trim=share.facts.trim
                        alt=format!("《{title}》封面")
                    />
                </a>
                <div>
                    <h1>{title}</h1>
                    {author}
                    <p class="quiet">
                        "共 "<span class="num">{share.facts.pages}</span>" 页 · "<a href=read>"打开这本书"</a>
                    </p>
                </div>
            </header>
            <ErrorSummary title="没有买成"/>
            {body}
        </Shell>
    }
    .into_any()
}

/// Reading all of it: bought already, free, or for sale alone and in packages.
#[component]
fn ReadingOffer(opened: Opened) -> impl IntoView {
    let Opened { share, access, is_owner, offers, .. } = opened;
    let read = format!("/read/{}", share.work);
    let body = if is_owner {
        view! {
            <p class="notice">"这是您自己的作品。读者在这里买阅读和印刷本；您自己要印，请用作品里的“印刷”。"</p>
            <p><a class="button" href=format!("/manager/opus_share_edit/{}", share.work)>"分享设置"</a></p>
        }
        .into_any()
    } else if let Access::Preview(_) = access {
        let price = share.settings.sale.and_then(|sale| sale.price);
        let single = price.map(|price| {
            view! {
                <li>
                    <span>"只买这一本，长期阅读"</span>
                    <Money amount=price class="price"/>
                    <form method="post" action=buying(&share.work)>
                        <button class="button primary" name="what" value="reading">"购买阅读"</button>
                    </form>
                </li>
            }
        });
        let packages: Vec<_> = offers
            .into_iter()
            .map(|offer| {
                view! {
                    <li>
                        <span>{offer.words()}</span>
                        <Money amount=offer.price class="price"/>
                        <a class="button" href=offer.address>"看套餐"</a>
                    </li>
                }
            })
            .collect();
        let none = (single.is_none() && packages.is_empty())
            .then(|| view! { <p class="quiet">"作者暂时没有开售阅读，请过些时候再来。"</p> });
        view! {
            {none}
            <ul class="offers">{single}{packages}</ul>
            <p class="hint">"有兑换码的，到"<a href="/manager/book-study">"书房"</a>"兑换。"</p>
        }
        .into_any()
    } else {
        let words = if share.settings.sale.is_some() {
            "您可以读完整本。"
        } else {
            "这本书免费阅读。"
        };
        view! {
            <p class="notice good">{words}</p>
            <p><a class="button primary" href=format!("{read}/1")>"去阅读"</a></p>
        }
        .into_any()
    };
    let given = (!is_owner && single_of(&share).is_some()).then(|| {
        let href = format!("{}/gift", buying(&share.work));
        view! { <p><a class="link" href=href>"送给别人"</a></p> }
    });
    view! { <section class="sheet stack" aria-labelledby="reading-title"><h2 id="reading-title">"阅读"</h2>{body}{given}</section> }
}

#[component]
fn PrintOffers(share: Share, prints: Vec<Print>) -> impl IntoView {
    if prints.is_empty() {
        return None;
    }
    let page = buying(&share.work);
    let cards: Vec<_> = prints
        .into_iter()
        .map(|print| {
            let foot = match print.quote {
                Some(quote) => view! {
                    <div class="row">
                        <p><Money amount=quote.total class="price"/>" "<span class="quiet">"一本，按推荐的选项"</span></p>
                        <a class="button" href=format!("{page}?goods={}#options", print.goods.id)>"选材料和数量"</a>
                    </div>
                }
                .into_any(),
                None => {
                    let reason = print.evaluation.stuck().next().map(|step| step.name.clone());
                    let words = format!("这本书不能印成这种：{}没有适合的选项", reason.unwrap_or_default());
                    view! { <p class="quiet">{words}</p> }.into_any()
                }
            };
            view! {
                <li>
                    <div>
                        <h3>{print.goods.name.clone()}</h3>
                        <p class="quiet">{print.goods.description.clone()}</p>
                    </div>
                    {foot}
                </li>
            }
        })
        .collect();
    let markup = share.settings.markup.filter(|markup| *markup > Fen::ZERO).map(|markup| {
        view! { <p class="hint">"价格里有给作者的 "<Money amount=markup/>" 一本。"</p> }
    });
    Some(view! {
        <section class="sheet stack" aria-labelledby="print-title">
            <h2 id="print-title">"印刷本"</h2>
            <p class="quiet">"印的是您现在读到的这一版；下单以后作者再改，也不会变。"</p>
            <ul class="prints">{cards}</ul>
            {markup}
        </section>
    })
}

/// The options of a printed copy, as in the cart.
#[component]
fn Options(work: WorkId, print: Print, quantity: String, remark: String) -> impl IntoView {
    let page = buying(&work);
    let Print { goods, evaluation, quote } = print;
    let invalid = use_form().error("quantity").is_some();
    let has_remarks = evaluation.steps.iter().any(|step| step.is_remarks());
    let remarks = has_remarks.then(|| {
        view! {
            <div class="step">
                <div class="field">
                    <label for="remark">"备注"</label>
                    <Limit name="remark" most=REMARK_LENGTH.to_string()/>
                    <textarea id="remark" name="remark" maxlength=REMARK_LENGTH.to_string() aria-describedby="remark-limit" rows="2">{area_text(&remark)}</textarea>
                    <FieldError name="remark".to_owned()/>
                </div>
            </div>
        }
    });
    let is_stuck = quote.is_none();
    let lines = quote.clone().map(|quote| {
        view! {
            <details class="fold" open><summary>"价格怎么来的"</summary><PriceLines quote/></details>
        }
    });
    let total = quote.map(|quote| view! { <p>"总价 "<Money amount=quote.total class="price total"/></p> });
    view! {
        <form class="options" id="options" method="post" action=page.clone()>
            <input type="hidden" name="goods" value=goods.id.to_string()/>
            <div class="proof">
                <dl class="facts">
                    <dt>"商品"</dt><dd>{goods.name.clone()}</dd>
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
                </dl>
                {lines}
                <p class="quiet">{goods.price_book.yhstr()}</p>
                <p><a class="link" href=page.clone()>"换一种印刷方式"</a></p>
            </div>
            <div><StepRows evaluation goods=goods.clone()/>{remarks}</div>
            <div class="actionbar">
                {total}
                <button class="button" formmethod="get" formnovalidate>"重新计价"</button>
                <button class="button primary" name="what" value="print" disabled=is_stuck>"下一步，填地址"</button>
            </div>
        </form>
    }
}

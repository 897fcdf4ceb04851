//! The cart.

use std::collections::HashSet;

use base::db::now_ms;
use domain::ids::CartLineId;
use domain::money::Fen;
use leptos::prelude::*;
use press::PageRef;
use web::islands::{Island, ReactIsland, When};
use web::render::{self, Form, HeadSlot, here, loaded, use_form, use_raw_query};
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{Book, ErrorSummary, FieldError, Money};
use web::ui::shell::Shell;

use super::options::{ChoiceLine, OptionsForm};
use crate::forms::{CART, RECOUNT, chosen_ids, quantity_field};
use crate::props::PrintOptionsProps;
use crate::{Line, lines, store, stuck};
use works::{RunOf, picture_address, unprintable_works};

/// How long the page offers to put a removed line back, in ms.
const UNDO_MS: i64 = 10 * 60_000;

/// What the cart's page shows.
struct Shown {
    member: Member,
    items: Vec<Item>,
    /// Lines removed a moment ago: id and title.
    removed: Vec<(String, String)>,
}

#[derive(Clone)]
struct Item {
    line: Line,
    /// Why it can't be ordered.
    obstacle: Option<String>,
    chosen: bool,
}

/// GET /manager/shopping/cart. With `recount` in the query, the lines named there are the chosen ones; else all that
/// can be ordered.
#[component]
pub fn CartPage() -> impl IntoView {
    let here = here();
    let (sent, query) = (use_form(), use_raw_query());
    loaded(
        async move {
            let here = here?;
            let asked = read_form(query.as_bytes())?;
            let chosen = chosen_lines(&sent).or_else(|| chosen_lines(&asked));
            let mut items = Vec::new();
            let lines = lines(&here.app, &here.member).await?;
            let works = lines.iter().filter(|line| line.obstacle().is_none()).map(|line| &line.work);
            let unprintable = unprintable_works(&here.app, &here.member.id, works).await?;
            for line in lines {
                let obstacle = line
                    .obstacle()
                    .or_else(|| stuck(&line.evaluation))
                    .or_else(|| unprintable.get(&line.work.id).cloned());
                let wanted = chosen.as_ref().is_none_or(|chosen| chosen.contains(&line.id));
                items.push(Item { chosen: wanted && obstacle.is_none(), line, obstacle });
            }
            let removed = store::removed_since(&here.app.db, &here.member.id, now_ms() - UNDO_MS).await?;
            Ok(Shown { member: here.member, items, removed })
        },
        |Shown { member, items, removed }| {
            let undo = view! { <Undo removed/> };
            if items.is_empty() {
                return view! {
                    <Shell member title="购物车".to_owned() assets=&["cart.css", "cart.js"]>
                        <header class="head"><h1>"购物车"</h1></header>
                        {undo}
                        <section class="trim empty">
                            <h2>"购物车是空的"</h2>
                            <p class="quiet">"打开一件作品，选好印刷方式，它就会出现在这里。"</p>
                            <a class="button primary" href="/manager/opus_list/all">"挑一件作品来印"</a>
                        </section>
                    </Shell>
                }
                .into_any();
            }
            let chosen: Vec<Fen> =
                items.iter().filter(|item| item.chosen).map(|item| item.line.quote.total).collect();
            let (count, chosen_count) = (items.len(), chosen.len());
            let total = Fen::sum(chosen).unwrap_or_default();
            let none_ready = items.iter().all(|item| item.obstacle.is_some());
            // each change of a line is a form of its own: Enter in one field must never do something else
            let forms: Vec<_> =
                items.iter().map(|item| view! { <LineForms id=item.line.id.clone()/> }).collect();
            let dialogs: Vec<_> =
                items.iter().map(|item| view! { <Options line=item.line.clone()/> }).collect();
            let items: Vec<_> = items.into_iter().map(|item| view! { <CartItem item/> }).collect();
            view! {
                <Shell member title="购物车".to_owned() assets=&["cart.css", "cart.js"]>
                    <header class="head">
                        <div>
                            <h1>"购物车"</h1>
                            <p class="quiet">"共 "<span class="num">{count}</span>" 件"</p>
                        </div>
                    </header>
                    {undo}
                    <ErrorSummary title="还差一点"/>
                    <form class="cart" method="post" action="/manager/shopping/checkout" data-cart>
                        // the button that Enter presses in a number, before those that change it
                        <button class="sr" tabindex="-1" aria-hidden="true" formaction=CART>"更新数量"</button>
                        <input type="hidden" name=RECOUNT value="1"/>
                        <ul class="lines">{items}</ul>
                        <div class="actionbar">
                            <p>
                                "已选 "<span class="num" data-count>{chosen_count}</span>" 件，合计 "
                                <span data-sum><Money amount=total class="price total"/></span>
                            </p>
                            <button class="button" formaction=CART data-recount>"合计所选"</button>
                            <button class="button primary" disabled=none_ready>"结算"</button>
                        </div>
                    </form>
                    <Alone/>
                    {forms}
                    {dialogs}
                </Shell>
            }
            .into_any()
        },
    )
}

/// The lines that were asked for; `None` where nobody asked.
fn chosen_lines(asked: &Form) -> Option<HashSet<CartLineId>> {
    (!asked.get(RECOUNT).is_empty()).then(|| chosen_ids(asked).into_iter().collect())
}

/// The buttons that the cart's script makes needless hold no place from the start (cart.css), so that nothing moves when it
/// comes. Scripts run in turn: where this one finds that the cart's did not come, the buttons are shown.
#[component]
fn Alone() -> impl IntoView {
    const SCRIPT: &str = "for (const cart of document.querySelectorAll(\"[data-cart]:not([data-taken])\")) cart.dataset.alone = \"\";";
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.allow(SCRIPT);
    }
    view! { <script type="module" inner_html=SCRIPT></script> }
}

/// What was removed a moment ago, and the way back.
#[component]
fn Undo(removed: Vec<(String, String)>) -> impl IntoView {
    if removed.is_empty() {
        return None;
    }
    let rows: Vec<_> = removed
        .into_iter()
        .map(|(id, title)| {
            view! {
                <li>
                    <form id=format!("restore-{id}") method="post" action=format!("/manager/shopping/cart/{id}/restoration") data-swap>
                        {format!("已移除《{title}》。")}
                        <button class="link" id=format!("undo-{id}")>"撤销"<span class="sr">{format!("：把《{title}》放回购物车")}</span></button>
                    </form>
                </li>
            }
        })
        .collect();
    Some(view! { <div class="notice" role="status" id="removed"><ul class="plain">{rows}</ul></div> })
}

/// The forms that a line's controls belong to.
#[component]
fn LineForms(id: CartLineId) -> impl IntoView {
    let base = format!("/manager/shopping/cart/{id}");
    view! {
        <form id=format!("amount-{id}") method="post" action=format!("{base}/quantity") data-swap></form>
        <form id=format!("remove-{id}") method="post" action=format!("{base}/removal") data-swap></form>
    }
}

/// The print options as the dialog shows them at once, before its script has arrived.
#[component]
fn Options(line: Line) -> impl IntoView {
    let id = line.id.to_string();
    let goods = line.goods.clone();
    let options = render::kept_of("options", line.mark(), &goods, || {
        let island = Island::new(&PrintOptionsProps::from(&line.id));
        let line = line.clone();
        let (remark, quantity) = (line.remark.clone(), line.quantity.to_string());
        view! { <ReactIsland island when=When::Load><OptionsForm line remark quantity/></ReactIsland> }
            .into_any()
    });
    view! { <template data-options-of=id inner_html=options></template> }
}

/// A line of the cart: made once, as long as nothing of it changes and nothing in it was refused.
#[component]
fn CartItem(item: Item) -> impl IntoView {
    let id = format!("line-{}", item.line.id);
    if use_form().is_sent() {
        return view! { <li id=id><CartLine item/></li> }.into_any();
    }
    let goods = item.line.goods.clone();
    let of = (item.line.mark(), item.chosen, item.obstacle.clone());
    let shown = render::kept_of("cart line", of, &goods, || {
        let item = item.clone();
        view! { <CartLine item/> }.into_any()
    });
    view! { <li id=id inner_html=shown></li> }.into_any()
}

#[component]
fn CartLine(item: Item) -> impl IntoView {
    let Item { line, obstacle, chosen } = item;
    let title = line.work.title.clone();
    // of the whole ladder, only the rung that applies
    let rung = line.goods.price_book.rung(line.quantity).map(ToString::to_string);
    let discount = rung.map(|rung| view! { <p class="spec"><span class="badge good">{rung}</span></p> });
    let proofed = line.proofed_at.map(|_| view! { <span class="badge good">"样稿已确认"</span> });
    let field = quantity_field(&line.id);
    let form = use_form();
    let refused = form.error(&field).is_some();
    let id = line.id.to_string();
    let is_one = line.quantity.get() == 1;
    view! {
            <div class="pickline">
                <label class="check">
                    <input
                        type="checkbox"
                        name="line"
                        value=id.clone()
                        autocomplete="off"
                        checked=chosen
                        disabled=obstacle.is_some()
                        data-fen=line.quote.total.0.to_string()
                    />
                    <span class="sr">{format!("结算《{title}》")}</span>
                </label>
                <a href=format!("/manager/opus/{}", line.work.id)>
                    <Book
                        class="thumb"
                        src=picture_address(&line.work.id, line.work.revision, PageRef::Cover, 320)
                        trim=line.work.trim
                        alt=format!("《{title}》")
                        lazy=true
                        hung=line.work.is_calendar
                    />
                </a>
            </div>
            <div>
                <h2>{title.clone()}</h2>
                <p class="quiet">{line.goods.name.clone()}" · "<span class="num">{line.pages}</span>" 页"</p>
                <ChoiceLine choices=line.choices()/>
                <RunOf names=line.copies.clone()/>
                {discount}
                {obstacle.map(|reason| view! { <p class="error">{reason}</p> })}
                <div class="acts">
                    <a class="link" href=format!("/manager/shopping/cart/{id}/options") data-options=id.clone()>
                        "改印刷选项"
                    </a>
                    <a class="link" href=format!("/manager/shopping/cart/{id}/proof")>"看样"</a>
                    {proofed}
                    <button class="link danger" form=format!("remove-{id}")>"移除"</button>
                </div>
            </div>
            <div class="amount">
                <strong><Money amount=line.quote.total class="price"/></strong>
                <div class="stepper num">
                    <span class="quiet"><Money amount=line.quote.unit_price_after()/>" ×"</span>
                    <span class="steps">
                        <button class="button" name="less" value=id.clone() formaction=CART formnovalidate aria-label=format!("《{title}》少印一本") disabled=is_one>
                            "−"
                        </button>
                        <input
                            id=field.clone()
                            class="input qty"
                            autocomplete="off"
                            name=field.clone()
                            type="number"
                            inputmode="numeric"
                            min="1"
                            max="1000000"
                            step="1"
                            value=form.or(&field, &line.quantity.to_string())
                            required
                            aria-label=format!("《{title}》的数量（本）")
                            aria-invalid=refused.then_some("true")
                            aria-describedby=refused.then(|| format!("{field}-error"))
                        />
                        <button class="button" name="more" value=id.clone() formaction=CART formnovalidate aria-label=format!("《{title}》多印一本")>
                            "+"
                        </button>
                    </span>
                    <span class="quiet">"本"</span>
                    <button class="button small" formaction=CART>"更新数量"</button>
                </div>
                <FieldError name=field/>
            </div>
    }
}

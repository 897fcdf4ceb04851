//! What a change of goods would do: what is different, twenty prices before and after, and the lines in the carts.

use base::db::now_ms;
use base::error::Error;
use domain::money::Fen;
use domain::price::quote;
use domain::print_options::{Choice, evaluate};
use leptos::prelude::*;
use web::app::App;
use web::ui::parts::Money;
use web::ui::records::{Record, Records};

use crate::store::{self, Held};
use catalog::{self, Compared, Filed};

/// Lines of carts that are reckoned.
const MOST_LINES: usize = 1_000;

/// See above.
pub struct Preview {
    /// One for each thing that is different.
    lines: Vec<String>,
    samples: Vec<Compared>,
    carts: Carts,
}

impl Preview {
    /// What becomes of goods, and of the carts as they are now.
    pub async fn of(app: &App, before: &Filed, after: &Filed) -> Result<Self, Error> {
        let id = &before.goods.id;
        let all = store::count_by_goods(&app.db).await?.remove(id.as_str()).unwrap_or_default();
        let held = store::of_goods(app, id, MOST_LINES as i64, now_ms()).await?;
        let lines = catalog::in_words(before, after)?;
        let (before, after) = (before.clone(), after.clone());
        app.compute(move || {
            let carts = Carts::of(&before, &after, &held, all);
            Self { lines, samples: catalog::compare(&before, &after), carts }
        })
        .await
    }
}

/// What becomes of the lines in the carts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Carts {
    /// How many there are.
    pub all: i64,
    /// How many of them were looked at; the rest of the numbers is of these.
    pub looked_at: usize,
    pub dearer: usize,
    pub cheaper: usize,
    pub same: usize,
    /// They can be ordered now, and can't be then.
    pub lost: usize,
    /// They can't be ordered now, and can be then.
    pub found: usize,
    /// They can't be ordered, now or then.
    pub never: usize,
    /// Something else is chosen in them then, because what was chosen is gone or does not fit.
    pub rearranged: usize,
}

impl Carts {
    pub fn of(before: &Filed, after: &Filed, held: &[Held], all: i64) -> Self {
        let mut carts = Self { all, looked_at: held.len(), ..Self::default() };
        for line in held {
            let number = match (ordered(before, line), ordered(after, line)) {
                (Some((was, before)), Some((is, after))) => {
                    carts.rearranged += usize::from(was != is);
                    match after.cmp(&before) {
                        std::cmp::Ordering::Greater => &mut carts.dearer,
                        std::cmp::Ordering::Less => &mut carts.cheaper,
                        std::cmp::Ordering::Equal => &mut carts.same,
                    }
                }
                (Some(_), None) => &mut carts.lost,
                (None, Some(_)) => &mut carts.found,
                (None, None) => &mut carts.never,
            };
            *number += 1;
        }
        carts
    }
}

/// What a line in a cart is made of and costs, as its cart reckons it; `None` where it can't be ordered.
fn ordered(filed: &Filed, line: &Held) -> Option<(Choice, Fen)> {
    let goods = &filed.goods;
    if !filed.active || line.is_in_trash || line.trim != goods.trim {
        return None;
    }
    let evaluation = evaluate(goods, line.pages, &line.choice);
    if !evaluation.is_complete() {
        return None;
    }
    let choice = evaluation.choice();
    let quote = quote(goods, line.pages, &choice, line.quantity, line.tier).ok()?;
    Some((choice, quote.total))
}

/// How much more or less something costs: `+12.5%`; nothing where it was free.
pub fn percent(before: Fen, after: Fen) -> String {
    if before <= Fen::ZERO {
        return String::new();
    }
    let (before, after) = (i128::from(before.0), i128::from(after.0));
    let tenths = ((after - before).abs() * 1000 + before / 2) / before;
    let sign = if after < before { '\u{2212}' } else { '+' };
    format!("{sign}{}.{}%", tenths / 10, tenths % 10)
}

/// What a change would do.
#[component]
pub fn Consequences(preview: Preview) -> impl IntoView {
    let Preview { lines, samples, carts } = preview;
    if lines.is_empty() {
        return view! { <p class="notice" id="preview" role="status">"和现在的一样，没有改动。"</p> }
            .into_any();
    }
    let count = lines.len();
    let lines: Vec<_> = lines.into_iter().map(|line| view! { <li>{line}</li> }).collect();
    view! {
        <section class="sheet" id="preview">
            <h2>{format!("改了什么（{count} 处）")}</h2>
            <ul class="log">{lines}</ul>
        </section>
        <InCarts carts/>
        <Samples samples/>
    }
    .into_any()
}

#[component]
fn InCarts(carts: Carts) -> impl IntoView {
    if carts.all == 0 {
        return view! { <section class="sheet"><h2>"购物车"</h2><p class="quiet">"没有会员把它放在购物车里。"</p></section> }
            .into_any();
    }
    let more = (carts.all > carts.looked_at as i64).then(|| {
        let words = format!("一共有 {} 行，下面只算了最近放进去的 {} 行。", carts.all, carts.looked_at);
        view! { <p class="notice warn">{words}</p> }
    });
    let rows: Vec<_> = [
        ("涨价", carts.dearer),
        ("降价", carts.cheaper),
        ("价格不变", carts.same),
        ("不能再订", carts.lost),
        ("又能订了", carts.found),
        ("现在就订不了", carts.never),
    ]
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .map(|(name, count)| view! { <dt>{name}</dt><dd class="num">{format!("{count} 行")}</dd> })
    .collect();
    let rearranged = (carts.rearranged > 0).then(|| {
        let words = format!("其中 {} 行选好的选项没有了或不再适合，会换成能做的。", carts.rearranged);
        view! { <p class="hint">{words}</p> }
    });
    view! {
        <section class="sheet">
            <h2>{format!("购物车里的 {} 行", carts.all)}</h2>
            {more}
            <dl class="facts">{rows}</dl>
            {rearranged}
            <p class="hint">"已经下的订单不受影响。"</p>
        </section>
    }
    .into_any()
}

#[component]
fn Samples(samples: Vec<Compared>) -> impl IntoView {
    let lost = samples.iter().filter(|one| one.before.is_ok() && one.after.is_err()).count();
    let lost = (lost > 0).then(|| {
        view! { <p class="notice warn">{format!("其中 {lost} 种以后不能这样订，原因写在“改后”里。")}</p> }
    });
    let rows: Vec<_> = samples.into_iter().map(row).collect();
    view! {
        <section class="sheet">
            <h2>"二十种订法的价格"</h2>
            {lost}
            <Records rows/>
        </section>
    }
}

fn row(Compared { sample, items, before, after }: Compared) -> Record {
    let differs = match (&before, &after) {
        (&Ok(before), &Ok(after)) => view! { <Differs before after/> }.into_any(),
        (Ok(_), Err(_)) => view! { <span class="badge bad">"不能再订"</span> }.into_any(),
        (Err(_), Ok(_)) => view! { <span class="badge good">"能订了"</span> }.into_any(),
        (Err(_), Err(_)) => view! { <span class="quiet">"都不能订"</span> }.into_any(),
    };
    let price = |price: Result<Fen, String>| match price {
        Ok(amount) => view! { <Money amount/> }.into_any(),
        Err(reason) => view! { <span class="quiet">{reason}</span> }.into_any(),
    };
    let name = (!sample.name.is_empty()).then(|| view! { <strong>{sample.name.clone()}</strong>"：" });
    Record::new()
        .cell("选项", view! { <span>{name}{items}</span> })
        .count("页数", sample.pages)
        .count("本数", sample.copies.get())
        .cell("会员", sample.tier.name())
        .end("现在", price(before))
        .end("改后", price(after))
        .end("相差", differs)
}

/// How much more or less.
#[component]
fn Differs(before: Fen, after: Fen) -> impl IntoView {
    let Ok(amount) = after.minus(before) else { return view! { <span>"—"</span> }.into_any() };
    if amount == Fen::ZERO {
        return view! { <span class="quiet">"不变"</span> }.into_any();
    }
    let plus = (amount > Fen::ZERO).then_some("+");
    let percent = percent(before, after);
    view! { <span>{plus}<Money amount/>" "<span class="num quiet">{percent}</span></span> }.into_any()
}

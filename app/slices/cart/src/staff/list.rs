//! /staff/goods: all goods, sold or not, what they cost, who has them in the cart, and what waits.

use base::error::Error;
use base::time;
use domain::goods::Goods;
use domain::money::Fen;
use domain::price::quote;
use domain::print_options::{Choice, Quantity, evaluate};
use domain::tier::Tier;
use leptos::prelude::*;
use web::render::loaded;
use web::staff::here;
use web::ui::parts::{Moment, Money};
use web::ui::records::{Record, Records};
use web::ui::staff::StaffShell;

use super::address;
use crate::store;

/// What one copy of the fewest pages costs as proposed; `None` where nothing can be proposed.
fn cheapest(goods: &Goods) -> Option<Fen> {
    let pages = goods.pages.min;
    let evaluation = evaluate(goods, pages, &Choice::default());
    if !evaluation.is_complete() {
        return None;
    }
    let one = Quantity::try_from(1).ok()?;
    quote(goods, pages, &evaluation.choice(), one, Tier::Basic).ok().map(|quote| quote.total)
}

/// GET /staff/goods.
#[component]
pub fn GoodsListPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let app = here?.app;
            let listed = catalog::listed(&app).await?;
            let lines = store::count_by_goods(&app.db).await?;
            let rows = listed.into_iter().map(|goods| {
                let lines = lines.get(goods.filed.goods.id.as_str()).copied().unwrap_or_default();
                (goods, lines)
            });
            Ok::<_, Error>(rows.collect::<Vec<_>>())
        },
        |rows| {
            let rows: Vec<_> = rows.into_iter().map(|(listed, lines)| row(listed, lines)).collect();
            view! {
                <StaffShell title="商品与价格".to_owned() assets=&["staff.css"]>
                    <header class="head"><h1>"商品与价格"</h1></header>
                    <Records rows/>
                </StaffShell>
            }
        },
    )
}

fn row(listed: catalog::Listed, lines: i64) -> Record {
    let catalog::Listed { filed, changed, waits } = listed;
    let goods = filed.goods;
    let (mark, state) = if filed.active { ("badge good", "出售中") } else { ("badge", "已停售") };
    let waits = waits.map(|(at, has_failed)| {
        if has_failed {
            view! { <span class="badge bad">"到期没有生效"</span> }.into_any()
        } else {
            view! { <span class="badge warn">{format!("{} 生效", time::day(at))}</span> }.into_any()
        }
    });
    let changed = match changed {
        Some((at, by)) => view! { <span><Moment at/>" "<span class="quiet">{by}</span></span> }.into_any(),
        None => view! { <span class="quiet">"没有改过"</span> }.into_any(),
    };
    let from = match cheapest(&goods) {
        Some(amount) => view! { <Money amount/> }.into_any(),
        None => view! { <span class="quiet">"—"</span> }.into_any(),
    };
    let pages = format!("{}–{}", goods.pages.min, goods.pages.max);
    Record::new()
        .cell("商品", view! { <a class="link" href=address(&goods.id)>{goods.name}</a> })
        .num("成品尺寸", works::size_text(goods.trim))
        .num("页数", pages)
        .cell("状态", view! { <span><span class=mark>{state}</span>" "{waits}</span> })
        .cell("上次改动", changed)
        .count("购物车里", format!("{lines} 行"))
        .end("一本起价", from)
}

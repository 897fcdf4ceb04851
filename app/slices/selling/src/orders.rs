//! /manager/epaper_order 销售订单: who bought what of a seller.

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::response::Response;
use base::error::Error;
use base::lists;
use base::time;
use domain::csv as table;
use domain::ids::SaleId;
use domain::ledger::Account;
use domain::money::Fen;
use domain::payment::way_name;
use domain::sale::SaleState;
use futures::stream;
use leptos::prelude::*;
use serde::Deserialize;
use web::app::App;
use web::render::{Here, here, loaded, use_query};
use web::session::Member;
use web::ui::files::{csv_file, pieces};
use web::ui::lists::{Pager, Search};
use web::ui::parts::Money;
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::store::payouts;
use super::store::sales::{self as store, Filter, Sale};
use super::{ORDERS, PACKAGES, settlement};

/// Sales on one page.
const PAGE: usize = 50;
/// Sales that are read at once for a file.
const AT_ONCE: i64 = 1_000;

/// The views of the list: a word for the address, a name, a state.
const VIEWS: [(&str, &str, Option<SaleState>); 3] = [
    ("", "全部", None),
    ("paid", "已付款", Some(SaleState::Paid)),
    ("refunded", "已退款", Some(SaleState::Refunded)),
];

/// What of the list is shown.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Shown {
    #[serde(default)]
    state: String,
    #[serde(default)]
    q: String,
}

impl Shown {
    fn filter(&self) -> Result<Filter, Error> {
        let (.., state) = VIEWS.iter().find(|(word, ..)| *word == self.state).ok_or(Error::NotFound)?;
        Ok(Filter { state: *state, search: lists::search_text(&self.q) })
    }

    fn address(&self, path: &str, state: &str, before: Option<&SaleId>) -> String {
        let before = before.map_or("", SaleId::as_str);
        lists::address(path, &[("state", state), ("q", &self.q), ("before", before)])
    }
}

/// A seller's money.
struct Sums {
    unearned: Fen,
    income: Fen,
    paid_out: Fen,
}

/// GET /manager/epaper_order?state=…&q=…&before=….
#[component]
pub fn SalesPage() -> impl IntoView {
    let here = here();
    let query = |name| use_query(name).unwrap_or_default();
    let shown = Shown { state: query("state"), q: query("q") };
    let before = query("before");
    loaded(
        async move {
            let Here { app, member } = here?;
            let filter = shown.filter()?;
            let before: Option<SaleId> = match before.as_str() {
                "" => None,
                text => Some(text.parse().map_err(|_| Error::NotFound)?),
            };
            let most = PAGE as i64 + 1;
            let mut sales = store::of_seller(&app.db, &member.id, &filter, before.as_ref(), most).await?;
            let more = sales.len() > PAGE;
            sales.truncate(PAGE);
            let next = sales.last().filter(|_| more).map(|sale| sale.id.clone());
            let mut tx = app.db.begin_snapshot().await?;
            let sums = Sums {
                unearned: ledger::balance_of(&mut tx, &Account::Unearned(member.id.clone())).await?,
                income: super::income(&mut tx, &member.id).await?,
                paid_out: payouts::sum(&mut tx, &member.id).await?,
            };
            Ok((member, shown, sales, before.is_some(), next, sums))
        },
        |(member, shown, sales, is_later, next, sums)| {
            let tabs: Vec<_> = VIEWS
                .iter()
                .map(|(word, name, _)| {
                    let current = (*word == shown.state).then_some("page");
                    view! { <a href=shown.address(ORDERS, word, None) aria-current=current>{*name}</a> }
                })
                .collect();
            let all = shown.state.is_empty() && shown.q.is_empty();
            let body = if sales.is_empty() && all {
                view! {
                    <section class="trim empty">
                        <h2>"还没有人购买"</h2>
                        <p class="quiet">"把套餐的链接发给读者，他们买了，这里就有记录。"</p>
                        <a class="button primary" href=PACKAGES>"看看套餐"</a>
                    </section>
                }
                .into_any()
            } else if sales.is_empty() {
                view! { <p class="quiet">"没有符合的订单。"<a class="link" href=ORDERS>"看全部"</a></p> }
                    .into_any()
            } else {
                let csv = shown.address(&format!("{ORDERS}/orders.csv"), &shown.state, None);
                view! {
                    <p><a class="link" href=csv>"下载 CSV"</a></p>
                    <Table sales/>
                }
                .into_any()
            };
            let first = is_later.then(|| shown.address(ORDERS, &shown.state, None));
            let next = next.map(|next| shown.address(ORDERS, &shown.state, Some(&next)));
            let kept = vec![("state", shown.state.clone())];
            view! {
                <Shell member title="销售订单".to_owned() assets=&["selling.css"]>
                    <header class="head">
                        <h1>"销售订单"</h1>
                        <Search action=ORDERS.to_owned() label="编号、套餐或读者" search=shown.q kept/>
                    </header>
                    <dl class="sums">
                        <div><dt>"可结算收入"</dt><dd><Money amount=sums.income class="total"/></dd></div>
                        <div><dt>"已收款，期限未到"</dt><dd><Money amount=sums.unearned/></dd></div>
                        <div><dt>"已结算给您"</dt><dd><Money amount=sums.paid_out/></dd></div>
                    </dl>
                    <p class="hint">"按期限阅读的，收入一天一天到账；长期阅读的，当时到账。收入由我们汇到您的银行账户，"<a class="link" href=settlement::PATH>"看结算与对账单"</a>"；他们后来还读不读，"<a class="link" href=format!("{ORDERS}/readers")>"看读者留存"</a>"。"</p>
                    <nav class="filter" aria-label="状态">{tabs}</nav>
                    {body}
                    <Pager first next back="最新的" further="更早的"/>
                </Shell>
            }
        },
    )
}

/// What of a sale is the house's and what is the seller's when all of it that is kept is earned.
pub fn shares(sale: &Sale) -> (Fen, Fen) {
    let kept = sale.amount.minus(sale.refunded).unwrap_or_default();
    let fee = domain::sale::fee(kept, sale.rate).unwrap_or_default();
    (fee, kept.minus(fee).unwrap_or_default())
}

/// The class of a state's mark.
pub fn mark(state: SaleState) -> &'static str {
    match state {
        SaleState::Paid => "badge good",
        SaleState::Refunded => "badge",
        SaleState::Unpaid => "badge warn",
    }
}

/// What kind of sale it is, as its seller reads it.
pub fn kind_name(sale: &Sale) -> &'static str {
    match (sale.is_gift, sale.credit > Fen::ZERO) {
        (true, _) => "礼物",
        (_, true) => "换订",
        _ => "购买",
    }
}

/// A buyer as it is called; one that has closed its account is nobody.
pub fn buyer_name(sale: &Sale) -> String {
    if sale.buyer_name.is_empty() { "已注销".to_owned() } else { sale.buyer_name.clone() }
}

#[component]
fn Table(sales: Vec<Sale>) -> impl IntoView {
    let rows: Vec<_> = sales
        .into_iter()
        .map(|sale| {
            let own = format!("{ORDERS}/{}", sale.id);
            let (fee, income) = shares(&sale);
            let about = format!("：{}，{}", sale.title, sale.buyer_name);
            Record::new()
                .cell("内容", view! { <a class="link" href=own.clone()>{sale.title.clone()}</a> })
                .cell("读者", buyer_name(&sale))
                .moment("付款时间", sale.paid_at)
                .cell("方式", way_name(sale.way.as_deref()))
                .cell("状态", view! { <span class=mark(sale.state)>{sale.standing()}</span> })
                .money("金额", sale.amount)
                .money("服务费", fee)
                .money("收入", income)
                .acts(view! { <a class="link" href=own>"查看"<span class="sr">{about}</span></a> })
        })
        .collect();
    view! { <Records rows/> }
}

/// GET /manager/epaper_order/orders.csv: the list as it is filtered, a thousand rows at a time.
pub async fn csv(
    State(app): State<App>,
    member: Member,
    Query(shown): Query<Shown>,
) -> Result<Response, Error> {
    let filter = shown.filter()?;
    let heading = table::row([
        "编号",
        "内容",
        "读者",
        "付款时间",
        "方式",
        "状态",
        "金额",
        "服务费",
        "收入",
        "退款",
        "种类",
    ]);
    let first = Some((format!("{}{heading}", table::BOM), None::<SaleId>));
    let rows = stream::unfold(first, move |state| {
        let (app, filter, seller) = (app.clone(), filter.clone(), member.id.clone());
        async move {
            let (mut text, before) = state?;
            let sales = match store::of_seller(&app.db, &seller, &filter, before.as_ref(), AT_ONCE).await {
                Ok(sales) => sales,
                Err(error) => return Some((Err(std::io::Error::other(error.to_string())), None)),
            };
            text.extend(sales.iter().map(line));
            let next = sales.last().map(|sale| (String::new(), Some(sale.id.clone())));
            if text.is_empty() { None } else { Some((Ok(Bytes::from(text)), next)) }
        }
    });
    Ok(csv_file("sales.csv", pieces(rows)))
}

fn line(sale: &Sale) -> String {
    let (fee, income) = shares(sale);
    table::row([
        sale.id.to_string(),
        sale.title.clone(),
        buyer_name(sale),
        sale.paid_at.map(time::stamp).unwrap_or_default(),
        way_name(sale.way.as_deref()).to_owned(),
        sale.standing().to_owned(),
        sale.amount.to_string(),
        fee.to_string(),
        income.to_string(),
        sale.refunded.to_string(),
        kind_name(sale).to_owned(),
    ])
}

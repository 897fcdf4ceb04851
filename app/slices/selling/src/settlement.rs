//! /manager/epaper_settlement 结算: what a seller was paid out, and month by month what it earned.

use base::lists;
use base::time;
use domain::days::DAY_MS;
use domain::ids::MemberId;
use domain::ledger::Account;
use domain::money::Fen;
use leptos::prelude::*;
use web::render::{Here, here, loaded, use_query};
use web::ui::lists::Pager;
use web::ui::parts::Money;
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::ORDERS;
use super::store::payouts::{self as store, Payout};
use ledger::DaySums;

/// Where it stands.
pub const PATH: &str = "/manager/epaper_settlement";
/// Payouts on one page.
const PAGE: usize = 20;
/// How the keys of payouts begin in the ledger.
pub const PAYOUT: &str = "payout:";

pub fn account(seller: &MemberId) -> Account {
    Account::Income(seller.clone())
}

/// What moved in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Month {
    /// `2026-11`.
    pub name: String,
    /// What there was when it began.
    pub before: Fen,
    pub income: Fen,
    /// What went back to readers, zero or less.
    pub back: Fen,
    /// What was paid out, zero or less.
    pub paid_out: Fen,
}

impl Month {
    pub fn after(&self) -> Fen {
        Fen(self.before.0 + self.income.0 + self.back.0 + self.paid_out.0)
    }
}

/// The months in which something moved, the newest first.
pub fn months(days: &[DaySums]) -> Vec<Month> {
    let mut months: Vec<Month> = Vec::new();
    for day in days {
        let name = time::day(day.day * DAY_MS - 28_800_000)[..7].to_owned();
        if months.last().is_none_or(|month| month.name != name) {
            let before = months.last().map_or(Fen::ZERO, Month::after);
            months.push(Month { name, before, income: Fen::ZERO, back: Fen::ZERO, paid_out: Fen::ZERO });
        }
        if let Some(month) = months.last_mut() {
            month.income.0 += day.added;
            month.back.0 += day.taken;
            month.paid_out.0 += day.named;
        }
    }
    months.reverse();
    months
}

/// GET /manager/epaper_settlement?before=….
#[component]
pub fn SettlementPage() -> impl IntoView {
    let here = here();
    let before = use_query("before").unwrap_or_default();
    loaded(
        async move {
            let Here { app, member } = here?;
            let most = PAGE as i64 + 1;
            let mut payouts = store::of_seller(&app.db, &member.id, &before, most).await?;
            let more = payouts.len() > PAGE;
            payouts.truncate(PAGE);
            let next = payouts.last().filter(|_| more).map(|payout| payout.id.clone());
            let days = ledger::by_day(&app.db, &account(&member.id), PAYOUT).await?;
            let mut tx = app.db.begin_snapshot().await?;
            let paid_out = store::sum(&mut tx, &member.id).await?;
            let unearned = ledger::balance_of(&mut tx, &Account::Unearned(member.id.clone())).await?;
            Ok((member, payouts, !before.is_empty(), next, months(&days), (unearned, paid_out)))
        },
        |(member, payouts, is_later, next, months, (unearned, paid_out))| {
            let income = months.first().map_or(Fen::ZERO, Month::after);
            let place = |before: &str| lists::address(PATH, &[("before", before)]);
            view! {
                <Shell member title="结算".to_owned() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=ORDERS>"销售订单"</a></p>
                            <h1>"结算"</h1>
                        </div>
                    </header>
                    <dl class="sums">
                        <div><dt>"可结算收入"</dt><dd><Money amount=income class="total"/></dd></div>
                        <div><dt>"已收款，期限未到"</dt><dd><Money amount=unearned/></dd></div>
                        <div><dt>"已结算给您"</dt><dd><Money amount=paid_out/></dd></div>
                    </dl>
                    <section class="stack">
                        <h2>"汇给您的"</h2>
                        <Payouts payouts/>
                        <Pager
                            first=is_later.then(|| place(""))
                            next=next.map(|next| place(&next))
                            back="最新的"
                            further="更早的"
                        />
                    </section>
                    <section class="stack">
                        <h2>"对账单"</h2>
                        <Months months/>
                    </section>
                </Shell>
            }
        },
    )
}

#[component]
fn Payouts(payouts: Vec<Payout>) -> impl IntoView {
    if payouts.is_empty() {
        return view! { <p class="quiet">"还没有汇出。收入由我们汇到您的银行账户，汇出以后这里有日期和银行流水号。"</p> }
            .into_any();
    }
    let rows: Vec<_> = payouts
        .into_iter()
        .map(|payout| {
            Record::new()
                .moment("日期", payout.created_at)
                .styled("num long", "银行流水号", payout.number)
                .money("金额", Fen(payout.amount))
        })
        .collect();
    view! { <Records rows/> }.into_any()
}

#[component]
fn Months(months: Vec<Month>) -> impl IntoView {
    if months.is_empty() {
        return view! { <p class="quiet">"还没有收入。"</p> }.into_any();
    }
    let rows: Vec<_> = months
        .into_iter()
        .map(|month| {
            let after = month.after();
            let file =
                |kind: &str| lists::address(&format!("{PATH}/statement.{kind}"), &[("month", &month.name)]);
            let (pdf, csv) = (file("pdf"), file("csv"));
            let about = format!("：{}", month.name);
            let files = view! {
                <a class="link" href=pdf>"PDF"<span class="sr">{about.clone()}</span></a>" "
                <a class="link" href=csv>"CSV"<span class="sr">{about}</span></a>
            };
            Record::new()
                .num("月份", month.name)
                .money("期初", month.before)
                .money("收入", month.income)
                .money("退给读者", month.back)
                .money("汇给您", month.paid_out)
                .money("期末", after)
                .unseen("end", "文件", files)
        })
        .collect();
    view! { <Records rows/> }.into_any()
}

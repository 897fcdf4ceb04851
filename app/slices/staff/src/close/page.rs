//! The months, and the figures of one.

use base::error::Error;
use domain::close::{Figures, Kind, Month, Rates, tax_in};
use domain::money::Fen;
use leptos::prelude::*;
use web::render::{loaded, parameter};
use web::staff::here;
use web::ui::parts::{ErrorSummary, Moment, Money};
use web::ui::records::{Record, Records};
use web::ui::staff::{CodeField, ExportButtons, StaffShell};

use super::store::{self, Closing};
use super::{LIST, address, kept, rates, reckon, this_month};

/// Months on the list.
const SHOWN: usize = 24;

/// What an account of the ledger is called.
pub fn account_name(account: &str) -> &str {
    match account {
        "member" => "会员余额",
        "frozen" => "冻结（在退回路上）",
        "allowance" => "工作台额度",
        "revenue" => "商品收入",
        "shipping" => "运费收入",
        "clearing" => "外部收付款",
        "refunds" => "退款",
        "opening" => "期初发放",
        "unearned" => "卖家待结（预收）",
        "royalty" => "作者待结",
        "income" => "卖家收入",
        "fees" => "平台服务费",
        "memberships" => "会员收入",
        "gift-cards" => "礼品卡（未用完）",
        other => other,
    }
}

/// How a month stands, with the class of its mark.
fn state_of(month: Month, closing: Option<&Closing>) -> (&'static str, &'static str) {
    match closing {
        Some(closing) if closing.closed_at.is_some() => ("badge good", "已结账"),
        Some(_) => ("badge warn", "待复核"),
        None if month < this_month() => ("badge warn", "未结账"),
        None => ("badge", "进行中"),
    }
}

/// GET /staff/close.
#[component]
pub fn ClosePage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let closings = store::all(&here.app.db).await?;
            let months = std::iter::successors(Some(this_month()), |month| Some(month.previous()));
            let months: Vec<_> = months
                .take(SHOWN)
                .map(|month| {
                    let name = month.to_string();
                    (month, closings.iter().find(|closing| closing.month == name).cloned())
                })
                .collect();
            Ok::<_, Error>(months)
        },
        |months| {
            let rows: Vec<_> = months
                .into_iter()
                .map(|(month, closing)| {
                    let (own, (mark, state)) = (address(month), state_of(month, closing.as_ref()));
                    let who = closing.and_then(|closing| {
                        let (by, at) = (closing.closed_by?, closing.closed_at?);
                        Some(view! { {closing.asked_by}"、"{by}" "<Moment at/> })
                    });
                    Record::new()
                        .cell("月份", view! { <a class="link num" href=own>{month.to_string()}</a> })
                        .cell("状态", view! { <span class=mark>{state}</span> })
                        .cell("结账", who)
                })
                .collect();
            view! {
                <StaffShell title="月结".to_owned() assets=&["payments.css", "staff.css"]>
                    <header class="head"><h1>"月结"</h1></header>
                    <Records rows/>
                </StaffShell>
            }
        },
    )
}

/// GET /staff/close/{month}.
#[component]
pub fn MonthPage() -> impl IntoView {
    let here = here();
    let month = parameter::<String>("month");
    loaded(
        async move {
            let here = here?;
            let month: Month = month?.parse().map_err(|_| Error::NotFound)?;
            if month > this_month() {
                return Err(Error::NotFound);
            }
            let reckoned = reckon(&here.app, month).await?;
            let closing = store::find(&here.app.db, &month.to_string()).await?;
            let (_, sha256) = kept(&reckoned)?;
            let figures = match closing.as_ref().filter(|closing| closing.closed_at.is_some()) {
                Some(closed) => serde_json::from_str(&closed.figures).map_err(Error::internal)?,
                None => reckoned,
            };
            Ok((here.staff.name, month, figures, closing, sha256, rates(&here.app)?))
        },
        |(name, month, figures, closing, sha256, rates)| {
            let differs = closing
                .as_ref()
                .is_some_and(|closing| closing.closed_at.is_some() && closing.sha256 != sha256)
                .then(|| {
                    view! {
                        <p class="notice bad" role="alert">
                            "结账以后，这个月重新算出的数字和留存的不一致：有人改动过已结账月份的记录。下面是结账时留存的数字。"
                        </p>
                    }
                });
            let faults: Vec<_> =
                figures.faults().into_iter().map(|fault| view! { <li>{fault}</li> }).collect();
            let faults = (!faults.is_empty()).then(|| {
                view! {
                    <section class="notice bad"><p>"有对不上的数字："</p><ul>{faults}</ul></section>
                }
            });
            let title = format!("月结 {month}");
            let kept = vec![("view", month.to_string())];
            let (mark, state) = state_of(month, closing.as_ref());
            view! {
                <StaffShell title=title.clone() assets=&["payments.css", "staff.css"]>
                    <p><a class="link" href=LIST>"月结"</a></p>
                    <header class="head"><h1>{title}</h1><span class=mark>{state}</span></header>
                    <ErrorSummary title="没有办成"/>
                    {differs}
                    {faults}
                    <Kinds figures=figures.clone() rates/>
                    <Things figures=figures.clone()/>
                    <Ways figures=figures.clone()/>
                    <Accounts figures/>
                    <Act name month closing sha256/>
                    <ExportButtons kind="month" kept/>
                </StaffShell>
            }
        },
    )
}

/// What came in by what it was for, with the tax in it.
#[component]
fn Kinds(figures: Figures, rates: Rates) -> impl IntoView {
    let taxed = !rates.is_empty();
    let rows: Vec<_> = Kind::ALL
        .into_iter()
        .map(|kind| {
            let (came, back) = figures.of(kind);
            let net = Fen(came.0 - back.0);
            let tax = rates.of(kind).map(|rate| {
                let percent = rate.value() * rust_decimal::Decimal::ONE_HUNDRED;
                view! { <Money amount=tax_in(net, rate)/>" "<span class="quiet num">{format!("{}%", percent.normalize())}</span> }
            });
            Record::new()
                .cell("种类", kind.name())
                .money("收入", came)
                .money("退回", back)
                .money("净额", net)
                .when(taxed, |record| record.end("其中税额", tax))
        })
        .collect();
    let hint = if taxed {
        "价格都含税。税额 = 净额 × 税率 ÷ (1 + 税率)，每个种类每月算一次，四舍五入到分。退款按退回的那个月算，订单退款都算在印刷品里。"
    } else {
        "退款按退回的那个月算，订单退款都算在印刷品里。没有配置税率（BINDERY_TAX_RATES），所以不算税额。"
    };
    view! {
        <section class="sheet">
            <h2>"按种类"</h2>
            <Records rows/>
            <p class="hint">{hint}</p>
        </section>
    }
}

/// The same by goods and things.
#[component]
fn Things(figures: Figures) -> impl IntoView {
    let rows: Vec<_> = figures
        .income
        .into_iter()
        .map(|income| {
            Record::new()
                .cell("项目", view! { {income.name}" "<span class="quiet">{income.kind.name()}</span> })
                .count("数量", income.count)
                .money("收入", income.came)
                .money("退回", income.back)
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="sheet">
                <h2>"按商品"</h2>
                <Records rows/>
            </section>
        }
    })
}

/// What came in by which way.
#[component]
fn Ways(figures: Figures) -> impl IntoView {
    let row = |name: String, from_outside: Option<(i64, Fen, Fen)>, spent: Fen| {
        Record::new()
            .cell("方式", name)
            .count("笔数", from_outside.map(|(count, ..)| count))
            .money("到账", from_outside.map(|(_, came, _)| came))
            .money("原路退回", from_outside.map(|(.., back)| back))
            .money("直接付款", spent)
    };
    let balance = row("余额".to_owned(), None, figures.from_balance());
    let ways =
        figures.ways.into_iter().map(|way| row(way.name, Some((way.count, way.came, way.back)), way.spent));
    let rows: Vec<_> = ways.chain([balance]).collect();
    view! {
        <section class="sheet">
            <h2>"按付款方式"</h2>
            <Records rows/>
            <p class="hint">"到账里没有直接付款的部分，进了会员余额。"</p>
        </section>
    }
}

/// What moved on the ledger's accounts.
#[component]
fn Accounts(figures: Figures) -> impl IntoView {
    let rows: Vec<_> = figures
        .accounts
        .into_iter()
        .map(|moved| {
            Record::new()
                .cell("账户", account_name(&moved.account).to_owned())
                .money("期初", moved.opening)
                .money("增加", moved.added)
                .money("减少", moved.taken)
                .money("期末", moved.closing)
        })
        .collect();
    view! {
        <section class="sheet">
            <h2>"账户变动"</h2>
            <Records rows/>
        </section>
    }
}

/// What can be done with the month now.
#[component]
fn Act(name: String, month: Month, closing: Option<Closing>, sha256: String) -> impl IntoView {
    let own = address(month);
    match closing {
        None if month >= this_month() => {
            view! { <p class="quiet">"这个月过完以后才能结账。"</p> }.into_any()
        }
        None => view! {
            <form class="sheet fields" method="post" action=format!("{own}/ask")>
                <h2>"结账"</h2>
                <p class="hint">"结账以后这些数字留存不变，要由另一位同事复核。"</p>
                <input type="hidden" name="seen" value=sha256/>
                <CodeField/>
                <button class="button primary">"提出结账"</button>
            </form>
        }
        .into_any(),
        Some(closing) if closing.closed_at.is_none() => {
            let form = |word: &'static str, class: &'static str, label: &'static str, asks: bool| {
                view! {
                    <form class="fields" method="post" action=format!("{own}/decide")>
                        <input type="hidden" name="seen" value=closing.sha256.clone()/>
                        <input type="hidden" name="decision" value=word/>
                        {asks.then(|| view! { <CodeField/> })}
                        <button class=class>{label}</button>
                    </form>
                }
            };
            let is_own = closing.asked_by == name;
            let grant = (!is_own).then(|| form("grant", "button primary", "同意结账", true));
            let hint = is_own.then(|| view! { <p class="hint">"等另一位同事复核；也可以自己撤回。"</p> });
            view! {
                <section class="sheet warned stack">
                    <h2>"待复核的结账"</h2>
                    <p class="quiet">{closing.asked_by.clone()}" 提出于 "<Moment at=closing.asked_at/></p>
                    {hint}
                    {grant}
                    {form("decline", "button", if is_own { "撤回" } else { "不同意" }, false)}
                </section>
            }
            .into_any()
        }
        Some(closing) => view! {
            <section class="sheet">
                <h2>"已结账"</h2>
                <dl class="facts">
                    <dt>"提出"</dt><dd>{closing.asked_by}" "<Moment at=closing.asked_at/></dd>
                    <dt>"复核"</dt><dd>{closing.closed_by}" "{closing.closed_at.map(|at| view! { <Moment at/> })}</dd>
                    <dt>"SHA-256"</dt><dd class="num long">{closing.sha256}</dd>
                </dl>
            </section>
        }
        .into_any(),
    }
}

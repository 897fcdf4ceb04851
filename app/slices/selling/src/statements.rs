//! A month's statement 对账单 of a seller's income: every movement as CSV, and what they come to as PDF, for the books.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::response::Response;
use base::error::Error;
use base::time;
use domain::csv as table;
use domain::days::{DAY_MS, day_start};
use domain::money::Fen;
use futures::stream;
use press::Statement;
use serde::Deserialize;
use web::app::App;
use web::session::Member;
use web::ui::files::{csv_file, pdf_file, pieces};

use super::settlement::{Month, PAYOUT, account, months};
use ledger::Position;

/// Entries that are read at once for a file.
const AT_ONCE: i64 = 1_000;
/// Reasons that a statement names by themselves; the smallest of more are one line.
const MOST_REASONS: usize = 200;

/// Which month is asked for.
#[derive(Debug, Deserialize)]
pub struct Asked {
    #[serde(default)]
    pub month: String,
}

impl Asked {
    /// From its first moment to that of the next month, epoch ms.
    pub fn span(&self) -> Result<(i64, i64), Error> {
        let wrong = || Error::BadRequest("月份写成 2026-11 这样".into());
        let from = day_start(&format!("{}-01", self.month)).ok_or_else(wrong)?;
        // the 32nd day of any month is in the next one
        let next = time::day(from + 31 * DAY_MS);
        let until = day_start(&format!("{}-01", &next[..7])).ok_or_else(wrong)?;
        Ok((from, until))
    }
}

/// GET /manager/epaper_settlement/statement.csv?month=2026-11: every movement of the seller's income in a month.
pub async fn csv(
    State(app): State<App>,
    member: Member,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let span = asked.span()?;
    let heading = table::row(["时间", "事由", "金额", "余额"]);
    let first = Some((format!("{}{heading}", table::BOM), None::<Position>));
    let rows = stream::unfold(first, move |state| {
        let (app, account) = (app.clone(), account(&member.id));
        async move {
            let (mut text, after) = state?;
            let entries = ledger::entries_between(&app.db, &account, span, after.as_ref(), AT_ONCE).await;
            let entries = match entries {
                Ok(entries) => entries,
                Err(error) => return Some((Err(std::io::Error::other(error.to_string())), None)),
            };
            text.extend(entries.iter().map(|entry| {
                let (amount, balance) = (Fen(entry.amount), Fen(entry.balance_after));
                table::row([
                    time::stamp(entry.created_at),
                    entry.memo.clone(),
                    amount.to_string(),
                    balance.to_string(),
                ])
            }));
            let next = entries.last().map(|entry| (String::new(), Some(entry.position())));
            if text.is_empty() { None } else { Some((Ok(Bytes::from(text)), next)) }
        }
    });
    Ok(csv_file(&format!("statement-{}.csv", asked.month), pieces(rows)))
}

/// What a month's movements were for: a reason, how many, what they came to; the largest first.
async fn reasons(app: &App, member: &Member, span: (i64, i64)) -> Result<Vec<(String, usize, Fen)>, Error> {
    let mut sums: BTreeMap<String, (usize, i64)> = BTreeMap::new();
    let mut after: Option<Position> = None;
    loop {
        let account = account(&member.id);
        let entries = ledger::entries_between(&app.db, &account, span, after.as_ref(), AT_ONCE).await?;
        let Some(last) = entries.last() else { break };
        after = Some(last.position());
        for entry in entries {
            let (count, sum) = sums.entry(entry.memo).or_default();
            *count += 1;
            *sum += entry.amount;
        }
    }
    let mut rows: Vec<_> = sums.into_iter().map(|(memo, (count, sum))| (memo, count, Fen(sum))).collect();
    rows.sort_by_key(|(_, _, sum)| std::cmp::Reverse(sum.0.abs()));
    if rows.len() > MOST_REASONS {
        let rest = rows.split_off(MOST_REASONS - 1);
        let (count, sum) = rest.iter().fold((0, 0), |(count, sum), row| (count + row.1, sum + row.2.0));
        rows.push((format!("其余 {} 项", rest.len()), count, Fen(sum)));
    }
    Ok(rows)
}

/// GET /manager/epaper_settlement/statement.pdf?month=2026-11.
pub async fn pdf(
    State(app): State<App>,
    member: Member,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let span = asked.span()?;
    let days = ledger::by_day(&app.db, &account(&member.id), PAYOUT).await?;
    let month = months(&days).into_iter().find(|month| month.name == asked.month);
    // nobody keeps books of a month without movements
    let month = month.ok_or(Error::NotFound)?;
    let rows = reasons(&app, &member, span).await?;
    let statement = statement(&app, &member, &month, rows);
    let press = app.press;
    let made = app.compute(move || press.statement_pdf(&statement)).await?.map_err(Error::internal)?;
    let name = format!("statement-{}.pdf", asked.month);
    Ok(pdf_file(&name, &format!("对账单 {}.pdf", asked.month), made))
}

/// An amount with its currency; the sign stands before that.
fn in_yuan(amount: Fen) -> String {
    let plain = amount.grouped();
    plain.strip_prefix('-').map_or_else(|| format!("¥{plain}"), |plain| format!("\u{2212}¥{plain}"))
}

fn statement(app: &App, member: &Member, month: &Month, rows: Vec<(String, usize, Fen)>) -> Statement {
    let mut head = vec![
        ("作者".to_owned(), format!("{}（{}）", member.name, member.member_code)),
        ("月份".to_owned(), month.name.clone()),
    ];
    head.extend(app.config.contact.company.clone().map(|company| ("代收方".to_owned(), company)));
    let sums = [
        ("期初", month.before),
        ("收入（已扣平台服务费）", month.income),
        ("退给读者", month.back),
        ("汇给您", month.paid_out),
        ("期末", month.after()),
    ];
    Statement {
        title: format!("{} 对账单", month.name),
        head,
        sums: sums.map(|(label, amount)| (label.to_owned(), in_yuan(amount))).into(),
        rows: rows.into_iter().map(|(memo, count, sum)| (memo, count.to_string(), sum.grouped())).collect(),
        notes: vec!["每一笔的时间和余额在同月的 CSV 文件里。".to_owned()],
    }
}

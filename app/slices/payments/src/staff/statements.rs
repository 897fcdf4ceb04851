//! Statements of providers in the back office: taking a file, what differs, and settling it.

mod differences;
mod forms;
mod list;
mod statement;

pub use differences::Differences;
pub use forms::{MOST_REQUEST, again, settle, take};
pub use list::StatementsPage;
pub use statement::StatementPage;

use domain::money::Fen;
use domain::payment::{PaymentState, RefundState};
use domain::statement::{Difference, Part, Standing, fee_in_fen};

use crate::statements::store::{Differing, Statement};

/// Where statements are listed.
pub const LIST: &str = "/staff/statements";
/// The view of what differs and waits.
pub const OPEN: &str = "open";
/// The one of all that differed.
pub const ALL: &str = "all";

/// The page of a statement.
fn address(id: &str) -> String {
    format!("{LIST}/{id}")
}

/// The days of a statement, `2026-11-20` or `2026-11-01 – 2026-11-30`.
fn days_of(statement: &Statement) -> String {
    let last = domain::typed::date(&statement.until_day).and_then(time::Date::previous_day);
    match last.map(|day| day.to_string()) {
        Some(last) if last != statement.from_day => format!("{} – {last}", statement.from_day),
        _ => statement.from_day.clone(),
    }
}

/// What the provider pays out in the end: what came, less what went back and the fees.
fn net(statement: &Statement) -> Fen {
    Fen(statement.paid.0 - statement.refunded.0 - fee_in_fen(statement.fees).0)
}

/// How a statement stands, with the class of its mark.
fn state_of(statement: &Statement) -> (&'static str, String) {
    if statement.done_at.is_none() {
        ("badge", "正在核对".to_owned())
    } else if statement.open > 0 {
        ("badge warn", format!("{} 处差异", statement.open))
    } else if statement.settled > 0 {
        ("badge good", format!("{} 处差异已处理", statement.settled))
    } else {
        ("badge good", "一致".to_owned())
    }
}

/// What kind of a difference it is.
fn kind_of(differing: &Differing) -> &'static str {
    Difference::of(&differing.kind).map_or("", Difference::name)
}

fn part_of(differing: &Differing) -> Part {
    Part::of(&differing.part).unwrap_or(Part::Payment)
}

/// How it stands here, as people read it.
fn our_state(differing: &Differing) -> &'static str {
    let word = differing.our_state.as_deref().unwrap_or_default();
    match part_of(differing) {
        Part::Payment => word.parse::<PaymentState>().map_or("", PaymentState::name),
        Part::Refund => word.parse::<RefundState>().map_or("", RefundState::name),
    }
}

/// How the provider says it stands.
fn their_state(differing: &Differing) -> &'static str {
    differing.their_state.as_deref().and_then(Standing::of).map_or("", Standing::name)
}

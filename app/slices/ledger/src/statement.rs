//! An account's statement, as whoever it belongs to and the back office read it: a page of its entries, the newest first.

use base::db::Db;
use base::error::Error;
use base::lists;
use domain::ledger::Account;
use domain::money::Fen;
use leptos::prelude::*;
use web::ui::lists::Pager;
use web::ui::records::{Record, Records};

use super::{Listed, Position, entries_after};

/// Entries on one page.
const SHOWN: usize = 20;

/// A page of a statement.
#[derive(Debug)]
pub struct Statement {
    entries: Vec<Listed>,
    /// Whether these are not the newest.
    is_later: bool,
    /// Where the next page begins.
    next: Option<String>,
}

impl Statement {
    /// A page that begins behind an entry, as its address says it; the newest without one. An address that names no place is refused.
    pub async fn read(db: &Db, account: &Account, before: Option<String>) -> Result<Self, Error> {
        let before = before.filter(|text| !text.is_empty());
        let before = before.map(|text| text.parse::<Position>()).transpose()?;
        let mut entries = entries_after(db, account, before.as_ref(), SHOWN as i64 + 1).await?;
        let is_more = entries.len() > SHOWN;
        entries.truncate(SHOWN);
        let next = entries.last().filter(|_| is_more).map(|entry| entry.position().to_string());
        Ok(Self { entries, is_later: before.is_some(), next })
    }

    /// Whether nothing was ever posted.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && !self.is_later
    }
}

/// A statement as a table with the way to its other pages.
#[component]
pub fn StatementTable(
    statement: Statement,
    /// The page that it stands on; `before` in its address is where a page begins.
    path: String,
    /// The id of the section that it stands in.
    section: &'static str,
    /// Whether the back office reads it. Why the house corrects its books is its own business.
    #[prop(optional)]
    is_staffs: bool,
) -> impl IntoView {
    let Statement { entries, is_later, next } = statement;
    if entries.is_empty() {
        return view! { <p class="quiet">"还没有变动过。"</p> }.into_any();
    }
    let first = is_later.then(|| format!("{path}#{section}"));
    let next = next.map(|next| format!("{}#{section}", lists::address(&path, &[("before", next.as_str())])));
    let rows: Vec<_> = entries
        .into_iter()
        .map(|entry| {
            let is_correction = entry.posting_key.starts_with("reversal:");
            let said = if is_correction && !is_staffs { "更正".to_owned() } else { entry.memo };
            Record::new()
                .moment("时间", entry.created_at)
                .cell("事项", said)
                .money("金额", Fen(entry.amount))
                .money("余额", Fen(entry.balance_after))
        })
        .collect();
    view! {
        <Records rows/>
        <Pager first next back="回到最新" further="更早的明细"/>
    }
    .into_any()
}

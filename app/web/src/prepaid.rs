//! Cards that pay orders in part or whole: whoever takes the money for an order asks the slice that has them, and knows none.

use async_trait::async_trait;
use axum::http::request::Parts;
use base::db::Tx;
use base::error::Error;
use domain::ids::{MemberId, OrderId};
use domain::money::Fen;

use crate::app::App;

/// A card that was paid for before, beside an order of whoever has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrepaidCard {
    pub id: String,
    /// As the member reads it.
    pub name: String,
    /// What it pays of the order; nothing where it is not on it.
    pub pays: Fen,
    /// What is left on it and not set aside for an order.
    pub free: Fen,
}

/// Which card a form puts on an order.
#[derive(Debug, Clone, Copy)]
pub enum Chosen<'a> {
    /// What was typed as its code.
    Typed(&'a str),
    /// One that the member has, by its id.
    Own(&'a str),
}

/// A slice's cards. What they pay of an order is set aside as long as the order waits for the rest; the order has the sum.
#[async_trait]
pub trait Prepaid: Send + Sync {
    /// Those of a member that have something free, or are on an order.
    async fn of_member(
        &self,
        app: &App,
        member: &MemberId,
        order: Option<&OrderId>,
    ) -> Result<Vec<PrepaidCard>, Error>;
    /// Puts one on a member's unpaid order; a sentence where it pays nothing.
    async fn put(
        &self,
        app: &App,
        parts: &Parts,
        member: &MemberId,
        order: &OrderId,
        card: Chosen<'_>,
    ) -> Result<Result<(), String>, Error>;
    /// Takes one off again.
    async fn take_off(&self, app: &App, member: &MemberId, order: &OrderId, card: &str) -> Result<(), Error>;
    /// Holds the rows of the cards on an order, whose own row is held, before anything is posted.
    async fn hold(&self, tx: &mut Tx, order: &OrderId) -> Result<(), Error>;
    /// Puts what the cards on an order pay into its member's balance, as part of the transaction that pays it from there. Their
    /// rows are held.
    async fn draw(&self, tx: &mut Tx, order: &OrderId, member: &MemberId, now: i64) -> Result<(), Error>;
}

/// The slice's that has such cards.
pub fn of_house(app: &App) -> Option<&'static dyn Prepaid> {
    app.house.slices.iter().find_map(|slice| slice.prepaid)
}

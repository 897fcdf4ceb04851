//! A place in a list of orders, as it stands in the address of a further page.

use domain::ids::OrderId;

use super::Order;
use crate::error::Error;

/// Where a page begins: after this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The moment by which the list is sorted, epoch ms.
    pub at: i64,
    pub id: OrderId,
}

impl Position {
    /// After an order, in a list by when orders were placed.
    pub fn after(order: &Order) -> Self {
        Self { at: order.created_at, id: order.id.clone() }
    }
}

/// As it stands in an address: `1700000000000-20261121…`.
impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.at, self.id)
    }
}

impl std::str::FromStr for Position {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let parts = text.split_once('-').and_then(|(at, id)| Some((at.parse().ok()?, id.parse().ok()?)));
        let (at, id) = parts.ok_or(Error::NotFound)?;
        Ok(Self { at, id })
    }
}

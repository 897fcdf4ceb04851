//! SQL of memberships. Whoever holds a member's row and a term's takes the member's first; the ledger's come last.

pub mod closing;
pub mod notices;
pub mod prices;
pub mod terms;

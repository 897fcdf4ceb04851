//! SQL of memberships. Whoever holds a member's row and a term's takes the member's first; the ledger's come last.

pub mod allowances;
pub mod closing;
pub mod invitations;
pub mod notices;
pub mod prices;
pub mod sub_members;
pub mod terms;

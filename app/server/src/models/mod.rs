//! Random business beside a plain model of it, and many hands at once, over all slices.

mod ledger;
mod membership;
mod orders;
mod orders_races;
mod photos;
mod selling;
mod transfers;
mod uses;
mod weights;

//! SQL of selling. Whoever holds a reader's row and a sale's takes the reader's first; the ledger's come last.

pub mod batches;
pub mod closing;
pub mod entitlements;
pub mod gifts;
pub mod licences;
pub mod packages;
pub mod payouts;
pub mod sales;
pub mod switches;
pub mod trials;

use base::error::Error;
use domain::ids::PackageId;
use domain::package::Term;

/// What is sold, or what a right is a right to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Package(PackageId),
    Item { kind: String, id: String },
}

impl Subject {
    fn package(&self) -> Option<&str> {
        match self {
            Self::Package(id) => Some(id.as_str()),
            Self::Item { .. } => None,
        }
    }

    pub fn item(&self) -> Option<(&str, &str)> {
        match self {
            Self::Package(_) => None,
            Self::Item { kind, id } => Some((kind, id)),
        }
    }

    fn of(package: Option<String>, kind: Option<String>, item: Option<String>) -> Result<Self, Error> {
        match (package, kind.zip(item)) {
            (Some(id), None) => Ok(Self::Package(id.try_into().map_err(Error::internal)?)),
            (None, Some((kind, id))) => Ok(Self::Item { kind, id }),
            _ => Err(Error::internal("a sale of nothing, or of two things")),
        }
    }
}

fn term(unit: &str, count: i64) -> Result<Term, Error> {
    Term::read(unit, &count.to_string()).map_err(Error::internal)
}

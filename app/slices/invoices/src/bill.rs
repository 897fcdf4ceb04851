//! What an invoice is of: an order, or a term of a membership.

use domain::ids::{MemberId, OrderId, TermId};
use domain::invoice::is_invoiced;
use domain::membership::TermState;
use domain::money::Fen;
use domain::order_state::OrderState;

use base::db::{Db, Tx};
use base::error::Error;
use membership::{self, Term};
use orders::{self, Order};
use web::render::Form;

/// See above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Billed {
    Order(OrderId),
    Term(TermId),
}

impl Billed {
    /// The one that one of two words names, as they stand in a form's fields or an address.
    pub fn read(order: &str, term: &str) -> Result<Self, Error> {
        match (order, term) {
            (order, "") => order.parse().map(Self::Order),
            ("", term) => term.parse().map(Self::Term),
            _ => return Err(Error::NotFound),
        }
        .map_err(|_| Error::NotFound)
    }

    /// The one that a form names.
    pub fn of(form: &Form) -> Result<Self, Error> {
        Self::read(form.get("order"), form.get("term"))
    }

    /// The field that names it.
    pub fn field(&self) -> &'static str {
        match self {
            Self::Order(_) => "order",
            Self::Term(_) => "term",
        }
    }

    /// Its own number.
    pub fn id(&self) -> &str {
        match self {
            Self::Order(id) => id.as_str(),
            Self::Term(id) => id.as_str(),
        }
    }

    /// What members call it.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Order(_) => "订单",
            Self::Term(_) => "会员",
        }
    }

    /// Its page.
    pub fn page(&self) -> String {
        match self {
            Self::Order(id) => format!("/manager/order/{id}"),
            Self::Term(id) => format!("/manager/upgrade/{id}"),
        }
    }

    /// Its page in the back office, where it has one.
    pub fn staff_page(&self) -> Option<String> {
        match self {
            Self::Order(id) => Some(format!("/staff/orders/{id}")),
            Self::Term(_) => None,
        }
    }

    /// Where an invoice of it is asked for.
    pub fn form(&self) -> String {
        format!("{}/new?{}={}", super::LIST, self.field(), self.id())
    }
}

/// It in a sentence: `订单 2026…`.
impl std::fmt::Display for Billed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.noun(), self.id())
    }
}

/// What was paid for it, and what of that can be invoiced.
#[derive(Debug, Clone)]
pub struct Bill {
    pub of: Billed,
    pub paid: Fen,
    pub given_back: Fen,
    /// What gift cards pay of the rest.
    pub by_cards: Fen,
    /// Why it can't be invoiced now.
    pub obstacle: Option<&'static str>,
}

impl Bill {
    /// One of a member's own.
    pub async fn find(db: &Db, of: &Billed, member: &MemberId) -> Result<Self, Error> {
        Ok(match of {
            Billed::Order(id) => orders::find_for_owner(db, id, member).await?.into(),
            Billed::Term(id) => membership::find_for_owner(db, id, member).await?.into(),
        })
    }

    /// The same, and what it is in words; its row is held until the transaction ends.
    pub async fn hold(tx: &mut Tx, of: &Billed, member: &MemberId) -> Result<(Self, String), Error> {
        Ok(match of {
            Billed::Order(id) => {
                let order = orders::lock_for_owner(tx, id, member).await?;
                (order.into(), orders::content_of(tx, id).await?)
            }
            Billed::Term(id) => {
                let term = membership::lock_for_owner(tx, id, member).await?;
                let content = term.title();
                (term.into(), content)
            }
        })
    }

    /// What is left to invoice.
    pub fn rest(&self) -> Fen {
        let left = self.paid.minus(self.given_back).unwrap_or_default();
        left.minus(self.by_cards).unwrap_or_default()
    }
}

impl From<Order> for Bill {
    fn from(order: Order) -> Self {
        let obstacle = match order.state {
            OrderState::Unpaid => Some("订单还没有付款，付款后可以申请发票。"),
            OrderState::Refunding => Some("订单正在退款，退款完成后可以为余下的金额申请发票。"),
            state if !is_invoiced(state) || order.kept() == Fen::ZERO => {
                Some("订单已取消或已全额退款，没有可开票的金额。")
            }
            _ if order.invoiced() == Fen::ZERO => {
                Some("订单是用礼品卡付的，按规定用卡付的部分不再开发票；买卡的发票请联系本店。")
            }
            _ => None,
        };
        let by_cards = order.kept_by_cards();
        Self {
            obstacle,
            paid: order.total,
            given_back: order.refunded,
            by_cards,
            of: Billed::Order(order.id),
        }
    }
}

impl From<Term> for Bill {
    fn from(term: Term) -> Self {
        let obstacle = match term.state {
            TermState::Unpaid => Some("这段会员还没有付款，付款后可以申请发票。"),
            _ if term.amount == Fen::ZERO => Some("这段会员全部由原会员抵扣，没有另外付款。"),
            _ if term.kept() == Fen::ZERO => Some("这段会员已全额退款，没有可开票的金额。"),
            _ => None,
        };
        let (paid, given_back) = (term.amount, term.given_back);
        Self { obstacle, paid, given_back, by_cards: Fen::ZERO, of: Billed::Term(term.id) }
    }
}

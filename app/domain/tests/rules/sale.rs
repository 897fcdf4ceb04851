//! What is owed to readers is exactly what is not earned yet, whatever happens in whatever order.

use std::collections::BTreeMap;

use domain::csv;
use domain::days::DAY_MS;
use domain::ids::MemberId;
use domain::ledger::{Account, Entry, Posting, balances, check_books};
use domain::money::{Fen, Rate};
use domain::package::{Span, Term, next_start};
use domain::sale::{Earning, NotRefunded, Refund, SaleState, Step, fee};
use proptest::prelude::*;

fn rate(text: &str) -> Rate {
    text.parse().expect("a rate")
}

fn sale(amount: i64, days: Option<i64>, rate_text: &str) -> Earning {
    let span = Some(Span { from: 0, until: days.map(|days| days * DAY_MS) });
    Earning { amount: Fen(amount), rate: rate(rate_text), span, earned: Fen::ZERO, refunded: Fen::ZERO }
}

#[test]
fn half_a_fen_of_fee_is_rounded_up() {
    for (amount, text, expected) in
        [(5, "0.1", 1), (4, "0.1", 0), (15, "0.1", 2), (10_000, "0.125", 1_250), (1, "0.5", 1), (99, "0", 0)]
    {
        assert_eq!(fee(Fen(amount), rate(text)), Ok(Fen(expected)), "{amount} {text}");
    }
}

#[test]
fn a_period_is_earned_day_by_day_with_the_remainder_last() {
    let mut sold = sale(1_000, Some(30), "0.1");
    assert_eq!(sold.catch_up(DAY_MS - 1), Ok(Step::default()));
    assert_eq!(sold.next_at(0), Some(DAY_MS));
    assert_eq!(sold.catch_up(DAY_MS), Ok(Step { fee: Fen(3), income: Fen(30) }));
    assert_eq!(sold.next_at(DAY_MS), Some(2 * DAY_MS));
    sold.catch_up(29 * DAY_MS).expect("small amounts");
    assert_eq!(sold.earned, Fen(29 * 33));
    assert_eq!(sold.next_at(29 * DAY_MS), Some(30 * DAY_MS));
    // the last day has the remainder: 1000 − 29 × 33
    assert_eq!(sold.catch_up(300 * DAY_MS).expect("small amounts").sum(), Ok(Fen(43)));
    assert_eq!((sold.fee(), sold.income(), sold.owed()), (Ok(Fen(100)), Ok(Fen(900)), Ok(Fen::ZERO)));
    assert_eq!(sold.next_at(300 * DAY_MS), None);
    assert_eq!(sold.refund(300 * DAY_MS), Err(NotRefunded::UsedUp));
}

#[test]
fn what_is_for_ever_is_earned_at_once() {
    let mut sold = sale(1_999, None, "0.05");
    assert_eq!(sold.catch_up(0), Ok(Step { fee: Fen(100), income: Fen(1_899) }));
    assert_eq!(sold.next_at(0), None);
    // and goes back whole, out of what the seller and the house had of it
    let taken_back = Step { fee: Fen(100), income: Fen(1_899) };
    assert_eq!(sold.refund(DAY_MS), Ok(Refund { step: Step::default(), taken_back, rest: Fen(1_999) }));
    assert_eq!((sold.fee(), sold.income(), sold.owed()), (Ok(Fen::ZERO), Ok(Fen::ZERO), Ok(Fen::ZERO)));
    assert_eq!(sold.refund(DAY_MS), Err(NotRefunded::Before));
}

/// What is given back of a term.
fn rest(step: Step, rest: i64) -> Refund {
    Refund { step, taken_back: Step::default(), rest: Fen(rest) }
}

#[test]
fn a_refund_gives_back_what_is_not_used() {
    let mut sold = sale(3_000, Some(30), "0.1");
    assert_eq!(sold.refund(10 * DAY_MS + 5), Ok(rest(Step { fee: Fen(100), income: Fen(900) }, 2_000)));
    assert_eq!(sold.refund(10 * DAY_MS + 5), Err(NotRefunded::Before));
    assert_eq!(sold.catch_up(40 * DAY_MS), Ok(Step::default()));
    assert_eq!((sold.owed(), sold.next_at(11 * DAY_MS)), (Ok(Fen::ZERO), None));
    // one that has not begun goes back whole
    let mut later = Earning {
        span: Some(Span { from: 50 * DAY_MS, until: Some(80 * DAY_MS) }),
        ..sale(777, Some(1), "0.1")
    };
    assert_eq!(later.next_at(0), Some(51 * DAY_MS));
    assert_eq!(later.refund(DAY_MS), Ok(rest(Step::default(), 777)));
}

#[test]
fn a_sale_moves_forward_only() {
    use SaleState::{Paid, Refunded, Unpaid};
    for (from, to) in [(Unpaid, Paid), (Paid, Refunded)] {
        assert!(from.may_become(to) && !to.may_become(from));
    }
    assert!(!Unpaid.may_become(Refunded));
    for state in [Unpaid, Paid, Refunded] {
        assert_eq!(state.code().parse(), Ok(state));
    }
}

#[test]
fn no_cell_is_a_formula() {
    assert_eq!(
        csv::row(["=1+1", "a,b", "c\"d", "-5+1", "-5.00", "码", "@x", "\tx", "1.00"]),
        "'=1+1,\"a,b\",\"c\"\"d\",'-5+1,-5.00,码,'@x,'\tx,1.00\r\n"
    );
}

/// One thing that happens.
#[derive(Debug, Clone)]
enum Event {
    Sale {
        buyer: usize,
        seller: usize,
        amount: i64,
        days: u32,
        forever: bool,
    },
    Redemption {
        buyer: usize,
        days: u32,
    },
    Refund(usize),
    Hours(i64),
    /// The job runs for some of the sales: it may have been down for the others.
    Job(usize),
}

fn events() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => (0usize..5, 0usize..3, 1i64..100_000, 1u32..400, prop::bool::weighted(0.2))
            .prop_map(|(buyer, seller, amount, days, forever)| Event::Sale { buyer, seller, amount, days, forever }),
        1 => (0usize..5, 1u32..400).prop_map(|(buyer, days)| Event::Redemption { buyer, days }),
        2 => any::<usize>().prop_map(Event::Refund),
        3 => (0i64..24 * 40).prop_map(Event::Hours),
        2 => (1usize..7).prop_map(Event::Job),
    ]
}

/// Everything that was posted, and the sales that it was posted for.
struct Books {
    entries: Vec<Entry>,
    sales: Vec<(usize, usize, Earning)>,
    rights: BTreeMap<usize, Vec<Span>>,
    now: i64,
    keys: u64,
}

fn name(role: &str, number: usize) -> MemberId {
    format!("{role}{number}").parse().expect("an id")
}

impl Books {
    fn key(&mut self) -> domain::ledger::PostingKey {
        self.keys += 1;
        format!("k:{}", self.keys).parse().expect("a key")
    }

    fn post(&mut self, posting: Posting) {
        self.entries.extend(posting.entries().iter().cloned());
    }

    fn earned(&mut self, seller: usize, step: Step) {
        if step.sum() != Ok(Fen::ZERO) {
            let key = self.key();
            self.post(Posting::sale_earning(key, &name("s", seller), step).expect("a posting"));
        }
    }

    fn begin(&mut self, buyer: usize, term: Term) -> Option<Span> {
        let spans = self.rights.entry(buyer).or_default();
        let from = next_start(spans, self.now)?;
        let span = Span { from, until: term.end(from) };
        // one for ever would end the sequence for this reader
        if span.until.is_some() {
            spans.push(span);
        }
        Some(span)
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Sale { buyer, seller, amount, days, forever } => {
                let term = if forever { Term::Forever } else { Term::Days(days) };
                let span = self.begin(buyer, term).expect("nothing is for ever");
                let (reader, owner) = (name("b", buyer), name("s", seller));
                let (one, two) = (self.key(), self.key());
                self.post(Posting::top_up(one, &reader, Fen(amount)).expect("a posting"));
                self.post(Posting::sale(two, &reader, &owner, Fen(amount)).expect("a posting"));
                let mut sold = Earning {
                    amount: Fen(amount),
                    rate: rate("0.085"),
                    span: Some(span),
                    ..sale(0, None, "0")
                };
                let step = sold.catch_up(self.now).expect("small amounts");
                self.earned(seller, step);
                self.sales.push((buyer, seller, sold));
            }
            // nobody paid us for it
            Event::Redemption { buyer, days } => drop(self.begin(buyer, Term::Days(days))),
            Event::Refund(which) if !self.sales.is_empty() => {
                let at = which % self.sales.len();
                let (buyer, seller, mut sold) = self.sales[at];
                if let Ok(Refund { step, taken_back, rest }) = sold.refund(self.now) {
                    self.earned(seller, step);
                    if taken_back != Step::default() {
                        let key = self.key();
                        let back = Posting::sale_unearning(key, &name("s", seller), taken_back);
                        self.post(back.expect("a posting"));
                    }
                    let key = self.key();
                    let back = Posting::sale_refund(key, &name("b", buyer), &name("s", seller), rest);
                    self.post(back.expect("a posting"));
                    self.sales[at].2 = sold;
                }
            }
            Event::Refund(_) => {}
            Event::Hours(hours) => self.now += hours * DAY_MS / 24,
            Event::Job(every) => {
                for at in (0..self.sales.len()).step_by(every) {
                    let (_, seller, mut sold) = self.sales[at];
                    let step = sold.catch_up(self.now).expect("small amounts");
                    assert!(!step.fee.is_negative() && !step.income.is_negative());
                    self.earned(seller, step);
                    self.sales[at].2 = sold;
                }
            }
        }
    }

    fn check(&self) {
        let balances = balances(&self.entries).expect("small amounts");
        check_books(&balances).expect("books that hold");
        let of = |account: Account| balances.get(&account).copied().unwrap_or_default();
        for seller in 0..3 {
            let own = || self.sales.iter().filter(|(_, owner, _)| *owner == seller).map(|(.., sold)| sold);
            let owed = Fen::sum(own().map(|sold| sold.owed().expect("small"))).expect("small");
            assert_eq!(of(Account::Unearned(name("s", seller))), owed);
            let income = Fen::sum(own().map(|sold| sold.income().expect("small"))).expect("small");
            assert_eq!(of(Account::Income(name("s", seller))), income);
        }
        let fees = self.sales.iter().map(|(.., sold)| fee(sold.earned, sold.rate).expect("small"));
        assert_eq!(of(Account::Fees), Fen::sum(fees).expect("small"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, max_shrink_iters: 200, ..ProptestConfig::default() })]
    #[test]
    fn the_liability_is_exact_after_ten_thousand_events(events in prop::collection::vec(events(), 10_000)) {
        let mut books =
            Books { entries: Vec::new(), sales: Vec::new(), rights: BTreeMap::new(), now: 1_700_000_000_000, keys: 0 };
        for (count, event) in events.into_iter().enumerate() {
            books.happen(event);
            if count % 2_500 == 0 {
                books.check();
            }
        }
        books.check();
        // long afterwards nothing is owed to anybody
        books.now += 500_000 * DAY_MS;
        books.happen(Event::Job(1));
        books.check();
        prop_assert!(books.sales.iter().all(|(.., sold)| sold.owed() == Ok(Fen::ZERO)));
    }
}

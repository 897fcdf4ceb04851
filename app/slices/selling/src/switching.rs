//! Changing 换订 from terms that run to a longer one of the same seller: what is not used of them counts for it.

use base::db::{Tx, new_id};
use base::error::Error;
use base::time;
use domain::ids::{MemberId, SaleId};
use domain::money::Fen;
use domain::package::{Span, Term, Until, ended, moved_up, next_start_of_any};
use domain::payment::FROM_TERMS;
use domain::sale::SaleState;
use domain::switching::{PRICE_HOLDS_MS, Quote, covers, is_longer, quote, sold_for};
use web::app::App;
use web::session::Member;

use super::refunds::{self, Kept};
use super::sales::{self, NotSold, Wanted};
use super::store::Subject;
use super::store::entitlements::{self, Opening};
use super::store::packages::Package;
use super::store::sales::{self as rows, Sale};
use super::store::switches;

/// A change that a reader may make.
pub struct Change {
    pub quote: Quote,
    /// What is counted.
    pub olds: Vec<Sale>,
    /// When the last of it ends.
    pub old_end: Option<i64>,
    /// When the new term would run that is paid now.
    pub span: Span,
    term: Term,
}

impl Change {
    /// All of it that its reader is shown, in a word: what is confirmed is what was shown.
    pub fn shown(&self) -> String {
        let Quote { due, credit, back, .. } = self.quote;
        let day = |at: Option<i64>| at.map_or_else(String::new, time::day);
        let (unit, count) = (self.term.unit(), self.term.count());
        let (old, from, until) = (day(self.old_end), day(Some(self.span.from)), day(self.span.until));
        format!("{due}_{credit}_{back}_{count}{unit}_{old}_{from}_{until}")
    }
}

/// What a reader bought of one seller that runs or is to come, each with what it opens, among all its rights.
struct Running {
    sales: Vec<(Sale, Vec<(String, String)>)>,
    openings: Vec<Opening>,
}

/// Whether a right came of a sale.
fn is_of(opening: &Opening, sale: &Sale) -> bool {
    opening.right.source == "sale" && opening.right.source_id == sale.id.as_str()
}

impl Running {
    async fn of(tx: &mut Tx, reader: &MemberId, seller: &MemberId, now: i64) -> Result<Self, Error> {
        let sales = rows::running(tx, reader, seller, now).await?;
        if sales.is_empty() {
            return Ok(Self { sales: Vec::new(), openings: Vec::new() });
        }
        let openings = entitlements::openings(tx, reader).await?;
        let with_items = |sale: Sale| {
            let own = openings.iter().find(|opening| is_of(opening, &sale));
            let items = own.map(|opening| opening.items.clone());
            (sale, items.unwrap_or_default())
        };
        Ok(Self { sales: sales.into_iter().map(with_items).collect(), openings })
    }

    /// What changing to a package costs, where it lasts longer than all that is counted for it.
    async fn change(&self, tx: &mut Tx, package: &Package, now: i64) -> Result<Option<Change>, Error> {
        if self.sales.is_empty() {
            return Ok(None);
        }
        let new = entitlements::opened_by(tx, &Subject::Package(package.id.clone()), i64::MAX).await?;
        let counts = |(sale, items): &&(Sale, Vec<(String, String)>)| {
            is_longer(package.term, sale.term, now) && covers(&new, items) && unused(sale, now) > Fen::ZERO
        };
        let olds: Vec<Sale> = self.sales.iter().filter(counts).map(|(sale, _)| sale.clone()).collect();
        if olds.is_empty() {
            return Ok(None);
        }
        let unused = olds.iter().map(|sale| unused(sale, now));
        let quote = quote(package.price, unused).map_err(Error::internal)?;
        let old_end = olds.iter().filter_map(|old| old.span?.until).max();
        let Some(from) = self.start_without(&olds, &new, now) else { return Ok(None) };
        let span = Span { from, until: package.term.end(from) };
        if Until::from(span.until) <= Until::from(old_end) {
            return Ok(None);
        }
        Ok(Some(Change { quote, olds, old_end, span, term: package.term }))
    }

    /// When a term of some things begins in the place of others, which end.
    fn start_without(&self, olds: &[Sale], items: &[(String, String)], now: i64) -> Option<i64> {
        let mut rights: Vec<(Span, Vec<(String, String)>)> = Vec::new();
        for opening in &self.openings {
            let is_over = olds.iter().any(|old| is_of(opening, old));
            let span = if is_over { ended(opening.right.span, now) } else { opening.right.span };
            rights.push((span, opening.items.clone()));
        }
        let moved = moved_up(&rights, now);
        let of = |item| {
            let held = rights.iter().zip(&moved).filter(|((_, held), _)| held.contains(item));
            held.map(|(_, span)| *span).collect()
        };
        next_start_of_any(&items.iter().map(of).collect::<Vec<_>>(), now)
    }
}

/// What changing to a package costs a reader; nothing where nothing that it bought of the same seller runs, is shorter and is
/// all in it.
pub async fn offered(
    tx: &mut Tx,
    reader: &MemberId,
    package: &Package,
    now: i64,
) -> Result<Option<Change>, Error> {
    let running = Running::of(tx, reader, &package.seller, now).await?;
    running.change(tx, package, now).await
}

/// What is not used of a term.
fn unused(sale: &Sale, now: i64) -> Fen {
    let rest = sale.earning().and_then(|mut earning| earning.refund(now).ok());
    rest.map(|refund| refund.rest).unwrap_or_default()
}

/// Confirms a change as its form showed it, or takes up the one that was confirmed so: pressing twice buys once. Where nothing is
/// to be paid it is done at once.
pub async fn order(
    app: &App,
    reader: &Member,
    package: Package,
    shown: &str,
    now: i64,
) -> Result<SaleId, NotSold> {
    let mut tx = app.db.begin().await?;
    accounts::hold_member(&mut tx, &reader.id).await?;
    let Some(change) = offered(&mut tx, &reader.id, &package, now).await? else {
        let made = switches::paid_since(&mut tx, &reader.id, &package.id, now - PRICE_HOLDS_MS).await?;
        return made.ok_or(NotSold::Changed);
    };
    if change.shown() != shown {
        return Err(NotSold::Changed);
    }
    let wanted = Wanted {
        subject: Subject::Package(package.id),
        title: format!("《{}》", package.title),
        seller: package.seller,
        term: package.term,
        amount: package.price,
    };
    let credit = change.quote.credit.min(change.quote.price);
    let sale = Sale { credit, ..sales::begin(app, reader, wanted, new_id(), now)? };
    let id = match rows::open_like(&mut tx, &sale, now - PRICE_HOLDS_MS).await? {
        Some(open) => open,
        None => {
            rows::insert(&mut tx, &sale).await?;
            sale.id
        }
    };
    switches::set(&mut tx, &id, &change.olds).await?;
    if change.quote.due == Fen::ZERO {
        sales::pay(&mut tx, &id, &reader.id, FROM_TERMS, now).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(id)
}

/// What a sale counts.
pub enum Counted {
    /// It is no change.
    Nothing,
    /// Terms, which are held.
    Terms(Vec<Sale>),
    /// Not any more what was confirmed.
    Changed,
}

/// What a held sale counts, for a reader who is held.
pub async fn counted(tx: &mut Tx, sale: &Sale, now: i64) -> Result<Counted, Error> {
    let mut olds = Vec::new();
    for id in switches::of_sale(tx, &sale.id).await? {
        olds.push(rows::lock(tx, &id).await?);
    }
    if olds.is_empty() {
        return Ok(Counted::Nothing);
    }
    let holds = sale.created_at + PRICE_HOLDS_MS > now;
    let are_paid = olds.iter().all(|old| old.state == SaleState::Paid);
    Ok(if holds && are_paid { Counted::Terms(olds) } else { Counted::Changed })
}

/// Ends what a held sale counts: the rests go to the balance, out of which it is paid whole in the same transaction.
pub async fn replace(tx: &mut Tx, sale: &mut Sale, olds: Vec<Sale>, now: i64) -> Result<(), NotSold> {
    let due = sale.due();
    let confirmed = Quote { price: sale.amount, credit: sale.credit, due, back: Fen::ZERO };
    let mut credit = Fen::ZERO;
    for old in olds {
        // one that ended before it may have moved this one
        let mut old = rows::lock(tx, &old.id).await?;
        old.replaced_by = Some(sale.id.clone());
        match refunds::give_back(tx, &mut old, "换订，未用部分转入", now).await {
            Ok(rest) => credit = credit.plus(rest).map_err(Error::internal)?,
            // read to its end since it was confirmed: it stays as it is
            Err(Kept::Not(_)) => {}
            Err(Kept::Failed(error)) => return Err(error.into()),
            Err(Kept::PaidOut | Kept::Closed | Kept::Taken) => return Err(NotSold::Changed),
        }
    }
    sale.amount = sold_for(confirmed, credit).map_err(Error::internal)?;
    sale.credit = sale.amount.minus(due).map_err(Error::internal)?;
    Ok(())
}

/// Of the packages that the seller of one has, those to which a reader may change beside it, with what each costs.
pub async fn changes(
    tx: &mut Tx,
    reader: &MemberId,
    beside: &Package,
    all: Vec<Package>,
    now: i64,
) -> Result<Vec<(Package, Change)>, Error> {
    let running = Running::of(tx, reader, &beside.seller, now).await?;
    let mut changes = Vec::new();
    if running.sales.is_empty() {
        return Ok(changes);
    }
    for package in all {
        if package.id != beside.id
            && package.is_on_sale(now)
            && let Some(change) = running.change(tx, &package, now).await?
        {
            changes.push((package, change));
        }
    }
    Ok(changes)
}

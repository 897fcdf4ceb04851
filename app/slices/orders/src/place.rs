//! From chosen cart lines, or an order's frozen ones, to an order: what it would cost, and placing it.

mod coupon;
mod freeze;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use base::db::{Tx, now_ms};
use base::error::Error;
use coupons::Offer;
use domain::coupon::{Refused, Taken};
use domain::document::Document;
use domain::goods::Goods;
use domain::ids::{CartLineId, MemberId, OrderId};
use domain::money::Fen;
use domain::order_bounds::{MOST_DOCUMENT_BYTES, MOST_UNPAID, TooLarge};
use domain::order_state::OrderState;
use domain::price::{Quote, quote};
use domain::print_options::{Evaluation, check, evaluate};
use domain::shipping::{ShippingError, Tariff};
use rand::RngExt;
use web::app::App;
use web::prepaid;
use web::session::Member;

use super::progress;
use super::shown::{Bound, Pictures};
use super::store::{self, Order, OrderLine, Royalty, Title};
use accounts::Address;
use production::Told;
use reviews::Reviewed;

pub use freeze::Frozen;

/// Where an order's lines come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Lines of the cart, by their ids between commas.
    Cart(String),
    /// An order's frozen lines, at today's prices.
    Again(OrderId),
    /// A printed copy of somebody else's work.
    Shared(Box<SharedCopy>),
}

/// A work that its maker lets others order, as whoever reads it sees it, with what a reader has chosen.
#[derive(Debug, Clone)]
pub struct SharedCopy {
    /// The page on which it is confirmed.
    pub page: String,
    pub work: String,
    pub maker: MemberId,
    pub document: Document,
    pub goods: Goods,
    pub evaluation: Evaluation,
    /// With what the maker adds.
    pub quote: Quote,
    /// What of the price is the maker's.
    pub markup: Fen,
    pub remark: String,
    pub pictures: Pictures,
}

impl Source {
    /// The page that confirms it.
    pub fn page(&self) -> String {
        match self {
            Self::Cart(ids) => format!("/manager/shopping/order/{ids}"),
            Self::Again(order) => format!("/manager/order/{order}/reorder"),
            Self::Shared(copy) => copy.page.clone(),
        }
    }

    /// The same page with one thing more in its query.
    pub fn page_with(&self, name: &str, value: &str) -> String {
        let page = self.page();
        let mark = if page.contains('?') { '&' } else { '?' };
        format!("{page}{mark}{name}={value}")
    }
}

/// Why nothing of this sum can be paid for here: no way to pay is open, and balance, gift cards and allowances are too small.
pub async fn unpayable(app: &App, member: &Member, total: Fen) -> Result<Option<String>, Error> {
    let mut own = vec![member.balance];
    if let Some(prepaid) = prepaid::of_house(app) {
        own.extend(prepaid.of_member(app, &member.id, None).await?.iter().map(|card| card.free));
    }
    if Fen::sum(own).map_err(Error::internal)? >= total {
        return Ok(None);
    }
    for takes in app.house.slices.iter().filter_map(|slice| slice.takes_money) {
        if takes(app)? {
            return Ok(None);
        }
    }
    for purses in app.house.slices.iter().filter_map(|slice| slice.purses) {
        if purses.of_member(app, &member.id).await?.iter().any(|purse| purse.amount >= total) {
            return Ok(None);
        }
    }
    Ok(Some("本店还没有开通付款方式，余额也不够：订单会留在待付款，怎样付款请联系本店。".into()))
}

/// One line, as it would be ordered.
#[derive(Debug, Clone)]
pub struct Item {
    pub work_id: String,
    /// Lines of one work share it.
    pub document: Arc<Document>,
    pub goods: Goods,
    pub evaluation: Evaluation,
    pub quote: Quote,
    pub remark: String,
    /// Which line of the cart it is, where it comes from there.
    pub cart_line: Option<CartLineId>,
    /// When the member confirmed the proof, epoch ms.
    pub proofed_at: Option<i64>,
    pub pictures: Pictures,
    /// Where the way it is made is drawn.
    pub bound: Option<Bound>,
    /// Of which revision of the work, where the member can still change it.
    pub revision: Option<i64>,
    /// Who looked at it, and what they said of it.
    pub reviewed: Reviewed,
}

impl Item {
    fn of_cart(line: &cart::Line, document: Arc<Document>, reviewed: Reviewed) -> Self {
        let (standing, front, back) = line.bound_pictures();
        Self {
            work_id: line.work.id.to_string(),
            document,
            goods: (*line.goods).clone(),
            evaluation: line.evaluation.clone(),
            quote: line.quote.clone(),
            remark: line.remark.clone(),
            cart_line: Some(line.id.clone()),
            proofed_at: line.proofed_at,
            pictures: Pictures::of_work(&line.work.id, line.work.revision),
            bound: Some(Bound { standing, front, back }),
            revision: Some(line.work.revision),
            reviewed,
        }
    }

    fn of_shared(copy: &SharedCopy) -> Self {
        Self {
            work_id: copy.work.clone(),
            document: Arc::new(copy.document.clone()),
            goods: copy.goods.clone(),
            evaluation: copy.evaluation.clone(),
            quote: copy.quote.clone(),
            remark: copy.remark.clone(),
            cart_line: None,
            proofed_at: None,
            pictures: copy.pictures.clone(),
            bound: None,
            revision: None,
            reviewed: Reviewed::default(),
        }
    }

    /// A frozen line at today's price. What is no longer sold so is refused by name.
    async fn again(app: &App, member: &Member, order: &OrderId, line: OrderLine) -> Result<Self, Error> {
        let title = &line.title;
        let goods = match catalog::find(app, &line.goods.id).await {
            Err(Error::NotFound) => {
                let name = &line.goods.name;
                return Err(Error::Conflict(format!("《{title}》的“{name}”已不再出售，请用作品重新选择。")));
            }
            found => found?,
        };
        let pages = line.quote.pages;
        if let Err(refusal) = check(&goods, pages, &line.choice) {
            return Err(Error::Conflict(format!("《{title}》当时的印刷选项现在不能选了：{refusal}")));
        }
        let today =
            quote(&goods, pages, &line.choice, line.quote.count, member.tier).map_err(Error::internal)?;
        Ok(Self {
            evaluation: evaluate(&goods, pages, &line.choice),
            quote: today,
            pictures: Pictures::of_order(order, line.position),
            bound: None,
            revision: None,
            work_id: line.work_id,
            document: line.document,
            remark: line.remark,
            cart_line: None,
            // the same pages, the same way: what was confirmed then holds
            proofed_at: line.proofed_at,
            reviewed: Reviewed::frozen(line.reviewed),
            goods: (*goods).clone(),
        })
    }

    /// Where its proof is seen and confirmed; only a line of the cart has one.
    pub fn proof(&self) -> Option<String> {
        self.cart_line.as_ref().map(|line| format!("/manager/shopping/cart/{line}/proof"))
    }

    /// The chosen items, step by step.
    pub fn choices(&self) -> Vec<(String, String)> {
        super::choices(&self.goods, &self.evaluation.choice())
    }

    /// As production is told of it.
    pub fn told(&self, index: usize) -> Told {
        Told {
            line: index as i64,
            title: self.document.title.clone(),
            goods: self.goods.clone(),
            choice: self.evaluation.choice(),
            copies: self.quote.count.get(),
            pages: self.quote.pages,
        }
    }

    fn weight_grams(&self) -> u64 {
        let (pages, count) = (self.quote.pages, self.quote.count.get());
        self.goods.weight_grams(pages, &self.evaluation.choice(), count).unwrap_or(0)
    }
}

/// Lines with their sums. Without an address the shipping is not known yet.
#[derive(Debug, Clone)]
pub struct Proposal {
    pub lines: Vec<Item>,
    pub goods_total: Fen,
    pub grams: u64,
    /// The cart's lines that the order takes.
    taken: Vec<cart::Line>,
    /// Whose work it is where that is somebody else, and what of the price is theirs.
    maker: Option<(MemberId, Fen)>,
    /// What sending costs.
    tariff: Tariff,
    /// What a coupon takes off its lines; it is taken with the order.
    coupon: Option<Offer>,
}

impl Proposal {
    /// Whose photos and PDFs are printed.
    pub fn maker<'a>(&'a self, buyer: &'a MemberId) -> &'a MemberId {
        self.maker.as_ref().map_or(buyer, |(maker, _)| maker)
    }

    /// What a coupon takes off, where one does.
    pub fn coupon(&self) -> Option<&Taken> {
        self.coupon.as_ref().map(|offer| &offer.taken)
    }

    /// What its lines cost before that.
    pub fn printing(&self) -> Fen {
        let off = self.coupon().map_or(Fen::ZERO, |taken| taken.amount);
        self.goods_total.plus(off).unwrap_or(self.goods_total)
    }

    /// Shipping to a province.
    pub fn shipping(&self, province: &str) -> Result<Fen, ShippingError> {
        self.tariff.cost(province, self.grams)
    }
}

/// What an order from there would be.
///
/// # Errors
/// [`Error::TooLarge`] where it would hold more than one order may, [`Error::Conflict`] where something else stands in the way.
pub async fn propose(app: &App, member: &Member, source: &Source) -> Result<Proposal, Error> {
    let (lines, taken) = match source {
        Source::Cart(ids) => {
            let mut lines = Vec::new();
            let mut taken = Vec::new();
            let mut known: HashMap<usize, Reviewed> = HashMap::new();
            for (line, document) in chosen(app, member, ids).await? {
                let reviewed = match known.get(&mark(&document)) {
                    Some(reviewed) => reviewed.clone(),
                    None => {
                        let version = (line.work.revision, &*document);
                        reviews::reviewed(app, &member.id, &line.work.id, version).await?
                    }
                };
                known.insert(mark(&document), reviewed.clone());
                lines.push(Item::of_cart(&line, document, reviewed));
                taken.push(line);
            }
            (lines, taken)
        }
        Source::Again(order) => {
            let before = store::find_for_owner(&app.db, order, &member.id).await?;
            if before.royalty.is_some() {
                let reason = "这是从分享页订的印刷本，要再订请回到那件作品的购买页。";
                return Err(Error::Conflict(reason.into()));
            }
            if store::document_bytes(&app.db, order).await? > MOST_DOCUMENT_BYTES {
                return Err(Error::TooLarge(TooLarge.to_string()));
            }
            let mut lines = Vec::new();
            for line in store::lines(&app.db, order).await? {
                lines.push(Item::again(app, member, order, line).await?);
            }
            (lines, Vec::new())
        }
        Source::Shared(copy) => (vec![Item::of_shared(copy)], Vec::new()),
    };
    let maker = match source {
        Source::Shared(copy) => Some((copy.maker.clone(), copy.markup)),
        Source::Cart(_) | Source::Again(_) => None,
    };
    let goods_total = Fen::sum(lines.iter().map(|line| line.quote.total)).map_err(Error::internal)?;
    let grams = lines.iter().map(Item::weight_grams).fold(0u64, u64::saturating_add);
    let tariff = shipping::tariff(&app.db).await?;
    Ok(Proposal { lines, goods_total, grams, taken, maker, tariff, coupon: None })
}

/// Reads `id,id,…` as cart lines of the member; every one of them must be its own. One that was removed meanwhile is
/// named, and one that was ordered leads to its order.
async fn chosen(app: &App, member: &Member, ids: &str) -> Result<Vec<(cart::Line, Arc<Document>)>, Error> {
    let mut wanted: Vec<CartLineId> = Vec::new();
    for id in ids.split(',') {
        let id: CartLineId = id.parse().map_err(|_| Error::NotFound)?;
        if !wanted.contains(&id) {
            wanted.push(id);
        }
    }
    let lines = cart::lines_to_order(app, member, &wanted).await?;
    if let Some(reason) = lines.iter().find_map(|(line, _)| line.obstacle()) {
        return Err(Error::Conflict(reason));
    }
    let missing = wanted.iter().find(|id| lines.iter().all(|(line, _)| line.id != **id));
    if let Some(missing) = missing {
        if let Some(title) = cart::removed_title(app, missing, member).await? {
            return Err(Error::Conflict(format!(
                "《{title}》已从购物车移除。请回到购物车，撤销移除或重新选择后再结算。"
            )));
        }
        let order = store::ordered(&app.db, missing, &member.id).await?.ok_or(Error::NotFound)?;
        return Err(Error::Elsewhere(format!("/manager/order/{order}")));
    }
    Ok(lines)
}

/// What stands in the way of ordering a line, as a sentence; `None` when nothing does.
pub async fn obstacle(app: &App, maker: &MemberId, line: &Item) -> Result<Option<String>, Error> {
    let Item { document, goods, evaluation, quote, .. } = line;
    let cover = goods.cover_sheet(quote.pages, &evaluation.choice());
    let refused = cart::stuck(evaluation)
        .or_else(|| cover.plate_refusal(&document.cover))
        .or_else(|| document.count_refusal(quote.count.get()))
        .or_else(|| cover.name_refusal(document));
    if let Some(reason) = refused {
        return Ok(Some(reason));
    }
    // what is not printed need not be there
    match cover.front_as_made(&document.cover) {
        Cow::Borrowed(_) => works::unprintable(app, maker, document).await,
        Cow::Owned(front) => {
            works::unprintable(app, maker, &Document { cover: front, ..(**document).clone() }).await
        }
    }
}

/// Which document lines share, as long as one of them is there.
fn mark(document: &Arc<Document>) -> usize {
    Arc::as_ptr(document) as usize
}

/// Why an order is not placed that could be ordered.
#[derive(Debug)]
pub enum NotPlaced {
    Coupon(Refused),
    /// The member has [`MOST_UNPAID`] that wait to be paid; this is the first of them, with its lines.
    Unpaid(OrderId, Vec<Title>),
}

impl NotPlaced {
    /// As a sentence for the member.
    pub fn sentence(&self) -> String {
        match self {
            Self::Coupon(refused) => format!("{refused}。订单还没有提交"),
            Self::Unpaid(first, titles) => {
                let title = titles.first().map_or("", |title| title.title.as_str());
                let content = store::content(title, titles.len() as i64);
                format!(
                    "您已有 {MOST_UNPAID} 个订单待付款，再多就下不了了。请先付款或取消最早的一个：{content}，订单号 {first}。"
                )
            }
        }
    }
}

/// Places an order, or finds the one that the same form placed before.
pub async fn place(
    app: &App,
    member: &Member,
    proposal: Proposal,
    address: Address,
    request_key: &str,
) -> Result<Result<OrderId, NotPlaced>, Error> {
    // whatever takes time happens before the writer is held
    let frozen = proposal.freeze()?;
    let mut tx = app.db.begin().await?;
    let placed = place_at(&mut tx, member, frozen, address, request_key, now_ms()).await?;
    if placed.is_ok() {
        tx.commit().await?;
    }
    Ok(placed)
}

/// The same at a moment, epoch ms, within a transaction; after a refusal that must be dropped.
pub async fn place_at(
    tx: &mut Tx,
    member: &Member,
    Frozen { proposal, lines, shown }: Frozen,
    address: Address,
    request_key: &str,
    now: i64,
) -> Result<Result<OrderId, NotPlaced>, Error> {
    let shipping =
        proposal.shipping(&address.province).map_err(|error| Error::BadRequest(error.to_string()))?;
    let total = proposal.goods_total.plus(shipping).map_err(Error::internal)?;
    let order = Order {
        id: new_order_id(now)?,
        member: member.id.clone(),
        state: OrderState::Unpaid,
        goods_total: proposal.goods_total,
        shipping,
        total,
        address,
        created_at: now,
        paid_at: None,
        refunded: Fen::ZERO,
        state_since: now,
        waybill: None,
        royalty: proposal.maker.clone().map(|(maker, markup)| Royalty { maker, markup, held: Fen::ZERO }),
        coupon: proposal.coupon.as_ref().map(|offer| offer.taken.clone()),
        by_cards: Fen::ZERO,
        back_to_cards: Fen::ZERO,
    };
    if let Some(before) = store::insert(tx, &order, request_key).await? {
        return Ok(Ok(before));
    }
    if let Some(first) = store::first_unpaid(tx, &member.id, MOST_UNPAID).await? {
        let titles = store::titles_in(tx, &first).await?;
        return Ok(Err(NotPlaced::Unpaid(first, titles)));
    }
    if !cart::take(tx, &proposal.taken, &member.id).await? {
        return Err(Error::Conflict("购物车刚刚有变化，请回到购物车核对后再下单。".into()));
    }
    store::uses::placed(tx, &order.id, order.maker(), &shown).await?;
    let mut said = Vec::with_capacity(proposal.lines.len());
    let mut known: HashMap<(&str, usize), Option<String>> = HashMap::new();
    for item in &proposal.lines {
        let of = (item.work_id.as_str(), mark(&item.document));
        let reviewed = match known.get(&of) {
            Some(reviewed) => reviewed.clone(),
            None => match reviews::freeze(tx, item.reviewed.clone(), now).await?.as_slice() {
                [] => None,
                said => Some(serde_json::to_string(said)?),
            },
        };
        known.insert(of, reviewed.clone());
        said.push(reviewed);
    }
    store::insert_lines(tx, &order.id, &lines, &said).await?;
    progress::wait_in(tx, &order.id, order.state, now).await?;
    // last: its row is held until the commit
    if let Some(offer) = &proposal.coupon
        && let Err(refused) = coupons::take(tx, offer, &order.id, &member.id, now).await?
    {
        return Ok(Err(NotPlaced::Coupon(refused)));
    }
    Ok(Ok(order.id))
}

/// An order number that people can read out: the day, then ten random digits.
fn new_order_id(now: i64) -> Result<OrderId, Error> {
    let day = base::time::day(now).replace('-', "");
    let number: u64 = rand::rng().random_range(0..10_000_000_000);
    format!("{day}{number:010}").parse().map_err(Error::internal)
}

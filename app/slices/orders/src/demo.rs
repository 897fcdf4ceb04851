//! A shop at work: orders of another member at the stages of production, one of them late, one on hold, one sent in two
//! parcels, one delivered, one printed again. Everything is done by the functions that clerks' pages call.

use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use web::app::App;
use web::demo::{BUYER, Demo, STAFF};
use web::session::Member;

use super::place::{Source, place_at, propose};
use super::progress::{self, Step};
use super::sending::{self, Again};
use super::store::Waybill;
use accounts::Address;
use cart::{demo_book, demo_line};
use domain::goods::Goods;
use domain::ids::{CartLineId, OrderId};
use domain::parcel::{Copies, Reason};
use domain::production::Stage;
use domain::tier::Tier;
use ledger::Refusal;
use production::{Act, Number};

const NAME: &str = "沈一帆";

const HOUR: i64 = 60 * 60_000;
const DAY: i64 = 24 * HOUR;

/// Its books: of which goods, and what they are called.
const BOOKS: [(&str, &str); 3] =
    [("album-a5", "沿着海岸线"), ("album-210", "老城的清晨"), ("booklet-a5", "运动会")];

/// Where an order is by now.
enum Now {
    /// Paid, and not begun.
    Waiting,
    /// Each of its lines is at this stage.
    At(Stage),
    /// At this stage, where somebody has it.
    InHands(Stage),
    /// On hold at this stage: why.
    Held(Stage, &'static str),
    /// Sent, in one parcel or with some copies of one line ahead, so many days ago.
    Sent { ahead: u32, days: i64 },
    /// The same, and it arrived.
    Delivered { days: i64 },
    /// It arrived, and so many copies of one line are printed again.
    Again { days: i64, copies: u32 },
}

/// An order: how many hours ago it was paid, copies of which books, and where it is by now.
type Ordered = (i64, &'static [(usize, u32)], Now);

/// From the first to the last, as an account's statement has them.
const ORDERS: &[Ordered] = &[
    (24 * 25, &[(1, 5)], Now::At(Stage::Inspection)),
    (24 * 16, &[(1, 3)], Now::Again { days: 11, copies: 1 }),
    (24 * 14, &[(0, 2)], Now::Delivered { days: 9 }),
    (24 * 7, &[(0, 6), (1, 1)], Now::Sent { ahead: 2, days: 2 }),
    (54, &[(2, 60), (0, 1)], Now::At(Stage::Binding)),
    (50, &[(1, 1)], Now::Held(Stage::Prepress, "等特种纸到货")),
    (30, &[(0, 4)], Now::InHands(Stage::Printing)),
    (26, &[(1, 2)], Now::At(Stage::Prepress)),
    (8, &[(2, 30)], Now::Waiting),
    (3, &[(0, 1)], Now::Waiting),
];

/// Lets the shop work.
pub async fn fill(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let buyer = &demo.buyer;
    let address = Address {
        id: new_id(),
        receiver: NAME.into(),
        phone: "13900139000".into(),
        province: "四川省".into(),
        city: "成都市".into(),
        district: "锦江区".into(),
        street: "书院街 9 号".into(),
        is_default: true,
    };
    accounts::add_address(app, buyer, &address).await?;
    let mut books = Vec::new();
    for (index, (goods, title)) in BOOKS.into_iter().enumerate() {
        let goods = catalog::find(app, &goods.parse().map_err(Error::internal)?).await?;
        let theme = press::themes().get(index % press::themes().len()).map_or("", |theme| theme.name);
        let (pages, photos) = (goods.pages.min, demo.of_buyer.clone());
        let (work, _) = demo_book(app, buyer, photos, &goods, pages, title, theme).await?;
        books.push((work, goods));
    }
    let member = Member::bare(buyer.clone(), BUYER, NAME, Tier::Basic);
    let begun = now_ms();
    for (hours, copies, now) in ORDERS {
        let mut lines = Vec::new();
        for (book, copies) in *copies {
            let Some((work, goods)) = books.get(*book) else { continue };
            let goods: &Goods = goods;
            lines.push(demo_line(app, buyer, work, goods, goods.pages.min, *copies).await?);
        }
        let paid_at = begun - hours * HOUR;
        let order = order_at(app, &member, &lines, address.clone(), paid_at).await?;
        let (moved, _) = audit::acting(STAFF, moved(app, &order, now, paid_at, begun)).await;
        moved?;
    }
    Ok(())
}

/// Orders lines of a member's cart and pays them from its balance, at once: an unpaid one of days ago would be closed. Their print files are made when somebody asks for them.
async fn order_at(
    app: &App,
    member: &Member,
    lines: &[CartLineId],
    address: Address,
    paid_at: i64,
) -> Result<OrderId, Error> {
    let lines = lines.iter().map(CartLineId::as_str).collect::<Vec<_>>().join(",");
    let proposal = propose(app, member, &Source::Cart(lines)).await?;
    let frozen = proposal.freeze()?;
    let mut tx = app.db.begin().await?;
    let order = place_at(&mut tx, member, frozen, address, &new_id::<String>(), paid_at).await?;
    let order = order.map_err(|refused| Error::internal(refused.sentence()))?;
    match progress::pay_alone(&mut tx, &order, &member.id, paid_at).await {
        Ok(_) => tx.commit().await?,
        Err(Refusal::Failed(error)) => return Err(error),
        Err(refusal) => return Err(Error::internal(refusal)),
    }
    Ok(order)
}

/// Brings a paid order to where it is by now.
async fn moved(app: &App, order: &OrderId, now: &Now, paid_at: i64, today: i64) -> Result<(), Error> {
    let begun_at = paid_at + 2 * HOUR;
    match now {
        Now::Waiting => Ok(()),
        Now::At(stage) => bring(app, order, *stage, begun_at, today).await,
        Now::InHands(stage) => {
            bring(app, order, *stage, begun_at, today).await?;
            each(app, order, &Act::Take(*stage), today - HOUR).await
        }
        Now::Held(stage, why) => {
            bring(app, order, *stage, begun_at, today).await?;
            each(app, order, &Act::Hold((*why).to_owned()), today - 20 * HOUR).await
        }
        Now::Sent { ahead, days } => {
            let sent_at = today - days * DAY;
            bring(app, order, Stage::Shipping, begun_at, sent_at).await?;
            let first = some(app, order, *ahead).await?;
            sending::send(app, order, &waybill(order, 1), Some(first), sent_at).await?;
            sending::send(app, order, &waybill(order, 2), None, sent_at + DAY).await.map(drop)
        }
        Now::Delivered { days } => deliver(app, order, begun_at, today - days * DAY).await,
        Now::Again { days, copies } => {
            deliver(app, order, begun_at, today - days * DAY).await?;
            let again = Again {
                copies: Some(some(app, order, *copies).await?),
                reason: Reason::Damaged,
                note: "封面在路上划伤".to_owned(),
                cost: None,
            };
            sending::print_again(app, order, &again, today - 5 * HOUR).await.map(drop)
        }
    }
}

/// Prints and sends it as one parcel, which arrives three days later.
async fn deliver(app: &App, order: &OrderId, begun_at: i64, sent_at: i64) -> Result<(), Error> {
    bring(app, order, Stage::Shipping, begun_at, sent_at).await?;
    sending::send(app, order, &waybill(order, 1), None, sent_at).await?;
    progress::take_step(app, order, Step::Deliver, sent_at + 3 * DAY).await.map(drop)
}

/// So many copies of the line that has the most.
async fn some(app: &App, order: &OrderId, copies: u32) -> Result<Copies, Error> {
    let lines = production::on_the_floor(&app.db, order).await?;
    let most = lines.iter().max_by_key(|line| line.copies).ok_or(Error::NotFound)?;
    Ok(Copies::from([(most.line, copies)]))
}

/// A number as its carrier has them, another one for each order.
fn waybill(order: &OrderId, parcel: u32) -> Waybill {
    let digits: String = order.as_str().chars().rev().take(12).collect();
    Waybill { carrier: "顺丰".to_owned(), tracking: format!("SF{parcel}{digits}") }
}

/// Begins it, and does the stages before one, evenly until a moment.
async fn bring(app: &App, order: &OrderId, to: Stage, begun_at: i64, until: i64) -> Result<(), Error> {
    progress::take_step(app, order, Step::Start, begun_at).await?;
    for line in production::on_the_floor(&app.db, order).await? {
        let before: Vec<Stage> = line.stages.before(to).collect();
        let pause = (until - begun_at) / (before.len() as i64 + 1);
        for (index, stage) in before.into_iter().enumerate() {
            let at = begun_at + pause * (index as i64 + 1);
            production::act(app, &number(&line), &Act::Done(stage), None, at).await?;
        }
    }
    Ok(())
}

/// Does the same to each of its lines.
async fn each(app: &App, order: &OrderId, act: &Act, at: i64) -> Result<(), Error> {
    for line in production::on_the_floor(&app.db, order).await? {
        production::act(app, &number(&line), act, None, at).await?;
    }
    Ok(())
}

fn number(line: &production::Line) -> Number {
    Number { order: line.order.clone(), line: line.line }
}

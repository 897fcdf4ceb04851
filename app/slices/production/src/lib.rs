//! The shop floor: where each line of a paid order stands between its payment and its parcel, who has it, what holds it up, how
//! much a day holds, and which day may be promised.
//!
//! Orders say when a line comes here and when it leaves; what an order is, its money, files and parcels are theirs. Stages and
//! the reckoning are the domain's (`domain::production`).

mod act;
mod board;
mod daily;
mod floor;
mod forms;
mod plan;
mod scan;
mod store;

use axum::routing::post;
use base::audit;
use base::db::{Db, Tx, now_ms};
use base::error::Error;
use base::time::{date, day_near, start_of};
use domain::days::DAY_MS;
use domain::goods::{Days, Goods};
use domain::hot_folder::{Place, Standing};
use domain::ids::OrderId;
use domain::parcel::Copies;
use domain::print_options::Choice;
use domain::production::{Stage, Stages, Work, promised};
use domain::staff::Capability;
use leptos::prelude::*;
use time::Date;
use web::access::Policy;
use web::app::App;
use web::route::Route;
use web::slice::{Queue, Queues, Slice, StaffEntry};

pub use act::{Act, act, printed};
pub use floor::Stations;
pub use store::{Line, Number};

use store::plan::{Open, Shop};
use store::{Ended, Kind};

/// Where what is on the floor is listed.
const FLOOR: &str = "/staff/floor";
/// Where codes are read.
const SCAN: &str = "/staff/scan";
/// What a day holds.
const PLAN: &str = "/staff/floor/plan";

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/staff/floor", Policy::Staff(Capability::SeeOrders)).page(|| board::FloorPage().into_any()),
    Route::new("/staff/floor/many", Policy::Staff(Capability::Print)).handled(|| post(forms::many)),
    Route::new("/staff/floor/plan", Policy::Staff(Capability::Print))
        .page(|| plan::PlanPage().into_any())
        .handled(|| post(plan::set)),
    Route::new("/staff/scan", Policy::Staff(Capability::Print))
        .page(|| scan::ScanPage().into_any())
        .handled(|| post(scan::scanned)),
    Route::new("/staff/floor/{order}", Policy::Staff(Capability::SeeOrders))
        .page(|| floor::OrderPage().into_any()),
    Route::new("/staff/floor/{order}/{line}", Policy::Staff(Capability::SeeOrders))
        .page(|| floor::LinePage().into_any()),
    Route::new("/staff/floor/{order}/{line}/step", Policy::Staff(Capability::Print))
        .handled(|| post(forms::step)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    staff_navigation: &[
        StaffEntry { href: FLOOR, name: "生产", rank: 12, needs: Capability::SeeOrders },
        StaffEntry { href: SCAN, name: "扫码", rank: 14, needs: Capability::Print },
    ],
    audited: &[
        ("line done", "工序完成"),
        ("line back", "退回前面的工序"),
        ("line hold", "暂停"),
        ("line release", "放行"),
        ("line take", "领走"),
        ("line leave", "放下"),
        ("line promise", "改交期"),
        ("line note", "内部备注"),
        ("production plan", "改每天能做多少"),
    ],
    queues: Some(&AtQueues),
    daily: Some(&daily::AtDay),
    background: &[daily::WATCH],
    tables: &["production", "production_events", "production_capacity", "production_closed"],
    ..Slice::new("production")
};

/// What waits here.
#[derive(Debug)]
struct AtQueues;

#[async_trait::async_trait]
impl Queues for AtQueues {
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error> {
        let (late, since) = store::count_late(&app.db, today()).await?;
        let (held, held_since) = store::count_held(&app.db).await?;
        let queue = |name, view: &str, count, oldest, late_after_ms| Queue {
            name,
            href: format!("{FLOOR}?view={view}"),
            count,
            oldest,
            needs: Capability::Print,
            late_after_ms,
        };
        Ok(vec![
            queue("过了交期的", "late", late, since.map(|due| due + DAY_MS), 0),
            queue("生产中暂停的", "held", held, held_since, DAY_MS),
        ])
    }
}

/// The first moment of today in China, epoch ms.
fn today() -> i64 {
    start_of(date(now_ms()))
}

/// The promised day in words, and whether it is over.
fn due_of(due: Option<i64>) -> (String, bool) {
    let Some(due) = due else { return ("交期未定".to_owned(), false) };
    let (day, is_late) = (day_near(date(due), date(now_ms())), due < today());
    (if is_late { format!("{day}，已过") } else { day }, is_late)
}

/// The page of an order's line.
fn address(number: &store::Number) -> String {
    format!("{FLOOR}/{}/{}", number.order, number.line)
}

/// A line as its order tells of it.
#[derive(Debug)]
pub struct Told {
    /// Its number in the order.
    pub line: i64,
    pub title: String,
    pub goods: Goods,
    pub choice: Choice,
    pub copies: u32,
    /// Printed sides of one copy.
    pub pages: u32,
}

impl Told {
    fn stages(&self) -> Stages {
        Stages::of(&self.goods, &self.choice)
    }

    fn work(&self) -> Work {
        let stages = self.stages().as_slice().to_vec();
        Work { stages, copies: self.copies, pages: self.pages }
    }
}

/// The days in which lines leave that were told together, by what their goods say.
fn days_of(told: &[Told]) -> Days {
    Days::together(told.iter().map(|line| line.goods.making_days)).unwrap_or_default()
}

/// The day by whose end lines would leave that are paid on a day, behind all that is on the floor. `None` where nobody can
/// say, as the shop is full for years.
pub async fn reckoned(db: &Db, told: &[Told], paid: Date) -> Result<Option<Date>, Error> {
    let (shop, open) = store::plan::read(db).await?;
    Ok(reckon(&shop, &open, told, paid))
}

fn reckon(shop: &Shop, open: &[Open], told: &[Told], paid: Date) -> Option<Date> {
    let works: Vec<Work> = told.iter().map(Told::work).collect();
    let open = open.iter().map(|line| &line.work);
    promised(&shop.capacity, &shop.closed, open, days_of(told), &works, paid).map(|(_, last)| last)
}

/// The day that is promised to lines which are paid on a day; none where nobody can say. Two payments at the very same moment
/// may be given the same place.
async fn promise(tx: &mut Tx, told: &[Told], paid: Date) -> Result<Option<Date>, Error> {
    let shop = store::plan::shop(tx).await?;
    let open = if shop.is_boundless() { Vec::new() } else { store::plan::all_open(tx).await? };
    Ok(reckon(&shop, &open, told, paid))
}

/// Puts an order's lines on the floor; those that were there are in another round.
async fn put(tx: &mut Tx, order: &OrderId, told: &[Told], due: Option<Date>, now: i64) -> Result<(), Error> {
    let known = store::lock(tx, order).await?;
    for told in told {
        let before = known.iter().find(|known| known.line == told.line);
        let (round, version) = before.map_or((1, 1), |before| (before.round + 1, before.version + 1));
        let line = Line {
            order: order.clone(),
            line: told.line,
            title: told.title.clone(),
            goods: told.goods.name.clone(),
            copies: told.copies,
            pages: told.pages,
            stages: told.stages(),
            round,
            stage: None,
            since: now,
            holder: None,
            held: None,
            held_since: None,
            due: due.map(start_of),
            ended: None,
            version,
        };
        store::put(tx, &line).await?;
        note(tx, &line, Kind::Announced, "", now).await?;
    }
    Ok(())
}

/// Lines of an order are paid, or are to be printed once more: they wait to be begun, and a day is promised.
pub async fn announce(tx: &mut Tx, order: &OrderId, told: &[Told], now: i64) -> Result<(), Error> {
    let due = promise(tx, told, date(now)).await?;
    put(tx, order, told, due, now).await
}

/// Printing begins of an order: each of its lines is at its first stage.
///
/// # Errors
/// [`Error::Conflict`] while one of them is on hold.
pub async fn begin(tx: &mut Tx, order: &OrderId, now: i64) -> Result<(), Error> {
    let lines = store::lock(tx, order).await?;
    check_held(&lines, "开印")?;
    for mut line in lines.into_iter().filter(|line| line.ended.is_none() && line.stage.is_none()) {
        line.stage = Some(line.stages.first());
        line.since = now;
        store::update(tx, &line).await?;
        note(tx, &line, Kind::Begun, "", now).await?;
    }
    Ok(())
}

/// Refuses what can't be done to an order while a line of it is on hold.
fn check_held(lines: &[Line], what: &str) -> Result<(), Error> {
    let open = lines.iter().filter(|line| line.ended.is_none());
    match open.filter_map(|line| Some((line, line.held.as_ref()?))).next() {
        None => Ok(()),
        Some((line, why)) => {
            Err(Error::Conflict(format!("《{}》暂停着：{why}。先在“生产”里放行，再{what}", line.title)))
        }
    }
}

/// An order that was paid, and perhaps begun, by a program that knew no floor: it is promised what its goods said then.
/// Nothing where it is on the floor as it is told.
pub async fn take_on(
    tx: &mut Tx,
    order: &OrderId,
    told: &[Told],
    paid_at: i64,
    begun_at: Option<i64>,
) -> Result<(), Error> {
    let lines = store::lock(tx, order).await?;
    if lines.iter().all(|line| line.ended.is_some()) {
        put(tx, order, told, Some(days_of(told).after(date(paid_at)).1), paid_at).await?;
    }
    match begun_at {
        Some(at) if lines.iter().all(|line| line.held.is_none()) => begin(tx, order, at).await,
        _ => Ok(()),
    }
}

/// Orders with something on the floor, and whether all of that is begun.
pub async fn open_orders(db: &Db) -> Result<Vec<(OrderId, bool)>, Error> {
    store::open_orders(db).await
}

/// An order that was sent, or came to nothing, by a program that knew no floor: its lines leave, on hold or not.
pub async fn take_off(tx: &mut Tx, order: &OrderId, is_sent: bool, now: i64) -> Result<(), Error> {
    let lines = store::lock(tx, order).await?;
    end(tx, lines, if is_sent { Ended::Shipped } else { Ended::Dropped }, now).await
}

/// An order's lines left with its parcel.
///
/// # Errors
/// [`Error::Conflict`] while one of them is on hold.
pub async fn ship(tx: &mut Tx, order: &OrderId, now: i64) -> Result<(), Error> {
    let lines = store::lock(tx, order).await?;
    check_held(&lines, "发货")?;
    end(tx, lines, Ended::Shipped, now).await
}

/// Some of an order left: `lines` are in the parcel, and of those `gone` nothing is left to send.
///
/// # Errors
/// [`Error::Conflict`] while one of them is on hold.
pub async fn send(tx: &mut Tx, order: &OrderId, lines: &[i64], gone: &[i64], now: i64) -> Result<(), Error> {
    let mut locked = store::lock(tx, order).await?;
    locked.retain(|line| lines.contains(&line.line));
    check_held(&locked, "发货")?;
    locked.retain(|line| gone.contains(&line.line));
    end(tx, locked, Ended::Shipped, now).await
}

/// Money went back for copies that were not sent: so many of each line are not made. A line of which nothing is `left` to send
/// leaves the floor, on hold or not.
pub async fn make_fewer(
    tx: &mut Tx,
    order: &OrderId,
    unmade: &Copies,
    left: &Copies,
    now: i64,
) -> Result<(), Error> {
    for line in store::lock(tx, order).await?.into_iter().filter(|line| line.ended.is_none()) {
        let Some(fewer) = unmade.get(&line.line) else { continue };
        let copies = line.copies.saturating_sub(*fewer);
        if copies == 0 {
            end(tx, vec![line], Ended::Dropped, now).await?;
            continue;
        }
        store::set_copies(tx, &line, copies).await?;
        note(tx, &line, Kind::Fewer, &format!("退款 {fewer} 本，还做 {copies} 本"), now).await?;
        if !left.contains_key(&line.line) {
            // what was made of it has left
            end(tx, vec![Line { copies, ..line }], Ended::Shipped, now).await?;
        }
    }
    Ok(())
}

/// What was said to have left is here: it waits for its parcel again.
pub async fn take_back(tx: &mut Tx, order: &OrderId, lines: &[i64], now: i64) -> Result<(), Error> {
    let locked = store::lock(tx, order).await?;
    let left = |line: &Line| lines.contains(&line.line) && line.ended == Some(Ended::Shipped);
    for line in locked.into_iter().filter(left) {
        let here = Line { ended: None, stage: Some(Stage::Shipping), since: now, ..line };
        store::update(tx, &here).await?;
        note(tx, &here, Kind::Back, "包裹撤回", now).await?;
    }
    Ok(())
}

/// An order's lines are not made: it was cancelled, or its money given back.
pub async fn drop(tx: &mut Tx, order: &OrderId, now: i64) -> Result<(), Error> {
    let lines = store::lock(tx, order).await?;
    end(tx, lines, Ended::Dropped, now).await
}

async fn end(tx: &mut Tx, lines: Vec<Line>, ended: Ended, now: i64) -> Result<(), Error> {
    let kind = match ended {
        Ended::Shipped => Kind::Shipped,
        Ended::Dropped => Kind::Dropped,
    };
    for line in lines.into_iter().filter(|line| line.ended.is_none()) {
        note(tx, &line, kind, "", now).await?;
        let left = Line {
            stage: None,
            held: None,
            held_since: None,
            holder: None,
            since: now,
            ended: Some(ended),
            ..line
        };
        store::update(tx, &left).await?;
    }
    Ok(())
}

/// Notes what whoever acts does to a locked line, where it stands.
async fn note(tx: &mut Tx, line: &Line, kind: Kind, words: &str, now: i64) -> Result<(), Error> {
    store::add_event(tx, line, kind, line.stage, words, &audit::clerk().unwrap_or_default(), now).await
}

/// What is on the floor, of all orders.
pub async fn open_lines(db: &Db) -> Result<Vec<(OrderId, Standing)>, Error> {
    Ok(store::open(db).await?.into_iter().map(|line| (line.order.clone(), standing(line))).collect())
}

/// Where the lines of an order stand, those that left, too.
pub async fn standings(db: &Db, order: &OrderId) -> Result<Vec<Standing>, Error> {
    Ok(store::of_order(db, order).await?.into_iter().map(standing).collect())
}

/// The same within a transaction.
pub async fn standings_within(tx: &mut Tx, order: &OrderId) -> Result<Vec<Standing>, Error> {
    Ok(store::of_order_within(tx, order).await?.into_iter().map(standing).collect())
}

fn standing(line: Line) -> Standing {
    let place = match (line.ended, line.stage) {
        (Some(Ended::Shipped), _) => Place::Sent,
        (Some(Ended::Dropped), _) => Place::Dropped,
        (None, None) => Place::Waiting,
        (None, Some(stage)) => Place::At(stage),
    };
    let Line { line, round, copies, title, held, .. } = line;
    Standing { line, round, copies, title, place, held }
}

/// An order's lines where they are, or how they left.
pub async fn on_the_floor(db: &Db, order: &OrderId) -> Result<Vec<Line>, Error> {
    store::of_order(db, order).await
}

/// The day by whose end an order was promised; none where nobody could say, or nothing of it is on the floor.
pub async fn promised_day(db: &Db, order: &OrderId) -> Result<Option<Date>, Error> {
    let mut last = None;
    for line in store::of_order(db, order).await?.iter().filter(|line| line.ended != Some(Ended::Dropped)) {
        let Some(due) = line.due else { return Ok(None) };
        last = last.max(Some(due));
    }
    Ok(last.map(date))
}

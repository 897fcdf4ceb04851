//! What a slice says of itself, in one place: everything that the program makes of all slices (router, access, navigation,
//! job runner, backup) is made from this.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;

use async_trait::async_trait;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use base::db::{Sql, Tx};
use base::error::Error;
use base::variables::{self, ConfigError, Variable};
use domain::close::Figures;
use domain::document::{Rect, Trim};
use domain::ids::{LoginId, LookId, MemberId, OrderId, StaffLoginId};
use domain::money::Fen;
use domain::payment::Method;
use domain::staff::Capability;
use domain::sub_member::Role;

use crate::app::App;
use crate::background::Background;
use crate::checks::{Asked, Found};
use crate::commands::Command;
use crate::demo;
use crate::exports::Export;
use crate::notices::Notified;
use crate::prepaid::Prepaid;
use crate::render::Form;
use crate::route::Route;
use crate::session::Member;
use crate::staff::Staff;
use crate::workers::Handlers;

/// One area of the program.
pub struct Slice {
    /// The name of its module.
    pub name: &'static str,
    /// Its addresses, each with who may open it and what answers there, in tables.
    pub routes: &'static [&'static [Route]],
    /// Its pages for everybody, in the order of their foot. The first of all is the shop's own.
    pub public: &'static [PublicPage],
    /// Where its pages stand in the rail.
    pub navigation: &'static [Entry],
    /// Its commands on the command line.
    pub commands: &'static [Command],
    /// What it adds to the demo, behind what the slices before it added.
    pub demo: Option<demo::Fill>,
    /// What a host sets in the environment for it.
    pub variables: &'static [&'static Variable],
    /// Reads those that have to fit each other, and the files that they name: what is wrong is found before anything is opened.
    pub settings: Option<fn() -> Result<(), ConfigError>>,
    /// Looks at what its settings name, for `bindery check`; whoever is outside is asked only where that is told to. Nothing is moved
    /// by that.
    pub probe: Option<Probe>,
    /// The jobs that it queues.
    pub jobs: fn(Handlers) -> Handlers,
    /// What it does again and again while the program serves.
    pub background: &'static [Background],
    /// Its tables, for the backup: an order in which rows can be put in again, each after what it refers to.
    pub tables: &'static [&'static str],
    /// Its other tables, which no backup has: what is over soon, and what is made again from others.
    pub passing: &'static [&'static str],
    /// What it does when the program opens: reads its settings, fills in rows that are missing. Other programs wait.
    pub open: Option<fn(App) -> Opened>,
    /// What it has to say and to do when a member closes its account.
    pub closing: Option<&'static dyn Closing>,
    /// Where its rows name stored files: a file goes when no slice names it.
    pub files: &'static [Named],
    /// Things of its that show members' photos and PDFs.
    pub shows: Option<&'static dyn Shows>,
    /// Which revisions of a work (`$1`) its rows refer to, each a question with one column: those stay when others are thinned.
    pub revisions: &'static [Sql],
    /// How many bytes of a member's (`$1`) it keeps, each a question with one number for its answer: all slices' together
    /// are what the member's room holds.
    pub keeps: &'static [Sql],
    /// Where its rows have to fit the ledger, each a rule and the question that names what breaks it in its first column.
    pub books: &'static [(&'static str, Sql)],
    /// What it adds to a month's figures.
    pub monthly: Option<Monthly>,
    /// What of its own a question alone can't hold against the ledger: it adds a sentence for each thing that does not fit.
    pub recount: Option<Recount>,
    /// What it does as part of what others do.
    pub listener: Option<&'static dyn Listener>,
    /// What of its own members may sell.
    pub sellable: &'static [&'static dyn Sellable],
    /// Who has a right to what members made.
    pub rights: Option<&'static dyn Rights>,
    /// Whether money can come from outside, as the host configured it.
    pub takes_money: Option<TakesMoney>,
    /// What of its own members publish.
    pub published: &'static [&'static dyn Published],
    /// What of its own members pay for.
    pub payable: Option<&'static dyn Payable>,
    /// What members may pay orders with beside their balance.
    pub purses: Option<&'static dyn Purses>,
    /// What members put on orders, so that less of them is left to pay.
    pub prepaid: Option<&'static dyn Prepaid>,
    /// Where sub-members work.
    pub desks: Option<&'static dyn Desks>,
    /// What comes out of its own that readers follow.
    pub news: Option<&'static dyn News>,
    /// What of its own is read, so that its reading is counted.
    pub countable: &'static [&'static dyn Countable],
    /// Who works in the back office 后台.
    pub staff: Option<&'static dyn StaffAccounts>,
    /// Where its pages of the back office stand there.
    pub staff_navigation: &'static [StaffEntry],
    /// What it notes in the audit log ([`base::audit`]): the key of each action, and what people call it. Asking for what
    /// another one has to agree to and deciding on it ([`crate::approvals::Kind`]) are called by the name of the kind's `log`.
    pub audited: &'static [(&'static str, &'static str)],
    /// What of its own waits for somebody in the back office.
    pub queues: Option<&'static dyn Queues>,
    /// Lists of its own that the back office may have as files.
    pub exports: &'static [&'static dyn Export],
    /// Who hears of what happens.
    pub notified: Option<&'static dyn Notified>,
    /// What of its own stands in a day's summary.
    pub daily: Option<&'static dyn Daily>,
}

/// Knows what readers have bought or redeemed and may read.
#[async_trait]
pub trait Rights: Sync + std::fmt::Debug {
    /// How many readers have a right to a thing, now or later, or may get one.
    async fn readers(&self, app: &App, kind: &str, id: &str) -> Result<Readers, Error>;
}

/// For whom a thing has to stay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Readers {
    /// Who may read it, now or later.
    pub entitled: usize,
    /// Gifts of it that were paid and that nobody has taken.
    pub gifts: usize,
}

impl Readers {
    /// Whether it is for nobody.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// See [`Slice::probe`].
pub type Probe = for<'a> fn(&'a Asked) -> Pin<Box<dyn Future<Output = Vec<Found>> + Send + 'a>>;

/// See [`Slice::takes_money`].
pub type TakesMoney = fn(&App) -> Result<bool, Error>;

/// See [`Slice::recount`].
pub type Recount = for<'a> fn(
    &'a mut Tx,
    &'a mut Vec<String>,
) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>>;

/// See [`Slice::monthly`]: what happened from one moment to another, epoch ms.
pub type Monthly = for<'a> fn(
    &'a mut Tx,
    (i64, i64),
    &'a mut Figures,
) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>>;

/// See [`Slice::open`].
pub type Opened = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

impl Slice {
    /// A slice without anything.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            routes: &[],
            public: &[],
            navigation: &[],
            commands: &[],
            demo: None,
            variables: &[],
            settings: None,
            probe: None,
            jobs: |handlers| handlers,
            background: &[],
            tables: &[],
            passing: &[],
            open: None,
            closing: None,
            files: &[],
            shows: None,
            revisions: &[],
            keeps: &[],
            books: &[],
            listener: None,
            recount: None,
            monthly: None,
            sellable: &[],
            rights: None,
            takes_money: None,
            published: &[],
            payable: None,
            purses: None,
            prepaid: None,
            desks: None,
            news: None,
            countable: &[],
            staff: None,
            staff_navigation: &[],
            audited: &[],
            queues: None,
            exports: &[],
            notified: None,
            daily: None,
        }
    }
}

/// What becomes of a route for a sub-member at a house's desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtDesk {
    /// It stays the sub-member's own.
    Own,
    /// It is the house's: who has at least this role may look, and an editor may change.
    House(Role),
}

/// A page for everybody, as visitors and search engines find it.
#[derive(Debug)]
pub struct PublicPage {
    pub path: &'static str,
    /// In navigation.
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
}

/// A part of the rail (specification section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Make,
    Publish,
    Print,
    Sell,
    Account,
}

impl Group {
    /// As they stand in the rail.
    pub const ALL: [Self; 5] = [Self::Make, Self::Publish, Self::Print, Self::Sell, Self::Account];

    /// A word for ids.
    pub fn key(self) -> &'static str {
        match self {
            Self::Make => "make",
            Self::Publish => "publish",
            Self::Print => "print",
            Self::Sell => "sell",
            Self::Account => "account",
        }
    }

    /// What members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Make => "制作",
            Self::Publish => "出版",
            Self::Print => "印刷",
            Self::Sell => "经营",
            Self::Account => "账户",
        }
    }
}

/// A page in the rail.
#[derive(Debug)]
pub struct Entry {
    pub group: Group,
    pub href: &'static str,
    pub name: &'static str,
    /// Where it stands in its group, the smallest first.
    pub rank: u8,
    /// How the addresses of pages below it begin, beside its own.
    pub below: &'static [&'static str],
    /// The router's pattern of its address, where that has a parameter.
    pub route: Option<&'static str>,
}

impl Entry {
    /// A page whose subpages have addresses below its own.
    pub const fn new(group: Group, href: &'static str, name: &'static str, rank: u8) -> Self {
        Self { group, href, name, rank, below: &[], route: None }
    }

    /// The same page, whose address is one of a pattern.
    pub const fn of(self, route: &'static str) -> Self {
        Self { route: Some(route), ..self }
    }

    /// The router's pattern of its address.
    pub fn pattern(&self) -> &'static str {
        self.route.unwrap_or(self.href)
    }

    /// The same page, with subpages elsewhere.
    pub const fn with(self, below: &'static [&'static str]) -> Self {
        Self { below, ..self }
    }
}

/// Who is behind a session or a token, and what becomes of a form that came without either: what every request asks,
/// answered by the slice that has the accounts, whose rows of members others hold by it.
#[async_trait]
pub trait Identity: Send + Sync {
    /// The member behind the token in these headers; one that is over is none.
    async fn by_token(&self, app: &App, headers: &HeaderMap) -> Result<Option<Member>, Error>;
    /// The member behind a login that a session keeps.
    async fn by_login(&self, app: &App, login: &LoginId) -> Result<Option<Member>, Error>;
    /// The member at whose pages somebody of the back office looks, while that look lasts.
    async fn by_look(&self, app: &App, look: &LookId, staff: &str) -> Result<Option<Member>, Error>;
    /// Holds a member's row until the transaction ends, so that what is counted for it is done by one after the other.
    async fn hold(&self, tx: &mut Tx, member: &MemberId) -> Result<(), Error>;
    /// Notes that a login is in use.
    async fn note_seen(&self, app: &App, member: &Member);
    /// The answer to a form that came signed out: the sign-in page at `address`, with what was typed.
    async fn sign_in_first(&self, app: &App, request: Request, address: &str) -> Response;
    /// What was typed on the page of this request before its member signed in again, once.
    async fn take_typed(&self, parts: &Parts) -> Result<Option<Form>, Error>;
}

/// A slice's part of closing an account 注销账户 (个人信息保护法 第四十七条, 电子商务法 第二十四条): the slice that has the accounts asks
/// all others, and knows none of them.
#[async_trait]
pub trait Closing: Send + Sync {
    /// What of the member's is unfinished, so that its account stays open for now.
    async fn obstacles(&self, _tx: &mut Tx, _member: &MemberId) -> Result<Vec<Obstacle>, Error> {
        Ok(Vec::new())
    }
    /// Ends what others may use of the member's and what money hangs on, as part of the transaction that closes the account: a few
    /// rows, however much the member has. Done once more an hour later, for what a request under way has still written.
    async fn end(&self, _tx: &mut Tx, _member: &MemberId, _now: i64) -> Result<(), Error> {
        Ok(())
    }
    /// Forgets some of what is the member's and no law keeps, as much as one transaction may ([`base::forgetting`]), and says
    /// whether there may be more: it is asked by a job until nothing is left. Files go by the jobs that it queues. Until then nobody
    /// is shown any of it: what is looked up for others leaves out what a closed account made.
    async fn forget_some(
        &self,
        _app: &App,
        _tx: &mut Tx,
        _member: &MemberId,
        _now: i64,
    ) -> Result<bool, Error> {
        Ok(false)
    }
}

/// A place where rows name stored files by the SHA-256 of their bytes.
#[derive(Debug, Clone, Copy)]
pub struct Named {
    /// The folder of the [storage](base::storage) that the files lie in.
    pub folder: &'static str,
    /// How many rows name the file `$1`.
    pub count: Sql,
    /// Every file that a row names.
    pub all: Sql,
}

/// A slice's part of [`uses`](crate::uses): things of its that show members' photos and PDFs.
#[async_trait]
pub trait Shows: Send + Sync {
    /// The word for them in the table of uses.
    fn kind(&self) -> &'static str;
    /// Ids of things of the kind `$1` that are there no more and have uses, some hundred of them.
    fn gone(&self) -> Sql;
    /// Deletes the uses of `$2`, a thing of the kind `$1`, if it is there no more.
    fn forget_gone(&self) -> Sql;
    /// Those of a member's that these ids name, some hundred at most: each by its id and as members call it, the newest first.
    async fn names(
        &self,
        tx: &mut Tx,
        member: &MemberId,
        ids: &[String],
    ) -> Result<Vec<(String, String)>, Error>;
    /// Those of one member, or of all, that a program has written which knew no uses: by their ids, after one of them.
    async fn unnoted(
        &self,
        tx: &mut Tx,
        member: Option<&MemberId>,
        after: &str,
        most: i64,
    ) -> Result<Vec<String>, Error>;
    /// Notes what one of these shows.
    async fn note(&self, tx: &mut Tx, id: &str) -> Result<(), Error>;
}

/// Something that happens to what a slice has, for whoever above it has to follow.
pub trait Event: Any + Send + Sync {}

/// A slice's answer to what happens below it: who is below knows nobody above, and tells everybody ([`House::tell`]).
#[async_trait]
pub trait Listener: Send + Sync {
    /// Follows an event as part of the transaction in which it happens; one that it does not know is nothing to it.
    async fn hear(&self, tx: &mut Tx, event: &(dyn Any + Send + Sync)) -> Result<(), Error>;
}

/// Why an account can't be closed yet, and the way out.
#[derive(Debug, Clone)]
pub struct Obstacle {
    /// A whole sentence.
    pub reason: String,
    /// What the link says, and where it leads.
    pub way: (&'static str, &'static str),
}

/// Something that a package may hold, as its slice tells of it: whoever sells asks all slices and knows none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub id: String,
    pub title: String,
    /// Where readers open it; none while there is no such page.
    pub address: Option<String>,
}

/// A slice's things that members may sell.
#[async_trait]
pub trait Sellable: Send + Sync {
    /// The word for them, as it is stored: `work`, `title`.
    fn kind(&self) -> &'static str;
    /// What members call them.
    fn name(&self) -> &'static str;
    /// Those of a member that it may sell, the newest first.
    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Item>, Error>;
    /// Where readers open one; none while there is no such page.
    fn address(&self, app: &App, id: &str) -> Option<String>;
}

/// Something that a reader follows, with what came out last: a line of the study 书房.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    pub title: String,
    /// Where it is read.
    pub address: String,
    /// What came out last: what it is called, where it is read, when (epoch ms); nothing before the first.
    pub newest: Option<(String, String, i64)>,
    /// Where the reader says how it wants to hear of it, or no more.
    pub settings: String,
}

/// A slice's things that come out again and again: the study asks all slices and knows none of them.
#[async_trait]
pub trait News: Send + Sync {
    /// What a reader follows, the newest first.
    async fn followed_by(&self, app: &App, reader: &MemberId) -> Result<Vec<Followed>, Error>;
}

/// Who gets to see something that was published, at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Everybody, search engines too.
    Public,
    /// Whoever has the address; nothing may lead strangers to it.
    ByAddress,
    /// Some: who bought it, who knows a password, its maker.
    Some,
    /// Nobody any more but its maker: it was withdrawn, or its time is over.
    Over,
}

impl Reach {
    /// Whether its address, its title and its cover may be shown to whoever was given the address.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Public | Self::ByAddress)
    }
}

/// Something that a member has published, as its slice tells of it: shelves and studies ask all slices and know none.
#[derive(Debug, Clone, PartialEq)]
pub struct Publication {
    /// [`Published::kind`].
    pub kind: &'static str,
    pub id: String,
    pub member: MemberId,
    pub title: String,
    /// Who made it, as readers are told; may be empty.
    pub author: String,
    /// A sentence or two; may be empty.
    pub description: String,
    /// The path where readers open it.
    pub address: String,
    /// The path of its cover's picture, some 360 pixels wide, which is answered to whoever may open the thing itself; none
    /// while it has no cover.
    pub cover: Option<String>,
    /// The size of what the cover is a picture of, for its proportions.
    pub trim: Trim,
    /// The path of the picture that messengers show, 1200 × 630.
    pub card: Option<String>,
    pub reach: Reach,
    /// When it was published first, epoch ms.
    pub published_at: i64,
}

/// What whoever sends a request may read of a publication.
#[derive(Debug, Clone, PartialEq)]
pub struct Readable {
    pub publication: Publication,
    /// Its pages, from 1; 0 where it is not read page by page.
    pub pages: usize,
    /// Those that may be read, from the first on.
    pub open: usize,
}

/// A slice's things that members publish.
#[async_trait]
pub trait Published: Send + Sync {
    /// The word for them, as it is stored: `work`, `title`; the same as that of [`Sellable`] for the same things.
    fn kind(&self) -> &'static str;
    /// What members call them.
    fn name(&self) -> &'static str;
    /// Those of a member, whoever may see them now, the newest first.
    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Publication>, Error>;
    /// Those of these ids that there are, whoever may see them now, in any order.
    async fn find(&self, app: &App, ids: &[&str]) -> Result<Vec<Publication>, Error>;
    /// What the caller of a request may read of one; nothing where it may not know of it.
    async fn readable(&self, app: &App, _parts: &Parts, id: &str) -> Result<Option<Readable>, Error> {
        let found = self.find(app, &[id]).await?.into_iter().find(|found| found.reach.is_open());
        Ok(found.map(|publication| Readable { publication, pages: 0, open: 0 }))
    }
    /// Whether one was taken back by its maker, or by the house: whoever takes money for it asks that in the same transaction.
    async fn is_withdrawn(&self, _tx: &mut Tx, _id: &str) -> Result<bool, Error> {
        Ok(false)
    }
}

/// A slice's things that members pay for, beside orders: whoever takes money from outside asks the slice that has the
/// thing and knows none of them.
#[async_trait]
pub trait Payable: Send + Sync {
    /// The word for them, as it is stored: `sale`.
    fn kind(&self) -> &'static str;
    /// Holds the row of a member's own and answers what is to be paid for it; nothing where nothing is any more.
    async fn hold(
        &self,
        app: &App,
        tx: &mut Tx,
        id: &str,
        member: &MemberId,
        now: i64,
    ) -> Result<Option<Fen>, Error>;
    /// Pays for it from the balance, where the money has just arrived by a way, in the same transaction.
    async fn pay(&self, tx: &mut Tx, id: &str, member: &MemberId, way: Method, now: i64)
    -> Result<(), Error>;
}

/// Money that is not a member's own and that it may pay orders with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purse {
    pub id: String,
    /// As the member reads it.
    pub name: String,
    pub amount: Fen,
}

/// A slice's money for others' orders: whoever takes the money for an order asks all slices and knows none of them.
#[async_trait]
pub trait Purses: Send + Sync {
    /// Those of a member that hold something.
    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Purse>, Error>;
    /// Whether one of them paid for an order.
    async fn paid(&self, app: &App, order: &OrderId) -> Result<bool, Error>;
    /// Puts what an order costs into the member's balance, as part of the transaction that pays the order from there and holds
    /// its row; false where the member may not, or the purse has too little.
    async fn draw(
        &self,
        tx: &mut Tx,
        purse: &str,
        member: &MemberId,
        order: &OrderId,
        amount: Fen,
        now: i64,
    ) -> Result<bool, Error>;
}

/// Where a sub-member works.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "one a request, and never kept")]
pub enum Desk {
    /// The house, as the member of a request.
    Open(Member),
    /// Not any more, or not now: why.
    Shut(&'static str),
}

/// A slice's answer to whose desk a login works at.
#[async_trait]
pub trait Desks: Send + Sync {
    /// The desk of a member whose login works for a house.
    async fn at(&self, app: &App, member: &Member) -> Result<Desk, Error>;
}

/// Something that is read in pages, as its slice tells of it to whoever counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub id: String,
    pub title: String,
    /// The number of its last page; 0 where the whole is one page.
    pub pages: usize,
    /// A picture of its cover, where there is one, about 360 pixels wide.
    pub cover: Option<String>,
    /// Where readers open it.
    pub address: String,
}

/// A page of such a thing, to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadPage {
    /// 0 is the cover.
    pub number: usize,
    /// Where readers open it.
    pub address: String,
    /// The address of its picture, which its owner may fetch.
    pub picture: String,
    /// A larger one.
    pub large: String,
    /// Its height by its width.
    pub ratio: f64,
}

/// A hot area as it is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadArea {
    /// What `data-area` says of it on the page: at most forty letters, digits and `.-_`.
    pub id: String,
    pub name: String,
    /// Per mille of the page.
    pub frame: Rect,
}

/// An article of such a thing, as its openings are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadArticle {
    /// The id of its areas (see [`ReadArea`]), also where it has none.
    pub id: String,
    pub title: String,
    /// The page on which it stands.
    pub page: usize,
    /// Where readers open it.
    pub address: String,
}

/// A slice's things that are read: their pages have [`Counted`](crate::ui::counted::Counted) in them.
#[async_trait]
pub trait Countable: Send + Sync {
    /// The word for them, as it is stored: `work`, `issue`.
    fn kind(&self) -> &'static str;
    /// What members call them.
    fn name(&self) -> &'static str;
    /// Whose it is: its numbers are shown to nobody else, and its owner is not counted.
    async fn owner(&self, app: &App, id: &str) -> Result<Option<MemberId>, Error>;
    /// Those of a member, the newest first.
    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Read>, Error>;
    /// Those of its pages that have pictures.
    async fn pages(&self, app: &App, id: &str, numbers: &[usize]) -> Result<Vec<ReadPage>, Error>;
    /// What can be pressed on a page.
    async fn areas(&self, app: &App, id: &str, page: usize) -> Result<Vec<ReadArea>, Error>;
    /// Its articles that readers can open by themselves.
    async fn articles(&self, _app: &App, _id: &str) -> Result<Vec<ReadArticle>, Error> {
        Ok(Vec::new())
    }
}

/// A page of the back office 后台.
#[derive(Debug)]
pub struct StaffEntry {
    pub href: &'static str,
    pub name: &'static str,
    /// Where it stands, the smallest first.
    pub rank: u8,
    /// Who finds it there.
    pub needs: Capability,
}

/// Things that wait for somebody in the back office.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queue {
    pub name: &'static str,
    /// Where they are listed.
    pub href: String,
    pub count: i64,
    /// Since when the oldest waits, epoch ms.
    pub oldest: Option<i64>,
    pub needs: Capability,
    /// How long one may wait before it is late, in ms.
    pub late_after_ms: i64,
}

/// A slice's things that wait for the back office.
#[async_trait]
pub trait Queues: Send + Sync {
    /// Each kind, empty ones too.
    async fn queues(&self, app: &App) -> Result<Vec<Queue>, Error>;
}

/// A line of a day's summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    pub name: &'static str,
    /// As people read it.
    pub value: String,
    /// The page that shows more of it.
    pub href: Option<String>,
    pub needs: Capability,
    /// Of the day itself; else of how things stand when somebody looks.
    pub is_of_the_day: bool,
}

/// A slice's part of a day's summary.
#[async_trait]
pub trait Daily: Sync + std::fmt::Debug {
    /// Its lines of a day, which ends before the second moment, epoch ms.
    async fn figures(&self, app: &App, from: i64, to: i64) -> Result<Vec<Figure>, Error>;
}

/// Somebody who works in the back office.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colleague {
    pub id: String,
    pub name: String,
    pub roles: Vec<domain::staff::Role>,
}

/// The slice that has the accounts of the back office.
#[async_trait]
pub trait StaffAccounts: Send + Sync {
    /// Everybody who works there now.
    async fn all(&self, app: &App) -> Result<Vec<Colleague>, Error>;
    /// Who is behind a login that a session keeps and that has shown its code; one that is over is nobody.
    async fn by_login(&self, app: &App, login: &StaffLoginId) -> Result<Option<Staff>, Error>;
    /// Whether a code is the one that somebody's device shows now; each counts once.
    async fn proves(&self, app: &App, parts: &Parts, staff: &Staff, code: &str) -> Result<bool, Error>;
}

/// All slices, and what only the program as a whole knows.
pub struct House {
    /// Statics each: what a constant names is made where it is used, which would be here for all of them.
    pub slices: &'static [&'static Slice],
    pub identity: &'static dyn Identity,
}

impl House {
    /// For whom a thing of a member's has to stay.
    pub async fn readers_of(&self, app: &App, kind: &str, id: &str) -> Result<Readers, Error> {
        match self.slices.iter().find_map(|slice| slice.rights) {
            Some(rights) => rights.readers(app, kind, id).await,
            None => Ok(Readers::default()),
        }
    }

    /// Everything of one kind that the slices have, in their order.
    pub fn each<T: 'static>(
        &'static self,
        part: impl Fn(&'static Slice) -> &'static [T] + 'static,
    ) -> impl Iterator<Item = &'static T> {
        self.slices.iter().copied().flat_map(part)
    }

    /// All routes, each once.
    pub fn routes(&'static self) -> impl Iterator<Item = &'static Route> {
        self.each(|slice| slice.routes).copied().flatten()
    }

    /// Everything that may be set in the environment.
    pub fn variables(&'static self) -> impl Iterator<Item = &'static Variable> {
        self.each(|slice| slice.variables).copied()
    }

    /// Reads the environment of this process, once, and answers everything that is wrong, not the first thing alone.
    pub fn read_settings(&'static self) -> Vec<ConfigError> {
        let declared: Vec<&Variable> = self.variables().collect();
        let mut faults = variables::read(&declared);
        faults.extend(self.slices.iter().filter_map(|slice| slice.settings?().err()));
        faults
    }

    /// All slices' commands.
    pub fn commands(&'static self) -> impl Iterator<Item = Command> {
        self.each(|slice| slice.commands).copied()
    }

    /// What a reader follows, whichever slice has it.
    pub async fn followed_by(&'static self, app: &App, reader: &MemberId) -> Result<Vec<Followed>, Error> {
        let mut followed = Vec::new();
        for news in self.slices.iter().filter_map(|slice| slice.news) {
            followed.extend(news.followed_by(app, reader).await?);
        }
        Ok(followed)
    }

    /// What members publish, kind by kind.
    pub fn published(&'static self) -> impl Iterator<Item = &'static dyn Published> {
        self.each(|slice| slice.published).copied()
    }

    /// Those of these things that there are, each named by its kind and id, in the same order.
    pub async fn find_published(
        &'static self,
        app: &App,
        things: &[(&str, &str)],
    ) -> Result<Vec<Publication>, Error> {
        let mut found = Vec::new();
        for published in self.published() {
            let ids: Vec<&str> =
                things.iter().filter(|(kind, _)| *kind == published.kind()).map(|(_, id)| *id).collect();
            if !ids.is_empty() {
                found.extend(published.find(app, &ids).await?);
            }
        }
        let place = |one: &Publication| things.iter().position(|thing| *thing == (one.kind, &*one.id));
        found.sort_by_key(place);
        Ok(found)
    }

    /// Whether a thing that members publish was taken back, as part of a transaction; what nobody publishes never is.
    pub async fn is_withdrawn(&'static self, tx: &mut Tx, kind: &str, id: &str) -> Result<bool, Error> {
        match self.published().find(|published| published.kind() == kind) {
            Some(published) => published.is_withdrawn(tx, id).await,
            None => Ok(false),
        }
    }

    /// What waits for the back office, of which somebody may see these.
    pub async fn queues(&self, app: &App, may: impl Fn(Capability) -> bool) -> Result<Vec<Queue>, Error> {
        let mut queues = Vec::new();
        for slice in self.slices.iter().filter_map(|slice| slice.queues) {
            queues.extend(slice.queues(app).await?);
        }
        queues.retain(|queue| may(queue.needs));
        Ok(queues)
    }

    /// Tells all slices of an event, as part of the transaction in which it happens.
    pub async fn tell(&self, tx: &mut Tx, event: &impl Event) -> Result<(), Error> {
        for listener in self.slices.iter().filter_map(|slice| slice.listener) {
            listener.hear(tx, event).await?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for House {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.slices.iter().map(|slice| slice.name)).finish()
    }
}

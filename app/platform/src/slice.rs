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
use domain::ids::{LoginId, MemberId};
use domain::money::Fen;
use domain::payment::Method;
use leptos::prelude::AnyView;

use crate::access::Policy;
use crate::app::App;
use crate::db::Tx;
use crate::error::Error;
use crate::jobs::Handlers;
use crate::render::Form;
use crate::router::Routes;
use crate::session::Member;

/// One area of the program. Its pages are Leptos routes and stand beside this in the list of slices, because each has a
/// type of its own.
pub struct Slice {
    /// The name of its module.
    pub name: &'static str,
    /// Forms, calls, pictures, files: whatever is no page.
    pub routes: fn() -> Routes,
    /// Who may open what, by the router's patterns, pages included.
    pub policies: &'static [(&'static str, Policy)],
    /// Its pages for everybody, in the order of their foot. The first of all is the shop's own.
    pub public: &'static [PublicPage],
    /// Where its pages stand in the rail.
    pub navigation: &'static [Entry],
    /// The jobs that it queues.
    pub jobs: fn(Handlers) -> Handlers,
    /// Its tables, for the backup: an order in which rows can be put in again, each after what it refers to.
    pub tables: &'static [&'static str],
    /// What it does when the program opens: reads its settings, fills in rows that are missing. Other programs wait.
    pub open: Option<fn(App) -> Opened>,
    /// What it has to say and to do when a member closes its account.
    pub closing: Option<&'static dyn Closing>,
    /// Where its rows name stored files: a file goes when no slice names it.
    pub files: &'static [Named],
    /// Things of its that show members' photos and PDFs.
    pub shows: Option<&'static dyn Shows>,
    /// How many bytes of a member's (`$1`) it keeps, each a question with one number for its answer: all slices' together
    /// are what the member's room holds.
    pub keeps: &'static [&'static str],
    /// Where its rows have to fit the ledger, each a rule and the question that names what breaks it in its first column.
    pub books: &'static [(&'static str, &'static str)],
    /// What of its own a question alone can't hold against the ledger: it adds a sentence for each thing that does not fit.
    pub recount: Option<Recount>,
    /// What it does as part of what others do.
    pub listener: Option<&'static dyn Listener>,
    /// What of its own members may sell.
    pub sellable: Option<&'static dyn Sellable>,
    /// Whether money can come from outside, as the host configured it.
    pub takes_money: Option<fn(&App) -> Result<bool, Error>>,
    /// What of its own members pay for.
    pub payable: Option<&'static dyn Payable>,
}

/// See [`Slice::recount`].
pub type Recount = for<'a> fn(
    &'a mut Tx,
    &'a mut Vec<String>,
) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>>;

/// See [`Slice::open`].
pub type Opened = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

impl Slice {
    /// A slice without anything.
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            routes: Routes::default,
            policies: &[],
            public: &[],
            navigation: &[],
            jobs: |handlers| handlers,
            tables: &[],
            open: None,
            closing: None,
            files: &[],
            shows: None,
            keeps: &[],
            books: &[],
            listener: None,
            recount: None,
            sellable: None,
            takes_money: None,
            payable: None,
        }
    }
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
}

impl Entry {
    /// A page whose subpages have addresses below its own.
    pub const fn new(group: Group, href: &'static str, name: &'static str, rank: u8) -> Self {
        Self { group, href, name, rank, below: &[] }
    }

    /// The same page, with subpages elsewhere.
    pub const fn with(self, below: &'static [&'static str]) -> Self {
        Self { below, ..self }
    }
}

/// Who is behind a session or a token, and what becomes of a form that came without either: what every request asks,
/// answered by the slice that has the accounts.
#[async_trait]
pub trait Identity: Send + Sync {
    /// The member behind the token in these headers; one that is over is none.
    async fn by_token(&self, app: &App, headers: &HeaderMap) -> Result<Option<Member>, Error>;
    /// The member behind a login that a session keeps.
    async fn by_login(&self, app: &App, login: &LoginId) -> Result<Option<Member>, Error>;
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
    /// Forgets what is the member's and no law keeps, as part of the transaction that closes the account; files go by the
    /// jobs that it queues. Done once more an hour later, for what a request under way has still written.
    async fn forget(&self, tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error>;
}

/// A place where rows name stored files by the SHA-256 of their bytes.
#[derive(Debug, Clone, Copy)]
pub struct Named {
    /// The folder of the [storage](crate::storage) that the files lie in.
    pub folder: &'static str,
    /// The rows that name the file `$1`, as they follow `from` in a statement.
    pub rows: &'static str,
}

/// A slice's part of [`uses`](crate::uses): things of its that show members' photos and PDFs.
#[async_trait]
pub trait Shows: Send + Sync {
    /// The word for them in the table of uses.
    fn kind(&self) -> &'static str;
    /// The table that has them, each by its `id`.
    fn table(&self) -> &'static str;
    /// A member's, each by its id and as members call it, the newest first.
    async fn names(&self, tx: &mut Tx, member: &MemberId) -> Result<Vec<(String, String)>, Error>;
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

/// A slice's things that members pay for, beside orders: whoever takes money from outside asks the slice that has the
/// thing and knows none of them.
#[async_trait]
pub trait Payable: Send + Sync {
    /// The word for them, as it is stored: `sale`.
    fn kind(&self) -> &'static str;
    /// Holds the row of a member's own and answers what is to be paid for it; nothing where nothing is any more.
    async fn hold(&self, tx: &mut Tx, id: &str, member: &MemberId, now: i64) -> Result<Option<Fen>, Error>;
    /// Pays for it from the balance, where the money has just arrived by a way, in the same transaction.
    async fn pay(&self, tx: &mut Tx, id: &str, member: &MemberId, way: Method, now: i64)
    -> Result<(), Error>;
}

/// All slices, and what only the program as a whole knows.
pub struct House {
    pub slices: &'static [Slice],
    pub identity: &'static dyn Identity,
    /// The whole site: one document with a page for each address.
    pub site: fn() -> AnyView,
}

impl House {
    /// Everything of one kind that the slices have, in their order.
    pub fn each<T: 'static>(
        &'static self,
        part: impl Fn(&'static Slice) -> &'static [T] + 'static,
    ) -> impl Iterator<Item = &'static T> {
        self.slices.iter().flat_map(part)
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

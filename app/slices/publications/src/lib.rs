//! Publications 电子报 and 期刊: titles that members publish, their dated and numbered issues, pages and articles; how they are
//! made, and how everybody reads them.
//!
//! Not here: works (an issue keeps pages of its own), reading words off pages (reader, the press), what a subscription costs
//! (selling), and what an article on a page is (domain).

mod address;
mod closing;
mod counted;
mod demo;
mod demo_texts;
mod desk;
mod downloads;
mod feeds;
mod following;
mod issue;
mod jobs;
mod list;
mod manifest;
mod naming;
mod new_issue;
mod notices;
mod open;
mod pictures;
mod proposals;
mod public;
mod published;
mod report;
mod sellable;
mod sound;
mod store;
mod title;
mod title_form;
mod uses;

use std::collections::HashMap;

use axum::extract::{DefaultBodyLimit, Path};
use axum::response::Redirect;
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::publication::{Day, Kind, ShortAddress};
use domain::tier::Feature;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;
use rand::RngCore;

use platform::access::Policy;
use platform::app::App;
use platform::db::sql;
use platform::error::Error;
use platform::render::use_path;
use platform::router::Routes;
use platform::slice::{Entry, Group, Named, Slice};
use platform::storage::ORIGINALS;
use works::MOST_REQUEST;

pub use demo::demo;

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::kind_of;
}
use desk::DeskPage;
use following::FollowingPage;
use issue::IssuePageDesk;
use jobs::{PublishIssue, ReadIssue, TellReaders};
use list::ListPage;
use new_issue::NewIssuePage;
use public::{ArticlePage, LeafPage, MagazineIssuePage, TitleHomePage};
use report::ReportPage;
use title::TitlePage;
use title_form::{NewTitlePage, TitleSettingsPage};

/// The words for what readers buy, as they are stored.
const TITLE_KIND: &str = "title";
const ISSUE_KIND: &str = "issue";

const PAPERS: Policy = Policy::Needs(Feature::EpaperSubscription);

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/epaper/{title}", Policy::Public),
        ("/epaper/{title}/feed.atom", Policy::Everybody),
        ("/epaper/{title}/opds.json", Policy::Public),
        ("/epaper/{title}/opds.xml", Policy::Public),
        ("/epaper/{title}/report", Policy::Public),
        ("/epaper/{title}/{issue}", Policy::Everybody),
        ("/epaper/{title}/{issue}/a/{article}", Policy::Public),
        ("/epaper/{title}/{issue}/a/{article}/sound", Policy::Public),
        ("/epaper/{title}/{issue}/card.jpg", Policy::Public),
        ("/epaper/{title}/{issue}/issue.epub", Policy::Public),
        ("/epaper/{title}/{issue}/issue.pdf", Policy::Public),
        ("/epaper/{title}/{issue}/manifest.json", Policy::Public),
        ("/epaper/{title}/{issue}/photo/{article}/{at}/{size}", Policy::Public),
        ("/epaper/{title}/{issue}/picture/{key}/{page}/{width}", Policy::Public),
        ("/epaper/{title}/{issue}/{page}", Policy::Public),
        ("/magazine/{title}", Policy::Public),
        ("/magazine/{title}/feed.atom", Policy::Everybody),
        ("/magazine/{title}/opds.json", Policy::Public),
        ("/magazine/{title}/opds.xml", Policy::Public),
        ("/magazine/{title}/report", Policy::Public),
        ("/magazine/{title}/{issue}", Policy::Public),
        ("/magazine/{title}/{issue}/a/{article}", Policy::Public),
        ("/magazine/{title}/{issue}/a/{article}/sound", Policy::Public),
        ("/magazine/{title}/{issue}/card.jpg", Policy::Public),
        ("/magazine/{title}/{issue}/issue.epub", Policy::Public),
        ("/magazine/{title}/{issue}/issue.pdf", Policy::Public),
        ("/magazine/{title}/{issue}/manifest.json", Policy::Public),
        ("/magazine/{title}/{issue}/photo/{article}/{at}/{size}", Policy::Public),
        ("/magazine/{title}/{issue}/picture/{key}/{page}/{width}", Policy::Public),
        ("/magazine/{title}/{issue}/{page}", Policy::Public),
        ("/manager/epaper", PAPERS),
        ("/manager/epaper/new", PAPERS),
        ("/manager/epaper/{title}", PAPERS),
        ("/manager/epaper/{title}/issue", PAPERS),
        ("/manager/epaper/{title}/removal", PAPERS),
        ("/manager/epaper/{title}/settings", PAPERS),
        ("/manager/epaper_issue/{issue}", PAPERS),
        ("/manager/epaper_issue/{issue}/proposals", PAPERS),
        ("/manager/epaper_issue/{issue}/removal", PAPERS),
        ("/manager/epaper_issue/{issue}/state", PAPERS),
        ("/manager/epaper_issue/{issue}/{page}", PAPERS),
        ("/manager/epaper_issue/{issue}/{page}/sound", PAPERS),
        ("/manager/issue/{issue}", Policy::Member),
        ("/manager/issue/{issue}/purchase", Policy::Member),
        ("/manager/magazine", Policy::Member),
        ("/manager/magazine/new", Policy::Member),
        ("/manager/magazine/{title}", Policy::Member),
        ("/manager/magazine/{title}/issue", Policy::Member),
        ("/manager/magazine/{title}/removal", Policy::Member),
        ("/manager/magazine/{title}/settings", Policy::Member),
        ("/manager/magazine_issue/{issue}", Policy::Member),
        ("/manager/magazine_issue/{issue}/proposals", Policy::Member),
        ("/manager/magazine_issue/{issue}/removal", Policy::Member),
        ("/manager/magazine_issue/{issue}/state", Policy::Member),
        ("/manager/magazine_issue/{issue}/{page}", Policy::Member),
        ("/manager/magazine_issue/{issue}/{page}/sound", Policy::Member),
        ("/manager/publication/{title}", Policy::Member),
        ("/manager/publication/{title}/following", Policy::Member),
    ],
    navigation: &[
        Entry::new(Group::Publish, "/manager/epaper", "电子报", 10).with(&["/manager/epaper_issue/"]),
        Entry::new(Group::Publish, "/manager/magazine", "期刊", 20).with(&["/manager/magazine_issue/"]),
    ],
    jobs: |handlers| handlers.with::<PublishIssue>().with::<TellReaders>().with::<ReadIssue>(),
    tables: &["publications", "issues", "issue_pages", "articles", "publication_followers", "issue_news"],
    files: &[Named { folder: ORIGINALS, count: sql!("select count(*) from articles where sound = $1") }],
    keeps: &[sql!(
        "select cast(coalesce(sum(a.sound_bytes), 0) as bigint) from articles a join issues i on i.id = a.issue_id
         where i.member_id = $1"
    )],
    shows: Some(&uses::AtUses),
    closing: Some(&closing::AtClosing),
    sellable: &[&sellable::Titles, &sellable::Issues],
    published: Some(&published::PublishedTitles),
    countable: &[&counted::CountedIssues],
    news: Some(&sellable::Newsstand),
    ..Slice::new("publications")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/epaper/:title") view=TitleHomePage/>
        <Route path=path!("/epaper/:title/report") view=ReportPage/>
        <Route path=path!("/magazine/:title/report") view=ReportPage/>
        <Route path=path!("/epaper/:title/:issue/:page") view=LeafPage/>
        <Route path=path!("/epaper/:title/:issue/a/:article") view=ArticlePage/>
        <Route path=path!("/magazine/:title") view=TitleHomePage/>
        <Route path=path!("/magazine/:title/:issue") view=MagazineIssuePage/>
        <Route path=path!("/magazine/:title/:issue/:page") view=LeafPage/>
        <Route path=path!("/magazine/:title/:issue/a/:article") view=ArticlePage/>
        <Route path=path!("/manager/epaper") view=ListPage/>
        <Route path=path!("/manager/epaper/new") view=NewTitlePage/>
        <Route path=path!("/manager/epaper/:title") view=TitlePage/>
        <Route path=path!("/manager/epaper/:title/issue") view=NewIssuePage/>
        <Route path=path!("/manager/epaper/:title/settings") view=TitleSettingsPage/>
        <Route path=path!("/manager/epaper_issue/:issue") view=IssuePageDesk/>
        <Route path=path!("/manager/epaper_issue/:issue/:page") view=DeskPage/>
        <Route path=path!("/manager/magazine") view=ListPage/>
        <Route path=path!("/manager/magazine/new") view=NewTitlePage/>
        <Route path=path!("/manager/magazine/:title") view=TitlePage/>
        <Route path=path!("/manager/magazine/:title/issue") view=NewIssuePage/>
        <Route path=path!("/manager/magazine/:title/settings") view=TitleSettingsPage/>
        <Route path=path!("/manager/magazine_issue/:issue") view=IssuePageDesk/>
        <Route path=path!("/manager/magazine_issue/:issue/:page") view=DeskPage/>
        <Route path=path!("/manager/publication/:title/following") view=FollowingPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    let routes = Routes::default()
        .route("/epaper/{title}/{issue}", get(lead_to_first_page))
        .route("/manager/issue/{issue}", get(following::lead_to_issue))
        .route("/manager/issue/{issue}/purchase", post(following::buy))
        .route("/manager/publication/{title}", get(following::lead))
        .route("/manager/publication/{title}/following", post(following::save));
    Kind::ALL.into_iter().fold(routes, |routes, kind| {
        let kind = kind.code();
        routes
            .route(&format!("/{kind}/{{title}}/feed.atom"), get(feeds::atom))
            .route(&format!("/{kind}/{{title}}/opds.json"), get(feeds::opds_json))
            .route(&format!("/{kind}/{{title}}/opds.xml"), get(feeds::opds))
            .route(&format!("/{kind}/{{title}}/report"), post(report::send))
            .route(&format!("/{kind}/{{title}}/{{issue}}/a/{{article}}/sound"), get(sound::serve))
            .route(&format!("/{kind}/{{title}}/{{issue}}/card.jpg"), get(pictures::card))
            .route(&format!("/{kind}/{{title}}/{{issue}}/issue.epub"), get(downloads::epub))
            .route(&format!("/{kind}/{{title}}/{{issue}}/issue.pdf"), get(downloads::pdf))
            .route(&format!("/{kind}/{{title}}/{{issue}}/manifest.json"), get(manifest::serve))
            .route(
                &format!("/{kind}/{{title}}/{{issue}}/photo/{{article}}/{{at}}/{{size}}"),
                get(pictures::photo),
            )
            .route(
                &format!("/{kind}/{{title}}/{{issue}}/picture/{{key}}/{{page}}/{{width}}"),
                get(pictures::serve),
            )
            .route(&format!("/manager/{kind}/new"), post(title_form::add))
            .route(
                &format!("/manager/{kind}/{{title}}/issue"),
                post(new_issue::make).layer(DefaultBodyLimit::max(MOST_REQUEST)),
            )
            .route(&format!("/manager/{kind}/{{title}}/settings"), post(title_form::change))
            .route(&format!("/manager/{kind}/{{title}}/removal"), post(title_form::remove))
            .route(&format!("/manager/{kind}_issue/{{issue}}"), post(issue::save))
            .route(&format!("/manager/{kind}_issue/{{issue}}/state"), post(issue::advance))
            .route(&format!("/manager/{kind}_issue/{{issue}}/removal"), post(issue::remove))
            .route(&format!("/manager/{kind}_issue/{{issue}}/proposals"), post(issue::accept))
            .route(&format!("/manager/{kind}_issue/{{issue}}/{{page}}"), post(desk::save))
            .route(
                &format!("/manager/{kind}_issue/{{issue}}/{{page}}/sound"),
                post(sound::save).layer(DefaultBodyLimit::max(sound::MOST_REQUEST)),
            )
    })
}

/// GET /epaper/{title}/{date}: its first page.
async fn lead_to_first_page(Path((title, day)): Path<(String, String)>) -> Result<Redirect, Error> {
    let title: ShortAddress = title.parse().map_err(|_| Error::NotFound)?;
    let day: Day = day.parse().map_err(|_| Error::NotFound)?;
    Ok(Redirect::to(&format!("/epaper/{title}/{day}/1")))
}

/// The kind that an address is of: `/epaper/…`, `/manager/magazine/…`, `/manager/epaper_issue/…`.
pub fn kind_of(path: &str) -> Result<Kind, Error> {
    let mut words = path.split('/').skip(1);
    let first = words.next().unwrap_or_default();
    let word = if first == "manager" { words.next().unwrap_or_default() } else { first };
    Kind::of_code(word.trim_end_matches("_issue")).ok_or(Error::NotFound)
}

/// The same of the page that is being made.
fn kind_here() -> Result<Kind, Error> {
    kind_of(&use_path())
}

/// A heading whose numbers of issues, such as 第 328 期, each stay on one line.
fn unbroken(words: &str) -> String {
    words.replace("第 ", "第\u{a0}").replace(" 期", "\u{a0}期")
}

/// A key for the addresses of pictures.
fn new_picture_key() -> String {
    let mut bytes = [0; 12];
    rand::rng().fill_bytes(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Issues in the sitemap, and articles.
const MOST_LISTED: i64 = 2_000;
const MOST_ARTICLES_LISTED: i64 = 40_000;

/// The addresses of everything that search engines may have, with the moment of the last change (epoch ms): titles, issues,
/// pages, articles. Headlines of what is sold are for everybody; texts are not sent to who has no right.
pub async fn addresses(app: &App) -> Result<Vec<(String, i64)>, Error> {
    let mut titles: Vec<(String, i64)> = Vec::new();
    let mut all = Vec::new();
    let mut bases: HashMap<String, String> = HashMap::new();
    for (kind, address, day, total, pages, at, id) in store::issues::listed(&app.db, MOST_LISTED).await? {
        let title = format!("/{kind}/{address}");
        match titles.iter_mut().find(|(known, _)| *known == title) {
            Some((_, newest)) => *newest = (*newest).max(at),
            None => titles.push((title.clone(), at)),
        }
        let is_magazine = Kind::of_code(&kind) == Some(Kind::Magazine);
        let base = if is_magazine { format!("{title}/{total}") } else { format!("{title}/{day}") };
        all.extend(is_magazine.then(|| (base.clone(), at)));
        all.extend((1..=pages).map(|page| (format!("{base}/{page}"), at)));
        bases.insert(id, base);
    }
    for (issue, number, at) in store::articles::listed(&app.db, MOST_ARTICLES_LISTED).await? {
        if let Some(base) = bases.get(&issue) {
            all.push((format!("{base}/a/{number}"), at));
        }
    }
    titles.extend(all);
    Ok(titles)
}

//! Publications 电子报 and 期刊: titles that members publish, their dated and numbered issues, pages and articles; how they are
//! made, and how everybody reads them.
//!
//! Not here: works (an issue keeps pages of its own), reading words off pages (reader, the press), what a subscription costs
//! (selling), and what an article on a page is (domain).

mod address;
mod archive;
mod article_form;
mod by_mail;
mod closing;
mod commands;
mod counted;
mod demo;
mod demo_texts;
mod downloads;
mod feeds;
mod following;
mod given;
mod index;
mod issue;
mod issue_parts;
mod issue_sale;
mod jobs;
mod joined;
mod list;
mod makeup;
mod manifest;
mod member_search;
mod naming;
mod new_issue;
mod notices;
mod offline;
mod open;
mod operate;
mod page_articles;
mod pdf_field;
mod pictures;
mod proposals;
mod public;
mod published;
mod replacement;
mod report;
mod search;
mod search_page;
mod sellable;
mod sound;
mod store;
mod title;
mod title_form;
mod title_sale;
mod uses;
mod words;

use std::collections::HashMap;

use axum::extract::{DefaultBodyLimit, Path};
use axum::response::Redirect;
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::publication::{Day, Kind, ShortAddress};
use domain::tier::Feature;
use leptos::prelude::*;
use rand::Rng;

use base::db::sql;
use base::error::Error;
use base::storage::ORIGINALS;
use web::access::Policy;
use web::app::App;
use web::render::use_path;
use web::route::Route;
use web::slice::{Entry, Group, Named, Slice};
use works::MOST_REQUEST;

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::given::{named, token};
    pub use crate::index::entries;
    pub use crate::kind_of;
    pub use crate::search::{Asked, MOST_HITS, ranked};
    pub use crate::store::found::Candidate;
    pub use crate::store::search::Words;
}
use archive::ArchivePage;
pub use by_mail::{
    ArticleInLetter, CameOut, IssueInLetter, Title, heard_by_message, heard_since, hears_by_message,
    in_letter, mute, news_since, own_title, published, title, title_at, titles_of,
};
use following::FollowingPage;
use issue::IssuePageDesk;
use issue_sale::GiveIssuePage;
use jobs::{IndexPages, PublishIssue, ReadIssue, ReadWords, TellReaders};
use list::ListPage;
use makeup::MakeupPage;
use member_search::{DeskSearchPage, READABLE, ReaderSearchPage};
use new_issue::NewIssuePage;
pub use notices::letters_leave;
use page_articles::PageArticlesPage;
use public::{
    ArticlePage, LeafPage, MagazineIssuePage, SearchPage, SectionPage, TitleHomePage, TitleSearchPage,
};
use replacement::ReplacementPage;
use report::ReportPage;
use title::TitlePage;
use title_form::{NewTitlePage, TitleSettingsPage};

/// The words for what readers buy, as they are stored.
const TITLE_KIND: &str = "title";
const ISSUE_KIND: &str = "issue";

const PAPERS: Policy = Policy::Needs(Feature::EpaperSubscription);

/// Its routes that both kinds have, for the word of a kind in them and who may make such.
macro_rules! of_kind {
    ($kind:literal, $desk:expr) => {
        &[
            Route::new(concat!("/", $kind, "/{title}"), Policy::Public).page(|| TitleHomePage().into_any()),
            Route::new(concat!("/", $kind, "/{title}/articles.atom"), Policy::Everybody)
                .handled(|| get(feeds::stories)),
            Route::new(concat!("/", $kind, "/{title}/feed.atom"), Policy::Everybody)
                .handled(|| get(feeds::atom)),
            Route::new(concat!("/", $kind, "/{title}/opds.json"), Policy::Public)
                .handled(|| get(feeds::opds_json)),
            Route::new(concat!("/", $kind, "/{title}/opds.xml"), Policy::Public).handled(|| get(feeds::opds)),
            Route::new(concat!("/", $kind, "/{title}/report"), Policy::Public)
                .page(|| ReportPage().into_any())
                .handled(|| post(report::send)),
            Route::new(concat!("/", $kind, "/{title}/search"), Policy::Public)
                .page(|| TitleSearchPage().into_any()),
            Route::new(concat!("/", $kind, "/{title}/section/{name}"), Policy::Public)
                .page(|| SectionPage().into_any()),
            Route::new(concat!("/", $kind, "/{title}/{issue}/a/{article}"), Policy::Public)
                .page(|| ArticlePage().into_any()),
            Route::new(concat!("/", $kind, "/{title}/{issue}/a/{article}/card.jpg"), Policy::Public)
                .handled(|| get(pictures::card_of_article)),
            Route::new(concat!("/", $kind, "/{title}/{issue}/a/{article}/giving"), Policy::Member)
                .handled(|| post(given::give)),
            Route::new(concat!("/", $kind, "/{title}/{issue}/a/{article}/sound"), Policy::Public)
                .handled(|| get(sound::serve)),
            Route::new(concat!("/", $kind, "/{title}/{issue}/card.jpg"), Policy::Public)
                .handled(|| get(pictures::card)),
            Route::new(concat!("/", $kind, "/{title}/{issue}/issue.epub"), Policy::Public)
                .handled(|| get(downloads::epub)),
            Route::new(concat!("/", $kind, "/{title}/{issue}/issue.pdf"), Policy::Public)
                .handled(|| get(downloads::pdf)),
            Route::new(concat!("/", $kind, "/{title}/{issue}/manifest.json"), Policy::Public)
                .handled(|| get(manifest::serve)),
            Route::new(concat!("/", $kind, "/{title}/{issue}/offline"), Policy::Public)
                .handled(|| get(offline::list)),
            Route::new(
                concat!("/", $kind, "/{title}/{issue}/photo/{article}/{photo}/{size}"),
                Policy::Public,
            )
            .handled(|| get(pictures::photo)),
            Route::new(concat!("/", $kind, "/{title}/{issue}/picture/{key}/{page}/{width}"), Policy::Public)
                .handled(|| get(pictures::serve)),
            Route::new(concat!("/", $kind, "/{title}/{issue}/search"), Policy::Public)
                .page(|| SearchPage().into_any()),
            Route::new(concat!("/", $kind, "/{title}/{issue}/{page}"), Policy::Public)
                .page(|| LeafPage().into_any()),
            Route::new(concat!("/manager/", $kind), $desk).page(|| ListPage().into_any()),
            Route::new(concat!("/manager/", $kind, "/new"), $desk)
                .page(|| NewTitlePage().into_any())
                .handled(|| post(title_form::add)),
            Route::new(concat!("/manager/", $kind, "/search"), $desk).page(|| DeskSearchPage().into_any()),
            Route::new(concat!("/manager/", $kind, "/{title}"), $desk).page(|| TitlePage().into_any()),
            Route::new(concat!("/manager/", $kind, "/{title}/archive"), $desk)
                .page(|| ArchivePage().into_any())
                .handled(|| post(archive::take).layer(DefaultBodyLimit::max(archive::MOST_REQUEST))),
            Route::new(concat!("/manager/", $kind, "/{title}/issue"), $desk)
                .page(|| NewIssuePage().into_any())
                .handled(|| post(new_issue::make).layer(DefaultBodyLimit::max(MOST_REQUEST))),
            Route::new(concat!("/manager/", $kind, "/{title}/removal"), $desk)
                .handled(|| post(title_form::remove)),
            Route::new(concat!("/manager/", $kind, "/{title}/settings"), $desk)
                .page(|| TitleSettingsPage().into_any())
                .handled(|| post(title_form::change)),
            Route::new(concat!("/manager/", $kind, "_issue/{issue}"), $desk)
                .page(|| IssuePageDesk().into_any())
                .handled(|| post(issue::save)),
            Route::new(concat!("/manager/", $kind, "_issue/{issue}/proposals"), $desk)
                .handled(|| post(issue::accept)),
            Route::new(concat!("/manager/", $kind, "_issue/{issue}/removal"), $desk)
                .handled(|| post(issue::remove)),
            Route::new(concat!("/manager/", $kind, "_issue/{issue}/replacement"), $desk)
                .page(|| ReplacementPage().into_any())
                .handled(|| post(replacement::save).layer(DefaultBodyLimit::max(MOST_REQUEST))),
            Route::new(concat!("/manager/", $kind, "_issue/{issue}/state"), $desk)
                .handled(|| post(issue::advance)),
            Route::new(concat!("/manager/", $kind, "_issue/{issue}/{page}"), $desk)
                .page(|| PageArticlesPage().into_any())
                .handled(|| post(page_articles::save)),
            Route::new(concat!("/manager/", $kind, "_issue/{issue}/{page}/makeup"), $desk)
                .page(|| MakeupPage().into_any())
                .handled(|| post(makeup::save)),
            Route::new(concat!("/manager/", $kind, "_issue/{issue}/{page}/sound"), $desk)
                .handled(|| post(sound::save).layer(DefaultBodyLimit::max(sound::MOST_REQUEST))),
        ]
    };
}

/// Its other routes.
const ROUTES: &[Route] = &[
    Route::new("/epaper/{title}/{issue}", Policy::Everybody).handled(|| get(lead_to_first_page)),
    Route::new("/magazine/{title}/{issue}", Policy::Public).page(|| MagazineIssuePage().into_any()),
    Route::new("/manager/issue/{issue}", Policy::Member).handled(|| get(issue_sale::lead)),
    Route::new("/manager/issue/{issue}/gift", Policy::Member)
        .page(|| GiveIssuePage().into_any())
        .handled(|| post(issue_sale::give)),
    Route::new("/manager/issue/{issue}/purchase", Policy::Member).handled(|| post(issue_sale::buy)),
    Route::new("/manager/publication/{title}", Policy::Member).handled(|| get(following::lead)),
    Route::new("/manager/publication/{title}/following", Policy::Member)
        .page(|| FollowingPage().into_any())
        .handled(|| post(following::save)),
    Route::new(READABLE, Policy::Member).page(|| ReaderSearchPage().into_any()),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES, of_kind!("epaper", PAPERS), of_kind!("magazine", Policy::Member)],
    commands: &[web::command!(
        "issue",
        "Withdraw an issue of a newspaper or a magazine for cause.",
        commands::IssueCommand,
        commands::issue
    )],
    demo: Some(|app, demo| Box::pin(demo::fill(app, demo))),
    navigation: &[
        Entry::new(Group::Publish, "/manager/epaper", "电子报", 10).with(&["/manager/epaper_issue/"]),
        Entry::new(Group::Publish, "/manager/magazine", "期刊", 20).with(&["/manager/magazine_issue/"]),
    ],
    open: Some(|app| Box::pin(async move { store::search::prepare(&app.db).await })),
    jobs: |handlers| {
        handlers
            .with::<IndexPages>()
            .with::<PublishIssue>()
            .with::<TellReaders>()
            .with::<ReadIssue>()
            .with::<ReadWords>()
    },
    tables: &[
        "publications",
        "issues",
        "issue_pages",
        "articles",
        "corrections",
        "issue_words",
        "page_steps",
        "publication_followers",
        "given_articles",
        "issue_news",
    ],
    passing: &["search_pages", "search_entries", "search_grams"],
    files: &[Named {
        folder: ORIGINALS,
        count: sql!("select count(*) from articles where sound = $1"),
        all: sql!("select sound from articles where sound is not null"),
    }],
    keeps: &[sql!(
        "select cast(coalesce(sum(a.sound_bytes), 0) as bigint) from issues i cross join articles a
         where i.member_id = $1 and a.issue_id = i.id and a.sound_bytes is not null"
    )],
    shows: Some(&uses::AtUses),
    closing: Some(&closing::AtClosing),
    sellable: &[&sellable::Titles, &sellable::Issues],
    published: &[&published::PublishedTitles, &published::PublishedIssues],
    countable: &[&counted::CountedIssues],
    news: Some(&sellable::Newsstand),
    audited: &[("issue.withdraw", "下架报刊"), ("issue.allow", "允许报刊再次发布")],
    ..Slice::new("publications")
};

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

//! Newsletters 邮件订阅: the issues of a title as letters, sent to readers who asked for them: who gets them, when they leave, what
//! comes back.
//!
//! Not here: which members follow a title and what an issue shows (publications), how mail leaves (`base::delivery`), members' addresses
//! (accounts).

mod bounce;
mod closing;
mod follow;
mod followers;
mod jobs;
mod letter;
mod links;
mod sending;
mod store;
mod token;

use std::time::Duration;

use axum::routing::post;
use base::db::Tx;
use base::error::Error;
use base::variables::{Kind, Usual, Variable};
use domain::tier::Feature;
use leptos::prelude::*;
use web::access::Policy;
use web::background::{Background, HOUR};
use web::route::Route;
use web::slice::Slice;

use follow::FollowPage;
use followers::FollowersPage;
use jobs::{QueueLetters, ReviveLetters, SendLetters};
use links::{ConfirmPage, LeavePage};

/// The routes that both kinds of titles have, for the word of a kind in them and who may make such.
macro_rules! of_kind {
    ($kind:literal, $desk:expr) => {
        &[
            Route::new(concat!("/", $kind, "/{title}/follow"), Policy::Public)
                .page(|| FollowPage().into_any())
                .handled(|| post(follow::ask)),
            Route::new(concat!("/manager/", $kind, "/{title}/followers"), $desk)
                .page(|| FollowersPage().into_any())
                .handled(|| post(followers::switch)),
        ]
    };
}

/// What the links of messages lead to. Looking changes nothing: programs look at every link of a mail before anybody does.
const ROUTES: &[Route] = &[
    Route::new("/newsletter/confirm/{token}", Policy::Public)
        .page(|| ConfirmPage().into_any())
        .handled(|| post(links::confirm)),
    Route::new("/newsletter/leave/{token}", Policy::Public)
        .page(|| LeavePage().into_any())
        .handled(|| post(links::leave)),
];

static PER_MINUTE: Variable = Variable::new(
    "BINDERY_LETTERS_PER_MINUTE",
    Kind::Whole(1..=10_000),
    Usual::Value("60"),
    "letters of titles that leave in a minute for one receiving host, such as `qq.com`",
);

const TEN_MINUTES: Duration = Duration::from_secs(10 * 60);

/// Ends letters that wait in rows that were brought from a backup: most have left since it was made.
pub async fn complete_restored(tx: &mut Tx) -> Result<(), Error> {
    store::letters::end_restored(tx).await
}

/// Letters that one receiving host is handed in a minute.
fn per_minute() -> Result<i64, Error> {
    PER_MINUTE.parsed().map_err(Error::internal)
}

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[
        ROUTES,
        of_kind!("epaper", Policy::Needs(Feature::EpaperSubscription)),
        of_kind!("magazine", Policy::Member),
    ],
    variables: &[&PER_MINUTE],
    commands: &[web::command!(
        "bounce",
        "Take in what mail servers report of letters that did not arrive.",
        bounce::Command,
        bounce::run
    )],
    jobs: |handlers| handlers.with::<QueueLetters>().with::<ReviveLetters>().with::<SendLetters>(),
    background: &[
        Background::every(HOUR, "addresses that nobody confirmed", |app| {
            Box::pin(async move { store::forget_over(&app.db, base::db::now_ms()).await })
        }),
        Background::every(TEN_MINUTES, "letters that nobody sends", |app| {
            Box::pin(async move { jobs::send_what_waits(&app).await })
        }),
    ],
    tables: &["mail_followers", "mailed_titles", "issue_letters"],
    passing: &["letter_hosts"],
    closing: Some(&closing::AtClosing),
    listener: Some(&jobs::Hears),
    ..Slice::new("newsletter")
};

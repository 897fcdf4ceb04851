//! An article of what is sold, let to be read by a link: its subscriber, or its maker, gives it, and whoever has the link reads it
//! for a while. The link is signed, so that nobody makes one.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{new_id, now_ms};
use base::error::Error;
use base::signing::{keyed, short_digest};
use base::time;
use domain::days::DAY_MS;
use domain::given_article::{DAYS, Giver, NotGiven, may_give, until};
use domain::ids::MemberId;
use domain::issue_state::IssueState;
use hmac::Mac;
use leptos::prelude::*;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Form};
use web::session::Member;

use super::joined::Joined;
use super::open::{self, Opened};
use super::pictures::kind_of;
use super::store::articles;
use super::store::given::{self as store, Given};
use super::{TITLE_KIND, address};

/// What carries it in an address.
pub const FIELD: &str = "given";
/// What a link is signed for.
const PURPOSE: &str = "given article";
/// Bytes of a signature.
const SIGNED: usize = 16;
/// How long a row stays when its link is over, in ms: longer than the month that it counts in.
const STAYS_MS: i64 = 31 * DAY_MS;

/// What a link carries.
pub fn token(key: &str, id: &str) -> String {
    format!("{id}.{}", short_digest(keyed(key.as_bytes(), PURPOSE).chain_update(id)))
}

/// What a token of ours names.
pub fn named<'a>(key: &str, token: &'a str) -> Option<&'a str> {
    let (id, mac) = token.rsplit_once('.')?;
    let mac = hex::decode(mac).ok().filter(|mac| mac.len() == SIGNED)?;
    keyed(key.as_bytes(), PURPOSE).chain_update(id).verify_truncated_left(&mac).ok()?;
    Some(id)
}

/// By whose leave somebody reads an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leave {
    pub by_maker: bool,
    pub until: i64,
    /// For the addresses of what stands in the article.
    pub token: String,
}

/// By whose leave a request may read an article of an issue, where it has one.
pub async fn leave(app: &App, parts: &Parts, opened: &Opened, number: i64) -> Result<Option<Leave>, Error> {
    let pairs: Vec<(String, String)> =
        serde_urlencoded::from_str(parts.uri.query().unwrap_or_default()).unwrap_or_default();
    let Some((_, token)) = pairs.into_iter().find(|(name, _)| name == FIELD) else { return Ok(None) };
    let is_on = opened.publication.sale.is_some_and(|sale| sale.given_articles > 0);
    if !is_on || opened.issue.state != IssueState::Published {
        return Ok(None);
    }
    let Some(id) = named(&app.key, &token) else { return Ok(None) };
    let found = store::find(&app.db, id, now_ms()).await?;
    let Some(found) = found.filter(|given| given.issue_id == opened.issue.id.as_str()) else {
        return Ok(None);
    };
    if found.number != number {
        // what was given is the whole article, whichever part of it somebody asks for
        let joined = Joined::headlines(&app.db, &opened.issue.id).await?;
        if !joined.parts(number).iter().any(|part| part.number == found.number) {
            return Ok(None);
        }
    }
    let by_maker = found.member_id == opened.publication.member.as_str();
    Ok(Some(Leave { by_maker, until: found.expires_at, token }))
}

/// What somebody who reads an article may give of it.
#[derive(Debug, Clone)]
pub struct Giving {
    /// The link that it has given, and until when that opens the article.
    link: Option<(String, i64)>,
    may: Result<(), NotGiven>,
    /// How many the maker lets a subscriber give in a month, and how many this one has given; none for the maker.
    count: Option<(u32, i64)>,
}

/// See [`Giving`]; nothing for strangers, and where nothing is given.
pub async fn giving(
    app: &App,
    base: &Origin,
    member: Option<&Member>,
    opened: &Opened,
    number: i64,
) -> Result<Option<Giving>, Error> {
    let limit = opened.publication.sale.map_or(0, |sale| sale.given_articles);
    let Some(member) = member.filter(|_| limit > 0 && opened.issue.state == IssueState::Published) else {
        return Ok(None);
    };
    let now = now_ms();
    let given = store::count(&app.db, &member.id, &opened.publication.id, &time::day(now)[..7]).await?;
    let giver = giver(app, &member.id, opened, given, now).await?;
    if giver == Giver::Stranger {
        return Ok(None);
    }
    let own = store::own(&app.db, &member.id, &opened.issue.id, number, now).await?;
    let path = address::article(&opened.publication, &opened.issue, number);
    let link =
        own.map(|own| (base.join(&format!("{path}?{FIELD}={}", token(&app.key, &own.id))), own.expires_at));
    let count = (giver != Giver::Maker).then_some((limit, given));
    let mut tx = app.db.begin_snapshot().await?;
    let is_counted =
        store::of_month(&mut tx, &member.id, &opened.issue.id, number, &time::day(now)[..7]).await?.is_some();
    let giver = if is_counted && count.is_some() { Giver::Subscriber { given: 0 } } else { giver };
    Ok(Some(Giving { link, may: may_give(limit, giver), count }))
}

/// What somebody is to a title: who tries it free is no subscriber.
async fn giver(app: &App, member: &MemberId, opened: &Opened, given: i64, now: i64) -> Result<Giver, Error> {
    if opened.is_owner {
        return Ok(Giver::Maker);
    }
    let title = opened.publication.id.as_str();
    let is_subscriber = selling::was_entitled(&app.db, member, TITLE_KIND, title, now).await?;
    Ok(if is_subscriber { Giver::Subscriber { given } } else { Giver::Stranger })
}

/// POST /epaper/{title}/{issue}/a/{article}/giving, and of magazines: a link, the same one for an article that was given this
/// month.
pub async fn give(
    State(app): State<App>,
    member: Member,
    Path((title, issue, number)): Path<(String, String, i64)>,
    parts: Parts,
) -> Result<Response, Error> {
    let opened = open::open(&app, &parts, kind_of(&parts)?, &title, &issue).await?;
    let article = articles::at(&app.db, &opened.issue.id, number).await?;
    // a page of before its parts were joined gives the whole
    let joined = Joined::headlines(&app.db, &opened.issue.id).await?;
    let number = joined.first_of(article.number).map_or(article.number, |first| first.number);
    let page = address::article(&opened.publication, &opened.issue, number);
    let limit = opened.publication.sale.map_or(0, |sale| sale.given_articles);
    let now = now_ms();
    let month = time::day(now)[..7].to_owned();
    let is_out = opened.issue.state == IssueState::Published;
    // asked before the lock: a transaction waits for no other connection
    let giver = giver(&app, &member.id, &opened, 0, now).await?;
    let mut tx = app.db.begin().await?;
    app.house.identity.hold(&mut tx, &member.id).await?;
    let known = store::of_month(&mut tx, &member.id, &opened.issue.id, number, &month).await?;
    if is_out && known.as_ref().is_none_or(|known| known.expires_at <= now) {
        // what ended is given anew, and counts once
        let given = match known {
            Some(_) => 0,
            None => store::count_within(&mut tx, &member.id, &opened.publication.id, &month).await?,
        };
        let giver =
            if giver == (Giver::Subscriber { given: 0 }) { Giver::Subscriber { given } } else { giver };
        if let Err(reason) = may_give(limit, giver) {
            drop(tx);
            let mut form = Form::default();
            form.refuse("", reason.to_string());
            return render::again(&app, parts, &page, form).await;
        }
        match known {
            Some(known) => store::renew(&mut tx, &known.id, until(now)).await?,
            None => {
                let given = Given {
                    id: new_id(),
                    publication_id: opened.publication.id.to_string(),
                    issue_id: opened.issue.id.to_string(),
                    number,
                    member_id: member.id.to_string(),
                    month,
                    created_at: now,
                    expires_at: until(now),
                };
                store::insert(&mut tx, &given).await?;
            }
        }
        store::forget_over(&mut tx, &opened.publication.id, now - STAYS_MS).await?;
        tx.commit().await?;
    }
    Ok(Redirect::to(&format!("{page}#giving")).into_response())
}

/// Who let somebody read this, and until when.
#[component]
pub fn Given(leave: Leave) -> impl IntoView {
    let by = if leave.by_maker { "出版人" } else { "一位订户" };
    view! {
        <p class="notice given">
            {format!("{by}请您读这一篇，{} 以前都可以打开。", time::stamp(leave.until))}
        </p>
    }
}

/// The button that gives an article, and the link.
#[component]
pub fn GivingPart(giving: Giving, path: String) -> impl IntoView {
    let Giving { link, may, count } = giving;
    let left = count.map(|(limit, given)| {
        let left = i64::from(limit) - given;
        view! { <p class="quiet">{format!("这个月还可以送 {} 篇。", left.max(0))}</p> }
    });
    let body = match (link, may) {
        (Some((link, until)), _) => view! {
            <p>{format!("谁有这个链接，{} 以前都可以读这一篇：", time::stamp(until))}</p>
            <p class="link-to-give"><a href=link.clone()>{link.clone()}</a></p>
            {left}
        }
        .into_any(),
        (None, Ok(())) => view! {
            <form method="post" action=format!("{path}/giving")>
                <button class="button">"生成链接"</button>
            </form>
            <p class="quiet">{format!("谁有链接谁就能读这一篇，{DAYS} 天有效；不会显示是谁送的。")}</p>
            {left}
        }
        .into_any(),
        (None, Err(reason)) => view! { <p class="quiet">{format!("{reason}。")}</p> }.into_any(),
    };
    view! {
        <section class="giving" id="giving" aria-labelledby="giving-title">
            <h2 id="giving-title">"送朋友读这一篇"</h2>
            {body}
        </section>
    }
}

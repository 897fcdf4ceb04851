//! Articles read aloud: a file that their maker gives, and where readers hear it.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::jobs;
use base::storage::original_key;
use domain::days::DAY_MS;
use domain::hot_area::Kind as AreaKind;
use domain::ids::{ArticleId, IssueId};
use leptos::prelude::*;
use press::media::MediaFormat;
use web::app::App;
use web::files::{self, ForgetOriginal};
use web::multipart::{Budget, Multipart, bounded};
use web::render::{self, Form};
use web::session::Member;
use web::ui::files::stored;
use web::ui::forms::unreadable;
use web::ui::parts::FieldError;

use super::issue::own;
use super::pictures::kind_of as public_kind;
use super::store::articles::{self as store, Article};
use super::{address, given, kind_of, open};
use photos::{Room, broken_request};
use reader::{Arrived, Checked};

/// Bytes of a request: the longest sound and the form's words.
pub const MOST_REQUEST: usize = 520 << 20;
/// Bytes of all that is no file.
const MOST_WORDS: usize = 1 << 10;
/// How long a file stays after the row that named it, in ms: a backup under way finds it.
const STAY_MS: i64 = DAY_MS;

/// The file of an article that is read aloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound {
    /// Of its bytes, lower-case hex.
    pub sha256: String,
    pub format: MediaFormat,
    pub file_name: String,
    pub bytes: u64,
}

/// POST /manager/epaper_issue/{issue}/{page}/sound: a file for an article, in the place of the one that it has, or none
/// any more.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Path((id, page)): Path<(String, usize)>,
    parts: Parts,
    mut multipart: Multipart,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let id: IssueId = id.parse().map_err(|_| Error::NotFound)?;
    let (_, issue) = own(&app, &member, kind, &id).await?;
    let most = AreaKind::Audio.most_bytes(member.tier).unwrap_or(0);
    let (mut pairs, mut arrived) = (Vec::new(), None);
    let mut budget = Budget::of(MOST_WORDS);
    while let Some(field) = multipart.next_field().await.map_err(|error| broken_request(&error))? {
        let name = field.name().unwrap_or("").to_owned();
        if name == "sound" {
            arrived = Arrived::read(&app, field, most).await?;
            continue;
        }
        let value = bounded(field, MOST_WORDS).await.map_err(|error| broken_request(&error))?;
        let value = value.ok().and_then(|value| String::from_utf8(value).ok());
        let value = value.filter(|value| budget.pay(name.len() + value.len()));
        pairs.push((name, value.ok_or_else(unreadable)?));
    }
    let mut form = Form::sent(pairs);
    if form.get("article").is_empty() {
        return Err(Error::Incomplete);
    }
    let article = form.get("article").parse::<ArticleId>().map_err(|_| Error::NotFound)?;
    let known = store::find(&app.db, &id, &article).await?.filter(|known| known.page == page);
    let known = known.ok_or(Error::NotFound)?;
    let back = format!("{}/{page}?article={article}", address::issue_desk(kind, &issue));
    if form.get("act") == "remove" {
        keep(&app, &member, &known, None).await?.map_err(Error::internal)?;
        return Ok(Redirect::to(&format!("{back}&done=silent")).into_response());
    }
    let refused = match arrived {
        None => Some("请选择声音文件".to_owned()),
        Some(arrived) => match arrived.check(&app, &member, AreaKind::Audio).await? {
            Err(reason) => Some(reason),
            Ok(checked) => keep(&app, &member, &known, Some(checked)).await?.err(),
        },
    };
    match refused {
        None => Ok(Redirect::to(&format!("{back}&done=sound")).into_response()),
        Some(reason) => {
            form.refuse("sound", reason);
            render::again(&app, parts, &back, form).await
        }
    }
}

/// Puts a file in the place of the one that an article has. The inner error is the sentence for the member.
async fn keep(
    app: &App,
    member: &Member,
    article: &Article,
    sound: Option<Checked>,
) -> Result<Result<(), String>, Error> {
    let limit = Room::of(member, 0).limit();
    // the slow part comes before the lock
    let (sound, staged) = match sound {
        Some(Checked { file, sha256, format, file_name, bytes }) => {
            let staged = app.storage.stage(file, original_key(&sha256)).await?;
            (Some(Sound { sha256, format, file_name, bytes }), Some(staged))
        }
        None => (None, None),
    };
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    let before = store::set_sound(&mut tx, &article.id, sound.as_ref(), now).await?;
    if sound.is_some()
        && let Some(reason) = limit.refusal(app, &mut tx, &member.id).await?
    {
        return Ok(Err(reason));
    }
    let gone = before.filter(|before| sound.as_ref().is_none_or(|sound| sound.sha256 != *before));
    if let Some(sha256) = gone {
        jobs::enqueue_for(&mut tx, &ForgetOriginal { sha256 }, &member.id, now + STAY_MS).await?;
    }
    if let Some(staged) = staged {
        app.storage.keep(staged).await?;
    }
    tx.commit().await?;
    Ok(Ok(()))
}

/// GET /epaper/{title}/{issue}/a/{article}/sound, and of magazines: whole, or the part that the player asks for.
pub async fn serve(
    State(app): State<App>,
    Path((title, issue, number)): Path<(String, String, i64)>,
    parts: Parts,
) -> Result<Response, Error> {
    let opened = open::open(&app, &parts, public_kind(&parts)?, &title, &issue).await?;
    let article = store::at(&app.db, &opened.issue.id, number).await?;
    let is_open = opened.rights.opens(article.page)
        || given::leave(&app, &parts, &opened, article.number).await?.is_some();
    let sound = article.sound.filter(|_| is_open).ok_or(Error::NotFound)?;
    let path = app.storage.bring(&original_key(&sound.sha256)).await?.ok_or(Error::NotFound)?;
    let kind = sound.format.media_type().parse().map_err(Error::internal)?;
    stored(&path, &parts, &kind).await
}

/// The part of the desk that gives an article its sound.
#[component]
pub fn SoundForm(
    /// Where the article's own form goes.
    base: String,
    article: Article,
) -> impl IntoView {
    let known = article.sound.map(|sound| {
        view! {
            <p>
                {format!("已经有朗读：{}，{} ", sound.file_name, size(sound.bytes))}
                <button class="link danger" name="act" value="remove" formnovalidate>"去掉朗读"</button>
            </p>
        }
    });
    let label =
        if known.is_some() { "换一个文件（MP3、M4A）" } else { "声音文件（MP3、M4A）" };
    view! {
        <form class="sound stack" method="post" action=format!("{base}/sound") enctype="multipart/form-data">
            <h3>"朗读"</h3>
            <input type="hidden" name="article" value=article.id.to_string()/>
            {known}
            <div class="field">
                <label for="sound">{label}</label>
                <input id="sound" name="sound" type="file" accept="audio/mpeg,audio/mp4,audio/x-m4a,.mp3,.m4a"/>
                <FieldError name="sound".to_owned()/>
            </div>
            <button class="button" name="act" value="keep">"保存朗读"</button>
        </form>
    }
}

/// `1.4 MB`; of small files the thousands of bytes.
fn size(bytes: u64) -> String {
    if bytes < 1_000_000 {
        format!("{} KB", bytes.div_ceil(1_000))
    } else {
        format!("{:.1} MB", bytes as f64 / 1e6)
    }
}

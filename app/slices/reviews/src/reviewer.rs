//! What a reviewer sends: who it is, what it says at places, what it says of the whole. It has no account: what it may do follows
//! from its link, and all that comes from one network is counted.

use axum::extract::{Path, RawForm, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, now_ms};
use base::error::{Error, INCOMPLETE, Wait};
use domain::ids::{ReviewCommentId, ReviewerId};
use domain::review::{NAME, NotTaken, Verdict, may_judge, may_take_back, may_write, name};
use web::app::App;
use web::client;
use web::origin::Origin;
use web::render::Form;
use web::router::Parameter;
use web::ui::forms::{CHOOSE, check_length, read_form};

use super::forms::{again, answer_field, read_spot, read_words};
use super::open::{self, Opened, page_of};
use super::store::{self, Comment, Round};
use super::{code, desk};

/// POST /review/{code}: who comes by a link without a name says who it is.
pub async fn come(
    State(app): State<App>,
    Parameter(typed): Parameter<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let opened = open::open(&app, &parts, &typed).await?;
    let mut form = read_form(&body)?;
    let home = opened.home();
    let first = Redirect::to(&opened.page(0));
    if opened.reviewer.is_some() {
        return Ok(first.into_response());
    }
    check_length(&mut form, "name", "您的名字", 1, NAME);
    let id: Option<ReviewerId> = form.own("reviewer");
    let Some(id) = id.filter(|_| !form.is_refused()) else {
        return again(&app, parts, &home, form, None).await;
    };
    let named = name(form.get("name"));
    let mut tx = app.db.begin().await?;
    if let Some(wait) = counted(&app, &mut tx, &parts).await? {
        drop(tx);
        return again(&app, parts, &home, form, Some(wait)).await;
    }
    // two who come at once are counted one after the other
    store::hold_newest(&mut tx, &opened.work.id).await?;
    if !store::insert_reviewer_if_room(&mut tx, &opened.link, &id, &named, now_ms()).await? {
        drop(tx);
        form.refuse("", NotTaken::Crowd.to_string());
        return again(&app, parts, &home, form, None).await;
    }
    tx.commit().await?;
    Ok(([(header::SET_COOKIE, code::also(&app, &parts.headers, &id)?)], first).into_response())
}

/// Counts what came from a network: how long it has to wait, where that is too much.
async fn counted(app: &App, tx: &mut Tx, parts: &Parts) -> Result<Option<Wait>, Error> {
    match accounts::take_review(tx, &client::address(app, parts)).await {
        Ok(()) => Ok(None),
        Err(Error::TooMany(wait)) => Ok(Some(wait)),
        Err(error) => Err(error),
    }
}

/// Who sends it. A browser that lost its cookie is nobody any more.
fn who(opened: &Opened) -> Result<ReviewerId, Error> {
    opened.who().cloned().ok_or_else(|| Error::Conflict("请先回到第一页，写下您的名字。".into()))
}

/// The newest round, held until the transaction ends.
async fn held(tx: &mut Tx, opened: &Opened) -> Result<Round, Error> {
    store::hold_newest(tx, &opened.work.id).await?.ok_or(Error::NotFound)
}

/// POST /review/{code}/page/{page}: something said at a place of a page.
pub async fn comment(
    State(app): State<App>,
    Path((typed, page)): Path<(String, String)>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let opened = open::open(&app, &parts, &typed).await?;
    let number = page_of(&opened.document, &page)?;
    let reviewer = who(&opened)?;
    let mut form = read_form(&body)?;
    let here = opened.page(number);
    let id: Option<ReviewCommentId> = form.own("comment");
    let words = read_words(&mut form, "words", "意见");
    let (Some(id), Some(words)) = (id, words) else { return again(&app, parts, &here, form, None).await };
    let page_id = number.checked_sub(1).and_then(|index| opened.document.pages.get(index)?.id.clone());
    let comment = Comment {
        id,
        round: opened.round.number,
        reviewer: Some(reviewer),
        answers: None,
        page: number,
        page_id,
        spot: read_spot(&form),
        words,
        created_at: now_ms(),
        done_at: None,
    };
    match write(&app, &parts, &opened, &comment, form.get("round")).await? {
        Ok(()) => Ok(Redirect::to(&format!("{here}#c-{}", comment.id)).into_response()),
        Err((reason, wait)) => {
            if let Some(reason) = reason {
                form.refuse("words", reason.to_string());
            }
            again(&app, parts, &here, form, wait).await
        }
    }
}

/// Why something is not written: by the rules, or for now.
type Unwritten = (Option<NotTaken>, Option<Wait>);

/// Writes a comment or an answer down, if it may be; it was written on the page of the round `shown`.
async fn write(
    app: &App,
    parts: &Parts,
    opened: &Opened,
    comment: &Comment,
    shown: &str,
) -> Result<Result<(), Unwritten>, Error> {
    let mut tx = app.db.begin().await?;
    if let Some(wait) = counted(app, &mut tx, parts).await? {
        return Ok(Err((None, Some(wait))));
    }
    let round = held(&mut tx, opened).await?.rule();
    // its place is one of the pages that were shown
    if shown != round.number.to_string() || comment.round != round.number {
        return Ok(Err((Some(NotTaken::Newer), None)));
    }
    let work = &opened.work.id;
    let (own, all) = store::counts(&mut tx, work, round.number, comment.reviewer.as_ref()).await?;
    if let Err(reason) = may_write(round, Some(own), all) {
        return Ok(Err((Some(reason), None)));
    }
    store::insert_comment(&mut tx, work, comment).await?;
    tx.commit().await?;
    Ok(Ok(()))
}

/// The page on which a comment stands for a reviewer, the first where it has none any more.
fn page_with(opened: &Opened, comment: &Comment) -> String {
    let page = domain::review::stands_at(comment.page, comment.page_id.as_ref(), &opened.document.pages);
    page.map_or_else(|| opened.home(), |page| opened.page(page))
}

/// POST /review/{code}/comment/{comment}: an answer to a comment.
pub async fn answer(
    State(app): State<App>,
    Path((typed, comment)): Path<(String, String)>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let opened = open::open(&app, &parts, &typed).await?;
    let reviewer = who(&opened)?;
    let mut form = read_form(&body)?;
    let root = found(&app, &opened, &comment).await?;
    if root.answers.is_some() {
        return Err(Error::NotFound);
    }
    let here = page_with(&opened, &root);
    let id: Option<ReviewCommentId> = form.own("comment");
    let field = answer_field(root.id.as_str());
    let words = read_words(&mut form, &field, "回复");
    let (Some(id), Some(words)) = (id, words) else { return again(&app, parts, &here, form, None).await };
    let answer = Comment {
        id,
        round: opened.round.number,
        reviewer: Some(reviewer),
        answers: Some(root.id.clone()),
        words,
        created_at: now_ms(),
        spot: None,
        done_at: None,
        ..root.clone()
    };
    match write(&app, &parts, &opened, &answer, form.get("round")).await? {
        Ok(()) => Ok(Redirect::to(&format!("{here}#c-{}", root.id)).into_response()),
        Err((reason, wait)) => {
            if let Some(reason) = reason {
                form.refuse(&field, reason.to_string());
            }
            again(&app, parts, &here, form, wait).await
        }
    }
}

async fn found(app: &App, opened: &Opened, comment: &str) -> Result<Comment, Error> {
    let id: ReviewCommentId = comment.parse().map_err(|_| Error::NotFound)?;
    let mut tx = app.db.begin_snapshot().await?;
    store::find_comment(&mut tx, &id, &opened.work.id).await
}

/// POST /review/{code}/comment/{comment}/removal: takes back what one wrote oneself.
pub async fn take_back(
    State(app): State<App>,
    Path((typed, comment)): Path<(String, String)>,
    parts: Parts,
) -> Result<Response, Error> {
    let opened = open::open(&app, &parts, &typed).await?;
    let reviewer = who(&opened)?;
    let id: ReviewCommentId = comment.parse().map_err(|_| Error::NotFound)?;
    let mut tx = app.db.begin().await?;
    let round = held(&mut tx, &opened).await?.rule();
    let comment = match store::find_comment(&mut tx, &id, &opened.work.id).await {
        // pressed twice
        Err(Error::NotFound) => return Ok(Redirect::to(&opened.home()).into_response()),
        found => found?,
    };
    if comment.reviewer.as_ref() != Some(&reviewer) {
        return Err(Error::NotFound);
    }
    let here = page_with(&opened, &comment);
    let answers = store::answers(&mut tx, &id, &opened.work.id).await?;
    if let Err(reason) = may_take_back(comment.round, round, answers) {
        drop(tx);
        let mut form = Form::default();
        form.refuse("", reason.to_string());
        return again(&app, parts, &here, form, None).await;
    }
    store::delete_comment(&mut tx, &id).await?;
    tx.commit().await?;
    Ok(Redirect::to(&here).into_response())
}

/// POST /review/{code}/verdict: 可以印 or 还要改, of the round that was shown. The maker gets one message.
pub async fn judge(
    State(app): State<App>,
    Parameter(typed): Parameter<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let opened = open::open(&app, &parts, &typed).await?;
    let reviewer = who(&opened)?;
    let mut form = read_form(&body)?;
    let home = opened.home();
    let Some(verdict) = Verdict::of_code(form.get("verdict")) else {
        form.refuse("verdict", CHOOSE);
        return again(&app, parts, &home, form, None).await;
    };
    let shown: i64 = form.get("round").parse().unwrap_or(0);
    let mut tx = app.db.begin().await?;
    if let Some(wait) = counted(&app, &mut tx, &parts).await? {
        drop(tx);
        return again(&app, parts, &home, form, Some(wait)).await;
    }
    let round = held(&mut tx, &opened).await?.rule();
    if let Err(reason) = may_judge(shown, round) {
        drop(tx);
        let reason = if shown == 0 { INCOMPLETE.to_owned() } else { reason.to_string() };
        form.refuse("verdict", reason);
        return again(&app, parts, &home, form, None).await;
    }
    if store::give(&mut tx, &opened.work.id, &reviewer, shown, verdict, now_ms()).await? {
        tell(&app, &mut tx, &opened, &reviewer, verdict).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(Redirect::to(&format!("{home}?said={}#verdict", verdict.code())).into_response())
}

/// Tells the maker what somebody said of the whole.
async fn tell(
    app: &App,
    tx: &mut Tx,
    opened: &Opened,
    reviewer: &ReviewerId,
    verdict: Verdict,
) -> Result<(), Error> {
    let Opened { work, round, link, .. } = opened;
    let name = opened.reviewer.as_ref().map_or("", |reviewer| reviewer.name.as_str());
    let (written, _) = store::counts(tx, &work.id, round.number, Some(reviewer)).await?;
    let (title, number) = (&work.document.title, round.number);
    let written = if written > 0 { format!("，写了 {written} 条意见") } else { String::new() };
    let page = desk(&work.id);
    let place = Origin::configured(&app.config).map_or_else(
        || "请登录后在这件作品的“请人看样”里看。".to_owned(),
        |base| format!("在这里看：{}", base.join(&page)),
    );
    let verdict = verdict.name();
    let text = format!("【书坊】{name}看完了《{title}》第 {number} 稿：{verdict}{written}。{place}");
    let subject = format!("{name}看完了《{title}》：{verdict}");
    accounts::tell_member(app, tx, &link.member, &subject, text).await
}

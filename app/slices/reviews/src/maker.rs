//! What a maker sends: a wish that others look, links, answers, what is mended.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{Tx, new_id, now_ms};
use base::error::Error;
use base::time;
use domain::ids::{MemberId, ReviewCommentId, ReviewLinkId, WorkId};
use domain::review::{Asking, WORDS, asking, last_day, may_write, names};
use web::app::App;
use web::render::Form;
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{CHOOSE, check_length, read_form};

use super::desk;
use super::forms::{again, answer_field, read_words};
use super::store::{self, Comment, Link, Round};

/// What is said where the work was saved while its maker looked at the form.
const CHANGED: &str = "作品刚刚又改过。请看一眼现在的样子，再发出。";

/// POST /manager/opus/{id}/reviews: asks for a look at the version that the page showed. Asked again without a change it gives
/// the round other words and another day.
pub async fn ask(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    works::for_owner(&app, &id, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let (page, now) = (desk(&id), now_ms());
    check_length(&mut form, "words", "要说的话", 0, WORDS);
    let until = last_day(time::end_of_day(form.get("until")), now);
    if let Err(reason) = until {
        form.refuse("until", reason);
    }
    let revision: Option<i64> = form.own("revision");
    let mut tx = app.db.begin().await?;
    app.house.identity.hold(&mut tx, &member.id).await?;
    let standing = store::standing(&mut tx, &id).await?;
    let links = wanted(&mut form, &standing, standing.is_empty());
    let (Some(revision), Ok(until), Some(links), false) = (revision, until, links, form.is_refused()) else {
        drop(tx);
        return again(&app, parts, &page, form, None).await;
    };
    let newest = store::hold_newest(&mut tx, &id).await?;
    let refused = match asking(newest.as_ref().map(Round::rule), revision) {
        Err(reason) => Some(reason.to_string()),
        Ok(_) if !works::hold_at(&mut tx, &id, &member.id, revision).await? => {
            form.forget("revision");
            Some(CHANGED.to_owned())
        }
        Ok(Asking::Same(number)) => {
            store::change_round(&mut tx, &id, number, form.get("words"), until).await?;
            None
        }
        Ok(Asking::Anew(number)) => {
            let words = form.get("words").to_owned();
            let round = Round { number, revision, words, asked_at: now, until, ordered_at: None };
            store::insert_round(&mut tx, &id, &member.id, &round).await?;
            None
        }
    };
    if let Some(reason) = refused {
        drop(tx);
        form.refuse("", reason);
        return again(&app, parts, &page, form, None).await;
    }
    insert_links(&mut tx, &member.id, &id, links, now).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{page}?done=asked")).into_response())
}

/// The links that a form asks for beside those that stand, by their names; an empty one is for whoever comes. None where the
/// form is refused.
fn wanted(form: &mut Form, standing: &[Link], is_needed: bool) -> Option<Vec<String>> {
    let known: Vec<&str> =
        standing.iter().map(|link| link.name.as_str()).filter(|name| !name.is_empty()).collect();
    let mut wanted = match names(form.get("names"), &known) {
        Ok(names) => names,
        Err(reason) => {
            form.refuse("names", reason);
            return None;
        }
    };
    if form.get("open") == "1" && !standing.iter().any(Link::is_open) {
        wanted.push(String::new());
    }
    if wanted.is_empty() && is_needed {
        form.refuse("names", "请写下看样人的名字，或者要一个谁都能用的链接");
        return None;
    }
    Some(wanted)
}

async fn insert_links(
    tx: &mut Tx,
    member: &MemberId,
    work: &WorkId,
    names: Vec<String>,
    now: i64,
) -> Result<(), Error> {
    // in the order in which they were typed
    for (name, created_at) in names.into_iter().zip(now..) {
        let (work, member) = (work.clone(), member.clone());
        let link = Link { id: new_id(), work, member, name, created_at, withdrawn_at: None };
        store::insert_link(tx, &link).await?;
    }
    Ok(())
}

/// POST /manager/opus/{id}/reviews/links: more who look. Who has a link gets no second one.
pub async fn add(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    works::for_owner(&app, &id, &member.id).await?.on_shelf()?;
    store::newest(&app.db, &id).await?.ok_or(Error::NotFound)?;
    let mut form = read_form(&body)?;
    let mut tx = app.db.begin().await?;
    app.house.identity.hold(&mut tx, &member.id).await?;
    let standing = store::standing(&mut tx, &id).await?;
    let Some(links) = wanted(&mut form, &standing, false) else {
        drop(tx);
        return again(&app, parts, &desk(&id), form, None).await;
    };
    insert_links(&mut tx, &member.id, &id, links, now_ms()).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done=links#people", desk(&id))).into_response())
}

/// POST /manager/opus/{id}/reviews/link/{link}: takes a link back. What was said by it stays.
pub async fn withdraw(
    State(app): State<App>,
    member: Member,
    Path((id, link)): Path<(String, String)>,
) -> Result<Redirect, Error> {
    let id: WorkId = id.parse().map_err(|_| Error::NotFound)?;
    let link: ReviewLinkId = link.parse().map_err(|_| Error::NotFound)?;
    works::for_owner(&app, &id, &member.id).await?;
    store::withdraw(&app.db, &link, &id, now_ms()).await?;
    Ok(Redirect::to(&format!("{}?done=withdrawn#people", desk(&id))))
}

/// POST /manager/opus/{id}/reviews/comment/{comment}: an answer, or whether it is mended.
pub async fn answer(
    State(app): State<App>,
    member: Member,
    Path((id, comment)): Path<(String, String)>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let id: WorkId = id.parse().map_err(|_| Error::NotFound)?;
    let comment: ReviewCommentId = comment.parse().map_err(|_| Error::NotFound)?;
    works::for_owner(&app, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    let (page, now) = (desk(&id), now_ms());
    let mut tx = app.db.begin().await?;
    let round = store::hold_newest(&mut tx, &id).await?.ok_or(Error::NotFound)?.rule();
    let root = store::find_comment(&mut tx, &comment, &id).await?;
    if root.answers.is_some() {
        return Err(Error::NotFound);
    }
    match form.get("act") {
        "done" => store::set_done(&mut tx, &comment, Some(root.done_at.unwrap_or(now))).await?,
        "open" => store::set_done(&mut tx, &comment, None).await?,
        "answer" => {
            let own: Option<ReviewCommentId> = form.own("comment");
            let field = answer_field(comment.as_str());
            let words = read_words(&mut form, &field, "回复");
            let (_, all) = store::counts(&mut tx, &id, round.number, None).await?;
            // who ordered may still say thank you
            if let Err(reason) = may_write(domain::review::Round { ordered_at: None, ..round }, None, all) {
                form.refuse(&field, reason.to_string());
            }
            let (Some(own), Some(words), false) = (own, words, form.is_refused()) else {
                drop(tx);
                return again(&app, parts, &page, form, None).await;
            };
            let answer = Comment {
                id: own,
                round: round.number,
                reviewer: None,
                answers: Some(comment.clone()),
                spot: None,
                words,
                created_at: now,
                done_at: None,
                ..root
            };
            store::insert_comment(&mut tx, &id, &answer).await?;
        }
        _ => return Err(Error::BadRequest(CHOOSE.into())),
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("{page}#c-{comment}")).into_response())
}

//! What is done to lines on the floor. Every form may be sent again: it does nothing that was done before.

use axum::extract::{Path, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use base::time::date;
use domain::production::Stage;
use domain::typed;
use web::app::App;
use web::render::{self, Form};
use web::ui::forms::{CHOOSE, check_length, read_form};
use web::ui::staff::said;

use super::act::{Act, act};
use super::board;
use super::store::Number;
use super::{FLOOR, address};

/// Characters of a reason and of a word for the shop.
pub const WORDS: usize = 200;
/// Lines that are moved at once.
const MOST: usize = 200;

/// The stage that a field names.
fn stage(form: &Form, field: &str) -> Result<Stage, Error> {
    match form.get(field) {
        "" => Err(Error::Incomplete),
        word => word.parse().map_err(|_| Error::BadRequest("没有这个环节".into())),
    }
}

/// The words of a field; what is wrong with them is said in the form.
fn words(form: &mut Form, field: &str, label: &str) -> String {
    check_length(form, field, label, 1, WORDS);
    form.get(field).trim().to_owned()
}

/// What a form asks for; nothing where words are missing.
fn asked(form: &mut Form) -> Result<Option<Act>, Error> {
    let act = match form.get("step") {
        "done" => Act::Done(stage(form, "at")?),
        "back" => {
            let (at, to) = (stage(form, "at")?, stage(form, "to")?);
            Act::Back { at, to, why: words(form, "back_why", "退回的原因") }
        }
        "hold" => Act::Hold(words(form, "hold_why", "暂停的原因")),
        "release" => Act::Release,
        "take" => Act::Take(stage(form, "at")?),
        "leave" => Act::Leave,
        "note" => Act::Note(words(form, "note", "备注")),
        "promise" => {
            let day = typed::date(&typed::day(form.get("day")));
            let Some(day) = day.filter(|day| *day >= date(now_ms())) else {
                form.refuse("day", "请写今天以后的日子，例如 2027-02-10");
                return Ok(None);
            };
            Act::Promise(day)
        }
        "" => {
            form.refuse("", CHOOSE);
            return Ok(None);
        }
        _ => return Err(Error::BadRequest("没有这一步".into())),
    };
    Ok((!form.is_refused()).then_some(act))
}

/// POST /staff/floor/{order}/{line}/step: the field `step` says which.
pub async fn step(
    State(app): State<App>,
    Path((order, line)): Path<(String, i64)>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let number = Number { order: order.parse().map_err(|_| Error::NotFound)?, line };
    let mut form = read_form(&body)?;
    let page = address(&number);
    let Some(asked) = asked(&mut form)? else {
        return render::again(&app, parts, &page, form).await;
    };
    // a note is added to whatever there is
    let seen = form.get("seen").parse().ok().filter(|_| !matches!(asked, Act::Note(_)));
    match act(&app, &number, &asked, seen, now_ms()).await {
        Ok((_, now)) => {
            if !now {
                audit::unchanged();
            }
            Ok(Redirect::to(&said(&page, now)).into_response())
        }
        Err(Error::Conflict(reason)) => {
            form.refuse("", reason);
            render::again(&app, parts, &page, form).await
        }
        Err(error) => Err(error),
    }
}

/// POST /staff/floor/many: what is chosen of a stage is done, or has somebody now. Those that can't be are named.
pub async fn many(State(app): State<App>, parts: Parts, RawForm(body): RawForm) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    if form.get("at").is_empty() {
        form.refuse("", CHOOSE);
        return render::again(&app, parts, FLOOR, form).await;
    }
    let at = stage(&form, "at")?;
    let page = board::address_of(at.code());
    let asked = match form.get("step") {
        "done" => Act::Done(at),
        "take" => Act::Take(at),
        "" => {
            form.refuse("", CHOOSE);
            return render::again(&app, parts, &page, form).await;
        }
        _ => return Err(Error::BadRequest("没有这一步".into())),
    };
    let chosen: Vec<String> = form.all("line").map(str::to_owned).collect();
    if chosen.is_empty() || chosen.len() > MOST {
        form.refuse("", format!("请勾选 1 到 {MOST} 件"));
        return render::again(&app, parts, &page, form).await;
    }
    let mut done = 0;
    for text in chosen {
        let (number, seen) = text.rsplit_once('.').unwrap_or((&text, ""));
        let outcome = match number.parse::<Number>() {
            Ok(number) => act(&app, &number, &asked, seen.parse().ok(), now_ms()).await,
            Err(error) => Err(error),
        };
        match outcome {
            Ok((_, now)) => done += usize::from(now),
            Err(Error::NotFound) => form.refuse("", format!("{number}：没有这一件")),
            // which says of which one
            Err(Error::Conflict(reason)) => form.refuse("", reason),
            Err(error) => return Err(error),
        }
    }
    if done == 0 {
        audit::unchanged();
    }
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    Ok(Redirect::to(&said(&page, done > 0)).into_response())
}

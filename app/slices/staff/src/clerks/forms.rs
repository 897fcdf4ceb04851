//! What is sent from the pages of accounts. Each asks for the code of one's own device, but ending logins.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use domain::clerk::{LONGEST_FULL_NAME, new_sign_in_name};
use domain::contact::Contact;
use domain::ids::StaffId;
use domain::staff::{LONGEST_NAME, Role};
use domain::typed::{typed, words};
use web::app::App;
use web::approvals::{self, Decision};
use web::origin::Origin;
use web::render::{self, Form};
use web::router::Parameter;
use web::staff::{Staff, asks_code};
use web::ui::forms::{CHOOSE, read_form};
use web::ui::staff::said;

use super::acts::{self, By, Change, Entry, KIND, NotDone, Outcome, What, thing};
use super::{LIST, NewLink, address, store};
use crate::store::read_roles;

/// POST /staff/clerks: lets somebody in; `full_name`, `name`, `role`, `email`, `key`.
pub async fn add(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let key: Option<StaffId> = form.own("key");
    let full_name = words(form.get("full_name")).replace('\n', " ");
    if full_name.chars().count() > LONGEST_FULL_NAME {
        form.refuse("full_name", format!("姓名最多 {LONGEST_FULL_NAME} 个字"));
    }
    let name = new_sign_in_name(form.get("name"));
    if name.is_none() {
        form.refuse("name", format!("登录名是 1 到 {LONGEST_NAME} 个文字、数字或 - _ . ，中间没有空格"));
    }
    let roles = roles(&form)?;
    if roles.is_empty() {
        form.refuse("role", "至少选一个角色");
    }
    let email = email(&app, &mut form);
    asks_code(&app, &parts, &staff, &mut form).await?;
    let (Some(key), Some(name)) = (key.map(String::from), name.filter(|_| !form.is_refused())) else {
        return render::again(&app, parts, LIST, form).await;
    };
    // the key is the account's id, so that two presses make one
    let entry = Some(Entry::by_link(&app, &key, email).await?);
    let change = Change { id: key.clone(), what: What::Add { name, full_name, roles }, seen: None, entry };
    let done = acts::carry_out(&app, &change, By::Clerk { staff: &staff, key: &key }).await;
    answer(&app, parts, form, LIST, done).await
}

/// POST /staff/clerks/{id}: the field `act` says what; `seen` which state of the account was looked at.
pub async fn change(
    State(app): State<App>,
    staff: Staff,
    Parameter(id): Parameter<StaffId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let (id, page) = (id.to_string(), address(id.as_str()));
    let key: Option<StaffId> = form.own("key");
    let what = match form.get("act") {
        "roles" => What::Roles(roles(&form)?),
        "end" => What::End,
        "back" => What::TakeBack,
        "reset" => What::Reset,
        "end-logins" => What::EndLogins,
        "" => {
            form.refuse("", CHOOSE);
            return render::again(&app, parts, &page, form).await;
        }
        _ => return Err(Error::BadRequest("没有这一步".into())),
    };
    if what == What::Roles(Vec::new()) {
        form.refuse("role", "至少选一个角色");
    }
    let brings_link = matches!(what, What::TakeBack | What::Reset);
    let email = if brings_link { email(&app, &mut form) } else { None };
    // whoever sees a stranger at work has no time to look for a phone
    if what != What::EndLogins {
        asks_code(&app, &parts, &staff, &mut form).await?;
    }
    let Some(key) = key.map(String::from).filter(|_| !form.is_refused()) else {
        return render::again(&app, parts, &page, form).await;
    };
    let seen = form.get("seen").parse().ok();
    // ending is right whatever else was changed; what changes it must know what
    let seen = if matches!(what, What::End | What::EndLogins) { None } else { Some(seen.unwrap_or(-1)) };
    let entry = if brings_link { Some(Entry::by_link(&app, &id, email).await?) } else { None };
    let change = Change { id, what, seen, entry };
    let done = acts::carry_out(&app, &change, By::Clerk { staff: &staff, key: &key }).await;
    answer(&app, parts, form, &page, done).await
}

/// POST /staff/clerks/requests/{id}: somebody else decides; whoever asked may take it back.
pub async fn decide(
    State(app): State<App>,
    staff: Staff,
    Parameter(id): Parameter<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let row = store::find(&app.db, &id).await?.ok_or(Error::NotFound)?;
    let mut form = read_form(&body)?;
    form.set("request", &id);
    if form.get("decision") == "grant" {
        let asked = approvals::of(&app.db, thing(&row.staff_id)).await?;
        let own = asked.iter().any(|asked| asked.id == id && asked.asked_by == staff.name);
        if own {
            form.refuse("", domain::clerk::Refused::OwnRequest.to_string());
            return render::again(&app, parts, LIST, form).await;
        }
    }
    let decision = Decision::read(&app, &parts, staff.clone(), &mut form, thing(&row.staff_id)).await?;
    if form.is_refused() {
        return render::again(&app, parts, LIST, form).await;
    }
    if decision.is_late() {
        return Ok(done(LIST, false));
    }
    if !decision.grants {
        let is_new = decision.decline(&app, KIND).await?;
        let mut tx = app.db.begin().await?;
        store::close(&mut tx, &id, now_ms()).await?;
        tx.commit().await?;
        return Ok(done(LIST, decision.outcome(is_new)));
    }
    let change = acts::asked_for(&app, &row).await?;
    let outcome = acts::carry_out(&app, &change, By::Second { staff: &staff, decision: &decision }).await;
    answer(&app, parts, form, LIST, outcome).await
}

/// What came of it: the page with a link that is shown once, the page again, or what is wrong.
async fn answer(
    app: &App,
    mut parts: Parts,
    mut form: Form,
    page: &str,
    outcome: Result<Outcome, NotDone>,
) -> Result<Response, Error> {
    match outcome {
        Ok(Outcome::Done { token: Some(token), sent }) => {
            let site = Origin::of(&app.config, &parts.headers);
            parts.extensions.insert(NewLink { address: site.join(&acts::invitation(&token)), sent });
            render::again(app, parts, page, Form::default()).await
        }
        Ok(Outcome::Done { token: None, .. }) => Ok(done(page, true)),
        Ok(Outcome::Asked) => {
            Ok(Redirect::to(&base::lists::address(LIST, &[("asked", "1")])).into_response())
        }
        Ok(Outcome::Before) => Ok(done(page, false)),
        Err(NotDone::Failed(error)) => Err(error),
        Err(reason) => {
            let field = match reason {
                NotDone::NameTaken => "name",
                NotDone::Refused(domain::clerk::Refused::NoRole) => "role",
                _ => "",
            };
            form.forget("seen");
            form.refuse(field, reason.to_string());
            render::again(app, parts, page, form).await
        }
    }
}

fn done(page: &str, outcome: impl Into<approvals::Outcome>) -> Response {
    let outcome = outcome.into();
    if outcome.is_unchanged() {
        audit::unchanged();
    }
    Redirect::to(&said(page, outcome)).into_response()
}

/// The roles that were ticked, each once.
fn roles(form: &Form) -> Result<Vec<Role>, Error> {
    let ticked: Vec<&str> = form.all("role").collect();
    let unknown = |_| Error::BadRequest("没有这个角色".into());
    let ticked =
        if ticked.is_empty() { Vec::new() } else { read_roles(&ticked.join(",")).map_err(unknown)? };
    Ok(Role::ALL.into_iter().filter(|role| ticked.contains(role)).collect())
}

/// Where the link is to be sent; nothing where it is given by hand.
fn email(app: &App, form: &mut Form) -> Option<Contact> {
    let text = typed(form.get("email"));
    if text.is_empty() {
        return None;
    }
    let email = Contact::read(&text).filter(|contact| !contact.is_phone());
    if email.is_none() {
        form.refuse("email", "请写一个电子邮箱，或者空着");
    } else if Origin::configured(&app.config).is_none() {
        form.refuse("email", "本站还没有设置对外的网址，邮件里放不了链接。请空着，把链接亲手交给对方");
    }
    email
}

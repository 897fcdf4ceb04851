//! Making a calendar 台历 (editor type 13), and changing its months and anniversaries later.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::calendar::{self, Anniversary, Plan, WeekStart, YearMonth};
use domain::document::{Document, Emoji};
use domain::ids::{MemberId, WorkId};
use domain::titles::TITLE_LENGTH;
use domain::typed;
use web::app::App;
use web::multipart::Multipart;
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};

use super::formats::CALENDARS;
use super::forms::{chosen_photos, read_desk, read_emoji, read_photos, read_theme, stale};
use super::store::{self, Cause};
use super::weak::{Judged, Weak, takes_back};
use photos::{Photo, PhotoState};

/// The making desk's address.
pub const DESK: &str = "/manager/opus-doc-calendar";
/// Characters that all anniversaries together may have.
pub const ANNIVERSARIES_LENGTH: usize = 3000;
/// How many months a calendar may have: a year, or until the same month comes again.
pub const MONTHS: [u8; 2] = [12, 13];
/// How the weeks may begin, and what members read.
pub const WEEK_STARTS: [(WeekStart, &str); 2] = [(WeekStart::Monday, "周一"), (WeekStart::Sunday, "周日")];

/// What the desk and the later form both ask for.
struct Decided {
    start: YearMonth,
    week_start: WeekStart,
    anniversaries: Vec<Anniversary>,
}

/// POST /manager/opus-doc-calendar: photos become a calendar. When something is refused, the photos that arrived stay in
/// the library and stay chosen.
pub async fn make(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    multipart: Multipart,
) -> Result<Response, Error> {
    let mut form = read_desk(&app, &member, multipart).await?;
    if photos::turns(&mut form) || takes_back(&form) {
        return render::again(&app, parts, DESK, form).await;
    }
    let format = CALENDARS.iter().find(|format| format.key == form.get("format"));
    if format.is_none() {
        form.refuse("format", "请选择开本");
    }
    let theme = read_theme(&mut form);
    let emoji = read_emoji(&mut form, Emoji::Plain);
    check_length(&mut form, "title", "标题", 1, TITLE_LENGTH);
    let months = MONTHS.into_iter().find(|months| months.to_string() == form.get("months"));
    if months.is_none() {
        form.refuse("months", "请选择做几个月");
    }
    let decided = read_decided(&mut form);
    let library = read_photos(&app, &member.id, &mut form).await?;
    let judged = judged(&form, &library);
    if !form.get("asks").is_empty() && !form.is_refused() {
        let weak = judged.weak(&form);
        if !weak.is_seen(&form) {
            form.refuse("ahead", format!("{}：请看一看再生成", weak.question()));
        }
    }
    let (Some(format), Some(theme), Some(months), Some(decided), false) =
        (format, theme, months, decided, form.is_refused())
    else {
        return render::again(&app, parts, DESK, form).await;
    };
    let plan = Plan {
        trim: format.trim,
        theme: theme.name.to_owned(),
        title: form.get("title").to_owned(),
        start: decided.start,
        months,
        week_start: decided.week_start,
        anniversaries: decided.anniversaries,
        is_facing: form.get("pages") == "facing",
    };
    match calendar::make(&plan, &judged.inputs(format.trim)) {
        Ok(document) => {
            let document = Document { emoji, ..document };
            let id = super::keep(&app, &member.id, "calendar", &document).await?;
            Ok(Redirect::to(&format!("/manager/opus/{id}")).into_response())
        }
        Err(reason) => {
            form.refuse("photos", reason.to_string());
            render::again(&app, parts, DESK, form).await
        }
    }
}

/// The photos that a form of the desk chooses, as they stand in a calendar of the page size that it says.
fn judged(form: &Form, library: &[Photo]) -> Judged {
    let format = CALENDARS.iter().find(|format| format.key == form.get("format")).or(CALENDARS.first());
    let usable = library.iter().filter(|photo| photo.state != PhotoState::Broken);
    format.map_or_else(Judged::default, |format| Judged::of_form(usable, format.trim, form))
}

/// What is said of the weak ones among the photos that a form of the desk chooses.
pub async fn weak(app: &App, member: &MemberId, form: &Form) -> Result<Weak, Error> {
    let library = photos::of_member(app, member, &chosen_photos(form)).await?;
    Ok(judged(form, &library).weak(form))
}

/// POST /manager/opus/{id}/calendar: other months, weeks or anniversaries, and the days off as they are published now.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let (base, document) = super::document_before(&app, &member.id, &work, &form).await?;
    if !calendar::is_calendar(&document) {
        return Err(Error::NotFound);
    }
    let page = format!("/manager/opus/{id}/calendar");
    let Some(decided) = read_decided(&mut form) else {
        return render::again(&app, parts, &page, form).await;
    };
    let after = calendar::restarted(&document, decided.start, decided.week_start, &decided.anniversaries);
    if super::save(&app, &member.id, &id, base, &after, Cause::Months).await? {
        return Ok(Redirect::to(&format!("/manager/opus/{id}?saved=months")).into_response());
    }
    stale(&app, parts, &id, &page, form).await
}

/// Months, weeks and anniversaries; `None` where something of them was refused.
fn read_decided(form: &mut Form) -> Option<Decided> {
    // a calendar reaches a year and a little further
    let start = typed::month(form.get("start"))
        .parse::<YearMonth>()
        .ok()
        .filter(|start| (1901..2099).contains(&start.year()));
    if start.is_none() {
        form.refuse("start", "请选择从哪个月开始");
    }
    let week_start = WEEK_STARTS.iter().find(|(start, _)| start.code() == form.get("week_start"));
    if week_start.is_none() {
        form.refuse("week_start", "请选择一周从哪天开始");
    }
    // as it was typed: leading empty lines count
    let typed = form.all("anniversaries").next().unwrap_or_default().to_owned();
    let anniversaries = if typed.chars().count() > ANNIVERSARIES_LENGTH {
        Err(vec![format!("纪念日最多写 {ANNIVERSARIES_LENGTH} 个字。")])
    } else {
        calendar::parse_anniversaries(&typed)
    };
    match (start, week_start, anniversaries) {
        (Some(start), Some((week_start, _)), Ok(anniversaries)) => {
            Some(Decided { start, week_start: *week_start, anniversaries })
        }
        (_, _, anniversaries) => {
            for reason in anniversaries.err().into_iter().flatten() {
                form.refuse("anniversaries", reason);
            }
            None
        }
    }
}

/// The month after the one in which it is now.
pub fn usual_start(now: YearMonth) -> YearMonth {
    if now.month() >= 10 { now.plus(13 - i32::from(now.month())) } else { now.plus(1) }
}

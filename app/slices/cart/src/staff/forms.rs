//! What is done to goods in the back office. Every form may be sent again: it does nothing that was done before, and then
//! needs no other code.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::days::{DAY_MS, day_start};
use domain::ids::GoodsId;
use domain::typed;
use web::app::App;
use web::render::{self, Form};
use web::router::Parameter;
use web::staff::{Staff, asks_code};
use web::ui::forms::{CHOOSE, check_length, read_form};
use web::ui::staff::said;

use super::address;
use catalog::{self, Asked, Filed, Verdict};

/// Characters of a note.
pub const MOST_NOTE: usize = 200;
/// Characters of the text.
const MOST_TEXT: usize = 200_000;
/// Things that are told at once about a text.
const MOST_PROBLEMS: usize = 20;
/// How many days ahead a change may be made.
const MOST_DAYS: i64 = 366;

/// The field that says that somebody else changed the goods while this was written: the number of what they are now.
pub const MOVED: &str = "moved";

/// POST /staff/goods/{id}/draft: the TOML that goods are to be, with a `note`, the day `from` which it counts, and the version
/// `base` that it was written over. `step` says whether its consequences are asked for, or it is to be so.
pub async fn draft(
    State(app): State<App>,
    staff: Staff,
    Parameter(id): Parameter<GoodsId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    // said by this handler alone
    form.forget(MOVED);
    let applies = match form.get("step") {
        "preview" => false,
        "apply" => true,
        "" => {
            form.refuse("", CHOOSE);
            false
        }
        _ => return Err(Error::BadRequest("没有这一步".into())),
    };
    // without it the page brings what the goods are now
    let base: Option<i64> = form.own("base");
    // goods that there are none of are no draft's
    catalog::detail(&app, &id).await?;
    check_length(&mut form, "note", "改动说明", 0, MOST_NOTE);
    let now = now_ms();
    let takes_effect_at = day_in(&mut form, now);
    let filed = filed_in(&app, &mut form, &id);
    let (Some(base), Some(filed)) = (base, filed.filter(|_| !form.is_refused())) else {
        return again(&app, parts, &id, form).await;
    };
    let note = form.get("note").to_owned();
    let asked = Asked { filed, base, note, by: staff.name.clone(), takes_effect_at };
    let verdict = catalog::look(&app, &asked).await?;
    if !applies {
        match verdict {
            Verdict::OtherSize => refuse(&app, &id, &mut form, verdict).await?,
            Verdict::Stale(number) => overtaken(&mut form, number),
            _ => {}
        }
        // looking changes nothing
        audit::unchanged();
        return again(&app, parts, &id, form).await;
    }
    match verdict {
        Verdict::Before => return Ok(done(&id, false)),
        Verdict::Fits(_) => asks_code(&app, &parts, &staff, &mut form).await?,
        other => refuse(&app, &id, &mut form, other).await?,
    }
    if form.is_refused() {
        return again(&app, parts, &id, form).await;
    }
    match catalog::change(&app, &asked, now).await? {
        Verdict::Fits(_) => Ok(done(&id, true)),
        Verdict::Before => Ok(done(&id, false)),
        // somebody else was faster
        other => {
            refuse(&app, &id, &mut form, other).await?;
            again(&app, parts, &id, form).await
        }
    }
}

/// POST /staff/goods/{id}/waiting/removal: takes back the change that waits for its day.
pub async fn withdraw(State(app): State<App>, Parameter(id): Parameter<GoodsId>) -> Result<Response, Error> {
    let is_new = catalog::withdraw(&app, &id).await?;
    Ok(done(&id, is_new))
}

/// The goods' page, after something was done now, or had been done before.
fn done(id: &GoodsId, was_done_now: bool) -> Response {
    if !was_done_now {
        audit::unchanged();
    }
    Redirect::to(&said(&address(id), was_done_now)).into_response()
}

/// The goods' page with the form that was sent. A code is good for one try.
async fn again(app: &App, parts: Parts, id: &GoodsId, mut form: Form) -> Result<Response, Error> {
    form.forget("code");
    render::again(app, parts, &address(id), form).await
}

/// The day from which a change counts: its first moment in China; `None` for at once, or where the day is refused.
fn day_in(form: &mut Form, now: i64) -> Option<i64> {
    let typed = form.get("from").to_owned();
    if typed.is_empty() {
        return None;
    }
    match day_start(&typed::day(&typed)) {
        Some(at) if at <= now => form.refuse("from", "生效的日期要在今天以后；今天就要生效，请把它留空"),
        Some(at) if at > now + MOST_DAYS * DAY_MS => form.refuse("from", "生效的日期最多提前一年"),
        Some(at) => return Some(at),
        None => form.refuse("from", "日期要写成 2026-12-01 这样"),
    }
    None
}

/// The goods that a form holds as TOML.
fn filed_in(app: &App, form: &mut Form, id: &GoodsId) -> Option<Filed> {
    // as it was typed: a line that is taken away would move all others
    let text = form.or("toml", "").replace("\r\n", "\n");
    if text.chars().count() > MOST_TEXT {
        form.refuse("toml", format!("内容最多 {MOST_TEXT} 个字"));
        return None;
    }
    match Filed::read(&text) {
        Ok(filed) if filed.goods.id == *id => match app.presses.of_goods(&filed.goods) {
            Ok(_) => Some(filed),
            Err(reason) => {
                form.refuse("toml", reason);
                None
            }
        },
        Ok(filed) => {
            let other = &filed.goods.id;
            form.refuse("toml", format!("这是 {id} 的页面，内容里的 id 却是 {other}：编号不能改"));
            None
        }
        Err(problems) => {
            for problem in problems.iter().take(MOST_PROBLEMS) {
                form.refuse("toml", problem.in_words());
            }
            None
        }
    }
}

/// From here on a form is over what the goods are now: its page shows what is different from that.
fn overtaken(form: &mut Form, number: i64) {
    form.set("base", &number.to_string());
    form.set(MOVED, &number.to_string());
}

/// Why a change is not made, in the form.
async fn refuse(app: &App, id: &GoodsId, form: &mut Form, verdict: Verdict) -> Result<(), Error> {
    match verdict {
        Verdict::Fits(_) | Verdict::Before => {}
        Verdict::Same => form.refuse("toml", "和现在的一样，没有改动"),
        Verdict::OtherSize => {
            form.refuse("toml", "成品尺寸不能改：购物车里有这个尺寸的作品。要换尺寸，请另建商品");
        }
        Verdict::Occupied(at) => {
            let day = time::day(at);
            form.refuse("from", format!("已有一个改动等到 {day} 生效；要换成这一个，请先撤销它"));
        }
        Verdict::Stale(number) => {
            let newest = catalog::detail(app, id).await?.versions.into_iter().next();
            let who = newest.map(|newest| format!("（{}，{}）", newest.made_by, time::stamp(newest.made_at)));
            let who = who.unwrap_or_default();
            overtaken(form, number);
            form.refuse(
                "",
                format!("商品刚刚有人改过，现在是第 {number} 版{who}。您写的都在，下面是它和第 {number} 版的差别，请看过再应用"),
            );
        }
    }
    Ok(())
}

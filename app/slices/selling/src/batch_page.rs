//! /manager/epaper_code/{id}: one batch of codes: activated, extended, voided, its file and who took it away.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::{BatchId, MemberId};
use domain::redeem_code::{BatchTimes, CodeState, NotChanged};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{Ask, ErrorSummary, Field, Moment};
use web::ui::shell::Shell;

use super::CODES;
use super::batches::{last_day, mark, read_last_day};
use super::store::batches::{self as store, Batch, Download};

/// Changes a batch of a seller's own, or says why not.
async fn change(
    app: &App,
    id: &BatchId,
    seller: &MemberId,
    how: impl FnOnce(&mut BatchTimes) -> Result<(), NotChanged>,
) -> Result<Result<(), NotChanged>, Error> {
    let mut tx = app.db.begin().await?;
    let mut batch = store::lock(&mut tx, id).await?;
    if batch.seller != *seller {
        return Err(Error::NotFound);
    }
    if let Err(reason) = how(&mut batch.times) {
        return Ok(Err(reason));
    }
    store::set_times(&mut tx, id, &batch.times).await?;
    tx.commit().await?;
    Ok(Ok(()))
}

fn to(id: &BatchId, done: &str) -> Response {
    Redirect::to(&format!("{CODES}/{id}?done={done}")).into_response()
}

async fn refused(
    app: &App,
    parts: Parts,
    id: &BatchId,
    mut form: Form,
    field: &str,
    reason: NotChanged,
) -> Result<Response, Error> {
    form.refuse(field, reason.to_string());
    render::again(app, parts, &format!("{CODES}/{id}"), form).await
}

/// POST /manager/epaper_code/{id}/activation.
pub async fn activate(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<BatchId>,
    parts: Parts,
) -> Result<Response, Error> {
    match change(&app, &id, &member.id, |times| times.activate(now_ms())).await? {
        Ok(()) | Err(NotChanged::Active) => Ok(to(&id, "activated")),
        Err(reason) => refused(&app, parts, &id, Form::default(), "", reason).await,
    }
}

/// POST /manager/epaper_code/{id}/voiding: what nobody has redeemed.
pub async fn void(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<BatchId>,
) -> Result<Response, Error> {
    match change(&app, &id, &member.id, |times| times.void(now_ms())).await? {
        Ok(()) | Err(_) => Ok(to(&id, "voided")),
    }
}

/// POST /manager/epaper_code/{id}/extension.
pub async fn extend(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<BatchId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    let now = now_ms();
    let Some(until) = read_last_day(&mut form, "expires", now) else {
        if !form.is_refused() {
            form.refuse("expires", "请输入新的截止日期");
        }
        return render::again(&app, parts, &format!("{CODES}/{id}"), form).await;
    };
    match change(&app, &id, &member.id, |times| times.extend(until, now)).await? {
        Ok(()) => Ok(to(&id, "extended")),
        Err(reason) => refused(&app, parts, &id, form, "expires", reason).await,
    }
}

/// GET /manager/epaper_code/{id}.
#[component]
pub fn BatchPage() -> impl IntoView {
    let here = here();
    let id = parameter::<BatchId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            let batch = store::find_for_owner(&app.db, &id?, &member.id).await?;
            let downloads = store::downloads(&app.db, &batch.id).await?;
            Ok((member, batch, downloads))
        },
        |(member, batch, downloads)| {
            let state = batch.times.state(now_ms());
            let done = match use_query("done").as_deref() {
                Some("made") if batch.unwritten > 0 => Some("这一批正在生成，写好以后请在 7 天内下载文件。"),
                Some("made") => Some("兑换码已生成，请在 7 天内下载文件。"),
                Some("activated") if state == CodeState::Usable => Some("这一批已激活，现在可以兑换。"),
                Some("voided") => Some("没有兑换的码都已作废；已经兑换的不受影响。"),
                Some("extended") => Some("截止日期已延后。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let note =
                (!batch.note.is_empty()).then(|| view! { <dt>"用途"</dt><dd>{batch.note.clone()}</dd> });
            let rest = batch.codes - batch.redeemed;
            view! {
                <Shell member title="兑换码".to_owned() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=CODES>"兑换码"</a></p>
                            <h1>{batch.title.clone()}</h1>
                            <p>
                                <span class=mark(state)>{state.name()}</span>" "
                                <span class="quiet">"生成于 "<Moment at=batch.created_at/></span>
                            </p>
                        </div>
                    </header>
                    {done}
                    <ErrorSummary title="没有办成"/>
                    <div class="parts">
                        <div class="stack">
                            <section class="sheet">
                                <h2>"这一批"</h2>
                                <dl class="facts">
                                    <dt>"数量"</dt><dd class="num">{batch.codes.to_string()}</dd>
                                    <dt>{CodeState::Redeemed.name()}</dt><dd class="num">{batch.redeemed.to_string()}</dd>
                                    <dt>{state.name()}</dt><dd class="num">{rest.to_string()}</dd>
                                    <dt>"兑换截止"</dt><dd>{last_day(&batch)}</dd>
                                    {note}
                                </dl>
                            </section>
                            <FilePart batch=batch.clone() downloads/>
                        </div>
                        <aside class="stack" aria-label="操作"><Actions batch state/></aside>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn FilePart(batch: Batch, downloads: Vec<Download>) -> impl IntoView {
    let file = if batch.unwritten > 0 {
        let written = format!("正在生成：{} 个里已写好 {} 个。", batch.codes, batch.codes - batch.unwritten);
        view! {
            <p role="status">{written}"全部写好以后可以下载。"</p>
            <a class="button" href=format!("{CODES}/{}", batch.id)>"刷新"</a>
        }
        .into_any()
    } else if batch.salt.is_some() && now_ms() < batch.file_until {
        view! {
            <p class="quiet">"文件里有全部兑换码，到 "<Moment at=batch.file_until/>" 为止可以下载，之后谁也看不到了。每次下载都有记录。"</p>
            <form method="post" action=format!("{CODES}/{}/codes.csv", batch.id)>
                <button class="button primary">"下载 CSV"</button>
            </form>
        }
        .into_any()
    } else {
        view! { <p class="quiet">"文件已过了 7 天的下载期。兑换码只以摘要保存，不能再取出。"</p> }.into_any()
    };
    let rows: Vec<_> = downloads
        .into_iter()
        .map(|download| {
            view! { <li><Moment at=download.downloaded_at/>" "{download.who}" "<span class="quiet num">{download.address}</span></li> }
        })
        .collect();
    let log = (!rows.is_empty()).then(|| view! { <h3>"下载记录"</h3><ul class="log">{rows}</ul> });
    view! { <section class="sheet stack"><h2>"文件"</h2>{file}{log}</section> }
}

#[component]
fn Actions(batch: Batch, state: CodeState) -> impl IntoView {
    let own = format!("{CODES}/{}", batch.id);
    let activate = (batch.times.activated_at.is_none() && batch.times.voided_at.is_none()).then(|| {
        view! {
            <form method="post" action=format!("{own}/activation")>
                <button class="button primary wide">"激活这一批"</button>
            </form>
        }
    });
    let extend = (batch.times.expires_at.is_some() && batch.times.voided_at.is_none()).then(|| {
        view! {
            <form class="sheet fields" method="post" action=format!("{own}/extension")>
                <Field name="expires" label="新的兑换截止日期" kind="date" required=true/>
                <button class="button">"延期"</button>
            </form>
        }
    });
    let rest = batch.codes - batch.redeemed;
    let void = (batch.times.voided_at.is_none() && rest > 0).then(|| {
        view! {
            <Ask
                label="作废没有兑换的码"
                question=format!("作废这一批里{}的 {rest} 个码？作废以后不能恢复；已经兑换的不受影响。", state.name())
                confirm="作废它们"
                action=format!("{own}/voiding")
            />
        }
    });
    view! { {activate}{extend}{void} }
}

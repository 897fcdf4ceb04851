//! /staff/exports 导出: lists of the back office as files. Each is made by a job, so that a large one holds up nobody, and lies
//! here for three days for whoever asked.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use base::audit;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::jobs::{self, Job, Lane};
use base::storage::export_key;
use base::time;
use domain::days::DAY_MS;
use domain::staff::Role;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use web::app::App;
use web::background::{Background, HOUR};
use web::exports::{self, Export, Kind};
use web::render::{self, Form, loaded};
use web::router::Parameter;
use web::staff::{Staff, here};
use web::ui::files;
use web::ui::forms::read_form;
use web::ui::parts::ErrorSummary;
use web::ui::records::{Record, Records};
use web::ui::staff::{StaffShell, said};

mod store;

use store::Asked;

/// Where files wait.
const PATH: &str = "/staff/exports";
/// How long a file lies there, in ms.
const LIFE_MS: i64 = 3 * DAY_MS;
/// Files of one clerk that are not made yet.
const MOST_WAITING: i64 = 10;
/// How long a file may take before it counts as one that can't be made, in ms: its job is tried for longer.
const PATIENCE_MS: i64 = 60 * 60_000;
/// The fields of the filters that are on the screen.
const FILTERS: [&str; 2] = ["view", "q"];

/// The list of this kind.
fn of_kind(app: &App, kind: &str) -> Option<&'static dyn Export> {
    app.house.slices.iter().flat_map(|slice| slice.exports).copied().find(|export| export.kind() == kind)
}

/// Whether somebody may have what was asked: it may see such a list, and asked for it or is the owner.
fn may_have(app: &App, staff: &Staff, asked: &Asked) -> bool {
    let sees = of_kind(app, &asked.kind).is_some_and(|export| staff.may(export.needs()));
    sees && (asked.clerk == staff.name || staff.roles.contains(&Role::Owner))
}

/// Makes a file.
#[derive(Debug, Serialize, Deserialize)]
pub struct MakeExport {
    pub export: String,
}

impl Job for MakeExport {
    type App = App;
    const KIND: &'static str = "make_export";
    // members wait for pictures in the lane before
    const LANE: Lane = Lane::Background;
    async fn run(self, app: App) -> Result<(), Error> {
        make(&app, &self.export).await
    }
}

async fn make(app: &App, id: &str) -> Result<(), Error> {
    let Some(asked) = store::find(&app.db, id).await?.filter(|asked| asked.done_at.is_none()) else {
        return Ok(());
    };
    let (Some(export), Some(kind)) = (of_kind(app, &asked.kind), Kind::of(&asked.format)) else {
        return Err(Error::internal(format!("no such export: {} {}", asked.kind, asked.format)));
    };
    let query = read_form(asked.query.as_bytes())?;
    let (file, rows) = exports::write(app, export, kind, &query).await?;
    let bytes = file.as_file().metadata().map_err(Error::internal)?.len() as i64;
    let staged = app.storage.stage(file, export_key(id, kind.code())).await?;
    app.storage.keep(staged).await?;
    let is_noted = store::set_done(&app.db, id, rows, bytes, now_ms()).await?;
    if !is_noted && store::find(&app.db, id).await?.is_none() {
        // it was over before it was made
        app.storage.delete(&export_key(id, kind.code())).await?;
    }
    Ok(())
}

/// What is over goes, file first.
pub const SWEEP: Background = Background::every(HOUR, "exports that are over", |app| {
    Box::pin(async move {
        for asked in store::older(&app.db, now_ms() - LIFE_MS).await? {
            // one that can't be deleted is in no other's way
            match app.storage.delete(&export_key(&asked.id, &asked.format)).await {
                Ok(()) => store::delete(&app.db, &asked.id).await?,
                Err(error) => tracing::error!(id = asked.id, %error, "An export can't be deleted"),
            }
        }
        Ok(())
    })
});

/// POST /staff/exports: `kind`, `format`, and the filters of the list.
pub async fn ask(
    State(app): State<App>,
    staff: Staff,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let (Some(export), Some(kind)) = (of_kind(&app, form.get("kind")), Kind::of(form.get("format"))) else {
        form.refuse("", "请选择导出什么、导出成哪种文件");
        return render::again(&app, parts, PATH, form).await;
    };
    if !staff.may(export.needs()) {
        return Err(Error::Forbidden("没有权限看这张列表"));
    }
    let query = filters(&form);
    // a list that there is not makes no file
    export.check(&form)?;
    let id: String = new_id();
    let asked = Asked {
        id: id.clone(),
        kind: export.kind().to_owned(),
        format: kind.code().to_owned(),
        query: query.clone(),
        clerk: staff.name.clone(),
        asked_at: now_ms(),
        done_at: None,
        rows: None,
        bytes: None,
    };
    let mut tx = app.db.begin().await?;
    store::insert(&mut tx, &asked).await?;
    if store::count_waiting(&mut tx, &staff.name, now_ms() - PATIENCE_MS).await? > MOST_WAITING {
        drop(tx);
        form.refuse("", format!("有 {MOST_WAITING} 个文件还在做，等做好了再导出别的"));
        return render::again(&app, parts, PATH, form).await;
    }
    jobs::enqueue(&mut tx, &MakeExport { export: id.clone() }).await?;
    audit::note(
        &mut tx,
        "export",
        &id,
        &json!({ "kind": export.kind(), "format": kind.code(), "query": query }),
    )
    .await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Redirect::to(&said(PATH, true)).into_response())
}

/// The filters of a form as a query.
fn filters(form: &Form) -> String {
    let pairs: Vec<(&str, &str)> =
        FILTERS.iter().map(|name| (*name, form.get(name))).filter(|(_, value)| !value.is_empty()).collect();
    base::lists::address("", &pairs).trim_start_matches('?').to_owned()
}

/// GET /staff/exports/{id}: the file, as long as it lies there.
pub async fn fetch(
    State(app): State<App>,
    staff: Staff,
    Parameter(id): Parameter<String>,
    parts: Parts,
) -> Result<Response, Error> {
    let asked = store::find(&app.db, &id).await?.ok_or(Error::NotFound)?;
    if !may_have(&app, &staff, &asked) || asked.done_at.is_none() {
        return Err(Error::NotFound);
    }
    let (Some(export), Some(kind)) = (of_kind(&app, &asked.kind), Kind::of(&asked.format)) else {
        return Err(Error::NotFound);
    };
    let place = app.storage.bring(&export_key(&id, kind.code())).await?.ok_or(Error::NotFound)?;
    let media = kind.media().parse().map_err(Error::internal)?;
    let mut response = files::stored(&place, &parts, &media).await?;
    let day = time::day(asked.asked_at);
    let plain = format!("{}-{day}.{}", asked.kind, kind.code());
    let name = format!("{} {day}.{}", export.name(), kind.code());
    let attached = files::attached(&plain, &name).parse().map_err(Error::internal)?;
    response.headers_mut().insert(header::CONTENT_DISPOSITION, attached);
    // no browser keeps members' addresses
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(response)
}

/// What a file lists, and which part of that: the view and the search that were on the screen.
fn called(app: &App, asked: &Asked) -> (&'static str, String) {
    let Some(export) = of_kind(app, &asked.kind) else { return ("", String::new()) };
    let query = read_form(asked.query.as_bytes()).unwrap_or_default();
    let (view, search) = (query.get("view"), query.get("q"));
    let view = (!view.is_empty()).then(|| export.view_name(view));
    let search = (!search.is_empty()).then(|| format!("“{search}”"));
    (export.name(), view.into_iter().chain(search).collect::<Vec<_>>().join("，"))
}

/// Whether a file may still be made.
fn is_waiting(asked: &Asked) -> bool {
    asked.done_at.is_none() && asked.asked_at > now_ms() - PATIENCE_MS
}

/// How large a file is, for people.
fn size(bytes: i64) -> String {
    if bytes < 100_000 {
        format!("{:.1} KB", bytes as f64 / 1e3)
    } else {
        format!("{:.1} MB", bytes as f64 / 1e6)
    }
}

/// GET /staff/exports.
#[component]
pub fn ExportsPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let is_owner = here.staff.roles.contains(&Role::Owner);
            let mut asked = store::newest(&here.app.db, &here.staff.name, is_owner).await?;
            asked.retain(|asked| may_have(&here.app, &here.staff, asked));
            let rows = asked.into_iter().map(|asked| (called(&here.app, &asked), asked));
            let kinds = here.app.house.slices.iter().flat_map(|slice| slice.exports).copied();
            let kinds: Vec<_> = kinds
                .filter(|export| here.staff.may(export.needs()))
                .map(|export| (export.kind(), export.name()))
                .collect();
            Ok((rows.collect::<Vec<_>>(), kinds))
        },
        |(rows, kinds)| {
            let waits = rows.iter().any(|(_, asked)| is_waiting(asked));
            let refresh = waits.then(|| {
                view! { <a class="button" href=PATH>"看看做好了没有"</a> }
            });
            view! {
                <StaffShell title="导出".to_owned() assets=&["staff.css"]>
                    <header class="head"><h1>"导出"</h1>{refresh}</header>
                    <ErrorSummary title="没有导出"/>
                    <New kinds/>
                    <Files rows/>
                </StaffShell>
            }
        },
    )
}

#[component]
fn New(kinds: Vec<(&'static str, &'static str)>) -> impl IntoView {
    let form = render::use_form();
    let chosen = form.or("kind", "");
    let options: Vec<_> = kinds
        .into_iter()
        .map(|(kind, name)| view! { <option value=kind selected=kind == chosen>{name}</option> })
        .collect();
    // what was filtered, where a list's own button was refused
    let kept: Vec<_> = FILTERS
        .into_iter()
        .filter(|name| !form.get(name).is_empty())
        .map(|name| view! { <input type="hidden" name=name value=form.or(name, "")/> })
        .collect();
    view! {
        <form class="sheet export" method="post" action=PATH>
            {kept}
            <div class="field"><label for="kind">"导出什么"</label><select id="kind" name="kind">{options}</select></div>
            <button class="button" name="format" value="xlsx">"Excel"</button>
            <button class="button" name="format" value="csv">"CSV"</button>
            <p class="hint">"这里导出全部；只要一部分，在那张列表上筛选以后再点“导出”。"</p>
        </form>
    }
}

#[component]
fn Files(rows: Vec<((&'static str, String), Asked)>) -> impl IntoView {
    if rows.is_empty() {
        return view! { <section class="trim empty"><h2>"没有文件"</h2><p class="quiet">"导出的文件在这里放三天。"</p></section> }
            .into_any();
    }
    let rows: Vec<_> = rows
        .into_iter()
        .map(|((name, part), asked)| {
            let file = match (asked.done_at, asked.rows, asked.bytes) {
                (Some(_), Some(rows), Some(bytes)) => view! {
                    <a class="link" href=format!("{PATH}/{}", asked.id) download>"下载"</a>" "
                    <span class="quiet num">{format!("{rows} 行，{}", size(bytes))}</span>
                }
                .into_any(),
                _ if is_waiting(&asked) => view! { <span class="quiet">"正在做"</span> }.into_any(),
                _ => view! { <span class="late">"没有做成，请再导出一次"</span> }.into_any(),
            };
            Record::new()
                .cell("内容", view! { {name}" "<span class="quiet">{part}</span> })
                .num("格式", asked.format.to_uppercase())
                .cell("文件", file)
                .cell("谁", asked.clerk)
                .moment("什么时候", asked.asked_at)
        })
        .collect();
    view! {
        <Records rows/>
        <p class="hint">"文件放三天。里面有会员的姓名、电话和地址：用完请删。"</p>
    }
    .into_any()
}

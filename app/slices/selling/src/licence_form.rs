//! /manager/epaper_licence 团体订阅: a seller's licences, and the form of one.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::ids::{LicenceId, PackageId};
use domain::licence::{
    LONGEST_MS, LicenceState, MOST_DOMAINS, MOST_RANGES, MOST_SEATS, MailDomain, NAME_LENGTH, NetworkRange,
    each,
};
use domain::typed;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, use_form, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::lists::Pager;
use web::ui::parts::{ErrorSummary, Field, FieldError, area_text};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::batches::read_last_day;
use super::licences::kept;
use super::store::licences::{self as store, Licence, lines};
use super::store::packages::{self, Package};
use super::{LICENCES, PACKAGES};

/// Licences on one page.
const PAGE: usize = 50;

/// The class of the mark of a state.
pub fn mark(state: LicenceState) -> &'static str {
    match state {
        LicenceState::Running => "badge good",
        LicenceState::Over | LicenceState::Ended => "badge",
    }
}

/// GET /manager/epaper_licence?before=….
#[component]
pub fn LicencesPage() -> impl IntoView {
    let here = here();
    let before = use_query("before").and_then(|text| text.parse::<LicenceId>().ok());
    loaded(
        async move {
            let Here { app, member } = here?;
            let mut all = store::of_seller(&app.db, &member.id, before.as_ref(), PAGE as i64 + 1).await?;
            let more = all.len() > PAGE;
            all.truncate(PAGE);
            let next = all.last().filter(|_| more).map(|last| format!("{LICENCES}?before={}", last.id));
            let has_packages = !packages::of_seller(&app.db, &member.id).await?.is_empty();
            Ok((member, all, before.map(|_| LICENCES.to_owned()), next, has_packages))
        },
        |(member, all, first, next, has_packages)| {
            let new = format!("{LICENCES}/new");
            let body = if all.is_empty() {
                let (title, hint, href, label) = if has_packages {
                    (
                        "还没有团体订阅",
                        "给一个班、一所学校或者一家单位开若干个席位，一起读到约定的那一天。",
                        new.clone(),
                        "新建团体订阅",
                    )
                } else {
                    (
                        "先有套餐，再有团体订阅",
                        "团体订阅开通一个套餐。先建一个套餐，再给单位开席位。",
                        format!("{PACKAGES}/new"),
                        "新建套餐",
                    )
                };
                view! {
                    <section class="trim empty">
                        <h2>{title}</h2>
                        <p class="quiet">{hint}</p>
                        <a class="button primary" href=href>{label}</a>
                    </section>
                }
                .into_any()
            } else {
                let now = now_ms();
                let rows: Vec<_> = all.into_iter().map(|licence| row(licence, now)).collect();
                view! {
                    <Records rows/>
                    <Pager first next back="最新的" further="更早的"/>
                }
                .into_any()
            };
            let add = has_packages.then(|| view! { <a class="button primary" href=new>"新建团体订阅"</a> });
            view! {
                <Shell member title="团体订阅".to_owned() assets=&["selling.css"]>
                    <header class="head"><h1>"团体订阅"</h1>{add}</header>
                    {body}
                </Shell>
            }
        },
    )
}

fn row(licence: Licence, now: i64) -> Record {
    let state = licence.state(now);
    let own = format!("{LICENCES}/{}", licence.id);
    Record::new()
        .cell("单位", view! { <a class="link" href=own>{licence.name.clone()}</a> })
        .cell("套餐", licence.title.clone())
        .num("读到", time::day(licence.until - 1))
        .cell("状态", view! { <span class=mark(state)>{state.name()}</span> })
        .count("席位", format!("{} / {}", licence.taken, licence.seats))
}

/// What was typed, when nothing is wrong with it.
struct Typed {
    name: String,
    seats: i64,
    until: i64,
    has_code: bool,
    domains: Vec<MailDomain>,
    ranges: Vec<NetworkRange>,
}

/// The parts of a field that takes several, one on a line.
fn several<T: PartialEq, E: std::fmt::Display>(
    form: &mut Form,
    field: &str,
    most: usize,
    read: impl Fn(&str) -> Result<T, E>,
) -> Vec<T> {
    match each(form.get(field), read) {
        Ok(found) if found.len() <= most => return found,
        Ok(_) => form.refuse(field, format!("最多 {most} 个")),
        Err(problem) => form.refuse(field, problem.to_string()),
    }
    Vec::new()
}

fn read(form: &mut Form, taken: i64, now: i64) -> Option<Typed> {
    check_length(form, "name", "单位", 1, NAME_LENGTH);
    let seats = typed::whole::<u32>(form.get("seats"), &["个", "席", "人"])
        .filter(|seats| (1..=MOST_SEATS).contains(seats));
    match seats {
        None => form.refuse("seats", format!("席位须是 1 到 {MOST_SEATS} 之间的整数")),
        Some(seats) if i64::from(seats) < taken => {
            form.refuse("seats", format!("已经坐了 {taken} 位；要减少席位，先收回一些"));
        }
        Some(_) => {}
    }
    let until = read_last_day(form, "until", now);
    match until {
        None if form.get("until").is_empty() => form.refuse("until", "请选择读到哪一天"),
        Some(until) if until > now + LONGEST_MS => form.refuse("until", "最多五年"),
        _ => {}
    }
    let domains = several(form, "domains", MOST_DOMAINS, MailDomain::read);
    let ranges = several(form, "ranges", MOST_RANGES, NetworkRange::read);
    let has_code = !form.get("has_code").is_empty();
    if !has_code && form.get("domains").trim().is_empty() && form.get("ranges").trim().is_empty() {
        form.refuse("has_code", "请至少选一种入座的办法：席位码、单位邮箱或者单位网络");
    }
    if form.is_refused() {
        return None;
    }
    let name = form.get("name").to_owned();
    Some(Typed { name, seats: i64::from(seats?), until: until?, has_code, domains, ranges })
}

/// POST /manager/epaper_licence/new.
pub async fn make(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let now = now_ms();
    let id: Option<LicenceId> = form.own("licence");
    let own = packages::of_seller(&app.db, &member.id).await?;
    let package: Option<PackageId> = form.get("package").parse().ok();
    let package = package.and_then(|id| own.into_iter().find(|own| own.id == id));
    if package.is_none() {
        form.refuse("package", "请选择套餐");
    }
    let (Some(id), Some(package), Some(typed)) = (id, package, read(&mut form, 0, now)) else {
        return render::again(&app, parts, &format!("{LICENCES}/new"), form).await;
    };
    let Typed { name, seats, until, has_code, domains, ranges } = typed;
    let licence = Licence {
        digest: has_code.then(|| kept(&app.key, &id, 0)),
        id,
        package: package.id,
        title: package.title,
        seller: member.id.clone(),
        name,
        seats,
        taken: 0,
        turn: 0,
        domains,
        ranges,
        until,
        created_at: now,
        ended_at: None,
    };
    let mut tx = app.db.begin().await?;
    store::insert(&mut tx, &licence).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{LICENCES}/{}?done=made", licence.id)).into_response())
}

/// POST /manager/epaper_licence/{id}: who it is for, seats, last day, and how seats are taken.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<LicenceId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    let licence = store::lock_own(&mut tx, &id, &member.id).await?;
    let page = format!("{LICENCES}/{id}");
    let typed = read(&mut form, licence.taken, now);
    if licence.ended_at.is_some() {
        form.refuse("", "已经停止的团体订阅不能再改");
    }
    let (Some(typed), false) = (typed, form.is_refused()) else {
        drop(tx);
        return render::again(&app, parts, &page, form).await;
    };
    let Typed { name, seats, until, has_code, domains, ranges } = typed;
    let digest = has_code.then(|| kept(&app.key, &id, licence.turn));
    store::update(&mut tx, &Licence { name, seats, until, digest, domains, ranges, ..licence }).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{page}?done=changed")).into_response())
}

/// GET /manager/epaper_licence/new?package=….
#[component]
pub fn NewLicencePage() -> impl IntoView {
    let here = here();
    let chosen = use_query("package").unwrap_or_default();
    loaded(
        async move {
            let Here { app, member } = here?;
            let packages = packages::of_seller(&app.db, &member.id).await?;
            Ok((member, packages))
        },
        move |(member, packages)| {
            let body = if packages.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"先有套餐，再有团体订阅"</h2>
                        <a class="button primary" href=format!("{PACKAGES}/new")>"新建套餐"</a>
                    </section>
                }
                .into_any()
            } else {
                let id: LicenceId = render::once();
                let id = use_form().or("licence", id.as_str());
                view! {
                    <form class="sheet stack package-form" method="post" action=format!("{LICENCES}/new")>
                        <input type="hidden" name="licence" value=id/>
                        <Packages packages chosen/>
                        <Fields known=None/>
                        <p class="hint">"席位本身不收款，也不计入销售收入：价钱由您与单位另行结算（例如对公转账）。"</p>
                        <div class="row">
                            <button class="button primary">"建好"</button>
                            <a class="button" href=LICENCES>"取消"</a>
                        </div>
                    </form>
                }
                .into_any()
            };
            view! {
                <Shell member title="新建团体订阅".to_owned() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=LICENCES>"团体订阅"</a></p>
                            <h1>"新建团体订阅"</h1>
                        </div>
                    </header>
                    <ErrorSummary title="团体订阅还没有建好"/>
                    {body}
                </Shell>
            }
        },
    )
}

#[component]
fn Packages(packages: Vec<Package>, chosen: String) -> impl IntoView {
    let chosen = use_form().or("package", &chosen);
    let options: Vec<_> = packages
        .into_iter()
        .map(|package| {
            let value = package.id.to_string();
            view! { <option value=value.clone() selected=value == chosen>{package.title}</option> }
        })
        .collect();
    view! {
        <div class="field">
            <label for="package">"套餐"</label>
            <select id="package" name="package" required=true>{options}</select>
            <FieldError name="package".to_owned()/>
        </div>
    }
}

/// What can be changed later, too.
#[component]
pub fn Fields(known: Option<Licence>) -> impl IntoView {
    let form = use_form();
    let name = known.as_ref().map(|known| known.name.clone()).unwrap_or_default();
    let seats = known.as_ref().map_or(30, |known| known.seats).to_string();
    let until = known.as_ref().map(|known| time::day(known.until - 1)).unwrap_or_default();
    let has_code = if form.is_sent() {
        !form.get("has_code").is_empty()
    } else {
        known.as_ref().is_none_or(|known| known.digest.is_some())
    };
    let domains = form.or("domains", &known.as_ref().map(|known| lines(&known.domains)).unwrap_or_default());
    let ranges = form.or("ranges", &known.as_ref().map(|known| lines(&known.ranges)).unwrap_or_default());
    view! {
        <Field name="name" label="单位（例如 三年级二班、市图书馆）" value=name most=NAME_LENGTH as u32 required=true/>
        <div class="fields two">
            <Field name="seats" label="席位" value=seats inputmode="numeric" most=6 required=true/>
            <Field name="until" label="读到（当天还能读）" kind="date" value=until required=true/>
        </div>
        <fieldset class="ways">
            <legend>"怎么入座"</legend>
            <label class="check">
                <input type="checkbox" id="has_code" name="has_code" value="Y" checked=has_code/>
                "凭席位码：一个码、一个链接，发给单位里的人"
            </label>
            <FieldError name="has_code".to_owned()/>
            <div class="field">
                <label for="domains">"凭单位邮箱（可不填，一行一个域名）"</label>
                <textarea id="domains" name="domains" rows="2" maxlength="1000" placeholder="school.edu.cn" inner_html=area_text(&domains)></textarea>
                <FieldError name="domains".to_owned()/>
            </div>
            <div class="field">
                <label for="ranges">"凭单位网络（可不填，一行一个地址或网段）"</label>
                <textarea id="ranges" name="ranges" rows="2" maxlength="1000" placeholder="203.0.113.0/24" inner_html=area_text(&ranges)></textarea>
                <FieldError name="ranges".to_owned()/>
            </div>
        </fieldset>
    }
}

//! /manager/epaper_code 兑换码: batches of codes, and making one.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::days::{DAY_MS, day_start};
use domain::ids::{BatchId, PackageId};
use domain::redeem_code::{CodeState, MOST_OF_BATCH};
use domain::typed;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, use_form, use_query};
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::lists::Pager;
use web::ui::parts::{ErrorSummary, Field, FieldError};
use web::ui::records::{Record, Records};
use web::ui::shell::Shell;

use super::codes::{self, Made, Wanted};
use super::store::batches::{self as store, Batch};
use super::store::packages::{self, Package};
use super::{CODES, PACKAGES};

/// Batches on one page.
const PAGE: usize = 50;
const MOST_NOTE: usize = 100;

/// GET /manager/epaper_code?before=….
#[component]
pub fn BatchesPage() -> impl IntoView {
    let here = here();
    let before = use_query("before").and_then(|text| text.parse::<BatchId>().ok());
    loaded(
        async move {
            let Here { app, member } = here?;
            let most = PAGE as i64 + 1;
            let mut batches = store::of_seller(&app.db, &member.id, before.as_ref(), most).await?;
            let more = batches.len() > PAGE;
            batches.truncate(PAGE);
            let next = batches.last().filter(|_| more).map(|batch| format!("{CODES}?before={}", batch.id));
            let has_packages = !packages::of_seller(&app.db, &member.id).await?.is_empty();
            Ok((member, batches, before.map(|_| CODES.to_owned()), next, has_packages))
        },
        |(member, batches, first, next, has_packages)| {
            let new = format!("{CODES}/new");
            let body = if batches.is_empty() && !has_packages {
                view! {
                    <section class="trim empty">
                        <h2>"先有套餐，再有兑换码"</h2>
                        <p class="quiet">"兑换码开通一个套餐。先建一个套餐，再为它生成兑换码。"</p>
                        <a class="button primary" href=format!("{PACKAGES}/new")>"新建套餐"</a>
                    </section>
                }
                .into_any()
            } else if batches.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有兑换码"</h2>
                        <p class="quiet">"一批最多 10 万个，可以印在卡片上，也可以发给一个班、一个单位。"</p>
                        <a class="button primary" href=new.clone()>"生成兑换码"</a>
                    </section>
                }
                .into_any()
            } else {
                let now = now_ms();
                let rows: Vec<_> = batches.into_iter().map(|batch| row(batch, now)).collect();
                view! {
                    <Records rows/>
                    <Pager first next back="最新的" further="更早的"/>
                }
                .into_any()
            };
            let add = has_packages.then(|| view! { <a class="button primary" href=new>"生成兑换码"</a> });
            view! {
                <Shell member title="兑换码".to_owned() assets=&["selling.css"]>
                    <header class="head"><h1>"兑换码"</h1>{add}</header>
                    {body}
                </Shell>
            }
        },
    )
}

/// The state of those codes of a batch that nobody has redeemed, with the class of its mark.
pub fn mark(state: CodeState) -> &'static str {
    match state {
        CodeState::Usable => "badge good",
        CodeState::Inactive => "badge warn",
        CodeState::Redeemed | CodeState::Void | CodeState::Expired => "badge",
    }
}

fn row(batch: Batch, now: i64) -> Record {
    let state = batch.times.state(now);
    let own = format!("{CODES}/{}", batch.id);
    let note = if batch.note.is_empty() { "—".to_owned() } else { batch.note.clone() };
    let about = format!("：{}，{} 个", batch.title, batch.codes);
    Record::new()
        .cell("套餐", view! { <a class="link" href=own.clone()>{batch.title.clone()}</a> })
        .cell("用途", note)
        .moment("生成时间", batch.created_at)
        .cell("状态", view! { <span class=mark(state)>{state.name()}</span> })
        .count("已兑换", format!("{} / {}", batch.redeemed, batch.codes))
        .acts(view! { <a class="button" href=own>"查看"<span class="sr">{about}</span></a> })
}

/// The end of a day that was typed, `None` where none was; a word about what is no day.
pub fn read_last_day(form: &mut Form, field: &str, now: i64) -> Option<i64> {
    let text = typed::day(form.get(field));
    if text.is_empty() {
        return None;
    }
    match day_start(&text).map(|day| day + DAY_MS) {
        Some(end) if end > now => Some(end),
        Some(_) => {
            form.refuse(field, "截止日期不能早于今天");
            None
        }
        None => {
            form.refuse(field, "日期写成 2026-11-23 这样");
            None
        }
    }
}

fn read(form: &mut Form, own: &[Package], now: i64) -> Option<Wanted> {
    let id: Option<BatchId> = form.own("batch");
    let package: Option<PackageId> = form.get("package").parse().ok();
    let package = package.filter(|id| own.iter().any(|own| own.id == *id));
    if package.is_none() {
        form.refuse("package", "请选择套餐");
    }
    let codes = typed::whole::<u32>(form.get("codes"), &["个", "张"])
        .filter(|codes| (1..=MOST_OF_BATCH).contains(codes));
    if codes.is_none() {
        form.refuse("codes", format!("数量须是 1 到 {MOST_OF_BATCH} 之间的整数"));
    }
    check_length(form, "note", "用途", 0, MOST_NOTE);
    let expires_at = read_last_day(form, "expires", now);
    if form.is_refused() {
        return None;
    }
    let (note, active) = (form.get("note").to_owned(), !form.get("active").is_empty());
    Some(Wanted { id: id?, package: package?, note, codes: codes?, active, expires_at })
}

const TOO_MANY: &str = "还能兑换的码不能超过 1000000 个，请先作废不用的批次";

/// POST /manager/epaper_code/new: sent again, it makes nothing more.
pub async fn make(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let now = now_ms();
    let own = packages::of_seller(&app.db, &member.id).await?;
    let Some(wanted) = read(&mut form, &own, now) else {
        return render::again(&app, parts, &format!("{CODES}/new"), form).await;
    };
    let id = wanted.id.clone();
    if codes::make(&app, &member.id, wanted, now).await? == Made::TooMany {
        form.refuse("codes", TOO_MANY);
        return render::again(&app, parts, &format!("{CODES}/new"), form).await;
    }
    Ok(Redirect::to(&format!("{CODES}/{id}?done=made")).into_response())
}

/// GET /manager/epaper_code/new?package=….
#[component]
pub fn NewBatchPage() -> impl IntoView {
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
                        <h2>"先有套餐，再有兑换码"</h2>
                        <a class="button primary" href=format!("{PACKAGES}/new")>"新建套餐"</a>
                    </section>
                }
                .into_any()
            } else {
                view! { <Fields packages chosen/> }.into_any()
            };
            view! {
                <Shell member title="生成兑换码".to_owned() assets=&["selling.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=CODES>"兑换码"</a></p>
                            <h1>"生成兑换码"</h1>
                        </div>
                    </header>
                    <ErrorSummary title="兑换码还没有生成"/>
                    {body}
                </Shell>
            }
        },
    )
}

#[component]
fn Fields(packages: Vec<Package>, chosen: String) -> impl IntoView {
    let form = use_form();
    let id: BatchId = render::once();
    let id = form.or("batch", id.as_str());
    let chosen = form.or("package", &chosen);
    let active = !form.is_sent() || !form.get("active").is_empty();
    let options: Vec<_> = packages
        .into_iter()
        .map(|package| {
            let value = package.id.to_string();
            view! {
                <option value=value.clone() selected=value == chosen>
                    {format!("{}（{}）", package.title, package.term)}
                </option>
            }
        })
        .collect();
    view! {
        <form class="sheet stack package-form" method="post" action=format!("{CODES}/new")>
            <input type="hidden" name="batch" value=id/>
            <div class="field">
                <label for="package">"套餐"</label>
                <select id="package" name="package" required=true>{options}</select>
                <FieldError name="package".to_owned()/>
            </div>
            <div class="fields two">
                <Field name="codes" label="数量（1 到 100,000）" value="100" inputmode="numeric" most=6 required=true/>
                <Field name="expires" label="兑换截止日期（可不填，当天仍可兑换）" kind="date"/>
            </div>
            <Field name="note" label="用途（可不填，只有您看得到）" most=100/>
            <label class="check">
                <input type="checkbox" name="active" value="Y" checked=active/>
                "马上激活；不勾选的话，印好发出以后再激活"
            </label>
            <p class="hint">
                "兑换码是白送，还是由您与买方另行结算（例如对公转账），由您决定：兑换本身不收款，也不计入销售收入。"
            </p>
            <div class="row">
                <button class="button primary">"生成"</button>
                <a class="button" href=CODES>"取消"</a>
            </div>
        </form>
    }
}

/// The last day on which the codes of a batch can be redeemed.
pub fn last_day(batch: &Batch) -> String {
    batch.times.expires_at.map_or_else(|| "没有截止日期".to_owned(), |at| time::day(at - 1))
}

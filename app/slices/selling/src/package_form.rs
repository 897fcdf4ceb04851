//! Making and changing a package. A changed price and what is taken out leave what was sold.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::days::{DAY_MS, day_start};
use domain::ids::PackageId;
use domain::package::{MOST_CONTENTS, MOST_PACKAGES, MOST_TRIAL_PAGES, Term, read_price};
use domain::trial::MOST_DAYS as MOST_FREE_DAYS;
use domain::typed;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_path, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{Ask, ErrorSummary, Field, FieldError, Limit, area_text};
use web::ui::shell::Shell;

use super::PACKAGES;
use super::package_contents::{Choice, Contents, choices, value};
use super::packages::{self, NewPackage, standing};
use super::store::packages::{self as store, Content, Package};

const MOST_TITLE: usize = 60;
const MOST_DESCRIPTION: usize = 1_000;

/// What was typed, when nothing is wrong with it.
struct Typed {
    title: String,
    description: String,
    term: Term,
    price: domain::money::Fen,
    trial_pages: u32,
    trial_days: u32,
    on_sale_from: i64,
    on_sale_until: Option<i64>,
    contents: Vec<Content>,
}

/// A day of a form: `None` where nothing was typed.
fn read_day(form: &mut Form, field: &str) -> Option<i64> {
    let text = typed::day(form.get(field));
    if text.is_empty() {
        return None;
    }
    let day = day_start(&text);
    if day.is_none() {
        form.refuse(field, "日期写成 2026-11-23 这样");
    }
    day
}

fn read(form: &mut Form, choices: &[Choice], known: Option<&Package>, now: i64) -> Option<Typed> {
    check_length(form, "title", "套餐名称", 1, MOST_TITLE);
    check_length(form, "description", "说明", 0, MOST_DESCRIPTION);
    let term = Term::read(form.get("unit"), form.get("count"));
    if let Err(problem) = &term {
        let field = if matches!(problem, domain::package::NotATerm::Unknown) { "unit" } else { "count" };
        form.refuse(field, problem.to_string());
    }
    let price =
        read_price(form.get("price")).map_err(|problem| form.refuse("price", problem.to_string())).ok();
    let trial = match form.get("trial_pages") {
        "" => Some(0),
        text => typed::whole::<u32>(text, typed::PAGES).filter(|pages| *pages <= MOST_TRIAL_PAGES),
    };
    if trial.is_none() {
        form.refuse("trial_pages", format!("试读页数须是 0 到 {MOST_TRIAL_PAGES} 之间的整数"));
    }
    let free = match form.get("trial_days") {
        "" => Some(0),
        text => typed::whole::<u32>(text, &["天", "日"]).filter(|days| *days <= MOST_FREE_DAYS),
    };
    if free.is_none() {
        form.refuse("trial_days", format!("免费试读的天数须是 0 到 {MOST_FREE_DAYS} 之间的整数"));
    }
    // a day that was not changed keeps its hour
    let same_day = |at: i64, typed: i64| time::day(at) == time::day(typed);
    let from = read_day(form, "from");
    let from = match (from, known) {
        (Some(day), Some(known)) if same_day(known.on_sale_from, day) => known.on_sale_from,
        (Some(day), _) if same_day(now, day) => now,
        (Some(day), _) => day,
        (None, _) => now,
    };
    let until = read_day(form, "until").map(|day| day + DAY_MS);
    if until.is_some_and(|until| until <= from) {
        form.refuse("until", "停售日期不能早于开售日期");
    }
    let wanted: Vec<&str> = form.all("content").collect();
    let contents: Vec<Content> = choices
        .iter()
        .map(|(_, content)| content)
        .filter(|content| wanted.contains(&value(content).as_str()))
        .cloned()
        .collect();
    if contents.is_empty() {
        form.refuse("content", "请至少选择一件内容");
    } else if contents.len() > MOST_CONTENTS {
        form.refuse("content", format!("一个套餐最多 {MOST_CONTENTS} 件内容"));
    }
    if form.is_refused() {
        return None;
    }
    Some(Typed {
        title: form.get("title").to_owned(),
        description: form.get("description").to_owned(),
        term: term.ok()?,
        price: price?,
        trial_pages: trial?,
        trial_days: free?,
        on_sale_from: from,
        on_sale_until: until,
        contents,
    })
}

/// POST /manager/epaper_sell/new.
pub async fn add(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let now = now_ms();
    let id: Option<PackageId> = form.own("package");
    let choices = choices(&app, &member, &[]).await?;
    let own = store::of_seller(&app.db, &member.id).await?;
    if own.len() >= MOST_PACKAGES && own.iter().all(|own| Some(&own.id) != id.as_ref()) {
        form.refuse("title", format!("最多可以有 {MOST_PACKAGES} 个套餐，停售的也算；请修改已有的套餐"));
    }
    let (Some(id), Some(typed)) = (id, read(&mut form, &choices, None, now)) else {
        return render::again(&app, parts, &format!("{PACKAGES}/new"), form).await;
    };
    let new = NewPackage {
        id,
        seller: &member.id,
        seller_name: &member.name,
        title: &typed.title,
        description: &typed.description,
        term: typed.term,
        price: typed.price,
        trial_pages: typed.trial_pages,
        trial_days: typed.trial_days,
        on_sale_from: typed.on_sale_from,
        on_sale_until: typed.on_sale_until,
    };
    packages::keep(&app, new, &typed.contents, now).await?;
    Ok(Redirect::to(&format!("{PACKAGES}?done=added")).into_response())
}

/// POST /manager/epaper_sell/{id}.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PackageId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    // somebody else's looks like none, also when what was typed is refused
    let known = store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    let now = now_ms();
    let held = store::contents(&app.db, &id).await?;
    let choices = choices(&app, &member, &held).await?;
    let Some(typed) = read(&mut form, &choices, Some(&known), now) else {
        return render::again(&app, parts, &format!("{PACKAGES}/{id}"), form).await;
    };
    let package = Package {
        seller_name: member.name.clone(),
        title: typed.title,
        description: typed.description,
        term: typed.term,
        price: typed.price,
        trial_pages: i64::from(typed.trial_pages),
        trial_days: i64::from(typed.trial_days),
        on_sale_from: typed.on_sale_from,
        on_sale_until: typed.on_sale_until,
        ..known
    };
    let mut tx = app.db.begin().await?;
    if !store::update(&mut tx, &package, now).await? {
        return Err(Error::NotFound);
    }
    store::set_contents(&mut tx, &id, &typed.contents, now).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{PACKAGES}?done=changed")).into_response())
}

/// POST /manager/epaper_sell/{id}/end: no longer sold from now on.
pub async fn end(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PackageId>,
) -> Result<Redirect, Error> {
    let mut package = store::find_for_owner(&app.db, &id, &member.id).await?;
    let now = now_ms();
    if package.on_sale_until.is_none_or(|until| until > now) {
        package.on_sale_until = Some(now);
        let mut tx = app.db.begin().await?;
        store::update(&mut tx, &package, now).await?;
        tx.commit().await?;
    }
    Ok(Redirect::to(&format!("{PACKAGES}?done=ended")))
}

/// GET /manager/epaper_sell/new.
#[component]
pub fn NewPackagePage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let Here { app, member } = here?;
            let choices = choices(&app, &member, &[]).await?;
            Ok((member, choices))
        },
        |(member, choices)| view! { <Editor member known=None choices held=Vec::new() title="新建套餐"/> },
    )
}

/// GET /manager/epaper_sell/{id}.
#[component]
pub fn EditPackagePage() -> impl IntoView {
    let here = here();
    let id = parameter::<PackageId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            let package = store::find_for_owner(&app.db, &id?, &member.id).await?;
            let held = store::contents(&app.db, &package.id).await?;
            let choices = choices(&app, &member, &held).await?;
            Ok((member, package, choices, held))
        },
        |(member, package, choices, held)| {
            view! { <Editor member known=Some(package) choices held title="修改套餐"/> }
        },
    )
}

#[component]
fn Editor(
    member: Member,
    known: Option<Package>,
    choices: Vec<Choice>,
    held: Vec<Content>,
    title: &'static str,
) -> impl IntoView {
    let now = now_ms();
    let wanted = use_query("content");
    let ask = known.clone().filter(|package| standing(package, now).1 != "已停售").map(|package| {
        view! {
            <Ask
                label="停售"
                question=format!("停售套餐“{}”？已经买了的读者照常阅读，以后可以重新开售。", package.title)
                confirm="停售这个套餐"
                action=format!("{PACKAGES}/{}/end", package.id)
            />
        }
    });
    let body = if choices.is_empty() {
        view! {
            <section class="trim empty">
                <h2>"还没有可以出售的作品"</h2>
                <p class="quiet">"先做一件作品，再放进套餐。"</p>
                <a class="button primary" href="/manager/make_ebook">"去做书"</a>
            </section>
        }
        .into_any()
    } else {
        view! { <Fields known choices held wanted/> }.into_any()
    };
    view! {
        <Shell member title=title.to_owned() assets=&["selling.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=PACKAGES>"套餐"</a></p>
                    <h1>{title}</h1>
                </div>
            </header>
            <ErrorSummary title="套餐还没有保存"/>
            {body}
            {ask}
        </Shell>
    }
}

#[component]
fn Fields(
    known: Option<Package>,
    choices: Vec<Choice>,
    held: Vec<Content>,
    wanted: Option<String>,
) -> impl IntoView {
    let form = use_form();
    let now = now_ms();
    let known = known.as_ref();
    let id: PackageId = render::once();
    let id = known.is_none().then(|| {
        view! { <input type="hidden" name="package" value=form.or("package", id.as_str())/> }
    });
    let description = form.or("description", known.map_or("", |known| &known.description));
    let term = known.map_or(Term::Months(12), |known| known.term);
    let unit = form.or("unit", term.unit());
    let count = if term.count() == 0 { "12".to_owned() } else { term.count().to_string() };
    let price = known.map(|known| known.price.to_string()).unwrap_or_default();
    let trial = known.map_or(0, |known| known.trial_pages).to_string();
    let free = known.map_or(0, |known| known.trial_days).to_string();
    let from = time::day(known.map_or(now, |known| known.on_sale_from));
    let until = known.and_then(|known| known.on_sale_until).map(|until| time::day(until - 1));
    let units: Vec<_> = [("months", "按月"), ("days", "按天"), ("forever", "长期")]
        .into_iter()
        .map(|(value, name)| {
            view! {
                <label>
                    <input
                        type="radio"
                        id=(value == "months").then_some("unit")
                        name="unit"
                        value=value
                        checked=unit == value
                    />
                    <span>{name}</span>
                </label>
            }
        })
        .collect();
    view! {
        <form class="sheet stack package-form" method="post" action=use_path()>
            {id}
            <Field name="title" label="套餐名称" value=known.map_or("", |known| &known.title) most=60 required=true/>
            <div class="field">
                <label for="description">"说明（可不填）"</label>
                <Limit name="description" most="1000".to_owned()/>
                <textarea id="description" name="description" maxlength="1000" aria-describedby="description-limit" inner_html=area_text(&description)></textarea>
                <FieldError name="description".to_owned()/>
            </div>
            <Contents choices held wanted/>
            <fieldset class="chips">
                <legend>"阅读期限"</legend>
                <div>{units}</div>
                <FieldError name="unit".to_owned()/>
            </fieldset>
            <div class="fields two">
                <Field name="count" label="多少个月或多少天（长期不用填）" value=count inputmode="numeric" most=4/>
                <Field name="price" label="价格（元）" value=price inputmode="decimal" most=12 required=true/>
                <Field name="from" label="开售日期" kind="date" value=from/>
                <Field name="until" label="停售日期（可不填，当天仍可购买）" kind="date" value=until.unwrap_or_default()/>
                <Field name="trial_pages" label="每件作品可试读的页数" value=trial inputmode="numeric" most=3/>
                <Field name="trial_days" label="新读者免费试读几天（0 是不试读）" value=free inputmode="numeric" most=2/>
            </div>
            <p class="hint">"改价格、期限或内容，只影响以后的购买；移出的内容，已经买了的读者照常阅读；新放进的内容，他们也能读。免费试读每人每件内容一次，到期自己结束，不会自动扣款。"</p>
            <div class="row">
                <button class="button primary">"保存套餐"</button>
                <a class="button" href=PACKAGES>"取消"</a>
            </div>
        </form>
    }
}

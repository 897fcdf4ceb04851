//! /manager/epaper/new and /manager/epaper/{title}/settings, and of magazines: what a title is called and how it is sold.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::PublicationId;
use domain::publication::{
    DESCRIPTION_LENGTH, Kind, MOST_TITLES, NAME_LENGTH, NUMBER_LENGTH, ORGANISER_LENGTH, ShortAddress,
    Weekdays,
};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_path};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{Ask, ErrorSummary, Field, FieldError, Limit, area_text};
use web::ui::shell::Shell;

use super::store::publications::{self as store, Publication};
use super::title_sale::{SaleFields, may_sell, sale_in};
use super::{address, kind_here, kind_of};
use works::BookFormat;

/// What the form says; what is wrong with it stands in the form.
async fn read(
    app: &App,
    form: &mut Form,
    member: &Member,
    known: Option<&Publication>,
    kind: Kind,
) -> Result<Option<Publication>, Error> {
    let id: Option<PublicationId> = match known {
        Some(known) => Some(known.id.clone()),
        None => form.own("publication"),
    };
    check_length(form, "name", "名称", 1, NAME_LENGTH);
    check_length(form, "organiser", "主办", 1, ORGANISER_LENGTH);
    check_length(form, "number", kind.number_name(), 0, NUMBER_LENGTH);
    check_length(form, "description", "介绍", 0, DESCRIPTION_LENGTH);
    let short = match known {
        Some(known) => Some(known.address.clone()),
        None => {
            let read = ShortAddress::read(form.get("address"));
            read.map_err(|problem| form.refuse("address", problem.to_string())).ok()
        }
    };
    let weekdays = Weekdays::of(form.all("weekday").filter_map(|day| day.parse().ok()));
    let sale = sale_in(app, form, member, known).await?;
    if form.is_refused() {
        return Ok(None);
    }
    Ok(id.zip(short).map(|(id, address)| Publication {
        id,
        member: member.id.clone(),
        kind,
        address,
        name: form.get("name").to_owned(),
        organiser: form.get("organiser").to_owned(),
        number: form.get("number").to_owned(),
        description: form.get("description").to_owned(),
        weekdays,
        sale,
        pdf: !form.get("pdf").is_empty(),
        epub: !form.get("epub").is_empty(),
        updated_at: now_ms(),
    }))
}

/// POST /manager/epaper/new.
pub async fn add(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let mut form = read_form(&body)?;
    let page = format!("{}/new", address::desk(kind));
    let Some(publication) = read(&app, &mut form, &member, None, kind).await? else {
        return render::again(&app, parts, &page, form).await;
    };
    let own = store::of_member(&app.db, &member.id, None).await?;
    if own.len() >= MOST_TITLES && own.iter().all(|own| own.id != publication.id) {
        form.refuse("name", format!("最多可以办 {MOST_TITLES} 份报刊"));
        return render::again(&app, parts, &page, form).await;
    }
    let mut tx = app.db.begin().await?;
    // pressed twice it is made once
    if !store::is_there(&mut tx, &publication.id).await? && !store::insert(&mut tx, &publication).await? {
        drop(tx);
        form.refuse("address", format!("短地址“{}”已经有人用了，请换一个", publication.address));
        return render::again(&app, parts, &page, form).await;
    }
    tx.commit().await?;
    // somebody else's id makes nothing
    store::find_for_owner(&app.db, &publication.id, &member.id, kind).await?;
    Ok(Redirect::to(&format!("{}/{}?done=added", address::desk(kind), publication.id)).into_response())
}

/// POST /manager/epaper/{title}/settings.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PublicationId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let kind = kind_of(parts.uri.path())?;
    let known = store::find_for_owner(&app.db, &id, &member.id, kind).await?;
    let mut form = read_form(&body)?;
    let desk = format!("{}/{id}", address::desk(kind));
    let Some(publication) = read(&app, &mut form, &member, Some(&known), kind).await? else {
        return render::again(&app, parts, &format!("{desk}/settings"), form).await;
    };
    let mut tx = app.db.begin().await?;
    store::update(&mut tx, &publication).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{desk}?done=changed")).into_response())
}

/// POST /manager/epaper/{title}/removal: only one without issues goes.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PublicationId>,
    parts: Parts,
) -> Result<Redirect, Error> {
    let kind = kind_of(parts.uri.path())?;
    store::find_for_owner(&app.db, &id, &member.id, kind).await?;
    let mut tx = app.db.begin().await?;
    if !store::remove(&mut tx, &id).await? {
        return Err(Error::Conflict(format!("这份{}已经有期了，不能删除；可以把各期撤回。", kind.noun())));
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done=removed", address::desk(kind))))
}

/// GET /manager/epaper/new.
#[component]
pub fn NewTitlePage() -> impl IntoView {
    let (here, kind) = (here(), kind_here());
    loaded(
        async move {
            let (Here { member, .. }, kind) = (here?, kind?);
            Ok((member, kind))
        },
        |(member, kind)| view! { <Editor member kind known=None/> },
    )
}

/// GET /manager/epaper/{title}/settings.
#[component]
pub fn TitleSettingsPage() -> impl IntoView {
    let (here, kind, id) = (here(), kind_here(), parameter::<PublicationId>("title"));
    loaded(
        async move {
            let (Here { app, member }, kind) = (here?, kind?);
            let known = store::find_for_owner(&app.db, &id?, &member.id, kind).await?;
            Ok((member, kind, known))
        },
        |(member, kind, known)| view! { <Editor member kind known=Some(known)/> },
    )
}

#[component]
fn Editor(member: Member, kind: Kind, known: Option<Publication>) -> impl IntoView {
    let title = match &known {
        Some(known) => format!("《{}》的设置", known.name),
        None => format!("新建{}", kind.noun()),
    };
    let desk = address::desk(kind);
    let back = known.as_ref().map_or_else(|| desk.clone(), |known| format!("{desk}/{}", known.id));
    let removal = known.clone().map(|known| {
        view! {
            <Ask
                label="删除"
                question=format!("删除《{}》？只有一期也没有的才能删除。", known.name)
                confirm="删除"
                action=format!("{desk}/{}/removal", known.id)
            />
        }
    });
    let may_sell = may_sell(&member) || known.as_ref().is_some_and(|known| known.sale.is_some());
    view! {
        <Shell member title=title.clone() assets=&["newsdesk.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=back.clone()>{kind.name()}</a></p>
                    <h1>{title}</h1>
                </div>
            </header>
            <ErrorSummary title="还没有保存"/>
            <Fields kind known may_sell back/>
            {removal}
        </Shell>
    }
}

#[component]
fn Fields(kind: Kind, known: Option<Publication>, may_sell: bool, back: String) -> impl IntoView {
    let form = use_form();
    let known = known.as_ref();
    let id = known.is_none().then(|| {
        let id: PublicationId = render::once();
        view! { <input type="hidden" name="publication" value=form.or("publication", id.as_str())/> }
    });
    let text = |read: fn(&Publication) -> &str| known.map_or("", read).to_owned();
    let address_field = match known {
        Some(known) => view! {
            <p class="fixed">"公开地址："<a href=known.path()>{known.path()}</a>"（定下以后不再改，读者手里的链接一直有效）"</p>
        }
        .into_any(),
        None => view! {
            <div>
                <Field name="address" label="短地址（读者看到的网址，定下以后不能改）" most=30 required=true autocomplete="off"/>
                <p class="hint">{format!("比如填 xihu-daily，地址就是 /{}/xihu-daily", kind.code())}</p>
            </div>
        }
        .into_any(),
    };
    let description = form.or("description", &text(|known| &known.description));
    let days = (kind == Kind::Epaper).then(|| {
        let chosen: Option<Vec<String>> =
            form.is_sent().then(|| form.all("weekday").map(str::to_owned).collect());
        let boxes: Vec<_> = (0u8..)
            .zip(Weekdays::NAMES)
            .map(|(day, name)| {
                let checked = match &chosen {
                    Some(chosen) => chosen.contains(&day.to_string()),
                    None => known.is_none_or(|known| known.weekdays.holds(day)),
                };
                view! {
                    <label>
                        <input type="checkbox" name="weekday" value=day.to_string() checked=checked/>
                        <span>{name}</span>
                    </label>
                }
            })
            .collect();
        view! {
            <fieldset class="chips" id="weekday">
                <legend>"星期几出报（都不选就是不定期）"</legend>
                <div>{boxes}</div>
            </fieldset>
        }
    });
    let number_label = kind.number_name();
    view! {
        <form class="sheet stack title-form" method="post" action=use_path()>
            {id}
            <div class="fields two">
                <Field name="name" label="名称" value=text(|known| &known.name) most=30 required=true/>
                <Field name="organiser" label="主办" value=text(|known| &known.organiser) most=60 required=true/>
            </div>
            <div class="field">
                <label for="number">{format!("{number_label}（可不填）")}</label>
                <input
                    id="number"
                    name="number"
                    maxlength="60"
                    value=form.or("number", &text(|known| &known.number))
                    placeholder=match kind {
                        Kind::Epaper => "CN 33-0000 或 浙内准字第 000 号",
                        Kind::Magazine => "CN 33-0000/G0 · ISSN 0000-0000",
                    }
                />
                <FieldError name="number".to_owned()/>
                <p class="hint">"内部资料、校报没有刊号就不填；填了会印在报头下面"</p>
            </div>
            {address_field}
            {days}
            <div class="field">
                <label for="description">"介绍（可不填，搜索引擎和转发时会显示）"</label>
                <Limit name="description" most="300".to_owned()/>
                <textarea id="description" name="description" maxlength="300" aria-describedby="description-limit" rows="3" inner_html=area_text(&description)></textarea>
                <FieldError name="description".to_owned()/>
            </div>
            <SaleFields known=known.cloned() may_sell/>
            <FileFields known=known.cloned()/>
            <div class="row">
                <button class="button primary">"保存"</button>
                <a class="button" href=back>"取消"</a>
            </div>
        </form>
    }
}

/// Which files of an issue readers may take away.
#[component]
fn FileFields(known: Option<Publication>) -> impl IntoView {
    let form = use_form();
    let boxes: Vec<_> = BookFormat::ALL
        .into_iter()
        .map(|format| {
            let name = format.ending();
            let checked = match form.is_sent() {
                true => !form.get(name).is_empty(),
                false => known.as_ref().is_some_and(|known| known.files().any(|allowed| allowed == format)),
            };
            view! {
                <label>
                    <input type="checkbox" name=name value="1" checked=checked/>
                    <span>{format.name()}</span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="chips" id="files">
            <legend>"读者可以下载每一期（都不选就不可以）"</legend>
            <div>{boxes}</div>
        </fieldset>
        <p class="hint">"付费的，买了这一期或订阅了的读者才能下载。"</p>
    }
}

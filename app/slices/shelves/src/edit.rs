//! Making a shelf, and /manager/book-shelf/{id}, where it is arranged.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::ShelfId;
use domain::shelf::{
    BYLINE_LENGTH, DESCRIPTION_LENGTH, MOST_OF_MEMBER, NAME_LENGTH, ShelfName, TITLE_LENGTH,
};
use leptos::prelude::*;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_path, use_query};
use web::router::Parameter;
use web::session::Member;
use web::slice::{Publication, Reach};
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{Ask, ErrorSummary, Field, FieldError, Limit, area_text};
use web::ui::shell::Shell;

use super::book_shelf::{Front, standing};
use super::store::{self, Place, Shelf};
use super::{SHELVES, address, choices, cover_of, on_shelf};

const TAKEN: &str = "这个地址已经有人用了，请换一个";

/// What was typed, as a shelf; what is wrong with it stands in the form.
fn read(form: &mut Form, id: Option<ShelfId>, member: &Member, now: i64) -> Option<Shelf> {
    check_length(form, "title", "书架名称", 1, TITLE_LENGTH);
    check_length(form, "byline", "署名", 0, BYLINE_LENGTH);
    let description = form.get("description").to_owned();
    if description.chars().count() > DESCRIPTION_LENGTH {
        form.refuse("description", format!("介绍最多 {DESCRIPTION_LENGTH} 个字"));
    }
    // a name that was left out is made of the title, where that makes one
    let name = match form.get("name") {
        "" => ShelfName::of_title(form.get("title"))
            .ok_or_else(|| "请给地址起个名字，这个书架名称不能直接用作地址".to_owned()),
        typed => typed.parse::<ShelfName>().map_err(|problem| problem.to_string()),
    };
    if let Err(problem) = &name {
        form.refuse("name", problem.clone());
    }
    if form.is_refused() {
        return None;
    }
    Some(Shelf {
        id: id?,
        member: member.id.clone(),
        name: name.ok()?,
        title: form.get("title").to_owned(),
        byline: form.get("byline").to_owned(),
        description,
        is_public: !form.get("public").is_empty(),
        cover: None,
        updated_at: now,
        withdrawn_reason: None,
    })
}

/// POST /manager/book-shelf/new. The form's `shelf` is the id of what will be made.
pub async fn make(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let (page, now) = (format!("{SHELVES}/new"), now_ms());
    let id: Option<ShelfId> = form.own("shelf");
    let Some(shelf) = read(&mut form, id, &member, now) else {
        return render::again(&app, parts, &page, form).await;
    };
    let made = Redirect::to(&format!("{SHELVES}/{}?done=made", shelf.id)).into_response();
    let mut tx = app.db.begin().await?;
    if store::count(&mut tx, &member.id).await? >= i64::try_from(MOST_OF_MEMBER).unwrap_or(i64::MAX) {
        form.refuse("title", format!("最多 {MOST_OF_MEMBER} 个书架，请先拆掉不用的"));
    } else if !store::insert(&mut tx, &shelf).await? {
        return Ok(made);
    } else if !store::claim(&mut tx, &shelf.id, &shelf.name, now).await? {
        form.refuse("name", TAKEN);
    } else {
        tx.commit().await?;
        return Ok(made);
    }
    drop(tx);
    render::again(&app, parts, &page, form).await
}

/// POST /manager/book-shelf/{id}.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<ShelfId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    // somebody else's looks like none, also when what was typed is refused
    store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    let (page, now) = (format!("{SHELVES}/{id}"), now_ms());
    let Some(shelf) = read(&mut form, Some(id.clone()), &member, now) else {
        return render::again(&app, parts, &page, form).await;
    };
    let mut tx = app.db.begin().await?;
    if !store::hold(&mut tx, &id, &member.id, now).await? {
        return Err(Error::NotFound);
    }
    if !store::claim(&mut tx, &id, &shelf.name, now).await? {
        drop(tx);
        form.refuse("name", TAKEN);
        return render::again(&app, parts, &page, form).await;
    }
    store::update(&mut tx, &shelf).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{page}?done=changed")).into_response())
}

/// POST /manager/book-shelf/{id}/removal: the shelf is gone; what stood on it is not.
pub async fn remove(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<ShelfId>,
) -> Result<Redirect, Error> {
    let mut tx = app.db.begin().await?;
    if !store::delete(&mut tx, &id, &member.id).await? {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("{SHELVES}?done=removed")))
}

/// GET /manager/book-shelf/new.
#[component]
pub fn NewShelfPage() -> impl IntoView {
    let here = here();
    let parts = use_context::<Parts>();
    loaded(
        async move {
            let Here { app, member } = here?;
            Ok((member, site_of(&app, parts)?))
        },
        |(member, site)| {
            view! {
                <Shell member=member.clone() title="新书架".to_owned() assets=&["shelves.css"]>
                    <header class="head">
                        <div><p><a class="link" href=SHELVES>"书架"</a></p><h1>"新书架"</h1></div>
                    </header>
                    <ErrorSummary title="书架还没有做好"/>
                    <Settings known=None byline=member.name site old_names=Vec::new()/>
                </Shell>
            }
        },
    )
}

/// Scheme and host, as readers see them before a shelf's name.
fn site_of(app: &App, parts: Option<Parts>) -> Result<String, Error> {
    let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
    Ok(Origin::of(&app.config, &parts.headers).join("/shelf/"))
}

struct Shown {
    member: Member,
    site: String,
    shelf: Shelf,
    old_names: Vec<String>,
    on_it: Vec<Publication>,
    /// What may come on it.
    others: Vec<(&'static str, Publication)>,
}

/// GET /manager/book-shelf/{id}.
#[component]
pub fn EditShelfPage() -> impl IntoView {
    let here = here();
    let parts = use_context::<Parts>();
    let id = parameter::<ShelfId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            let shelf = store::find_for_owner(&app.db, &id?, &member.id).await?;
            let on_it = on_shelf(&app, &shelf).await?;
            let mut others = choices(&app, &member.id).await?;
            others
                .retain(|(_, one)| !on_it.iter().any(|known| (known.kind, &known.id) == (one.kind, &one.id)));
            let old_names = store::old_names(&app.db, &shelf).await?;
            Ok(Shown { site: site_of(&app, parts)?, member, shelf, old_names, on_it, others })
        },
        |Shown { member, site, shelf, old_names, on_it, others }| {
            let done = match use_query("done").as_deref() {
                Some("made") => Some("书架已做好，现在把作品放上去吧。"),
                Some("changed") => Some("书架已保存。"),
                Some("added") => Some("已放上书架。"),
                Some("taken") => Some("已从书架上拿下来，作品还在。"),
                _ => None,
            };
            let done = done.filter(|_| !use_form().is_sent());
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let withdrawn = shelf.withdrawn_reason.clone().map(|reason| {
                view! { <div class="notice warn">{format!("这个书架已被下架（{reason}），别人看不到。有疑问请联系我们。")}</div> }
            });
            let (mark, standing) = standing(&shelf);
            view! {
                <Shell member title=shelf.title.clone() assets=&["shelves.css", "shelves.js"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=SHELVES>"书架"</a></p>
                            <h1>{shelf.title.clone()}</h1>
                            <p class="quiet"><span class=mark>{standing}</span></p>
                        </div>
                        <a class="button" href=address(&shelf.name)>"打开看看"</a>
                    </header>
                    {done}
                    {withdrawn}
                    <ErrorSummary title="还没有保存"/>
                    <OnIt shelf=shelf.clone() on_it/>
                    <Others shelf=shelf.clone() others/>
                    <section class="shelf-settings">
                        <h2>"书架设置"</h2>
                        <Settings known=Some(shelf.clone()) byline=String::new() site old_names/>
                    </section>
                    <Ask
                        label="拆掉书架"
                        question=format!("拆掉“{}”？地址不再能打开，上面的作品都还在。", shelf.title)
                        confirm="拆掉这个书架"
                        action=format!("{SHELVES}/{}/removal", shelf.id)
                    />
                </Shell>
            }
        },
    )
}

/// Title, address, and who may look at it.
#[component]
fn Settings(known: Option<Shelf>, byline: String, site: String, old_names: Vec<String>) -> impl IntoView {
    let form = use_form();
    let id: ShelfId = render::once();
    let id = known.is_none().then(|| {
        view! { <input type="hidden" name="shelf" value=form.or("shelf", id.as_str())/> }
    });
    let title = known.as_ref().map(|known| known.title.clone()).unwrap_or_default();
    let name = form.or("name", known.as_ref().map_or("", |known| known.name.as_str()));
    let byline = known.as_ref().map_or(byline, |known| known.byline.clone());
    let description = form.or("description", known.as_ref().map_or("", |known| &known.description));
    // another form of this page says nothing of this one
    let is_sent = form.is_sent() && form.get("item").is_empty() && form.error("item").is_none();
    let public = if is_sent {
        !form.get("public").is_empty()
    } else {
        known.as_ref().is_none_or(|known| known.is_public)
    };
    let error = form.error("name").is_some();
    let old = (!old_names.is_empty())
        .then(|| view! { <p class="hint">{format!("以前的地址也能打开：{}", old_names.join("、"))}</p> });
    let label = if known.is_some() { "保存设置" } else { "做好书架" };
    view! {
        <form class="sheet stack" method="post" action=use_path()>
            {id}
            <div class="fields two">
                <Field name="title" label="书架名称" value=title most=TITLE_LENGTH as u32 required=true/>
                <Field name="byline" label="署名（可不填）" value=byline most=BYLINE_LENGTH as u32/>
                <div class="field all">
                    <label for="name">"地址"</label>
                    <div class="address">
                        <span class="quiet">{site}</span>
                        <input
                            id="name"
                            name="name"
                            value=name
                            maxlength="60"
                            autocomplete="off"
                            autocapitalize="none"
                            spellcheck="false"
                            aria-invalid=error.then_some("true")
                            aria-describedby=if error { "name-error name-hint" } else { "name-hint" }
                        />
                    </div>
                    <p class="hint" id="name-hint">
                        {format!(
                            "{} 到 {} 个字：汉字、小写字母、数字和连字符“-”，比如“山野书屋”或 shanye-2027；大写字母当作小写。不填就用书架名称。以后改了，旧地址自动转到新地址。",
                            NAME_LENGTH.start(),
                            NAME_LENGTH.end(),
                        )}
                    </p>
                    {old}
                    <FieldError name="name".to_owned()/>
                </div>
                <div class="field all">
                    <label for="description">"介绍（可不填）"</label>
                    <Limit name="description" most=DESCRIPTION_LENGTH.to_string()/>
                    <textarea id="description" name="description" rows="3" maxlength=DESCRIPTION_LENGTH.to_string() aria-describedby="description-limit">
                        {area_text(&description)}
                    </textarea>
                    <FieldError name="description".to_owned()/>
                </div>
            </div>
            <label class="check">
                <input type="checkbox" name="public" value="1" checked=public/>
                <span>"公开：所有人能看，搜索引擎可以收录。不勾选，就只有自己看得到。"</span>
            </label>
            <div class="row"><button class="button primary">{label}</button></div>
        </form>
    }
}

/// Whether readers see a thing on the shelf, and if not, why.
fn note(reach: Reach) -> Option<&'static str> {
    match reach {
        Reach::Public => None,
        Reach::ByAddress => Some("分享给有链接的人，不在公开的书架上露面"),
        Reach::Some => Some("没有公开，读者在书架上看不到"),
        Reach::Over => Some("已收回或到期，读者看不到"),
    }
}

/// What stands on the shelf, with the buttons that arrange it. A script adds a grip to each.
#[component]
fn OnIt(shelf: Shelf, on_it: Vec<Publication>) -> impl IntoView {
    if on_it.is_empty() {
        return view! { <p class="quiet empty-shelf">"架上还没有作品，在下面选几件放上来。"</p> }.into_any();
    }
    let cover = cover_of(&shelf, &on_it).map(|one| Place::value(one.kind, &one.id));
    let last = on_it.len() - 1;
    let items: Vec<_> = on_it
        .into_iter()
        .enumerate()
        .map(|(at, one)| {
            let value = Place::value(one.kind, &one.id);
            let (is_first, is_last) = (at == 0, at == last);
            let title = one.title.clone();
            let about = || view! { <span class="sr">{format!("：{title}")}</span> };
            let note = note(one.reach).map(|text| view! { <small class="badge warn">{text}</small> });
            let cover = if cover.as_ref() == Some(&value) {
                view! { <span class="badge">"书架封面"</span> }.into_any()
            } else {
                view! { <button class="link" name="cover" value=value.clone()>"用作书架封面"{about()}</button> }
                    .into_any()
            };
            let (anchor, item) = (format!("item-{}", one.id), value.clone());
            view! {
                <li id=anchor data-item=item data-title=title.clone()>
                    <span class="small-front"><Front one/></span>
                    <div>
                        <strong>{title.clone()}</strong>
                        {note}
                        <p class="row acts">
                            <button class="link" name="before" value=value.clone() disabled=is_first>"前移"{about()}</button>
                            <button class="link" name="behind" value=value.clone() disabled=is_last>"后移"{about()}</button>
                            {cover}
                            <button class="link" name="remove" value=value>"拿下来"{about()}</button>
                        </p>
                    </div>
                </li>
            }
        })
        .collect();
    view! {
        <form method="post" action=format!("{SHELVES}/{}/order", shelf.id)>
            <ol class="arranged" data-arrange aria-label="架上的作品，按顺序">{items}</ol>
        </form>
    }
    .into_any()
}

/// What may come on the shelf.
#[component]
fn Others(shelf: Shelf, others: Vec<(&'static str, Publication)>) -> impl IntoView {
    if others.is_empty() {
        return view! {
            <p class="quiet">
                "发布了的作品都在架上了。"<a href="/manager/opus_list/all">"去发布更多作品"</a>
            </p>
        }
        .into_any();
    }
    let form = use_form();
    let sent: Vec<String> = form.all("item").map(str::to_owned).collect();
    let boxes: Vec<_> = others
        .into_iter()
        .enumerate()
        .map(|(at, (kind, one))| {
            let value = Place::value(one.kind, &one.id);
            let note = note(one.reach).map(|text| view! { <small class="quiet">{text}</small> });
            let (title, checked) = (one.title.clone(), sent.contains(&value));
            view! {
                <label>
                    <input type="checkbox" id=(at == 0).then_some("item") name="item" value=value checked=checked/>
                    <span class="small-front"><Front one/></span>
                    <span>{title}" "<small class="quiet">{kind}</small>{note}</span>
                </label>
            }
        })
        .collect();
    view! {
        <form class="adding" method="post" action=format!("{SHELVES}/{}/items", shelf.id)>
            <fieldset class="picks">
                <legend>"放上书架"</legend>
                <FieldError name="item".to_owned()/>
                <div>{boxes}</div>
            </fieldset>
            <button class="button primary">"放上去"</button>
        </form>
    }
    .into_any()
}

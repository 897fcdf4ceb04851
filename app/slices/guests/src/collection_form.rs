//! A new collection, and what its owner changes of one: its words and bounds, its end, opening it again, deleting it.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{id_from, now_ms};
use base::error::Error;
use base::time;
use domain::days::DAY_MS;
use domain::guests::{
    CollectionState, GREETING_LENGTH, MOST, MOST_COLLECTIONS, MOST_EACH, TITLE_LENGTH, USUAL_DAYS,
    USUAL_MOST, USUAL_MOST_EACH, read_last_day, read_most,
};
use domain::ids::CollectionId;
use domain::redeem_code::RedeemCode;
use leptos::prelude::*;
use rand::Rng;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_path};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{Ask, ErrorSummary, Field, FieldError, Limit, area_text};
use web::ui::shell::Shell;

use super::PAGE;
use super::closing;
use super::store::{self, Collection};

/// The page of one.
pub fn own_address(id: &CollectionId) -> String {
    format!("{PAGE}/{id}")
}

/// Reads what its owner says into a collection; what is wrong stands in the form.
fn read(form: &mut Form, collection: &mut Collection, now: i64) {
    check_length(form, "title", "名称", 1, TITLE_LENGTH);
    check_length(form, "greeting", "欢迎词", 0, GREETING_LENGTH);
    check_length(form, "thanks", "致谢", 0, GREETING_LENGTH);
    // a day that has passed stays what it was where nobody changed it
    let is_same = form.get("until") == time::day(collection.until - 1) && collection.created_at > 0;
    if !is_same {
        match read_last_day(form.get("until"), now) {
            Ok(until) => collection.until = until,
            Err(problem) => form.refuse("until", problem.to_string()),
        }
    }
    let mut number = |field: &str, most: u32| match read_most(form.get(field), most) {
        Ok(number) => i64::from(number),
        Err(problem) => {
            form.refuse(field, problem);
            0
        }
    };
    collection.most = number("most", MOST);
    collection.most_each = number("most_each", MOST_EACH);
    collection.title = form.get("title").to_owned();
    collection.greeting = form.get("greeting").to_owned();
    collection.thanks = form.get("thanks").to_owned();
    collection.asks_wishes = form.get("wishes") == "1";
}

/// POST /manager/guests/new: once for each form that was shown.
pub async fn make(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let now = now_ms();
    let mut form = read_form(&body)?;
    let page = format!("{PAGE}/new");
    let shown = form.own_key("collection", |key| (1..=40).contains(&key.len()));
    let mut random = [0; domain::redeem_code::RANDOM];
    rand::rng().fill_bytes(&mut random);
    let mut collection = Collection {
        id: id_from(shown.as_deref().unwrap_or_default(), member.id.as_str()),
        member: member.id.clone(),
        code: RedeemCode::of(random).plain(),
        title: String::new(),
        greeting: String::new(),
        thanks: String::new(),
        asks_wishes: false,
        until: now,
        most: 0,
        most_each: 0,
        created_at: 0,
        ended_at: None,
    };
    read(&mut form, &mut collection, now);
    collection.created_at = now;
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    let mut tx = app.db.begin().await?;
    app.house.identity.hold(&mut tx, &member.id).await?;
    if !store::insert(&mut tx, &collection, MOST_COLLECTIONS).await? {
        drop(tx);
        form.refuse("", format!("最多 {MOST_COLLECTIONS} 个，请先删除不用的"));
        return render::again(&app, parts, &page, form).await;
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done=made", own_address(&collection.id))).into_response())
}

/// POST /manager/guests/{id}/settings.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CollectionId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut collection = store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    read(&mut form, &mut collection, now_ms());
    if form.is_refused() {
        return render::again(&app, parts, &format!("{}/settings", own_address(&id)), form).await;
    }
    let mut tx = app.db.begin().await?;
    store::change(&mut tx, &collection).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done=saved", own_address(&id))).into_response())
}

/// POST /manager/guests/{id}/end: nothing more is taken from this moment on.
pub async fn end(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CollectionId>,
) -> Result<Redirect, Error> {
    let collection = store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut tx = app.db.begin().await?;
    store::set_ended(&mut tx, &id, collection.ended_at.or(Some(now_ms()))).await?;
    photos::uploads::end_to(&mut tx, id.as_str()).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done=ended", own_address(&id))))
}

/// POST /manager/guests/{id}/opening: again, while its last day is to come.
pub async fn open_again(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CollectionId>,
    parts: Parts,
) -> Result<Response, Error> {
    let collection = store::find_for_owner(&app.db, &id, &member.id).await?;
    if CollectionState::of(collection.until, false, now_ms()) != CollectionState::Open {
        let mut form = Form::default();
        form.refuse("until", "最后一天已经过了：先改成以后的一天，再打开");
        return render::again(&app, parts, &format!("{}/settings", own_address(&id)), form).await;
    }
    let mut tx = app.db.begin().await?;
    store::set_ended(&mut tx, &id, None).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?done=opened", own_address(&id))).into_response())
}

/// POST /manager/guests/{id}/deletion.
pub async fn delete(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CollectionId>,
) -> Result<Redirect, Error> {
    store::find_for_owner(&app.db, &id, &member.id).await?;
    closing::delete(&app, &member.id, &id, now_ms()).await?;
    Ok(Redirect::to(&format!("{PAGE}?done=deleted")))
}

/// GET /manager/guests/new.
#[component]
pub fn NewCollectionPage() -> impl IntoView {
    let here = here();
    loaded(async move { Ok(here?.member) }, |member| {
        view! {
            <Shell member title="收来宾的照片".to_owned() assets=&["guests.css"]>
                <header class="head">
                    <div>
                        <p><a class="link" href=PAGE>"来宾照片"</a></p>
                        <h1>"收来宾的照片"</h1>
                    </div>
                </header>
                <ErrorSummary title="还没有建好"/>
                <CollectionForm known=None/>
            </Shell>
        }
    })
}

/// GET /manager/guests/{id}/settings.
#[component]
pub fn SettingsPage() -> impl IntoView {
    let (here, id) = (here(), parameter::<CollectionId>("id"));
    loaded(
        async move {
            let Here { app, member } = here?;
            let collection = store::find_for_owner(&app.db, &id?, &member.id).await?;
            Ok((member, collection))
        },
        |(member, collection)| {
            let own = own_address(&collection.id);
            let ask = if collection.state(now_ms()) == CollectionState::Open {
                view! {
                    <form method="post" action=format!("{own}/end")>
                        <button class="button wide">"现在就停止收"</button>
                    </form>
                }
                .into_any()
            } else {
                view! {
                    <form method="post" action=format!("{own}/opening")>
                        <button class="button wide">"重新打开"</button>
                    </form>
                }
                .into_any()
            };
            view! {
                <Shell member title="设置".to_owned() assets=&["guests.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=own.clone()>{collection.title.clone()}</a></p>
                            <h1>"设置"</h1>
                        </div>
                    </header>
                    <ErrorSummary title="还没有保存"/>
                    <div class="guestparts">
                        <CollectionForm known=Some(collection.clone())/>
                        <aside class="stack" aria-label="操作">
                            {ask}
                            <Ask
                                label="删除"
                                question=format!("删除“{}”？链接和二维码马上失效；没有收下的照片、来宾的名字和留言都会删掉，不能找回。收下的照片留在素材里。", collection.title)
                                confirm="删除"
                                action=format!("{own}/deletion")
                            />
                        </aside>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn CollectionForm(known: Option<Collection>) -> impl IntoView {
    let form = use_form();
    let is_new = known.is_none();
    let id: String = if is_new { render::once() } else { String::new() };
    let of = |read: fn(&Collection) -> String| known.as_ref().map(read);
    let greeting = form.or("greeting", &of(|known| known.greeting.clone()).unwrap_or_default());
    let thanks = form.or("thanks", &of(|known| known.thanks.clone()).unwrap_or_default());
    let usual_day = time::day(now_ms() + USUAL_DAYS * DAY_MS);
    let until = of(|known| time::day(known.until - 1)).unwrap_or(usual_day);
    let most = of(|known| known.most.to_string()).unwrap_or_else(|| USUAL_MOST.to_string());
    let most_each = of(|known| known.most_each.to_string()).unwrap_or_else(|| USUAL_MOST_EACH.to_string());
    let wishes = if form.is_sent() {
        form.get("wishes") == "1"
    } else {
        known.as_ref().is_none_or(|known| known.asks_wishes)
    };
    let key =
        is_new.then(|| view! { <input type="hidden" name="collection" value=form.or("collection", &id)/> });
    view! {
        <form class="sheet stack collection-form" method="post" action=use_path()>
            {key}
            <Field name="title" label="名称" value=of(|known| known.title.clone()).unwrap_or_default() most=TITLE_LENGTH as u32 required=true/>
            <Words name="greeting" label="欢迎词（可不填）" value=greeting/>
            <Words name="thanks" label="致谢：发过照片的人再打开时看到（可不填）" value=thanks/>
            <div class="fields three">
                <Field name="until" label="收到哪一天" kind="date" value=until required=true/>
                <Field name="most" label="一共最多几张" value=most inputmode="numeric" required=true/>
                <Field name="most_each" label="每个人最多几张" value=most_each inputmode="numeric" required=true/>
            </div>
            <label class="check">
                <input type="checkbox" name="wishes" value="1" checked=wishes/>
                <span>"也请来宾写几句话"<small class="hint">"做书时可以加成留言页"</small></span>
            </label>
            <p class="hint">"来宾发来的照片从送到起占您的素材空间；不要的三十天后删掉。"</p>
            <p><button class="button primary">{if is_new { "建好" } else { "保存" }}</button></p>
        </form>
    }
}

#[component]
fn Words(name: &'static str, label: &'static str, value: String) -> impl IntoView {
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <Limit name most=GREETING_LENGTH.to_string()/>
            <textarea id=name name=name rows="3" maxlength=GREETING_LENGTH.to_string() aria-describedby=format!("{name}-limit") inner_html=area_text(&value)></textarea>
            <FieldError name=name.to_owned()/>
        </div>
    }
}

//! /g/{code}: what a guest does. It greets, takes photos with a name and a wish, and shows what this browser has sent, to be
//! written below or taken back. It has few bytes, works without scripts, and nobody has to sign in; an island that is loaded when photos
//! are chosen sends them in pieces ([`super::uploads`]).

use axum::extract::{Path, RawForm, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::guests::{CAPTION_LENGTH, NAME_LENGTH, NotTaken, WISH_LENGTH};
use domain::ids::GuestPhotoId;
use domain::redeem_code::RedeemCode;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use photos::{PhotoInput, guests_uploader_props};
use web::app::App;
use web::files;
use web::islands::{Island, ReactIsland, When};
use web::multipart::{Budget, Multipart, bounded};
use web::render::{self, Form, HeadSlot, loaded, parameter, unkept, use_form, use_query};
use web::ui::forms::{check_length, has_control, read_form, unwritable};
use web::ui::parts::{ErrorSummary, Field, FieldError, Limit, area_text};
use web::ui::shell::{Head, Mark};

use super::arriving::{self, Refused};
use super::browser;
use super::coming::forget_file;
use super::sent::Sent;
use super::store::photos::{self as pieces, Piece};
use super::store::{self, Collection, Guest};
use super::uploads::{BELOW, left, sender};

/// Photos on one page of what a guest has sent.
pub const PAGE: usize = 60;
/// Bytes that a word of the form may have, and all together.
const MOST_FIELD: usize = 8 * 1024;
const MOST_WORDS: usize = 64 * 1024;
/// Files of one form that are refused one by one: more than anybody reads about.
const MOST_REFUSED: usize = 100;

/// What who comes with a wrong address is told: nobody learns whether it ever was one.
pub const UNKNOWN: &str = "这个地址不对，或者已经撤掉了。请再扫一次二维码，或者问问请您来的人。";

/// The page of a collection for its guests.
pub fn address(code: &str) -> String {
    // with lines, as people type it
    code.parse::<RedeemCode>().map_or_else(|_| format!("/g/{code}"), |code| format!("/g/{code}"))
}

/// The collection of a code as it was typed or scanned.
///
/// # Errors
/// Those of the database.
pub async fn by_code(app: &App, typed: &str) -> Result<Option<Collection>, Error> {
    match typed.parse::<RedeemCode>() {
        Ok(code) => store::by_code(&app.db, &code.plain()).await,
        Err(_) => Ok(None),
    }
}

async fn unknown(app: &App, parts: Parts) -> Result<Response, Error> {
    render::again(app, parts, "/g/unknown", Form::default()).await
}

/// What stands there for an address that leads to no collection.
#[component]
fn Unknown() -> impl IntoView {
    if let Some(answer) = use_context::<ResponseOptions>() {
        answer.set_status(StatusCode::NOT_FOUND);
    }
    view! {
        <Head title="没有找到".to_owned() assets=&["guests.css"]/>
        <main id="main" class="guestpage">
            <h1>"没有找到"</h1>
            <p class="notice warn">{UNKNOWN}</p>
        </main>
        <footer class="guestfoot"><a href="/about"><Mark/>"书坊"</a></footer>
    }
}

/// What the page works with.
struct Shown {
    collection: Collection,
    guest: Option<Guest>,
    sent: Vec<Piece>,
    count: i64,
    next: Option<String>,
    /// Bytes that there is room for.
    left: u64,
    /// Names of files of which only a part has come.
    unfinished: Vec<String>,
}

/// GET /g/{code}?before=….
#[component]
pub fn GuestPage() -> impl IntoView {
    let (app, parts, code) = (use_context::<App>(), use_context::<Parts>(), parameter::<String>("code"));
    let before = use_query("before").unwrap_or_default();
    unkept();
    loaded(
        async move {
            let outside = || Error::internal("a page outside a request");
            let (app, parts) = (app.ok_or_else(outside)?, parts.ok_or_else(outside)?);
            let Some(collection) = by_code(&app, &code?).await? else { return Ok(None) };
            let browser = browser::named(&app, &parts)?;
            let guest = store::guest_of(&app.db, &collection.id, &browser).await?;
            let (mut sent, mut count, mut unfinished) = (Vec::new(), 0, Vec::new());
            if let Some(guest) = &guest {
                let sender = sender(&collection, &guest.id);
                unfinished = photos::uploads::unfinished(&app.db, &sender, now_ms()).await?;
                sent = pieces::of_guest(&app.db, &guest.id, &before, PAGE as i64 + 1).await?;
                count = pieces::count_of_guest(&app.db, &guest.id).await?;
            }
            let is_further = sent.len() > PAGE;
            sent.truncate(PAGE);
            let next = sent.last().filter(|_| is_further).map(|last| last.id.to_string());
            let left = left(&app, &collection).await?;
            Ok(Some(Shown { collection, guest, sent, count, next, left, unfinished }))
        },
        move |shown| {
            if let Some(slot) = use_context::<HeadSlot>() {
                slot.hide();
            }
            match shown {
                Some(shown) => view! { <Whole shown/> }.into_any(),
                None => view! { <Unknown/> }.into_any(),
            }
        },
    )
}

#[component]
fn Whole(shown: Shown) -> impl IntoView {
    let Shown { collection, guest, sent, count, next, left, unfinished } = shown;
    let form = use_form();
    let own = address(&collection.code);
    let refusal = collection.state(now_ms()).refusal();
    let has_come = count > 0 || guest.as_ref().is_some_and(|guest| !guest.wish.is_empty());
    let paragraphs =
        |text: &str| text.lines().map(|line| view! { <p>{line.to_owned()}</p> }).collect::<Vec<_>>();
    let thanks = (has_come && !collection.thanks.is_empty())
        .then(|| view! { <section class="thanks trim">{paragraphs(&collection.thanks)}</section> });
    let greeting = (!collection.greeting.is_empty())
        .then(|| view! { <div class="greeting">{paragraphs(&collection.greeting)}</div> });
    let arrived: Option<u64> = match form.is_sent() {
        true => form.get("added").parse().ok(),
        false => use_query("sent").and_then(|sent| sent.parse().ok()),
    };
    let done = match (arrived, use_query("done").as_deref()) {
        (Some(0), _) if !form.is_sent() => Some("已经写好了，谢谢。".to_owned()),
        (Some(arrived), _) if arrived > 0 => Some(format!("收到了 {arrived} 张，谢谢。")),
        (_, Some("saved")) if !form.is_sent() => Some("图说已保存。".to_owned()),
        (_, Some("back")) if !form.is_sent() => Some("已收回，这里不再有它。".to_owned()),
        _ => None,
    };
    let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
    let sending = match refusal {
        None => {
            view! { <Sending collection=collection.clone() guest=guest.clone() has_come left unfinished/> }
                .into_any()
        }
        Some(reason) => view! { <p class="notice warn">{reason.to_string()}</p> }.into_any(),
    };
    let is_open = refusal.is_none();
    view! {
        <Head title=collection.title.clone() assets=&["photos.css", "guests.css", "guests.js"]/>
        <main id="main" class="guestpage">
            <header>
                <h1>{collection.title.clone()}</h1>
                {greeting}
            </header>
            {done}
            <ErrorSummary title="还没有全部办好"/>
            {thanks}
            {sending}
            {(count > 0).then(|| view! { <Sent own sent count next is_open/> })}
        </main>
        <footer class="guestfoot"><a href="/about"><Mark/>"书坊"</a></footer>
    }
}

#[component]
fn Sending(
    collection: Collection,
    guest: Option<Guest>,
    has_come: bool,
    left: u64,
    unfinished: Vec<String>,
) -> impl IntoView {
    let form = use_form();
    let (name, wish) = guest.map(|guest| (guest.name, guest.wish)).unwrap_or_default();
    let wish = form.or("wish", &wish);
    let wishes = collection.asks_wishes.then(|| {
        view! {
            <div class="field">
                <label for="wish">"想说的话（可不填）"</label>
                <Limit name="wish" most=WISH_LENGTH.to_string()/>
                <textarea id="wish" name="wish" rows="3" maxlength=WISH_LENGTH.to_string() aria-describedby="wish-limit" inner_html=area_text(&wish)></textarea>
                <FieldError name="wish".to_owned()/>
            </div>
        }
    });
    let last = time::day(collection.until - 1);
    let label = if has_come { "再选照片" } else { "选照片" };
    let own = address(&collection.code);
    let props = guests_uploader_props(
        label,
        format!("{own}/{BELOW}"),
        format!("{own}/photo*"),
        left,
        NotTaken::RoomFull.to_string(),
    );
    // what was begun is gone on with: the script may come before files are chosen
    let when = if unfinished.is_empty() { When::Change } else { When::Intent };
    view! {
        <form class="sheet stack" method="post" action=own enctype="multipart/form-data" data-guests>
            <Field name="name" label="您的名字" value=name most=NAME_LENGTH as u32 autocomplete="name" required=true/>
            {wishes}
            <Unfinished names=unfinished/>
            <ReactIsland island=Island::new(&props) when><PhotoInput label/></ReactIsland>
            <button class="button primary wide">"发送"</button>
            <output class="quiet"></output>
            <p class="hint">
                {format!("收到 {last} 为止，每个人最多 {} 张。只有请您来的人看得到；在他收下以前，您可以收回。", collection.most_each)}
            </p>
        </form>
    }
}

/// Files of which only a part has come.
#[component]
fn Unfinished(names: Vec<String>) -> impl IntoView {
    (!names.is_empty()).then(|| {
        let shown = names.iter().map(String::as_str).filter(|name| !name.is_empty()).take(3);
        let shown = shown.collect::<Vec<_>>().join("、");
        let more = if names.len() > 3 { " 等" } else { "" };
        view! {
            <div class="notice" id="unfinished">
                <p>{format!("有 {} 张还没有发完：{shown}{more}", names.len())}</p>
                <p class="quiet">"再选一次这些照片，会从断开的地方接着发；一天没有继续的会被清掉。"</p>
            </div>
        }
    })
}

/// POST /g/{code}: a guest's name, wish and photos. What arrived stays, also where the line breaks or the rest is refused.
pub async fn send(
    State(app): State<App>,
    Path(code): Path<String>,
    parts: Parts,
    mut multipart: Multipart,
) -> Result<Response, Error> {
    let Some(collection) = by_code(&app, &code).await? else { return unknown(&app, parts).await };
    let page = address(&collection.code);
    accounts::take_guest_request(&app, &parts, &collection.id).await?;
    let browser = browser::named(&app, &parts)?;
    let guest = match collection.state(now_ms()).refusal() {
        Some(reason) => Err(Refused::All(reason)),
        None => arriving::guest(&app, &parts, &collection.id, &browser).await,
    };
    let guest = match guest {
        Ok(guest) => guest,
        Err(refused) => return refuse(&app, parts, &page, Form::sent([]), refused).await,
    };
    let (mut pairs, mut budget) = (Vec::new(), Budget::of(MOST_WORDS));
    let (mut added, mut refused, mut all) = (0_u64, Vec::new(), None);
    while let Some(field) = multipart.next_field().await.map_err(|error| arriving::broken_form(&error))? {
        let name = field.name().unwrap_or("").to_owned();
        if name != "photos" {
            let value = bounded(field, MOST_FIELD).await.map_err(|error| arriving::broken_form(&error))?;
            let too_long = || Error::TooLarge("写的文字太多了，请缩短".into());
            let value = String::from_utf8(value.map_err(|_| too_long())?).map_err(|_| unwritable())?;
            if has_control(&value) {
                return Err(unwritable());
            }
            if !budget.pay(name.len() + value.len()) {
                return Err(too_long());
            }
            pairs.push((name, value));
            continue;
        }
        let file_name = photos::shown_name(field.file_name().unwrap_or(""));
        // browsers send one nameless empty file where none was chosen
        let is_none = file_name.is_empty();
        match arriving::take(&app, &collection.id, &guest, &file_name, field).await {
            Ok(is_new) => added += u64::from(is_new),
            Err(Refused::This(_)) if is_none => {}
            Err(Refused::This(reason)) => {
                refused.push(format!("{file_name}：{reason}"));
                if refused.len() == MOST_REFUSED {
                    break;
                }
            }
            Err(Refused::All(_)) if is_none => {}
            Err(Refused::All(reason)) => {
                all = Some(reason);
                break;
            }
            Err(Refused::Failed(error)) => return Err(error),
        }
    }
    let mut form = Form::sent(pairs);
    form.set("added", &added.to_string());
    if all.is_none() {
        check_length(&mut form, "name", "名字", 1, NAME_LENGTH);
        check_length(&mut form, "wish", "想说的话", 0, WISH_LENGTH);
    }
    if !form.is_refused() && !form.get("name").is_empty() {
        let wish = if collection.asks_wishes { form.get("wish") } else { guest.wish.as_str() };
        let name: String = form.get("name").chars().take(NAME_LENGTH).collect();
        let wish: String = wish.chars().take(WISH_LENGTH).collect();
        let mut tx = app.db.begin().await?;
        store::set_words(&mut tx, &guest.id, &name, &wish).await?;
        tx.commit().await?;
    }
    for reason in refused {
        form.refuse("photos", reason);
    }
    if let Some(reason) = all {
        return refuse(&app, parts, &page, form, Refused::All(reason)).await;
    }
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    Ok(Redirect::to(&format!("{page}?sent={added}#sent")).into_response())
}

/// The page again with why nothing more is taken, under the reason's own status.
async fn refuse(
    app: &App,
    parts: Parts,
    page: &str,
    mut form: Form,
    refused: Refused,
) -> Result<Response, Error> {
    let reason: NotTaken = match refused {
        Refused::All(reason) => reason,
        Refused::This(reason) => return Err(Error::BadRequest(reason)),
        Refused::Failed(error) => return Err(error),
    };
    form.refuse("", reason.to_string());
    render::again_as(app, parts, page, form, reason.status()).await
}

/// POST /g/{code}/sent: what stands below this browser's photos (`caption-{photo}`), or with `back` one of them is taken back.
pub async fn change_sent(
    State(app): State<App>,
    Path(code): Path<String>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let Some(collection) = by_code(&app, &code).await? else { return unknown(&app, parts).await };
    let page = address(&collection.code);
    accounts::take_guest_request(&app, &parts, &collection.id).await?;
    let browser = browser::known(&app, &parts).ok_or(Error::NotFound)?;
    let guest = store::guest_of(&app.db, &collection.id, &browser).await?.ok_or(Error::NotFound)?;
    let mut form = read_form(&body)?;
    let back: Option<GuestPhotoId> = form.get("back").parse().ok();
    let mut wrong = Vec::new();
    let mut captions: Vec<(GuestPhotoId, String)> = Vec::new();
    for (id, typed) in form.starting_with("caption-") {
        let Ok(id) = id.parse() else { continue };
        let text = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > CAPTION_LENGTH {
            wrong.push(format!("caption-{id}"));
        } else if captions.len() < PAGE {
            captions.push((id, text));
        }
    }
    for field in wrong {
        form.refuse(&field, format!("图说最多 {CAPTION_LENGTH} 个字"));
    }
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    for (id, caption) in &captions {
        pieces::set_caption(&mut tx, id, &guest.id, caption).await?;
    }
    if let Some(id) = &back
        && let Some((sha256, preview)) = pieces::take_back(&mut tx, id, &guest.id).await?
    {
        let sender = sender(&collection, &guest.id);
        photos::uploads::end_of_file(&mut tx, &sender, &sha256, i64::MAX).await?;
        forget_file(&mut tx, &collection.member, sha256, preview).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    let done = if back.is_some() { "back" } else { "saved" };
    Ok(Redirect::to(&format!("{page}?done={done}#sent")).into_response())
}

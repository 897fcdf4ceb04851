//! /manager/guests/{id}: the address with its code and card, and what came, guest by guest.

use axum::extract::{Query, RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::guests::{CollectionState, PieceState};
use domain::ids::{CollectionId, GuestPhotoId};
use domain::typed;
use leptos::prelude::*;
use press::GuestCard;
use serde::Deserialize;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::files::pdf_file;
use web::ui::forms::read_form;
use web::ui::parts::ErrorSummary;
use web::ui::qr;
use web::ui::shell::Shell;

use super::came::{Came, Tabs};
use super::collection_form::own_address;
use super::collections::mark;
use super::deciding::Accepted;
use super::store::photos::{self as pieces, Piece, Position};
use super::store::{self, Collection, Guest};
use super::wishes::{self, Wishes};
use super::{PAGE, deciding, guest_page};

/// Photos on one page.
const PART: usize = 60;
/// What stands on the card where its owner says nothing else, and how long it may be.
const LINE: &str = "扫一扫，把您拍的照片发给我们";
const LINE_LENGTH: usize = 40;

/// What came, as the page shows a part of it.
pub enum Part {
    /// Each with its guest's name and wish.
    Photos(PieceState, Vec<(Piece, String, String)>),
    Wishes(Vec<Guest>),
}

struct Shown {
    collection: Collection,
    counts: std::collections::BTreeMap<String, i64>,
    senders: i64,
    wishes: i64,
    part: Part,
    is_first: bool,
    next: Option<String>,
    link: String,
    code: String,
}

async fn shown(
    app: &App,
    parts: &Parts,
    collection: Collection,
    show: &str,
    after: &str,
) -> Result<Shown, Error> {
    let id = &collection.id;
    let own = own_address(id);
    let counts = pieces::count_by_state(&app.db, id).await?;
    let (part, next) = if show == "wishes" {
        let mut all = store::wishes(&app.db, id, after, wishes::PART as i64 + 1).await?;
        let is_further = all.len() > wishes::PART;
        all.truncate(wishes::PART);
        let next =
            all.last().filter(|_| is_further).map(|last| format!("{own}?show=wishes&after={}", last.id));
        (Part::Wishes(all), next)
    } else {
        let state = PieceState::of_code(show).unwrap_or(PieceState::Waiting);
        let after: Option<Position> = after.parse().ok();
        let mut found = pieces::of_collection(&app.db, id, state, after.as_ref(), PART as i64 + 1).await?;
        let is_further = found.len() > PART;
        found.truncate(PART);
        let next = found.last().filter(|_| is_further).map(|last| {
            let place = Position { at: last.guest.clone(), id: last.id.clone() };
            format!("{own}?show={}&after={place}", state.code())
        });
        let mut guests: Vec<String> = found.iter().map(|piece| piece.guest.clone()).collect();
        guests.dedup();
        let named = pieces::guests_named(&app.db, &guests).await?;
        let with_guest = |piece: Piece| {
            let (name, wish) = named.get(&piece.guest).cloned().unwrap_or_default();
            (piece, name, wish)
        };
        (Part::Photos(state, found.into_iter().map(with_guest).collect()), next)
    };
    let link = Origin::of(&app.config, &parts.headers).join(&guest_page::address(&collection.code));
    Ok(Shown {
        senders: pieces::count_senders(&app.db, id).await?,
        wishes: store::count_wishes(&app.db, id).await?,
        code: qr::picture(&link, "给来宾的二维码")?,
        link,
        counts,
        part,
        is_first: after.is_empty(),
        next,
        collection,
    })
}

/// GET /manager/guests/{id}?show=…&after=….
#[component]
pub fn CollectionPage() -> impl IntoView {
    let (here, parts) = (here(), use_context::<Parts>());
    let id = parameter::<CollectionId>("id");
    let form = use_form();
    let show =
        if form.is_sent() { form.get("show").to_owned() } else { use_query("show").unwrap_or_default() };
    let after =
        if form.is_sent() { form.get("after").to_owned() } else { use_query("after").unwrap_or_default() };
    loaded(
        async move {
            let Here { app, member } = here?;
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            let collection = store::find_for_owner(&app.db, &id?, &member.id).await?;
            Ok((member, shown(&app, &parts, collection, &show, &after).await?, after))
        },
        |(member, shown, after)| {
            let Shown { collection, counts, senders, wishes, part, is_first, next, link, code } = shown;
            let own = own_address(&collection.id);
            let state = collection.state(now_ms());
            let accepted = counts.get(PieceState::Accepted.code()).copied().unwrap_or(0);
            let book = (accepted > 0).then(|| {
                view! { <a class="button primary" href=format!("/manager/make_ebook?guests={}", collection.id)>"做成一本书"</a> }
            });
            let all: i64 = counts.values().sum();
            let last = time::day(collection.until - 1);
            let told = format!("{senders} 位来宾发来 {all} 张，{wishes} 条留言；收到 {last}");
            let tabs = view! { <Tabs own=own.clone() counts=counts.clone() wishes part=tab_of(&part)/> };
            let body = match part {
                Part::Photos(state, photos) => {
                    view! { <Came own=own.clone() state photos is_first next after/> }.into_any()
                }
                Part::Wishes(wishes) => view! { <Wishes own=own.clone() wishes is_first next/> }.into_any(),
            };
            view! {
                <Shell member title=collection.title.clone() assets=&["photos.css", "guests.css"]>
                    <header class="head">
                        <div>
                            <p><a class="link" href=PAGE>"来宾照片"</a></p>
                            <h1>{collection.title.clone()}</h1>
                            <p class="quiet num">{told}</p>
                            <p class="row">
                                <span class=mark(state)>{state.name()}</span>
                                <a class="link" href=format!("{own}/settings")>"设置"</a>
                            </p>
                        </div>
                        {book}
                    </header>
                    <Done/>
                    <ErrorSummary title="有的没有办成"/>
                    <Invitation own=own.clone() link code state is_empty=all == 0/>
                    {tabs}
                    {body}
                </Shell>
            }
        },
    )
}

fn tab_of(part: &Part) -> &'static str {
    match part {
        Part::Photos(state, _) => state.code(),
        Part::Wishes(_) => "wishes",
    }
}

/// What the last form has done.
#[component]
fn Done() -> impl IntoView {
    let count = |name: &str| use_query(name).and_then(|count| count.parse::<u64>().ok());
    let text = if use_form().is_sent() {
        None
    } else if let Some(accepted) = count("accepted") {
        let rest =
            if use_query("more").is_some() { "其余的正在收，过一会儿再看。" } else { "" };
        let coming = count("coming").map(|coming| format!("{coming} 张的原图还在路上，到了再收。"));
        Some(format!("收下 {accepted} 张，已经在素材里。{rest}{}", coming.unwrap_or_default()))
    } else if let Some(hidden) = count("hidden") {
        Some(format!("{hidden} 张放到了“不要的”里，三十天后删掉。"))
    } else if let Some(back) = count("back") {
        Some(format!("{back} 张回到了“待看”。"))
    } else {
        match use_query("done").as_deref() {
            Some("made") => Some("建好了。把链接发出去，或者打印卡片放在桌上。".to_owned()),
            Some("saved") => Some("设置已保存。".to_owned()),
            Some("ended") => Some("已经停止收照片。".to_owned()),
            Some("opened") => Some("又可以收照片了。".to_owned()),
            _ => None,
        }
    };
    text.map(|text| view! { <div class="notice good" role="status">{text}</div> })
}

/// How guests come here.
#[component]
fn Invitation(
    own: String,
    link: String,
    code: String,
    state: CollectionState,
    is_empty: bool,
) -> impl IntoView {
    let note = match state.refusal() {
        None => "扫码或打开链接就能发，不用注册。有链接的人都能发，请只给来的人。".to_owned(),
        Some(_) => format!("{}：现在打开链接的人发不了。", state.name()),
    };
    view! {
        <details class="fold sheet invitation" open=is_empty>
            <summary>"链接、二维码和卡片"</summary>
            <div class="invite">
                <div class="qr" inner_html=code></div>
                <div class="stack">
                    <p class="num long"><a class="link" href=link.clone()>{link.clone()}</a></p>
                    <p class="hint">{note}</p>
                    <form class="stack" action=format!("{own}/card.pdf")>
                        <div class="field">
                            <label for="line">"卡片上的一句话"</label>
                            <input id="line" class="input" name="line" maxlength=LINE_LENGTH.to_string() value=LINE/>
                        </div>
                        <p><button class="button">"下载卡片 PDF（A6）"</button></p>
                    </form>
                </div>
            </div>
        </details>
    }
}

/// What is printed on the card.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Printed {
    line: String,
}

/// GET /manager/guests/{id}/card.pdf.
pub async fn card(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CollectionId>,
    Query(printed): Query<Printed>,
    parts: Parts,
) -> Result<Response, Error> {
    let collection = store::find_for_owner(&app.db, &id, &member.id).await?;
    let link = Origin::of(&app.config, &parts.headers).join(&guest_page::address(&collection.code));
    let line = typed::name(&printed.line, LINE_LENGTH);
    let line = if line.is_empty() { LINE.to_owned() } else { line };
    let (press, title) = (app.press, collection.title.clone());
    let made = app
        .compute(move || {
            let short = link.trim_start_matches("https://").trim_start_matches("http://");
            press.guest_card(&GuestCard { title: &title, line: &line, address: &link, short_address: short })
        })
        .await?
        .map_err(Error::internal)?;
    Ok(pdf_file("guests.pdf", &format!("{}的卡片.pdf", collection.title), made))
}

/// POST /manager/guests/{id}: the chosen photos (`photo`, several) with `act`, or one by its own button (`accept`, `hide`, `back`).
pub async fn decide(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CollectionId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    let own = own_address(&id);
    let one = ["accept", "hide", "back"].into_iter().find(|act| !form.get(act).is_empty());
    let act = one.unwrap_or(form.get("act")).to_owned();
    let chosen: Vec<GuestPhotoId> = match one {
        Some(act) => form.get(act).parse().into_iter().collect(),
        None => form.all("photo").filter_map(|photo| photo.parse().ok()).take(PART).collect(),
    };
    if act == "accept_all" {
        let (accepted, is_more) = deciding::accept_all(&app, &member.id, &id, now_ms()).await?;
        let more = if is_more { "&more=1" } else { "" };
        let coming = match pieces::coming::count_waiting(&app.db, &id).await? {
            0 => String::new(),
            coming => format!("&coming={coming}"),
        };
        return Ok(Redirect::to(&format!("{own}?accepted={accepted}{more}{coming}")).into_response());
    }
    if chosen.is_empty() {
        return refused(&app, parts, &own, form, vec!["请先选中照片".to_owned()]).await;
    }
    let show = PieceState::of_code(form.get("show")).unwrap_or(PieceState::Waiting).code();
    let (done, count) = match act.as_str() {
        "accept" => {
            let Accepted { photos, coming } = deciding::accept(&app, &id, &chosen).await?;
            if coming > 0 {
                let said = format!("{coming} 张的原图还在路上，到了才能收下");
                let said = if photos > 0 { format!("收下 {photos} 张；{said}") } else { said };
                return refused(&app, parts, &own, form, vec![said]).await;
            }
            ("accepted", photos)
        }
        "back" => ("back", deciding::look_again(&app, &id, &chosen).await?),
        "hide" => {
            let (hidden, kept) = deciding::hide(&app, &member.id, &id, &chosen).await?;
            if !kept.is_empty() {
                return refused(&app, parts, &own, form, kept).await;
            }
            ("hidden", hidden)
        }
        _ => return Err(Error::Incomplete),
    };
    form.forget("photo");
    Ok(Redirect::to(&format!("{own}?show={show}&{done}={count}")).into_response())
}

async fn refused(
    app: &App,
    parts: Parts,
    own: &str,
    mut form: Form,
    reasons: Vec<String>,
) -> Result<Response, Error> {
    for reason in reasons {
        form.refuse("", reason);
    }
    render::again(app, parts, own, form).await
}

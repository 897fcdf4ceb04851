//! /manager/businessCard 名片: where a member says what everybody may know of it, and takes its card to the print shop.

use std::collections::BTreeSet;

use axum::extract::{Query, RawForm, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::card::{Field as Part, Look, NAME_LENGTH, complaint, read_text};
use leptos::prelude::*;
use press::BusinessCard;
use serde::Deserialize;
use web::app::App;
use web::origin::Origin;
use web::render::{self, Form, here, loaded, use_form, use_query};
use web::session::Member;
use web::slice::Publication;
use web::ui::files::pdf_file;
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{Ask, ErrorSummary, Field, FieldError, area_text};
use web::ui::shell::Shell;

use super::card_view::CardView;
use super::public::{address, picture_address};
use super::store::{self, Card};
use super::{PAGE, key_of, published};

/// The fields that are lines of text, in the order of the form.
const LINES: [Part; 6] = [Part::Title, Part::Company, Part::Phone, Part::Email, Part::Weixin, Part::Address];

/// A card as it is before anybody has filled one in.
fn blank(member: &Member, published: &[Publication]) -> Card {
    Card {
        member: member.id.clone(),
        code: member.member_code.clone(),
        name: member.name.clone(),
        title: String::new(),
        company: String::new(),
        phone: member.phone.clone().unwrap_or_default(),
        email: member.email.clone().unwrap_or_default(),
        weixin: String::new(),
        address: String::new(),
        introduction: String::new(),
        shown: Part::ALL.into_iter().filter(|part| part.is_public_at_first()).collect(),
        works: published.iter().map(key_of).collect(),
        look: Look::default(),
        is_listed: false,
        updated_at: now_ms(),
    }
}

/// GET /manager/businessCard.
#[component]
pub fn BusinessCardPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let (app, member) = (here.app, here.member);
            let published = published(&app, &member.id).await?;
            let kept = store::of_member(&app.db, &member.id).await?;
            let picture = accounts::picture_of(&app, &member.id).await?.map(|(sha256, _)| sha256);
            Ok((member, published, kept, picture))
        },
        |(member, published, kept, picture)| {
            let done = match use_query("done").as_deref().filter(|_| !use_form().is_sent()) {
                Some("saved") => Some("名片已保存。"),
                Some("removed") => Some("名片已撤下，它的页面不在了。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let card = kept.clone().unwrap_or_else(|| blank(&member, &published));
            let beside = match kept {
                Some(card) => view! { <Made card picture=picture.clone()/> }.into_any(),
                None => view! {
                    <section class="sheet">
                        <h2>"还没有名片"</h2>
                        <p class="quiet">"填好名字保存，就有一个可以发给别人的页面、一个二维码和一份可以印刷的 PDF。"</p>
                    </section>
                }
                .into_any(),
            };
            view! {
                <Shell member=member.clone() title="名片".to_owned() assets=&["card.css"]>
                    <header class="head"><h1>"名片"</h1></header>
                    {done}
                    <ErrorSummary title="还没有保存"/>
                    <div class="cardparts">
                        <CardForm card published has_picture=picture.is_some()/>
                        <div class="stack">{beside}</div>
                    </div>
                </Shell>
            }
        },
    )
}

/// The card that is there: what it looks like, where it is, and what can be had of it.
#[component]
fn Made(card: Card, picture: Option<String>) -> impl IntoView {
    let own = address(&card.code);
    let picture =
        picture.filter(|_| card.shown.contains(&Part::Picture)).map(|sha256| picture_address(&card, &sha256));
    let state = if card.is_listed {
        "有链接的人都能看，搜索引擎可以收录。"
    } else {
        "有链接的人都能看，搜索引擎不收录。"
    };
    view! {
        <section class="made">
            <h2 class="sr">"现在的样子"</h2>
            <CardView card picture/>
            <p class="quiet">{state}</p>
            <p><a class="button" href=own.clone()>"打开名片页面"</a></p>
            <form class="sheet" action=format!("{PAGE}/card.pdf")>
                <h2>"印成纸的"</h2>
                <p class="quiet">"90 × 54 毫米，四边各 3 毫米出血，正反两面；背面是二维码。"</p>
                <label class="check"><input type="checkbox" name="all" value="1"/>"不公开的电话、邮箱等也印上"</label>
                <p><button class="button">"下载印刷 PDF"</button></p>
            </form>
            <Ask
                label="撤下名片"
                question="撤下以后，链接和二维码打开都是“没有找到”，填过的内容也会删除。".to_owned()
                confirm="撤下"
                action=format!("{PAGE}/removal")
            />
        </section>
    }
}

#[component]
fn CardForm(card: Card, published: Vec<Publication>, has_picture: bool) -> impl IntoView {
    let form = use_form();
    let sent = form.is_sent();
    let is_shown = {
        let (form, shown) = (form.clone(), card.shown.clone());
        move |part: Part| {
            if sent { form.all("shown").any(|code| code == part.code()) } else { shown.contains(&part) }
        }
    };
    let lines: Vec<_> = LINES
        .into_iter()
        .map(|part| {
            let contact = match part {
                Part::Phone => Some("tel"),
                Part::Email => Some("email"),
                _ => None,
            };
            let most = u32::try_from(part.length()).unwrap_or(0);
            let value = card.text(part).to_owned();
            let input = match contact {
                // its kind, its keyboard and what a browser knows of its owner have one name
                Some(of) => {
                    view! { <Field name=part.code() label=part.name() value kind=of most inputmode=of autocomplete=of/> }
                        .into_any()
                }
                None => view! { <Field name=part.code() label=part.name() value most/> }.into_any(),
            };
            view! { <div class="with-choice">{input}<Choice part on=is_shown(part)/></div> }
        })
        .collect();
    let introduction = form.or("introduction", &card.introduction);
    let picture = if has_picture {
        view! { <p>"用您的头像。"<a class="link" href="/manager/userInfo">"换一张"</a></p> }.into_any()
    } else {
        view! { <p>"您还没有头像。"<a class="link" href="/manager/userInfo">"上传一张"</a></p> }.into_any()
    };
    let looks: Vec<_> = Look::ALL
        .into_iter()
        .map(|look| {
            let chosen = if sent { form.get("look") == look.code() } else { card.look == look };
            let (name, hint) = look.name();
            view! {
                <label>
                    <input type="radio" name="look" value=look.code() checked=chosen/>
                    <span><i class=format!("swatch look-{}", look.code()) aria-hidden="true"></i>{name}<small>{hint}</small></span>
                </label>
            }
        })
        .collect();
    let listed = if sent { form.get("listed") == "1" } else { card.is_listed };
    view! {
        <form class="stack" method="post" action=PAGE>
            <section class="sheet fields">
                <Field name="name" label="名字" value=card.name.clone() most=NAME_LENGTH as u32 autocomplete="name" required=true/>
                {lines}
                <div class="with-choice">
                    <div class="field">
                        <label for="introduction">"介绍"</label>
                        <textarea
                            id="introduction"
                            name="introduction"
                            maxlength=Part::Introduction.length().to_string()
                            inner_html=area_text(&introduction)
                        ></textarea>
                        <FieldError name="introduction".to_owned()/>
                    </div>
                    <Choice part=Part::Introduction on=is_shown(Part::Introduction)/>
                </div>
                <div class="with-choice">
                    <div><strong class="label">"头像"</strong>{picture}</div>
                    <Choice part=Part::Picture on=is_shown(Part::Picture)/>
                </div>
            </section>
            <section class="sheet fields">
                <div class="with-choice">
                    <Works published chosen=if sent { form.all("work").map(str::to_owned).collect() } else { card.works.clone() }/>
                    <Choice part=Part::Works on=is_shown(Part::Works)/>
                </div>
            </section>
            <section class="sheet fields">
                <fieldset class="chips cards looks"><legend>"样子"</legend><div>{looks}</div></fieldset>
                <label class="check"><input type="checkbox" name="listed" value="1" checked=listed/>"允许搜索引擎收录这张名片"</label>
            </section>
            <p><button class="button primary">"保存名片"</button></p>
        </form>
    }
}

/// Whether everybody sees a field.
#[component]
fn Choice(part: Part, on: bool) -> impl IntoView {
    view! {
        <label class="check choice">
            <input type="checkbox" name="shown" value=part.code() checked=on/>
            "公开"<span class="sr">{part.name()}</span>
        </label>
    }
}

#[component]
fn Works(published: Vec<Publication>, chosen: Vec<String>) -> impl IntoView {
    let items: Vec<_> = published
        .into_iter()
        .map(|published| {
            let key = key_of(&published);
            let on = chosen.contains(&key);
            view! {
                <li><label class="check"><input type="checkbox" name="work" value=key checked=on/>{published.title}</label></li>
            }
        })
        .collect();
    let list = if items.is_empty() {
        view! { <p class="quiet">"还没有公开的作品；公开了，这里可以选。"</p> }.into_any()
    } else {
        view! { <ul class="works-choice">{items}</ul> }.into_any()
    };
    view! { <fieldset><legend class="label">"作品和书架"</legend>{list}<p class="hint">"公开的书架一起显示。"</p></fieldset> }
}

/// POST /manager/businessCard.
pub async fn save(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let card = read(&member, &mut form);
    let (false, Some(mut card)) = (form.is_refused(), card) else {
        return render::again(&app, parts, PAGE, form).await;
    };
    let own: BTreeSet<String> = published(&app, &member.id).await?.iter().map(key_of).collect();
    card.works.retain(|key| own.contains(key));
    store::keep(&app.db, &card).await?;
    Ok(Redirect::to(&format!("{PAGE}?done=saved")).into_response())
}

/// The card that a form says, with what is wrong noted beside its fields.
fn read(member: &Member, form: &mut Form) -> Option<Card> {
    check_length(form, "name", "名字", 1, NAME_LENGTH);
    for part in LINES.into_iter().chain([Part::Introduction]) {
        if let Some(wrong) = complaint(part, &read_text(part, form.get(part.code()))) {
            form.refuse(part.code(), wrong);
        }
    }
    let look = Look::of_code(form.get("look"));
    if look.is_none() {
        form.refuse("look", "请选择一种样子");
    }
    let text = |part: Part| read_text(part, form.get(part.code()));
    Some(Card {
        member: member.id.clone(),
        code: member.member_code.clone(),
        name: form.get("name").split_whitespace().collect::<Vec<_>>().join(" "),
        title: text(Part::Title),
        company: text(Part::Company),
        phone: text(Part::Phone),
        email: text(Part::Email),
        weixin: text(Part::Weixin),
        address: text(Part::Address),
        introduction: text(Part::Introduction),
        shown: form.all("shown").filter_map(Part::of_code).collect(),
        works: form.all("work").map(str::to_owned).collect(),
        look: look?,
        is_listed: form.get("listed") == "1",
        updated_at: now_ms(),
    })
}

/// POST /manager/businessCard/removal.
pub async fn remove(State(app): State<App>, member: Member) -> Result<Redirect, Error> {
    let mut tx = app.db.begin().await?;
    store::remove(&mut tx, &member.id).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{PAGE}?done=removed")))
}

/// What is printed of a card.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Printed {
    /// `1` for what everybody may not see, too.
    all: String,
}

/// GET /manager/businessCard/card.pdf: for the print shop.
pub async fn pdf(
    State(app): State<App>,
    member: Member,
    Query(printed): Query<Printed>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let card = store::of_member(&app.db, &member.id).await?.ok_or(Error::NotFound)?;
    let whole = printed.all == "1";
    let picture = if whole || card.shown.contains(&Part::Picture) {
        accounts::picture_of(&app, &member.id).await?.map(|(_, bytes)| bytes)
    } else {
        None
    };
    let own = Origin::of(&app.config, &headers).join(&address(&card.code));
    let press = app.press;
    let name = format!("{}的名片.pdf", card.name);
    let made = app
        .compute(move || {
            let text = |part: Part| if whole { card.text(part) } else { card.seen(part) };
            let lines: Vec<(&str, &str)> = [Part::Phone, Part::Email, Part::Weixin, Part::Address]
                .into_iter()
                .filter(|part| !text(*part).is_empty())
                .map(|part| (short_name(part), text(part)))
                .collect();
            press.business_card(&BusinessCard {
                look: card.look.code(),
                name: &card.name,
                title: text(Part::Title),
                company: text(Part::Company),
                lines: &lines,
                picture: picture.as_deref(),
                address: &own,
                short_address: own.trim_start_matches("https://").trim_start_matches("http://"),
                invitation: "扫码看我的名片和作品",
            })
        })
        .await?
        .map_err(Error::internal)?;
    Ok(pdf_file("card.pdf", &name, made))
}

/// Two characters, for paper.
fn short_name(part: Part) -> &'static str {
    if part == Part::Weixin { "微信" } else { part.name() }
}

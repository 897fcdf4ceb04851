//! /manager/package/{id}/gift, and the form on every page where something may be given: to whom, how, when, with which words.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::contact::{Contact, LONGEST};
use domain::gift::{NAME_LENGTH, WORDS_LENGTH, Way, leads_elsewhere, read_day};
use domain::ids::PackageId;
use domain::money::Fen;
use domain::package::Term;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, Form, Here, here, loaded, parameter, use_form, use_path};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};
use web::ui::parts::{ErrorSummary, Field, FieldError, Limit, Money, area_text};
use web::ui::shell::Shell;

use super::gifts::{self, Words};
use super::packages::standing;
use super::purchase;
use super::sales::{NotSold, Wanted};
use super::store::Subject;
use super::store::packages as store;

/// What the form says; what is wrong with it stands in the form.
fn read(form: &mut Form, now: i64) -> Option<(String, Words)> {
    let shown = form.own_key("gift", |key| (1..=40).contains(&key.len()));
    let way = form.get("way").parse::<Way>().map_err(|problem| form.refuse("way", problem.to_string())).ok();
    let (mut address, mut send_at) = (None, None);
    if way == Some(Way::Mail) {
        match Contact::read(form.get("email")) {
            Some(contact @ Contact::Email(_)) => address = Some(contact),
            _ => form.refuse("email", "请填写对方的邮箱，例如 name@example.com"),
        }
        match read_day(form.get("day"), now) {
            Ok(day) => send_at = day,
            Err(problem) => form.refuse("day", problem.to_string()),
        }
    }
    check_length(form, "receiver", "对方的称呼", 0, NAME_LENGTH);
    check_length(form, "giver", "您的落款", 1, NAME_LENGTH);
    check_length(form, "words", "寄语", 0, WORDS_LENGTH);
    for field in ["receiver", "giver", "words"] {
        if leads_elsewhere(form.get(field)) {
            form.refuse(field, "这里不能放网址");
        }
    }
    if form.is_refused() {
        return None;
    }
    let words = Words {
        way: way?,
        address,
        receiver: form.get("receiver").to_owned(),
        giver: form.get("giver").to_owned(),
        words: form.get("words").to_owned(),
        send_at,
    };
    Some((shown?, words))
}

/// Begins to give something, or shows the form at `page` again.
pub async fn give(
    app: &App,
    giver: &Member,
    parts: Parts,
    page: &str,
    mut form: Form,
    wanted: Wanted,
) -> Result<Response, Error> {
    let now = now_ms();
    let Some((shown, words)) = read(&mut form, now) else {
        return render::again(app, parts, page, form).await;
    };
    match gifts::order(app, giver, &shown, wanted, words, now).await {
        Ok(sale) => Ok(Redirect::to(&purchase::address(&sale)).into_response()),
        Err(NotSold::Failed(error)) => Err(error),
        Err(reason) => {
            if matches!(reason, NotSold::Given) {
                form.set("gift", &new_id::<String>());
            }
            form.refuse("", reason.to_string());
            render::again(app, parts, page, form).await
        }
    }
}

/// POST /manager/package/{id}/gift.
pub async fn give_package(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PackageId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let package = store::find(&app.db, &id).await?;
    let mut form = read_form(&body)?;
    let page = format!("/manager/package/{id}/gift");
    let now = now_ms();
    if !package.is_on_sale(now) {
        form.refuse("", format!("这个套餐{}", standing(&package, now).1));
        return render::again(&app, parts, &page, form).await;
    }
    let wanted = Wanted {
        subject: Subject::Package(id),
        title: format!("《{}》", package.title),
        seller: package.seller,
        term: package.term,
        amount: package.price,
    };
    give(&app, &member, parts, &page, form, wanted).await
}

/// GET /manager/package/{id}/gift.
#[component]
pub fn GivePackagePage() -> impl IntoView {
    let here = here();
    let id = parameter::<PackageId>("id");
    loaded(
        async move {
            let Here { app, member } = here?;
            Ok((member, store::find(&app.db, &id?).await?))
        },
        |(member, package)| {
            let back = format!("/manager/package/{}", package.id);
            let is_given = package.is_on_sale(now_ms()) && package.seller != member.id;
            let offered = is_given.then_some((package.term, package.price));
            let title = package.title.clone();
            view! { <GivePage member title from=package.title back offered refusal="这个套餐现在不能送。" leave="回到套餐"/> }
        },
    )
}

/// The page of a [`GiftForm`].
#[component]
pub fn GivePage(
    member: Member,
    /// What is given.
    title: String,
    /// Where it is looked at, and what that is called.
    back: String,
    from: String,
    /// How long it may be read, and for what; nothing where it is not given.
    offered: Option<(Term, Fen)>,
    /// What is said then, and what leads away.
    refusal: &'static str,
    leave: &'static str,
) -> impl IntoView {
    let form = match offered {
        Some((term, price)) => view! { <GiftForm giver=member.name.clone() term price/> }.into_any(),
        None => view! {
            <div class="notice warn" role="status">{refusal}</div>
            <p><a class="button" href=back.clone()>{leave}</a></p>
        }
        .into_any(),
    };
    view! {
        <Shell member title=format!("送出《{title}》") assets=&["selling.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=back>{from}</a></p>
                    <h1>{format!("把《{title}》送给别人")}</h1>
                </div>
            </header>
            <ErrorSummary title="礼物还没有送出"/>
            {form}
        </Shell>
    }
}

/// The form itself; it is sent to the page that it stands on.
#[component]
fn GiftForm(
    /// What its giver is called.
    giver: String,
    term: Term,
    price: Fen,
) -> impl IntoView {
    let form = use_form();
    let id: String = render::once();
    let chosen = form.or("way", Way::Mail.code());
    let ways: Vec<_> = Way::ALL
        .into_iter()
        .enumerate()
        .map(|(at, way)| {
            view! {
                <label>
                    <input
                        type="radio"
                        id=(at == 0).then_some("way")
                        name="way"
                        value=way.code()
                        checked=chosen == way.code()
                    />
                    <span>{way.name()}</span>
                </label>
            }
        })
        .collect();
    let words = form.or("words", "");
    let giver: String = giver.chars().take(NAME_LENGTH).collect();
    view! {
        <form class="sheet stack gift-form" method="post" action=use_path()>
            <input type="hidden" name="gift" value=form.or("gift", &id)/>
            <p>
                <Money amount=price class="price"/>
                <span class="quiet">{format!(" · {term}，从对方收下的那天起算")}</span>
            </p>
            <fieldset class="chips">
                <legend>"怎么送"</legend>
                <div>{ways}</div>
                <FieldError name="way".to_owned()/>
            </fieldset>
            <div class="fields two by-mail">
                <Field name="email" label="对方的邮箱" kind="email" most=LONGEST as u32 autocomplete="off" inputmode="email"/>
                <Field name="day" label="哪天寄出（不填就是付款以后马上）" kind="date"/>
            </div>
            <div class="fields two">
                <Field name="receiver" label="对方的称呼（可不填）" most=20 autocomplete="off"/>
                <Field name="giver" label="您的落款" value=giver most=20 required=true/>
            </div>
            <div class="field">
                <label for="words">"寄语（可不填）"</label>
                <Limit name="words" most=WORDS_LENGTH.to_string()/>
                <textarea id="words" name="words" rows="4" maxlength=WORDS_LENGTH.to_string() aria-describedby="words-limit" inner_html=area_text(&words)></textarea>
                <FieldError name="words".to_owned()/>
            </div>
            <button class="button primary">"去付款"</button>
            <p class="hint">
                "礼物没有截止日期。对方收下以前，您随时可以在“送出的礼物”里收回，全款退到账户余额。"
            </p>
        </form>
    }
}

//! Small pieces of pages.

use base::time;
use domain::document::Trim;
use domain::money::Fen;
use leptos::prelude::*;

use crate::render::use_form;
use crate::session::Member;

/// An amount in yuan, the currency small; a minus stands before it.
#[component]
pub fn Money(amount: Fen, #[prop(optional)] class: &'static str) -> impl IntoView {
    let class = if class.is_empty() { "money".to_owned() } else { format!("money {class}") };
    let amount = amount.grouped();
    let (minus, amount) = amount.strip_prefix('-').map_or((None, &*amount), |rest| (Some("\u{2212}"), rest));
    view! { <span class=class>{minus}<small>"¥"</small>{amount.to_owned()}</span> }
}

/// A moment, to the minute.
#[component]
pub fn Moment(at: i64) -> impl IntoView {
    let stamp = time::stamp(at);
    view! { <time datetime=format!("{}+08:00", stamp.replace(' ', "T"))>{stamp.clone()}</time> }
}

/// A cover that looks bound. One narrower than the place on a shelf is `tall`: there its height is what is given, so
/// that it holds its place before its picture has arrived. A calendar is `hung` from its rings.
#[component]
pub fn Book(
    src: String,
    trim: Trim,
    alt: String,
    #[prop(optional)] class: &'static str,
    #[prop(optional)] lazy: bool,
    #[prop(optional)] hung: bool,
) -> impl IntoView {
    let mut classes = vec!["book"];
    classes.extend((!class.is_empty()).then_some(class));
    classes.extend(hung.then_some("hung"));
    classes.extend((trim.width / trim.height < SHELF_PLACE).then_some("tall"));
    view! {
        <span class=classes.join(" ")>
            <img src=src width="320" height=height_of(trim, 320) alt=alt loading=lazy.then_some("lazy")/>
        </span>
    }
}

/// A cover of cloth with the title on a label, for what shows no picture here.
#[component]
pub fn Cloth(title: String) -> impl IntoView {
    view! { <span class="cover"><strong>{title}</strong></span> }
}

/// Width by height of the place that a shelf has for a book (`.stand` in book.css).
const SHELF_PLACE: f64 = 0.725;

/// The height of a page's picture of the given width, in pixels.
pub fn height_of(trim: Trim, width: u32) -> String {
    format!("{:.0}", f64::from(width) * trim.height / trim.width)
}

/// How many characters a field may have for its limit to be said.
const WORDS: std::ops::RangeInclusive<u32> = 20..=5000;

/// How many characters may stand in a field, behind its label and no part of its name.
#[component]
pub fn Limit(#[prop(into)] name: String, most: String) -> impl IntoView {
    view! { <small class="limit" id=format!("{name}-limit")>{format!("最多 {most} 字")}</small> }
}

/// The value of `aria-describedby` of a field with its [`Limit`] or its [`FieldError`] beside it.
pub fn described_by(name: &str, has_limit: bool, has_error: bool) -> Option<String> {
    let ids = [(has_limit, "limit"), (has_error, "error")].into_iter().filter(|(is_there, _)| *is_there);
    let ids: Vec<String> = ids.map(|(_, what)| format!("{name}-{what}")).collect();
    (!ids.is_empty()).then(|| ids.join(" "))
}

/// A labelled input with its limit and its error beside it; what was sent comes back.
#[component]
pub fn Field(
    name: &'static str,
    label: &'static str,
    #[prop(optional, into)] value: String,
    #[prop(optional)] kind: Option<&'static str>,
    #[prop(optional)] class: &'static str,
    #[prop(optional)] most: Option<u32>,
    #[prop(optional)] autocomplete: Option<&'static str>,
    #[prop(optional)] inputmode: Option<&'static str>,
    #[prop(optional)] required: bool,
) -> impl IntoView {
    let form = use_form();
    let error = form.error(name);
    let kind = kind.unwrap_or("text");
    // words have a limit worth knowing; numbers, codes and addresses have a shape
    let is_words =
        kind == "text" && inputmode.is_none() && matches!(autocomplete, None | Some("off" | "name"));
    let limit = most.filter(|most| is_words && WORDS.contains(most));
    let described = described_by(name, limit.is_some(), error.is_some());
    // a password never comes back
    let value = if kind == "password" { String::new() } else { form.or(name, &value) };
    let plain = autocomplete.is_some_and(|words| words.starts_with("username")).then_some("none");
    view! {
        <div class=if class.is_empty() { "field".to_owned() } else { format!("field {class}") }>
            <label for=name>{label}</label>
            {limit.map(|most| view! { <Limit name most=most.to_string()/> })}
            <input
                id=name
                name=name
                type=kind
                value=value
                maxlength=most.map(|most| most.to_string())
                autocomplete=autocomplete
                autocapitalize=plain
                inputmode=inputmode
                required=required
                aria-invalid=error.is_some().then_some("true")
                aria-describedby=described
            />
            <FieldError name=name.to_owned()/>
        </div>
    }
}

/// A question before something is gone for good. It names the thing, and its answer is a form. `about` tells this
/// question from its neighbours for those who can't see where it stands.
#[component]
pub fn Ask(
    label: &'static str,
    question: String,
    confirm: &'static str,
    action: String,
    #[prop(optional)] about: String,
) -> impl IntoView {
    let about = (!about.is_empty()).then(|| view! { <span class="sr">{format!("：{about}")}</span> });
    view! {
        <details class="ask">
            <summary>{label}{about}</summary>
            <form method="post" action=action>
                <p>{question}</p>
                <button class="button small danger">{confirm}</button>
            </form>
        </details>
    }
}

/// A member's picture, or the first letter of its name. It says nothing that does not stand beside it.
#[component]
pub fn Avatar(member: Member) -> impl IntoView {
    let picture = member.avatar_address();
    if picture.is_empty() {
        let initial: String = member.name.chars().take(1).collect();
        return view! { <span class="avatar" aria-hidden="true">{initial}</span> }.into_any();
    }
    view! { <img class="avatar" src=picture width="256" height="256" alt=""/> }.into_any()
}

/// A text as the content of a `<textarea>`: Leptos writes that as it is, and a browser drops a first line break.
pub fn area_text(text: &str) -> String {
    format!("\n{}", text.replace('&', "&amp;").replace('<', "&lt;"))
}

/// What is wrong with one field, where anything is.
#[component]
pub fn FieldError(name: String) -> impl IntoView {
    let error = use_form().error(&name);
    error.map(|message| view! { <p class="error" id=format!("{name}-error")>{message}</p> })
}

/// Everything wrong with a form, at the top of the page, with links to the fields.
#[component]
pub fn ErrorSummary(title: &'static str) -> impl IntoView {
    let form = use_form();
    let errors = form.errors().to_vec();
    if errors.is_empty() {
        return None;
    }
    // one complaint about the whole form is the headline itself
    let whole = errors.len() == 1 && errors.iter().all(|error| error.field.is_empty());
    let title =
        if whole { errors.iter().map(|error| error.message.clone()).collect() } else { title.to_owned() };
    let items = (!whole).then(|| {
        let items: Vec<_> = errors
            .into_iter()
            .map(|error| {
                if error.field.is_empty() {
                    view! { <li>{error.message}</li> }.into_any()
                } else {
                    view! { <li><a href=format!("#{}", error.field)>{error.message}</a></li> }.into_any()
                }
            })
            .collect();
        view! { <ul>{items}</ul> }
    });
    Some(view! {
        // a refused form begins with what is wrong, for whoever hears it, too
        <div class="notice bad" id="errors" role="alert" tabindex="-1" autofocus>
            <h2>{title}</h2>
            {items}
        </div>
    })
}

/// The four steps of buying; `at` counts from 0, 4 is past the last.
#[component]
pub fn BuyingSteps(at: usize) -> impl IntoView {
    let steps: Vec<_> = ["购物车", "确认订单", "付款", "完成"]
        .into_iter()
        .enumerate()
        .map(|(index, name)| {
            view! {
                <li class=(index < at).then_some("done") aria-current=(index == at).then_some("step")>{name}</li>
            }
        })
        .collect();
    view! { <ol class="steps" aria-label="购买进度">{steps}</ol> }
}

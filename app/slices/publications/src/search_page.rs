//! What all pages have in common on which words are looked for in many issues: the form, and what was found.

use axum::http::StatusCode;
use domain::issue_state::IssueState;
use domain::reading::{QUESTION_LENGTH, sought};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use reader::room::{encoded, marked};
use web::render::{Form, HeadSlot, use_form, use_query};
use web::ui::parts::{ErrorSummary, FieldError};

use super::list::StateBadge;
use super::search::{Asked, Found, Hit, MOST_HITS, SHOWN};

/// The fields of the form.
const FIELDS: [&str; 5] = ["q", "from", "until", "page", "order"];

/// What the address of this page asks. What is wrong with it is shown by the form, with 422; no search engine keeps answers.
pub fn asked() -> Option<Asked> {
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.hide();
    }
    let sent =
        FIELDS.iter().chain(&["sheet"]).filter_map(|name| Some(((*name).to_owned(), use_query(name)?)));
    let mut form = Form::sent(sent);
    let asked = Asked::read(&mut form);
    if let (true, Some(answer)) = (form.is_refused(), use_context::<ResponseOptions>()) {
        answer.set_status(StatusCode::UNPROCESSABLE_ENTITY);
    }
    provide_context(form);
    asked
}

/// The address of the page with other values than it has, and without those that are empty then.
fn with(path: &str, kept: &[(&'static str, String)], changes: &[(&str, &str)]) -> String {
    let form = use_form();
    let known = FIELDS.iter().map(|name| (*name, form.or(name, "")));
    let kept = kept.iter().map(|(name, value)| (*name, value.clone()));
    let mut values: Vec<(&str, String)> = known.chain(kept).collect();
    for (name, value) in changes {
        values.retain(|(known, _)| known != name);
        values.push((name, (*value).to_owned()));
    }
    let pairs = values.iter().filter(|(_, value)| !value.trim().is_empty());
    let query: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    format!("{path}?{}", query.join("&"))
}

/// A form that asks; `kept` are values of the address that stay.
#[component]
pub fn SearchForm(
    action: String,
    /// What it looks through: 这份报纸的各期.
    of: String,
    /// What a page is called: 版.
    word: &'static str,
    #[prop(optional)] kept: Vec<(&'static str, String)>,
    /// A choice of its own.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let form = use_form();
    let field = |name: &'static str, label: String, kind: &'static str, hint: &'static str| {
        let error = form.error(name).is_some();
        let length = if name == "q" { QUESTION_LENGTH } else { 20 };
        view! {
            <div class=if name == "q" { "field asked" } else { "field" }>
                <label for=name>{label}</label>
                <input
                    id=name
                    name=name
                    type=kind
                    value=form.or(name, "")
                    placeholder=hint
                    maxlength=length.to_string()
                    autocomplete="off"
                    aria-invalid=error.then_some("true")
                    aria-describedby=error.then(|| format!("{name}-error"))
                />
                <FieldError name=name.to_owned()/>
            </div>
        }
    };
    let by_time = form.get("order") == "time";
    let kept: Vec<_> = kept
        .into_iter()
        .map(|(name, value)| view! { <input type="hidden" name=name value=value/> })
        .collect();
    view! {
        <ErrorSummary title="还不能搜索"/>
        <form class="asking" role="search" action=action>
            {kept}
            {field("q", format!("在{of}里找"), "search", "几个字，或用空格隔开的几个词")}
            {field("from", "从".to_owned(), "text", "2026-01-01")}
            {field("until", "到".to_owned(), "text", "2026-12-31")}
            {field("page", format!("{word}次或{word}名"), "text", if word == "版" { "3，或 要闻" } else { "3，或 目录" })}
            <div class="field">
                <label for="order">"排序"</label>
                <select id="order" name="order">
                    <option value="" selected=!by_time>"最相关的在前"</option>
                    <option value="time" selected=by_time>"最新的在前"</option>
                </select>
            </div>
            {children.map(|children| children())}
            <button class="button primary">"搜索"</button>
        </form>
    }
}

/// What was found.
#[component]
pub fn Answer(
    asked: Asked,
    found: Found,
    /// The address of the page, and what of it stays.
    path: String,
    #[prop(optional)] kept: Vec<(&'static str, String)>,
    /// Whether hits are of several titles.
    names_titles: bool,
    /// Whether the maker looks, who also sees what is no more or not yet out.
    #[prop(optional)]
    is_desk: bool,
) -> impl IntoView {
    let typed = use_form().get("q").to_owned();
    let behind = found.is_behind.then(|| {
        view! { <p class="notice" role="status">"有几版的文字正在编进索引，现在的结果可能不全，过一会儿再搜。"</p> }
    });
    if found.count == 0 {
        let nothing = if found.is_cut {
            format!("在最近的各期里没有找到“{typed}”；更早的，请限定日期再找。")
        } else {
            format!("没有找到“{typed}”。")
        };
        return view! {
            {behind}
            <section class="nothing">
                <p role="status">{nothing}</p>
                <Tries asked path kept/>
            </section>
        }
        .into_any();
    }
    let sheets = found.count.div_ceil(SHOWN);
    let count = if found.is_cut && found.count < MOST_HITS {
        format!("“{typed}”在最近的各期里有 {} 处；更早的，请限定日期再找。", found.count)
    } else if found.is_cut {
        format!(
            "“{typed}”有 {0} 多处，这里是最前面的 {0} 处；写得具体一些，或者限定日期，会更准。",
            found.count
        )
    } else {
        format!("“{typed}”在 {} 处", found.count)
    };
    let query = encoded(&typed);
    let sought = sought(&typed);
    let hits: Vec<_> = found
        .hits
        .into_iter()
        .map(|hit| view! { <Item hit query=query.clone() sought=sought.clone() names_titles is_desk/> })
        .collect();
    let sheet = |number: usize| with(&path, &kept, &[("sheet", &number.to_string())]);
    let now = found.sheet;
    let back = (now > 1).then(|| {
        view! { <a class="button" rel="prev" href=sheet(now - 1)>"上一页"</a> }
    });
    let further = (now < sheets).then(|| {
        view! { <a class="button" rel="next" href=sheet(now + 1)>"下一页"</a> }
    });
    let pager = (sheets > 1).then(|| {
        view! {
            <nav class="pager" aria-label="翻页">
                {back}<span class="quiet">{format!("第 {now} 页，共 {sheets} 页")}</span>{further}
            </nav>
        }
    });
    view! {
        {behind}
        <p role="status">{count}</p>
        <ol class="hits" start=((now - 1) * SHOWN + 1).to_string()>{hits}</ol>
        {pager}
    }
    .into_any()
}

#[component]
fn Item(hit: Hit, query: String, sought: String, names_titles: bool, is_desk: bool) -> impl IntoView {
    let name = hit.title.clone().unwrap_or_else(|| hit.page_name.clone());
    // a proposal is nowhere but at the desk
    let address = match (&hit.article, hit.is_proposed) {
        (Some(article), _) => format!("{article}?q={query}"),
        (None, true) => hit.desk.clone(),
        (None, false) => format!("{}?q={query}", hit.page),
    };
    let around = hit.around.clone().map(|(before, text, after)| {
        // an empty text would be shown as a space
        let plain = |part: String| (!part.is_empty()).then_some(part);
        view! { <p>{plain(before)}<mark>{text}</mark>{plain(after)}</p> }
    });
    let closed = (!hit.is_open).then(|| view! { <small class="locked">"付费"</small> });
    let state = (hit.state != IssueState::Published).then(|| view! { <StateBadge state=hit.state/> });
    let proposed = hit.is_proposed.then(|| view! { <span class="badge">"建议"</span> });
    let title = names_titles.then(|| view! { <span>{hit.publication.clone()}</span> });
    let page = (hit.is_open && hit.title.is_some() && !hit.is_proposed).then(|| {
        let label = format!("看{}的版面，找到的字已标出", hit.page_name);
        view! { <a href=format!("{}?q={query}", hit.page) aria-label=label>{hit.page_name.clone()}</a> }
    });
    let page = match page {
        Some(page) => page.into_any(),
        None => view! { <span>{hit.page_name.clone()}</span> }.into_any(),
    };
    let desk = is_desk.then(|| view! { <a href=hit.desk.clone()>"去编辑"</a> });
    view! {
        <li>
            <h2><a href=address>{marked(&name, &sought)}</a>{closed}{proposed}{state}</h2>
            {around}
            <p class="of">
                {title}
                <time datetime=hit.day.clone()>{hit.day.clone()}</time>
                <span>{hit.issue.clone()}</span>
                {page}
                {desk}
            </p>
        </li>
    }
}

/// What could be tried where nothing was found.
#[component]
fn Tries(asked: Asked, path: String, kept: Vec<(&'static str, String)>) -> impl IntoView {
    let typed = use_form().get("q").to_owned();
    let wide = [("from", ""), ("until", ""), ("page", "")];
    let mut ways: Vec<(String, String)> = Vec::new();
    if asked.is_narrow() {
        ways.push(("不限日期和版次再找".to_owned(), with(&path, &kept, &wide)));
    }
    let words: Vec<&str> = typed.split_whitespace().collect();
    let shorter: Vec<String> = match words[..] {
        [word] => {
            let letters: Vec<char> = word.chars().collect();
            let half = letters.len().div_ceil(2);
            let halves = [&letters[..half], &letters[half..]];
            halves.into_iter().map(String::from_iter).filter(|part| part.chars().count() > 1).collect()
        }
        _ => words.iter().map(|word| (*word).to_owned()).filter(|word| word.chars().count() > 1).collect(),
    };
    ways.extend(
        shorter.into_iter().map(|word| (format!("只找“{word}”"), with(&path, &kept, &[("q", &word)]))),
    );
    let ways: Vec<_> =
        ways.into_iter().map(|(name, href)| view! { <li><a href=href>{name}</a></li> }).collect();
    view! {
        <p class="quiet">"看看有没有写错的字；换一个说法，或者写短一些。版面上是图片的字找不到。"</p>
        <ul>{ways}</ul>
    }
}

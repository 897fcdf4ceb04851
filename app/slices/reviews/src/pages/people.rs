//! Who looks, as the maker sees it: links, who has looked, who said what; and more links.

use domain::ids::WorkId;
use domain::review::NAME;
use leptos::prelude::*;
use web::render::use_form;
use web::ui::parts::{Ask, FieldError, Moment, area_text};

use super::said::badge;
use crate::store::{Given, Link, Reviewer, Round};

/// What is known of all who look.
#[derive(Debug, Clone)]
pub struct Known {
    pub links: Vec<Link>,
    /// The absolute address of each of them.
    pub addresses: Vec<String>,
    pub reviewers: Vec<Reviewer>,
    pub given: Vec<Given>,
    /// The newest.
    pub round: Round,
    /// The rounds that show what the work is now.
    pub same: Vec<i64>,
}

/// All who look, with their links.
#[component]
pub fn People(work: WorkId, known: Known, #[prop(optional)] changes: bool) -> impl IntoView {
    let mut groups: Vec<_> = Vec::new();
    for (link, address) in known.links.iter().zip(&known.addresses) {
        let own: Vec<Reviewer> =
            known.reviewers.iter().filter(|reviewer| reviewer.link == link.id).cloned().collect();
        groups.push(view! {
            <Group work=work.clone() link=link.clone() address=address.clone() own known=known.clone() changes/>
        });
    }
    let gone: Vec<_> = known
        .reviewers
        .iter()
        .filter(|reviewer| known.links.iter().all(|link| link.id != reviewer.link))
        .filter(|reviewer| known.given.iter().any(|given| given.reviewer == reviewer.id))
        .cloned()
        .map(|reviewer| view! { <li><Person reviewer known=known.clone()/></li> })
        .collect();
    let gone = (!gone.is_empty()).then(|| {
        view! { <h3>"链接已收回"</h3><ul class="persons">{gone}</ul> }
    });
    view! { <ul class="people">{groups}</ul>{gone} }
}

#[component]
fn Group(
    work: WorkId,
    link: Link,
    address: String,
    own: Vec<Reviewer>,
    known: Known,
    changes: bool,
) -> impl IntoView {
    let is_open = link.is_open();
    let name = if is_open { "谁都能用的链接".to_owned() } else { link.name.clone() };
    let id = format!("link-{}", link.id);
    let persons: Vec<_> = own
        .into_iter()
        .map(|reviewer| view! { <li><Person reviewer known=known.clone() nameless={!is_open}/></li> })
        .collect();
    let nobody = (is_open && persons.is_empty()).then(|| view! { <p class="quiet">"还没有人用它进来。"</p> });
    let question = if is_open {
        "收回以后，用它进来的人都打不开了；已经写的意见和说过的话都留着。"
    } else {
        "收回以后，这个链接打不开了；已经写的意见和说过的话都留着。"
    };
    let withdraw = changes.then(|| {
        view! {
            <Ask
                label="收回链接"
                question=question.to_owned()
                confirm="收回"
                action=format!("{}/link/{}", crate::desk(&work), link.id)
                about=name.clone()
            />
        }
    });
    view! {
        <li>
            <div class="person-head"><strong>{name.clone()}</strong>{withdraw}</div>
            <div class="field">
                <label class="sr" for=id.clone()>{format!("{name}的链接")}</label>
                <input id=id readonly value=address.clone()/>
            </div>
            <ul class="persons">{persons}</ul>
            {nobody}
        </li>
    }
}

/// Whether somebody has looked, and what it said last.
#[component]
fn Person(reviewer: Reviewer, known: Known, #[prop(optional)] nameless: bool) -> impl IntoView {
    let number = known.round.number;
    let name = (!nameless).then(|| view! { <strong>{reviewer.name.clone()}</strong>" " });
    let seen = match reviewer.seen {
        Some((at, round)) if round == number => {
            view! { <span class="quiet">"看过，"<Moment at/></span> }.into_any()
        }
        Some((_, round)) => view! { <span class="quiet">{format!("只看过第 {round} 稿")}</span> }.into_any(),
        None => view! { <span class="quiet">"还没有看"</span> }.into_any(),
    };
    let said: Vec<_> = known
        .given
        .iter()
        .filter(|given| given.reviewer == reviewer.id)
        .map(|given| {
            let is_now = known.same.contains(&given.round);
            let class = badge(given.verdict, is_now);
            let words = format!("第 {} 稿{}", given.round, given.verdict.name());
            view! { " "<span class=class>{words}</span> }
        })
        .collect();
    let old = known
        .given
        .iter()
        .find(|given| given.reviewer == reviewer.id)
        .filter(|given| !known.same.contains(&given.round) && given.verdict == domain::review::Verdict::Print)
        .map(|given| {
            let words = format!("这份同意是给第 {} 稿的，作品之后又改过。", given.round);
            view! { <p class="hint warn">{words}</p> }
        });
    view! { <p>{name}{seen}{said}</p>{old} }
}

/// The fields for names, and for a link without one.
#[component]
pub fn LinkFields(has_open: bool) -> impl IntoView {
    let form = use_form();
    let wrong = form.error("names").is_some();
    let open = (!has_open).then(|| {
        view! {
            <label class="check">
                <input type="checkbox" name="open" value="1" checked=form.get("open") == "1"/>
                "另要一个谁都能用的链接（打开的人先写名字）"
            </label>
        }
    });
    view! {
        <div class="field">
            <label for="names">"给谁看"</label>
            <textarea
                id="names"
                name="names"
                rows="3"
                placeholder="每行写一位，例如：林老师"
                aria-invalid=wrong.then_some("true")
                aria-describedby=if wrong { "names-hint names-error" } else { "names-hint" }
            >
                {area_text(&form.or("names", ""))}
            </textarea>
            <p class="hint" id="names-hint">{format!("每位有自己的链接，您就知道是谁说的。名字最多 {NAME} 个字，对方看得到。")}</p>
            <FieldError name="names".to_owned()/>
        </div>
        {open}
    }
}

//! GET /manager/Aitus/:path: a category with its templates, or one template with spreads of a book that it makes.

use axum::http::StatusCode;
use base::error::Error;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use web::render::{here, loaded, parameter};
use web::session::Member;
use web::ui::parts::height_of;
use web::ui::shell::Shell;

use super::list::{self, Template};
use super::pictures;

/// Spreads of a template beside its cover: from which page on they begin.
const SPREADS: [usize; 4] = [2, 4, 8, 10];

enum Shown {
    Category(&'static str, Vec<&'static Template>),
    One(&'static Template, usize),
    /// Nothing that there is.
    Unknown,
}

/// See the module.
#[component]
pub fn AitusPage() -> impl IntoView {
    let (here, path) = (here(), parameter::<String>("path"));
    let answer = use_context::<ResponseOptions>();
    loaded(
        async move {
            let (here, path) = (here?, path?);
            let shown = if let Some(template) = list::find(&path) {
                Shown::One(template, template.document()?.pages.len())
            } else if let Some((path, _)) = list::categories().find(|(known, _)| *known == path) {
                Shown::Category(path, list::of_category(path))
            } else {
                if let Some(answer) = answer {
                    answer.set_status(StatusCode::NOT_FOUND);
                }
                Shown::Unknown
            };
            Ok((here.member, shown))
        },
        |(member, shown)| match shown {
            Shown::One(template, pages) => view! { <One member template pages/> }.into_any(),
            Shown::Category(path, templates) => view! { <Category member path templates/> }.into_any(),
            Shown::Unknown => {
                view! { <Category member path="" templates=list::of_category("all")/> }.into_any()
            }
        },
    )
}

/// The ways to the categories; the one that is shown is marked.
#[component]
fn Categories(path: &'static str) -> impl IntoView {
    let links: Vec<_> = list::categories()
        .map(|(code, name)| {
            let current = (code == path).then_some("page");
            view! { <a href=format!("/manager/Aitus/{code}") aria-current=current>{name}</a> }
        })
        .collect();
    view! { <nav class="filter" aria-label="模板分类">{links}</nav> }
}

/// Two pages that face each other.
#[component]
fn Spread(template: &'static Template, left: usize, width: u32, lazy: bool) -> impl IntoView {
    let Ok(format) = template.format() else { return None };
    let page = |number: usize| {
        view! {
            <img
                src=pictures::address(template, number, width)
                width=width.to_string()
                height=height_of(format.trim, width)
                alt=format!("“{}”第 {number} 页", template.name)
                loading=lazy.then_some("lazy")
            />
        }
    };
    Some(view! { <span class="spread">{page(left)}{page(left + 1)}</span> })
}

#[component]
fn Category(member: Member, path: &'static str, templates: Vec<&'static Template>) -> impl IntoView {
    let unknown = path.is_empty();
    let title = match list::categories().find(|(code, _)| *code == path) {
        Some(("all", _)) => "爱图书".to_owned(),
        Some((_, name)) => format!("{name}模板"),
        None => "没有这个模板".to_owned(),
    };
    let words = if unknown {
        "它可能改了名字。下面是现有的分类和模板。"
    } else {
        "挑一个喜欢的样子开始：开本、风格和排版都配好，换上自己的照片就行。"
    };
    let items: Vec<_> = templates
        .into_iter()
        .enumerate()
        .map(|(index, template)| {
            view! {
                <li>
                    <a href=format!("/manager/Aitus/{}", template.path)>
                        <Spread template left=4 width=320 lazy=index.gt(&3)/>
                        <strong>{template.name}</strong>
                        <small>{facts(template).unwrap_or_default()}</small>
                    </a>
                </li>
            }
        })
        .collect();
    view! {
        <Shell member title=title.clone() assets=&["templates.css"]>
            <header class="head"><div><h1>{title}</h1><p class="quiet">{words}</p></div></header>
            <Categories path/>
            <ul class="templates">{items}</ul>
        </Shell>
    }
}

/// Format and theme in a few words.
fn facts(template: &Template) -> Result<String, Error> {
    Ok(format!("{} · {}", template.format()?.name, template.theme()?.title))
}

#[component]
fn One(member: Member, template: &'static Template, pages: usize) -> impl IntoView {
    let spreads: Vec<_> = SPREADS
        .into_iter()
        .filter(|left| *left < pages)
        .enumerate()
        .map(|(index, left)| view! { <li><Spread template left width=720 lazy=index.gt(&0)/></li> })
        .collect();
    let format = template.format().ok();
    let size = format.map(|format| format!("{}，{}", format.name, format.hint)).unwrap_or_default();
    let theme = template.theme().ok().map(|theme| format!("{}：{}", theme.title, theme.hint));
    let layout = match (template.dates, template.chapters) {
        (true, true) => "按日期分章，图说写上日期",
        (true, false) => "连着排，图说写上日期",
        (false, true) => "按日期分章，不留图说",
        (false, false) => "连着排，不留图说，照片最大",
    };
    let cover = format.map(|format| {
        view! {
            <img
                class="front"
                src=pictures::address(template, 0, 320)
                width="320"
                height=height_of(format.trim, 320)
                alt=format!("“{}”封面", template.name)
            />
        }
    });
    let category = template.category;
    view! {
        <Shell member title=template.name.to_owned() assets=&["templates.css"]>
            <div class="template">
                {cover}
                <div class="stack">
                    <p class="quiet"><a href=format!("/manager/Aitus/{}", category.code())>{category.name()}"模板"</a></p>
                    <h1>{template.name}</h1>
                    <p>{template.words}</p>
                    <dl class="facts">
                        <dt>"开本"</dt><dd>{size}</dd>
                        <dt>"风格"</dt><dd>{theme}</dd>
                        <dt>"排版"</dt><dd>{layout}</dd>
                    </dl>
                    <p><a class="button primary" href=template.desk()>"用这个模板做书"</a></p>
                    <p class="hint">"图里是示意照片。开本、风格和排版以后都还能改。"</p>
                </div>
            </div>
            <h2 class="inside">"里面的样子"</h2>
            <ul class="spreads">{spreads}</ul>
        </Shell>
    }
}

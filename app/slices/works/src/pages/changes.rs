//! What differs between two versions, in words and side by side.

use domain::compare::{Comparison, Fact, PageChange, Place};
use domain::document::{Category, Document};
use domain::ids::WorkId;
use leptos::prelude::*;
use press::PageRef;
use web::ui::parts::height_of;

use crate::formats::size_text;
use crate::picture_address;

/// Pages that are shown side by side; more are only counted.
const SHOWN: usize = 40;

/// A version with the number under which its pictures are.
#[derive(Clone)]
pub struct Side {
    pub number: i64,
    pub document: Document,
}

/// What the whole work is called and made as, where it differs.
#[component]
pub fn Facts(comparison: Comparison, before: Side, after: Side) -> impl IntoView {
    let rows: Vec<_> = comparison
        .facts
        .iter()
        .map(|fact| {
            let (one, other) = (value(*fact, &before.document), value(*fact, &after.document));
            view! { <dt>{name(*fact)}</dt><dd>{shown(one)}" → "{shown(other)}</dd> }
        })
        .collect();
    (!rows.is_empty()).then(|| view! { <dl class="facts">{rows}</dl> })
}

/// Every page that differs: what happened to it, and both pictures.
#[component]
pub fn Pages(id: WorkId, comparison: Comparison, before: Side, after: Side) -> impl IntoView {
    let count = comparison.pages.len();
    let more = count.checked_sub(SHOWN).filter(|more| *more > 0).map(|more| {
        view! { <p class="quiet">"还有 "<span class="num">{more}</span>" 页也有变化，没有在这里列出图。"</p> }
    });
    let items: Vec<_> = comparison
        .pages
        .into_iter()
        .take(SHOWN)
        .map(|change| {
            let words = words(&change);
            let texts: Vec<_> = change
                .texts
                .iter()
                .map(|(one, other)| {
                    let one = (!one.is_empty()).then(|| view! { <del>{one.clone()}</del> });
                    let other = (!other.is_empty()).then(|| view! { <ins>{other.clone()}</ins> });
                    view! { <p class="words">{one}{other}</p> }
                })
                .collect();
            let (one, other) = (before.clone(), after.clone());
            view! {
                <li>
                    <h2>{place_name(change.after.or(change.before))}</h2>
                    <p>{words}</p>
                    {texts}
                    <div class="sides">
                        <Picture id=id.clone() side=one place=change.before/>
                        <Picture id=id.clone() side=other place=change.after/>
                    </div>
                </li>
            }
        })
        .collect();
    view! { <ul class="differences">{items}</ul>{more} }
}

#[component]
fn Picture(id: WorkId, side: Side, place: Option<Place>) -> impl IntoView {
    let caption = version_name(side.number);
    let Some(place) = place else {
        return view! { <figure><p class="none">"没有这一页"</p><figcaption>{caption}</figcaption></figure> }
            .into_any();
    };
    let page = match place {
        Place::Cover => PageRef::Cover,
        Place::Inner(index) => PageRef::Inner(index),
    };
    let alt = format!("{caption}，{}", place_name(Some(place)));
    view! {
        <figure>
            <img
                src=picture_address(&id, side.number, page, 320)
                width="320"
                height=height_of(side.document.trim, 320)
                alt=alt
                loading="lazy"
            />
            <figcaption>{caption}</figcaption>
        </figure>
    }
    .into_any()
}

/// What a version is called.
pub fn version_name(number: i64) -> String {
    if number > 0 { format!("第 {number} 版") } else { format!("另存的版本 {}", -number) }
}

/// What a place in the book is called.
pub fn place_name(place: Option<Place>) -> String {
    match place {
        Some(Place::Inner(index)) => format!("第 {} 页", index + 1),
        _ => "封面".to_owned(),
    }
}

/// What happened to a page, as a sentence.
fn words(change: &PageChange) -> String {
    if change.before.is_none() {
        return "新的一页。".to_owned();
    }
    if change.after.is_none() {
        return "去掉的一页。".to_owned();
    }
    let mut parts = Vec::new();
    if change.look {
        parts.push("这一页换了风格或底色".to_owned());
    }
    let counted = [
        (change.photos_added, "多了", "张照片"),
        (change.photos_removed, "少了", "张照片"),
        (change.cropped.len(), "有", "张照片裁切不同"),
        (change.texts.len(), "有", "处文字不同"),
    ];
    for (count, verb, what) in counted {
        if count > 0 {
            parts.push(format!("{verb} {count} {what}"));
        }
    }
    if change.pdfs_differ {
        parts.push("PDF 页面不同".to_owned());
    }
    if change.months {
        parts.push("月历不同".to_owned());
    }
    if change.is_arrangement() {
        parts.push("照片和文字都一样，只是位置或大小不同".to_owned());
    } else if change.moved {
        parts.push("照片和文字的位置或大小也不同".to_owned());
    }
    format!("{}。", parts.join("，"))
}

fn name(fact: Fact) -> &'static str {
    match fact {
        Fact::Trim => "开本",
        Fact::PageCount => "页数",
        Fact::Theme => "风格",
        Fact::Emoji => "表情符号",
        Fact::Title => "书名",
        Fact::Author => "作者",
        Fact::Description => "简介",
        Fact::Category => "分类",
        Fact::Variants => "每本不同的内容",
    }
}

fn value(fact: Fact, document: &Document) -> String {
    match fact {
        Fact::Trim => size_text(document.trim),
        Fact::PageCount => format!("{} 页", document.pages.len()),
        Fact::Theme => {
            let theme = press::themes().iter().find(|theme| theme.name == document.theme);
            theme.map_or("", |theme| theme.title).to_owned()
        }
        Fact::Emoji => document.emoji.name().to_owned(),
        Fact::Title => document.title.clone(),
        Fact::Author => document.author.clone(),
        Fact::Description => document.description.clone(),
        Fact::Category => document.category.map_or("", Category::name).to_owned(),
        Fact::Variants => match document.copies().len() {
            0 => String::new(),
            copies => format!("{copies} 本"),
        },
    }
}

fn shown(value: String) -> String {
    if value.is_empty() { "（空）".to_owned() } else { value }
}

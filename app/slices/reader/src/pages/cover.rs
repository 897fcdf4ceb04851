//! GET /read/{work}: the cover, what the work is, its contents, and the search.

use axum::http::request::Parts;
use base::time;
use domain::ids::WorkId;
use domain::sharing::Access;
use leptos::prelude::*;
use web::app::App;
use web::render::{loaded, parameter, use_query};
use web::ui::counted::Counted;

use super::frame::{Locked, Place, ReadFrame, Reading, reading};
use super::offer::{Terms, ToBuy, ToPrint};
use crate::downloads;
use crate::published::KIND;
use crate::room::{self, Hit, PagePicture, Search, asked_for};
use crate::store::Share;
use crate::words;
use study::{AtCover, Continue};
use works::BookFormat;

/// On this site.
#[component]
pub fn CoverPage() -> impl IntoView {
    view! { <Cover place=Place::Site/> }
}

/// GET /embed/{work}: the same in a frame of another site.
#[component]
pub fn EmbedCoverPage() -> impl IntoView {
    view! { <Cover place=Place::Frame/> }
}

/// What was looked for, and where it was found.
struct Answer {
    asked: String,
    hits: Vec<Hit>,
}

#[component]
fn Cover(place: Place) -> impl IntoView {
    let (app, parts, work) = (use_context::<App>(), use_context::<Parts>(), parameter::<WorkId>("work"));
    let asked = asked_for();
    let thumbnails = use_query("view").as_deref() == Some("pages");
    loaded(
        async move {
            let reading = reading(app, parts, place, work).await?;
            let answer = match (&reading.opened.access, asked.is_empty()) {
                (Access::Locked, _) | (_, true) => None,
                (access, false) => {
                    let found = words::search(&reading.app, &reading.opened.share, &asked).await?;
                    let volume = reading.volume();
                    let hits =
                        found.into_iter().filter(|(page, _)| access.opens(*page)).map(|(page, around)| {
                            let name = if page == 0 { "封面".to_owned() } else { volume.name(page) };
                            Hit { name, address: volume.address(page), around }
                        });
                    Some(Answer { hits: hits.collect(), asked })
                }
            };
            Ok((reading, answer))
        },
        move |(reading, answer)| {
            let share = reading.opened.share.clone();
            if reading.opened.access == Access::Locked {
                return view! { <Locked share place/> }.into_any();
            }
            reading.present(0, (None, (share.facts.pages > 0).then_some(1)));
            view! { <Whole reading answer thumbnails/> }.into_any()
        },
    )
}

#[component]
fn Whole(reading: Reading, answer: Option<Answer>, thumbnails: bool) -> impl IntoView {
    let (terms, volume) = (Terms::of(&reading), reading.volume());
    let Reading { place, opened, own, .. } = reading;
    let share = opened.share;
    let begins = opened.access.opens(1);
    let is_tried = terms.is_some();
    let to_buy = terms.map(|terms| view! { <ToBuy terms title="读完整本".to_owned()/> });
    let asked = answer.as_ref().map(|answer| answer.asked.clone()).unwrap_or_default();
    let counted = (!opened.is_owner).then(|| {
        let (id, home) = (share.work.to_string(), place.address(&share, 0));
        view! { <Counted kind=KIND id home asked/> }
    });
    let first = if begins { place.address(&share, 1) } else { "#buy".to_owned() };
    let home = place.address(&share, 0);
    let come_to = own.as_ref().and_then(|own| own.place);
    let come_to =
        come_to.filter(|(page, _)| *page > 1 && *page <= share.facts.pages && opened.access.opens(*page));
    let has_begun = come_to.is_some();
    let on = come_to.map(|(page, read_at)| view! { <Continue address=home.clone() page read_at/> });
    let own = own.map(|own| view! { <AtCover kind=KIND id=share.work.to_string() address=home.clone() own bought=opened.is_entitled/> });
    let author = (!share.facts.author.is_empty())
        .then(|| view! { <p class="author">{share.facts.author.clone()}</p> });
    let description = (!share.settings.description.is_empty())
        .then(|| view! { <p class="description">{share.settings.description.clone()}</p> });
    let files = (place == Place::Site && opened.access == Access::Whole)
        .then(|| view! { <Files share=share.clone()/> });
    let saved = (place == Place::Site && opened.access == Access::Whole).then(|| home.clone());
    let shown = answer.map(|Answer { asked, hits }| view! { <room::Answer asked hits of="页"/> });
    let pages = if thumbnails {
        view! { <Thumbnails share=share.clone() place access=opened.access/> }.into_any()
    } else {
        view! { <Contents share=share.clone() place/> }.into_any()
    };
    view! {
        <ReadFrame title=share.settings.title.clone() share=share.clone() place is_owner=opened.is_owner>
            <section class="opening">
                <a class="front" href=first.clone() aria-hidden="true" tabindex="-1">
                    <PagePicture volume page=0 sizes="(min-width: 48em) 380px, 70vw" eager=true/>
                </a>
                <div class="about-it" data-offline=saved>
                    <h1>{share.settings.title.clone()}</h1>
                    {author}
                    {description}
                    <div class="row">
                        {on}
                        {if begins {
                            let name = match (has_begun, is_tried) {
                                (true, _) => "从头看",
                                (false, true) => "试读",
                                (false, false) => "开始阅读",
                            };
                            let class = if has_begun { "button" } else { "button primary" };
                            view! { <a class=class href=first data-start=share.work.to_string()>{name}</a> }.into_any()
                        } else {
                            view! { <a class="button primary" href="#buy" data-start=String::new()>"怎样购买"</a> }.into_any()
                        }}
                        {(!opened.is_owner).then(|| view! { <ToPrint share=share.clone() place/> })}
                    </div>
                    {files}
                    <p class="quiet num">
                        {format!("共 {} 页 · {}更新", share.facts.pages, time::day(share.updated_at))}
                    </p>
                </div>
            </section>
            {to_buy}
            {own}
            <section id="search" class="find">
                <Search action=place.address(&share, 0) of="这本书"/>
                {shown}
            </section>
            {pages}
            {counted}
        </ReadFrame>
    }
}

/// The whole work as files, where its maker allows it.
#[component]
fn Files(share: Share) -> impl IntoView {
    let links: Vec<_> = BookFormat::ALL
        .into_iter()
        .filter(|format| downloads::is_allowed(*format, &share.settings))
        .map(|format| {
            view! { <a class="link" href=downloads::address(&share.work, format) download rel="nofollow">{format!("下载 {}", format.name())}</a> }
        })
        .collect();
    (!links.is_empty()).then(|| view! { <p class="files">{links}</p> })
}

/// The chapters, or where there are none every tenth page, and the way to all pages.
#[component]
fn Contents(share: Share, place: Place) -> impl IntoView {
    let entries: Vec<(usize, String)> = if share.facts.chapters.is_empty() {
        (1..=share.facts.pages).step_by(10).map(|page| (page, format!("第 {page} 页起"))).collect()
    } else {
        share.facts.chapters.clone()
    };
    let items: Vec<_> = entries
        .into_iter()
        .map(|(page, name)| {
            view! {
                <li>
                    <a href=place.address(&share, page)><span>{name}</span><span class="num">{page}</span></a>
                </li>
            }
        })
        .collect();
    let all = format!("{}?view=pages#contents", place.address(&share, 0));
    view! {
        <nav id="contents" class="contents" aria-labelledby="contents-title">
            <h2 id="contents-title">"目录"</h2>
            <ol>{items}</ol>
            <p><a class="link" href=all>"看所有书页"</a></p>
        </nav>
    }
}

/// All pages, small.
#[component]
fn Thumbnails(share: Share, place: Place, access: Access) -> impl IntoView {
    let items: Vec<_> = (1..=share.facts.pages)
        .filter(|page| access.opens(*page))
        .map(|page| {
            view! {
                <li>
                    <a href=place.address(&share, page)>
                        <img
                            src=crate::pictures::address(&share, page, 360)
                            width="180"
                            height=web::ui::parts::height_of(share.facts.trim, 180)
                            alt=format!("第 {page} 页")
                            loading="lazy"
                        />
                        <span class="num" aria-hidden="true">{page}</span>
                    </a>
                </li>
            }
        })
        .collect();
    view! {
        <nav id="contents" class="thumbnails" aria-labelledby="contents-title">
            <h2 id="contents-title">"所有书页"</h2>
            <ol>{items}</ol>
        </nav>
    }
}

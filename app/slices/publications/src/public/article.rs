//! GET /epaper/{title}/{date}/a/{n} and /magazine/{title}/{number}/a/{n}: an article as text. On a telephone a newspaper is
//! text first: pictures are opened by who wants them.

use base::error::Error;
use base::time;
use domain::article::{Part, parts as paragraphs};
use domain::jump::{self, text_between};
use domain::reading::sought;
use leptos::prelude::*;
use reader::room::{Tools, asked_for, marked};
use serde_json::json;
use web::origin::Origin;
use web::render::{HeadSlot, Link, loaded, parameter};
use web::ui::parts::ErrorSummary;

use super::corrections::{Corrections, is_about};
use super::frame::{
    Asked, CountedPage, PaperFrame, Presented, ToBuy, asked, beginning, names, present, publication_issue,
};
use super::section::StandsOn;
use crate::counted::area_id;
use crate::given::{self, Given, Giving, GivingPart, Leave};
use crate::joined::{Joined, part_id};
use crate::open::{self, Opened};
use crate::store::articles::{self, Article, ArticlePhoto};
use crate::store::corrections::{self, Correction};
use crate::store::issues::{self, IssuePage};
use crate::{ISSUE_KIND, address};

/// A part of an article: what stands on one page.
struct Piece {
    page: IssuePage,
    article: Article,
    /// Whether whoever asks may read it.
    is_open: bool,
    /// Width and height of its photos.
    sizes: Vec<(u32, u32)>,
}

struct Shown {
    base: Origin,
    opened: Opened,
    /// The part with which it begins.
    first: Piece,
    /// Those on other pages, in the order in which they are read.
    rest: Vec<Piece>,
    joined: Joined,
    corrections: Vec<Correction>,
    /// By whose leave somebody reads it who has no right to.
    leave: Option<Leave>,
    /// What who reads it may give of it.
    giving: Option<Giving>,
}

async fn load(asked: Asked, title: String, key: String, number: i64) -> Result<Shown, Error> {
    let opened = asked.open(&title, &key).await?;
    let app = &asked.app;
    let joined = Joined::headlines(&app.db, &opened.issue.id).await?;
    let leave = given::leave(app, &asked.parts, &opened, number).await?;
    let mut parts = joined.parts(number);
    let opens =
        |part: Option<&&Article>| part.is_some_and(|part| opened.rights.opens(part.page)) || leave.is_some();
    if let Some(at) = parts.iter().position(|part| part.number == number).filter(|at| *at > 0) {
        if opens(parts.first()) || !opens(parts.get(at)) {
            let first = parts.first().map_or(number, |first| first.number);
            let path = address::article(&opened.publication, &opened.issue, first);
            let query = asked.parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
            // it is a part of an article that begins there
            return Err(Error::Elsewhere(format!("{path}{query}#{}", part_id(number))));
        }
        // who may not read its beginning reads what is open of it
        parts.drain(..at);
    }
    let member = open::visitor(&asked.parts);
    let giving = given::giving(app, &asked.base, member, &opened, number).await?;
    let pages = issues::pages(&app.db, &opened.issue.id).await?;
    let mut pieces = Vec::new();
    for part in parts {
        let mut article = articles::at(&app.db, &opened.issue.id, part.number).await?;
        let is_open = opened.rights.opens(article.page) || leave.is_some();
        if !is_open {
            // what somebody has no right to does not even get as far as the page
            article.text.clear();
            article.photos.clear();
            article.sound = None;
        }
        let ids: Vec<_> = article.photos.iter().map(|photo| photo.photo.clone()).collect();
        let known = photos::of_member(app, &opened.issue.member, &ids).await?;
        let sizes = known.iter().map(photos::Photo::upright).collect();
        let page = pages.iter().find(|page| page.page == article.page).cloned().ok_or(Error::NotFound)?;
        pieces.push(Piece { page, article, is_open, sizes });
    }
    let mut corrections = corrections::of_issue(&app.db, &opened.issue.id).await?;
    corrections.retain(|known| {
        pieces.iter().any(|piece: &Piece| is_about(known, piece.page.page, Some(piece.article.number)))
    });
    let mut pieces = pieces.into_iter();
    let first = pieces.next().ok_or(Error::NotFound)?;
    // who may read all of it needs nobody's leave
    let is_own =
        std::iter::once(&first).chain(pieces.as_slice()).all(|piece| opened.rights.opens(piece.page.page));
    let (rest, leave) = (pieces.collect(), leave.filter(|_| !is_own));
    let base = asked.base;
    Ok(Shown { base, opened, first, rest, joined, corrections, leave, giving })
}

/// See the module.
#[component]
pub fn ArticlePage() -> impl IntoView {
    let (asked, (title, key), number) = (asked(), names(), parameter::<i64>("article"));
    loaded(async move { load(asked?, title?, key?, number?).await }, |shown| view! { <Whole shown/> })
}

#[component]
fn Whole(shown: Shown) -> impl IntoView {
    let Shown { base, opened, first, rest, joined, corrections, leave, giving } = shown;
    let Piece { page, article, is_open, .. } = &first;
    let Opened { publication, issue, rights, .. } = opened.clone();
    let is_own = rights.opens(article.page);
    let given = leave.as_ref().map(|leave| format!("?{}={}", given::FIELD, leave.token)).unwrap_or_default();
    let sought = sought(&asked_for());
    let firsts: Vec<&Article> = joined.firsts().collect();
    let at = firsts.iter().position(|known| known.number == article.number);
    let beside = |step: isize| {
        let index = at?.checked_add_signed(step)?;
        firsts
            .get(index)
            .map(|other| (address::article(&publication, &issue, other.number), other.title.clone()))
    };
    let (before, after) = (beside(-1), beside(1));
    if let Some(slot) = use_context::<HeadSlot>() {
        for (rel, other) in [("prev", &before), ("next", &after)] {
            if let Some((href, _)) = other {
                slot.link(Link { rel, href: href.clone(), kind: "" });
            }
        }
    }
    let name = publication.kind.page_title(page.page, &page.name);
    let description = if article.text.is_empty() {
        format!("{}。《{}》{} {name}", article.title, publication.name, issue.day)
    } else {
        beginning(text_between(&article.text, false, !rest.is_empty()), 110)
    };
    let path = address::article(&publication, &issue, article.number);
    let parts = || std::iter::once(&first).chain(&rest);
    let changed = parts().map(|part| part.article.updated_at).max().unwrap_or(article.updated_at);
    let pagination: Vec<String> = parts().map(|part| part.page.page.to_string()).collect();
    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "Article",
        "@id": base.join(&path),
        "url": base.join(&path),
        "headline": article.title,
        "inLanguage": "zh-CN",
        "datePublished": time::rfc3339(issue.published_at.unwrap_or(issue.updated_at)),
        "dateModified": time::rfc3339(changed),
        "pagination": pagination.join(", "),
        "isAccessibleForFree": publication.sale.is_none(),
        "isPartOf": publication_issue(&base, &publication, &issue),
        "publisher": { "@type": "Organization", "name": publication.organiser },
    });
    if publication.sale.is_some() {
        data["hasPart"] =
            json!({ "@type": "WebPageElement", "isAccessibleForFree": false, "cssSelector": ".story" });
    }
    let heard = |piece: &Piece| {
        piece.article.sound.as_ref().map(|sound| {
            let path = address::article(&publication, &issue, piece.article.number);
            (format!("{path}/sound{given}"), sound.format.media_type())
        })
    };
    if let Some((address, format)) = heard(&first).filter(|_| publication.sale.is_none()) {
        data["audio"] = json!({
            "@type": "AudioObject",
            "contentUrl": base.join(&address),
            "encodingFormat": format,
        });
    }
    let sound = |piece: &Piece| {
        let name = format!("朗读：{}", piece.article.title);
        heard(piece).map(|(address, _)| {
            view! { <audio controls preload="none" src=address aria-label=name></audio> }
        })
    };
    let for_strangers = publication.sale.is_none_or(|sale| article.page <= sale.preview_pages as usize);
    let card = for_strangers
        .then(|| address::card_of_article(&publication, &issue, article.number, article.updated_at));
    if let Some(card) = &card {
        data["image"] = json!(base.join(card));
    }
    if !article.author.is_empty() {
        data["author"] = json!({ "@type": "Person", "name": article.author });
    }
    if !article.subtitle.is_empty() {
        data["alternativeHeadline"] = json!(article.subtitle);
    }
    if leave.is_some() {
        // what somebody was given a link to is for nobody else
        if let Some(slot) = use_context::<HeadSlot>() {
            slot.hide();
        }
    } else {
        let path = path.clone();
        present(
            &base,
            &publication,
            Some(&opened),
            None,
            Presented { kind: "article", description, path, card, data },
        );
    }
    let by_leave = leave.map(|leave| view! { <Given leave/> });
    let giving = giving.map(|giving| view! { <GivingPart giving path/> });
    let kicker =
        (!article.kicker.is_empty()).then(|| view! { <p class="kicker">{article.kicker.clone()}</p> });
    let subtitle =
        (!article.subtitle.is_empty()).then(|| view! { <p class="subtitle">{article.subtitle.clone()}</p> });
    let author =
        (!article.author.is_empty()).then(|| view! { <span class="author">{article.author.clone()}</span> });
    let tools = is_open.then(|| view! { <Tools/> });
    let words = |text: &str| match sought.is_empty() {
        true => text.to_owned().into_any(),
        false => marked(text, &sought).into_any(),
    };
    let row = |cells: Vec<&str>| {
        let cells: Vec<_> = cells.into_iter().map(|cell| view! { <td>{words(cell)}</td> }).collect();
        view! { <tr>{cells}</tr> }
    };
    let paragraph = |part: Part<'_>| match part {
        Part::Paragraph(line) => view! { <p>{words(line)}</p> }.into_any(),
        Part::Table(rows) => {
            let rows: Vec<_> = rows.into_iter().map(row).collect();
            view! { <div class="wide" tabindex="0" role="group" aria-label="表格"><table><tbody>{rows}</tbody></table></div> }
                        .into_any()
        }
    };
    let headline = article.title.clone();
    // it is read as far as its pages are open
    let open: Vec<&Piece> = parts().take_while(|piece| piece.is_open).collect();
    let text: Vec<_> = open
        .iter()
        .enumerate()
        .map(|(place, piece)| {
            let Piece { page, article, .. } = piece;
            let text = text_between(&article.text, place > 0, place < rest.len());
            let paragraphs: Vec<_> = paragraphs(text).into_iter().map(paragraph).collect();
            let from = (place > 0).then(|| {
                let href = address::page(&publication, &issue, page.page);
                let name = publication.kind.page_title(page.page, "");
                // a part of another name says so
                let called = jump::comes_from(&article.title).map_or(&*article.title, |mark| mark.rest);
                let called = (!called.is_empty() && !jump::akin(called, &headline)).then(|| {
                    let author = (!article.author.is_empty())
                        .then(|| view! { <span class="author">{article.author.clone()}</span> });
                    view! { <h2 class="called">{called.to_owned()}{author}</h2> }
                });
                view! {
                    <p class="jump" id=part_id(article.number)>"接 "<a href=href>{name}</a></p>
                    {called}
                    {sound(piece)}
                }
            });
            view! { {from}{paragraphs} }
        })
        .collect();
    let text = (!text.is_empty()).then(|| view! { <div class="story" data-aloud="">{text}</div> });
    let to_buy =
        (open.len() <= rest.len()).then(|| view! { <ToBuy opened=opened.clone() title="订阅以后读全文"/> });
    // what another article took along
    let on = parts()
        .last()
        .and_then(|last| last.article.goes_on.as_ref())
        .and_then(|on| joined.all().iter().find(|other| other.id == *on));
    let on = on.map(|other| {
        let place = publication.kind.page_title(other.page, "");
        let href = joined.address(&publication, &issue, other.number);
        view! { <p class="jump"><a href=href>{format!("下转 {place}：{}", other.title)}</a></p> }
    });
    let photos: Vec<Shot> = open.iter().flat_map(|piece| piece.shots()).collect();
    let sound = sound(&first);
    let pictures = view! { <Pictures opened=opened.clone() photos given=given.clone()/> };
    let own: Vec<i64> = parts().map(|part| part.article.number).collect();
    let others: Vec<_> = firsts
        .iter()
        .filter(|other| other.page == article.page && !own.contains(&other.number))
        .map(|other| {
            let href = address::article(&publication, &issue, other.number);
            view! { <li><a href=href>{other.title.clone()}</a></li> }
        })
        .collect();
    let others = (!others.is_empty()).then(|| {
        view! {
            <nav class="titles" aria-labelledby="others">
                <h2 id="others">{format!("本{}还有", publication.kind.page_word())}</h2>
                <ul>{others}</ul>
            </nav>
        }
    });
    let turn = |other: Option<(String, String)>, rel: &'static str, name: &'static str| {
        other.map(|(href, title)| view! { <a href=href rel=rel><small>{name}</small>{title}</a> })
    };
    let title = format!("{} · {}", article.title, publication.name);
    let (number, heading, area) = (page.page, article.title.clone(), area_id(article.number));
    let name_of_page = page.name.clone();
    view! {
        <PaperFrame title publication=publication.clone() issue=opened.clone()>
            <article
                class="text"
                data-kind=ISSUE_KIND
                data-volume=is_own.then(|| issue.id.to_string())
                data-page=number.to_string()
            >
                {kicker}
                <h1>{heading}</h1>
                {subtitle}
                <p class="byline">
                    {author}
                    <span>
                        {format!("{} ", publication.name)}
                        <time datetime=issue.day.to_string()>{issue.day.to_string()}</time>
                    </span>
                    <StandsOn publication=publication.clone() issue=issue.clone() page=number name=name_of_page/>
                </p>
                {by_leave}
                <Corrections kind=publication.kind all=corrections/>
                {sound}
                {tools}
                {text}
                {to_buy}
                {on}
                {pictures}
            </article>
            <ErrorSummary title="还没有送出"/>
            {giving}
            <nav class="neighbours" aria-label="前后篇">{turn(before, "prev", "上一篇")}{turn(after, "next", "下一篇")}</nav>
            {others}
            <CountedPage opened=opened.clone() page=number area/>
        </PaperFrame>
    }
}

/// A photo of an article, with the number of the part that it stands in and its width and height.
struct Shot {
    number: i64,
    photo: ArticlePhoto,
    size: (u32, u32),
}

impl Piece {
    fn shots(&self) -> impl Iterator<Item = Shot> + '_ {
        let number = self.article.number;
        let photos = self.article.photos.iter().cloned().zip(self.sizes.iter().copied());
        photos.map(move |(photo, size)| Shot { number, photo, size })
    }
}

/// The photos, fetched when somebody opens them.
#[component]
fn Pictures(
    opened: Opened,
    photos: Vec<Shot>,
    /// What the photos' addresses end with, for who reads by a link.
    given: String,
) -> impl IntoView {
    if photos.is_empty() {
        return None;
    }
    let count = photos.len();
    let items: Vec<_> = photos
        .into_iter()
        .map(|Shot { number, photo, size: (width, height) }| {
            let address = |size: u32| {
                let path = address::photo(&opened.publication, &opened.issue, number, &photo.photo, size);
                format!("{path}{given}")
            };
            let caption = (!photo.caption.is_empty())
                .then(|| view! { <figcaption>{photo.caption.clone()}</figcaption> });
            view! {
                <figure>
                    <img
                        src=address(1280)
                        srcset=format!("{} 320w, {} 1280w", address(320), address(1280))
                        sizes="(min-width: 42em) 40rem, 92vw"
                        width=width.to_string()
                        height=height.to_string()
                        alt=photo.caption
                        loading="lazy"
                    />
                    {caption}
                </figure>
            }
        })
        .collect();
    Some(view! {
        <details class="pictures">
            <summary>{format!("图片 {count} 张")}</summary>
            {items}
        </details>
    })
}

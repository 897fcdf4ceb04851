//! GET /epaper/{title}/{date}/a/{n} and /magazine/{title}/{number}/a/{n}: an article as text. On a telephone a newspaper is
//! text first: pictures are opened by who wants them.

use domain::article::{Part, parts};
use domain::reading::sought;
use leptos::prelude::*;
use reader::room::{Tools, asked_for, marked};
use serde_json::json;

use super::corrections::{Corrections, about};
use super::frame::{
    Asked, CountedPage, PaperFrame, Presented, ToBuy, asked, beginning, names, present, publication_issue,
};
use crate::given::{self, Given, Giving, GivingPart, Leave};
use crate::open::{self, Opened};
use crate::store::articles::{self, Article};
use crate::store::corrections::{self, Correction};
use crate::store::issues::{self, IssuePage};
use crate::store::jumps::{self, Joined};
use crate::{ISSUE_KIND, address};
use platform::base::Base;
use platform::error::Error;
use platform::render::{HeadSlot, Link, loaded, parameter};
use platform::ui::parts::ErrorSummary;
use platform::ui::time;

struct Shown {
    base: Base,
    opened: Opened,
    page: IssuePage,
    article: Article,
    /// Width and height of its photos.
    sizes: Vec<(u32, u32)>,
    all: Vec<Article>,
    corrections: Vec<Correction>,
    /// The part before it and the part behind it, where it stands on several pages.
    joined: (Option<Joined>, Option<Joined>),
    /// By whose leave somebody reads it who has no right to.
    leave: Option<Leave>,
    /// What who reads it may give of it.
    giving: Option<Giving>,
}

async fn load(asked: Asked, title: String, key: String, number: i64) -> Result<Shown, Error> {
    let opened = asked.open(&title, &key).await?;
    let app = &asked.app;
    let mut article = articles::at(&app.db, &opened.issue.id, number).await?;
    let is_open = opened.rights.opens(article.page);
    let leave = if is_open { None } else { given::leave(app, &asked.parts, &opened, number).await? };
    let member = open::visitor(&asked.parts);
    let giving = given::giving(app, &asked.base, member, &opened, number).await?;
    if !is_open && leave.is_none() {
        // what somebody has no right to does not even get as far as the page
        article.text.clear();
        article.photos.clear();
        article.sound = None;
    }
    let ids: Vec<_> = article.photos.iter().map(|photo| photo.photo.clone()).collect();
    let known = photos::of_member(app, &opened.issue.member, &ids).await?;
    let sizes = known.iter().map(photos::Photo::upright).collect();
    let all = articles::headlines(&app.db, &opened.issue.id, false).await?;
    let pages = issues::pages(&app.db, &opened.issue.id).await?;
    let page = pages.into_iter().find(|page| page.page == article.page).ok_or(Error::NotFound)?;
    let corrections = corrections::of_issue(&app.db, &opened.issue.id).await?;
    let corrections = about(corrections, article.page, Some(article.number));
    let joined = jumps::of_article(&app.db, &opened.issue.id, number).await?;
    Ok(Shown { base: asked.base, opened, page, article, sizes, all, corrections, joined, leave, giving })
}

/// See the module.
#[component]
pub fn ArticlePage() -> impl IntoView {
    let (asked, (title, key), number) = (asked(), names(), parameter::<i64>("article"));
    loaded(
        async move { load(asked?, title?, key?, number?).await },
        |Shown { base, opened, page, article, sizes, all, corrections, joined, leave, giving }| {
            let Opened { publication, issue, rights, .. } = opened.clone();
            let is_own = rights.opens(article.page);
            let is_open = is_own || leave.is_some();
            let given =
                leave.as_ref().map(|leave| format!("?{}={}", given::FIELD, leave.token)).unwrap_or_default();
            let sought = sought(&asked_for());
            let at = all.iter().position(|known| known.number == article.number);
            let beside = |step: isize| {
                let index = at?.checked_add_signed(step)?;
                all.get(index)
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
                beginning(&article.text, 110)
            };
            let path = address::article(&publication, &issue, article.number);
            let mut data = json!({
                "@context": "https://schema.org",
                "@type": "Article",
                "@id": base.join(&path),
                "url": base.join(&path),
                "headline": article.title,
                "inLanguage": "zh-CN",
                "datePublished": time::rfc3339(issue.published_at.unwrap_or(issue.updated_at)),
                "dateModified": time::rfc3339(article.updated_at),
                "pagination": page.page.to_string(),
                "isAccessibleForFree": publication.sale.is_none(),
                "isPartOf": publication_issue(&base, &publication, &issue),
                "publisher": { "@type": "Organization", "name": publication.organiser },
            });
            if publication.sale.is_some() {
                data["hasPart"] = json!({ "@type": "WebPageElement", "isAccessibleForFree": false, "cssSelector": ".story" });
            }
            let sound = article.sound.as_ref().map(|sound| {
                let address = format!("{path}/sound{given}");
                if publication.sale.is_none() {
                    data["audio"] = json!({
                        "@type": "AudioObject",
                        "contentUrl": base.join(&address),
                        "encodingFormat": sound.format.media_type(),
                    });
                }
                let name = format!("朗读：{}", article.title);
                view! { <audio controls preload="none" src=address aria-label=name></audio> }
            });
            let for_strangers =
                publication.sale.is_none_or(|sale| article.page <= sale.preview_pages as usize);
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
            let kicker = (!article.kicker.is_empty())
                .then(|| view! { <p class="kicker">{article.kicker.clone()}</p> });
            let subtitle = (!article.subtitle.is_empty())
                .then(|| view! { <p class="subtitle">{article.subtitle.clone()}</p> });
            let author = (!article.author.is_empty())
                .then(|| view! { <span class="author">{article.author.clone()}</span> });
            let tools = is_open.then(|| view! { <Tools/> });
            let text = if is_open {
                let words = |text: &str| match sought.is_empty() {
                    true => text.to_owned().into_any(),
                    false => marked(text, &sought).into_any(),
                };
                let row = |cells: Vec<&str>| {
                    let cells: Vec<_> =
                        cells.into_iter().map(|cell| view! { <td>{words(cell)}</td> }).collect();
                    view! { <tr>{cells}</tr> }
                };
                let part = |part: Part<'_>| match part {
                    Part::Paragraph(line) => view! { <p>{words(line)}</p> }.into_any(),
                    Part::Table(rows) => {
                        let rows: Vec<_> = rows.into_iter().map(row).collect();
                        view! { <div class="wide" tabindex="0" role="group" aria-label="表格"><table><tbody>{rows}</tbody></table></div> }
                            .into_any()
                    }
                };
                let paragraphs: Vec<_> = parts(&article.text).into_iter().map(part).collect();
                view! { <div class="story" data-aloud="">{paragraphs}</div> }.into_any()
            } else {
                view! { <ToBuy opened=opened.clone() title="订阅以后读全文"/> }.into_any()
            };
            let pictures = view! { <Pictures opened=opened.clone() article=article.clone() sizes given/> };
            let others: Vec<_> = all
                .iter()
                .filter(|other| other.page == article.page && other.number != article.number)
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
            let jump = |other: Option<Joined>, word: &'static str| {
                other.map(|Joined { page, number, title }| {
                    let place = publication.kind.page_title(usize::try_from(page).unwrap_or(0), "");
                    let href = address::article(&publication, &issue, number);
                    view! { <p class="jump"><a href=href>{format!("{word} {place}：{title}")}</a></p> }
                })
            };
            let (before_it, behind_it) = (jump(joined.0, "上接"), jump(joined.1, "下转"));
            let title = format!("{} · {}", article.title, publication.name);
            let plate = address::page(&publication, &issue, page.page);
            view! {
                <PaperFrame title publication=publication.clone() issue=opened.clone()>
                    <article
                        class="text"
                        data-kind=ISSUE_KIND
                        data-volume=is_own.then(|| issue.id.to_string())
                        data-page=article.page.to_string()
                    >
                        {kicker}
                        <h1>{article.title.clone()}</h1>
                        {subtitle}
                        <p class="byline">
                            {author}
                            <span>
                                {format!("{} ", publication.name)}
                                <time datetime=issue.day.to_string()>{issue.day.to_string()}</time>
                            </span>
                            <a href=plate>{name}</a>
                        </p>
                        {by_leave}
                        <Corrections kind=publication.kind all=corrections/>
                        {sound}
                        {tools}
                        {before_it}
                        {text}
                        {behind_it}
                        {pictures}
                    </article>
                    <ErrorSummary title="还没有送出"/>
                    {giving}
                    <nav class="neighbours" aria-label="前后篇">{turn(before, "prev", "上一篇")}{turn(after, "next", "下一篇")}</nav>
                    {others}
                    <CountedPage opened=opened.clone() page=page.page/>
                </PaperFrame>
            }
        },
    )
}

/// The photos, fetched when somebody opens them.
#[component]
fn Pictures(
    opened: Opened,
    article: Article,
    sizes: Vec<(u32, u32)>,
    /// What the photos' addresses end with, for who reads by a link.
    given: String,
) -> impl IntoView {
    if article.photos.is_empty() {
        return None;
    }
    let count = article.photos.len();
    let items: Vec<_> = article
        .photos
        .into_iter()
        .zip(sizes)
        .map(|(photo, (width, height))| {
            let address = |size: u32| {
                let path =
                    address::photo(&opened.publication, &opened.issue, article.number, &photo.photo, size);
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

//! A work's versions: all of them, one of them, and two beside each other.

use base::error::Error;
use domain::compare::compare;
use domain::ids::WorkId;
use leptos::prelude::*;
use press::PageRef;
use web::render::{here, loaded, parameter, use_query};
use web::ui::lists::Pager;
use web::ui::parts::{Ask, Moment, height_of};
use web::ui::shell::Shell;

use super::changes::{Facts, Pages, Side, version_name};
use crate::store::{self, Cause, Revision};
use crate::{Work, picture_address};

/// Versions on one page.
const PAGE: usize = 30;

/// GET /manager/opus/{id}/revisions?below=….
#[component]
pub fn RevisionsPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    let below = use_query("below").map_or(Ok(i64::MAX), |below| below.parse());
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let below = below.map_err(|_| Error::NotFound)?;
            let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?;
            let mut line = store::of_work(&here.app.db, &id, below, PAGE as i64 + 1).await?;
            let more = line.len() > PAGE;
            line.truncate(PAGE);
            let next = line.last().filter(|_| more).map(|last| last.number);
            let is_later = below != i64::MAX;
            let kept = if is_later { Vec::new() } else { store::kept(&here.app.db, &id).await? };
            Ok((here.member, work, line, kept, is_later, next))
        },
        |(member, work, line, kept, is_later, next)| {
            let here = format!("/manager/opus/{}/revisions", work.id);
            let first = is_later.then(|| here.clone());
            let next = next.map(|next| format!("{here}?below={next}"));
            let kept = (!kept.is_empty()).then(|| {
                let rows: Vec<_> = kept
                    .into_iter()
                    .map(|revision| view! { <Row work=work.clone() revision/> })
                    .collect();
                view! {
                    <section class="kept">
                        <h2>"还没有并进来的改动"</h2>
                        <p class="quiet">"保存时这本书已在别处改过，所以另存在这里。可以查看、与最新的版本比较，再决定用哪个。"</p>
                        <ul class="versions">{rows}</ul>
                    </section>
                }
            });
            let rows: Vec<_> =
                line.into_iter().map(|revision| view! { <Row work=work.clone() revision/> }).collect();
            view! {
                <Shell member title="版本".to_owned() assets=&["works.css"]>
                    <Top work/>
                    {kept}
                    <ul class="versions">{rows}</ul>
                    <Pager first next back="回到最新" further="更早的版本"/>
                </Shell>
            }
        },
    )
}

#[component]
fn Top(work: Work) -> impl IntoView {
    view! {
        <header class="head">
            <div>
                <h1>"版本"</h1>
                <p class="quiet">
                    <a href=format!("/manager/opus/{}", work.id)>{format!("《{}》", work.document.title)}</a>
                    "的每次保存都在这里"
                </p>
            </div>
        </header>
    }
}

#[component]
fn Row(work: Work, revision: Revision) -> impl IntoView {
    let number = revision.number;
    let place = format!("/manager/opus/{}/revisions/{number}", work.id);
    let is_newest = number == work.revision;
    let newest = is_newest.then(|| view! { <span class="badge good">"最新"</span> });
    let comparison = (!is_newest).then(|| {
        let address = format!("/manager/opus/{}/comparison?before={number}&after={}", work.id, work.revision);
        let about = format!("：{}", version_name(number));
        view! { <a class="link" href=address>"与最新比较"<span class="sr">{about}</span></a> }
    });
    view! {
        <li>
            <img
                src=picture_address(&work.id, number, PageRef::Cover, 320)
                width="320"
                height=height_of(work.document.trim, 320)
                alt=""
                loading="lazy"
            />
            <div>
                <h2><a href=place>{version_name(number)}</a>" "{newest}</h2>
                <p class="quiet"><Moment at=revision.at/>" · "{cause(&revision)}</p>
                {comparison}
            </div>
        </li>
    }
}

/// Why a version was made, in words.
fn cause(revision: &Revision) -> String {
    let known = revision.cause.map_or("保存", Cause::name);
    match revision.source {
        Some(source) if revision.number < 0 => format!("{known}，当时打开的是{}", version_name(source)),
        Some(source) => format!("{known}自{}", version_name(source)),
        None => known.to_owned(),
    }
}

/// GET /manager/opus/{id}/revisions/{revision}: its pages.
#[component]
pub fn RevisionPage() -> impl IntoView {
    let here = here();
    let (id, number) = (parameter::<WorkId>("id"), parameter::<i64>("revision"));
    loaded(
        async move {
            let (here, id, number) = (here?, id?, number?);
            let (db, member) = (&here.app.db, &here.member.id);
            let work = store::find_for_owner(db, &id, member).await?;
            let (revision, document) = store::revision(db, &id, member, number).await?;
            Ok((here.member, work, revision, document))
        },
        |(member, work, revision, document)| {
            let number = revision.number;
            let newest = version_name(work.revision);
            let base = format!("/manager/opus/{}", work.id);
            let is_newest = number == work.revision;
            let acts = (!is_newest && work.trashed_at.is_none()).then(|| {
                let label = if number < 0 { "用这个版本" } else { "还原成这一版" };
                let drop = (number < 0).then(|| {
                    view! {
                        <Ask
                            label="不要了"
                            question=format!("{}会删除，不能再找回。", version_name(number))
                            confirm="删除这个版本"
                            action=format!("{base}/revisions/{number}/removal")
                        />
                    }
                });
                view! {
                    <div class="row">
                        <form method="post" action=format!("{base}/revisions/{number}/restoration")>
                            <input type="hidden" name="revision" value=work.revision.to_string()/>
                            <button class="button primary">{label}</button>
                        </form>
                        <a class="button" href=format!("{base}/comparison?before={number}&after={}", work.revision)>
                            {format!("与{newest}比较")}
                        </a>
                        {drop}
                    </div>
                    <p class="hint">{format!("{newest}会留着，随时可以再还原回来。")}</p>
                }
            });
            let places = std::iter::once((PageRef::Cover, "封面".to_owned())).chain(
                (0..document.pages.len())
                    .map(|index| (PageRef::Inner(index), format!("第 {} 页", index + 1))),
            );
            let pages: Vec<_> = places
                .map(|(page, name)| {
                    let address = |width| picture_address(&work.id, number, page, width);
                    view! {
                        <li>
                            <a href=address(1280)>
                                <img
                                    src=address(320)
                                    width="320"
                                    height=height_of(document.trim, 320)
                                    alt=name
                                    loading="lazy"
                                />
                            </a>
                        </li>
                    }
                })
                .collect();
            view! {
                <Shell member title=version_name(number) assets=&["works.css"]>
                    <header class="head">
                        <div>
                            <h1>{version_name(number)}</h1>
                            <p class="quiet">
                                <a href=base.clone()>{format!("《{}》", document.title)}</a>" · "
                                <Moment at=revision.at/>" · "{cause(&revision)}
                            </p>
                        </div>
                        <a class="button" href=format!("{base}/revisions")>"所有版本"</a>
                    </header>
                    <div class="stack">{acts}<ul class="leaves">{pages}</ul></div>
                </Shell>
            }
        },
    )
}

/// GET /manager/opus/{id}/comparison?before=…&after=….
#[component]
pub fn ComparisonPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    let number = |name| use_query(name).and_then(|number| number.parse::<i64>().ok()).ok_or(Error::NotFound);
    let (before, after) = (number("before"), number("after"));
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let (db, member) = (&here.app.db, &here.member.id);
            let work = store::find_for_owner(db, &id, member).await?;
            let before = store::revision(db, &id, member, before?).await?;
            let after = store::revision(db, &id, member, after?).await?;
            Ok((here.member, work, before, after))
        },
        |(member, work, (before, before_document), (after, after_document))| {
            let comparison = compare(&before_document, &after_document);
            let base = format!("/manager/opus/{}", work.id);
            let link = |number: i64| {
                view! { <a href=format!("{base}/revisions/{number}")>{version_name(number)}</a> }
            };
            let (one_link, other_link) = (link(before.number), link(after.number));
            let summary = if comparison.is_empty() {
                "两个版本完全一样。".to_owned()
            } else if comparison.pages.is_empty() {
                "书页都一样。".to_owned()
            } else {
                format!("有 {} 页不同。", comparison.pages.len())
            };
            let one = Side { number: before.number, document: before_document };
            let other = Side { number: after.number, document: after_document };
            view! {
                <Shell member title="比较版本".to_owned() assets=&["works.css"]>
                    <header class="head">
                        <div>
                            <h1>"比较版本"</h1>
                            <p class="quiet">
                                {format!("《{}》：", work.document.title)}{one_link}" 与 "{other_link}
                            </p>
                        </div>
                        <a class="button" href=format!("{base}/revisions")>"所有版本"</a>
                    </header>
                    <div class="stack">
                        <p>{summary}</p>
                        <Facts comparison=comparison.clone() before=one.clone() after=other.clone()/>
                        <Pages id=work.id comparison before=one after=other/>
                    </div>
                </Shell>
            }
        },
    )
}

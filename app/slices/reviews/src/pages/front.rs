//! GET /review/{code}: what is to be looked at, all pages in small, and at the end what one says of the whole.

use std::sync::Arc;

use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::ids::ReviewerId;
use domain::review::{NAME, Said, Verdict, page_name};
use leptos::prelude::*;
use web::app::App;
use web::render::{self, loaded, parameter, use_form, use_query};
use web::ui::parts::{ErrorSummary, Field, FieldError, Moment, height_of};

use super::parts::{Frame, Marks, Picture, alternative};
use super::said::badge;
use super::thread::{ThreadItem, Ways};
use crate::freeze::newest;
use crate::open::{Opened, asked, opened};
use crate::store::{self, Given};
use crate::talk::Talk;

/// For so long a look is not noted again, in ms.
const NOTED_AGAIN_MS: i64 = 10 * 60_000;

/// Notes that somebody looks. Only a page says so: programs open links to see what they are.
pub async fn see(app: &App, opened: &Opened) -> Result<(), Error> {
    let Some(reviewer) = opened.reviewer.as_ref().filter(|_| !opened.is_maker) else { return Ok(()) };
    let (now, round) = (now_ms(), opened.round.number);
    let is_new = reviewer.seen.is_none_or(|(at, seen)| seen != round || now - at > NOTED_AGAIN_MS);
    if is_new && app.read_only.now().is_none() {
        store::note_seen(&app.db, &reviewer.id, round, now).await?;
    }
    Ok(())
}

/// On this site.
#[component]
pub fn FrontPage() -> impl IntoView {
    let ((app, parts), code) = (asked(), parameter::<String>("code"));
    loaded(
        async move {
            let (app, opened) = opened(app, parts, code).await?;
            let (talk, _) = Talk::of(&app, &opened.work.id, &opened.document).await?;
            let mut tx = app.db.begin_snapshot().await?;
            let given = store::verdicts(&mut tx, &opened.work.id).await?;
            Ok((opened, talk, given))
        },
        |(opened, talk, given)| {
            let title = opened.document.title.clone();
            let trim = opened.document.trim;
            let number = opened.round.number;
            let day = time::day_near(time::date(opened.round.until - 1), time::date(now_ms()));
            let author = (!opened.document.author.is_empty())
                .then(|| view! { <p class="author">{opened.document.author.clone()}</p> });
            let words = (!opened.round.words.is_empty())
                .then(|| view! { <blockquote class="asked">{opened.round.words.clone()}</blockquote> });
            let is_known = opened.reviewer.is_some() || opened.is_maker;
            let changes = (number > 1 && is_known).then(|| {
                view! { <a class="button" href=format!("{}/changes", opened.home())>"和上一稿比，改了什么"</a> }
            });
            let begin = if is_known {
                view! {
                    <div class="row">
                        <a class="button primary" href=opened.page(0)>"从封面看起"</a>
                        {changes}
                    </div>
                }
                .into_any()
            } else {
                view! { <Name opened=opened.clone()/> }.into_any()
            };
            let rest = is_known.then(|| {
                view! {
                    <Overview opened=opened.clone() talk=talk.clone()/>
                    <Gone opened=opened.clone() talk/>
                    <Verdicts opened=opened.clone() given/>
                }
            });
            let cover = opened.clone();
            let alt = alternative(&title, 0);
            view! {
                <Frame opened=opened.clone() title="请您看样".to_owned()>
                    <ErrorSummary title="还没有记下"/>
                    <section class="opening">
                        <div class="front">
                            <Picture
                                address=Arc::new(move |width| cover.picture(number, 0, width))
                                trim
                                alt
                                sizes="(min-width: 48em) 320px, 60vw"
                            />
                        </div>
                        <div class="about-it">
                            <p class="quiet">"请您看样"</p>
                            <h1>{title.clone()}</h1>
                            {author}
                            <p class="quiet">
                                {format!("第 {number} 稿 · {} 页 · 请在 {day}以前看完", opened.document.pages.len())}
                            </p>
                            {words}
                            {begin}
                        </div>
                    </section>
                    {rest}
                </Frame>
            }
        },
    )
}

/// Where somebody who came by a link without a name says who it is.
#[component]
pub fn Name(opened: Opened) -> impl IntoView {
    let id: ReviewerId = render::once();
    let id = use_form().or("reviewer", id.as_str());
    view! {
        <form class="stack name" method="post" action=opened.home()>
            <input type="hidden" name="reviewer" value=id/>
            <Field name="name" label="您的名字" most=NAME as u32 autocomplete="name" required=true/>
            <p class="hint">"作者和其他看样的人会看到这个名字。不用注册。"</p>
            <button class="button primary">"开始看样"</button>
        </form>
    }
}

/// All pages in small, with how many comments each has.
#[component]
fn Overview(opened: Opened, talk: Talk) -> impl IntoView {
    let trim = opened.document.trim;
    let items: Vec<_> = (0..=opened.document.pages.len())
        .map(|page| {
            let open = talk.on(page).filter(|thread| thread.comment.done_at.is_none()).count();
            let all = talk.on(page).count();
            let mark = (all > 0).then(|| {
                let class = if open > 0 { "count num" } else { "count num done" };
                view! { <span class=class aria-label=format!("{all} 条意见")>{all}</span> }
            });
            view! {
                <li>
                    <a href=opened.page(page)>
                        <img
                            src=opened.picture(opened.round.number, page, 320)
                            width="320"
                            height=height_of(trim, 320)
                            alt=""
                            loading="lazy"
                        />
                        {mark}
                        <span>{page_name(page)}</span>
                    </a>
                </li>
            }
        })
        .collect();
    view! { <section id="pages"><h2>"所有书页"</h2><ol class="overview">{items}</ol></section> }
}

/// Comments whose pages are gone, each with the page that it was made on.
#[component]
fn Gone(opened: Opened, talk: Talk) -> impl IntoView {
    let ways = Ways {
        base: format!("{}/comment", opened.home()),
        reader: opened.who().filter(|_| !opened.is_maker).cloned(),
        ..Ways::default()
    };
    let items: Vec<_> = talk
        .gone()
        .map(|thread| {
            let (round, page) = (thread.comment.round, thread.comment.page);
            let (address, trim) = (opened.clone(), opened.document.trim);
            let said = format!("第 {round} 稿的{}，这一稿里没有了", page_name(page));
            view! {
                <li class="gone">
                    <figure>
                        <div class="paper">
                            <Picture
                                address=Arc::new(move |width| address.picture(round, page, width))
                                trim
                                alt=alternative(&opened.document.title, page)
                                sizes="160px"
                                lazy=true
                            />
                            <Marks threads=vec![thread.clone()] trim/>
                        </div>
                        <figcaption class="quiet">{said}</figcaption>
                    </figure>
                    <ol class="threads">
                        <ThreadItem thread=thread.clone() talk=talk.clone() newest=opened.round.clone() ways=ways.clone()/>
                    </ol>
                </li>
            }
        })
        .collect();
    if items.is_empty() {
        return None;
    }
    Some(view! { <section><h2>"写在已经去掉的页上的意见"</h2><ul class="gones">{items}</ul></section> })
}

/// What one says of the whole, and what others said.
#[component]
fn Verdicts(opened: Opened, given: Vec<Given>) -> impl IntoView {
    let number = opened.round.number;
    let own: Option<Given> =
        given.iter().find(|given| opened.who() == Some(&given.reviewer) && !opened.is_maker).cloned();
    let others: Vec<Given> =
        given.into_iter().filter(|given| opened.is_maker || opened.who() != Some(&given.reviewer)).collect();
    let others = newest(others, &[number].into());
    let said = match (&own, use_query("said").filter(|_| !use_form().is_sent())) {
        (Some(_), Some(_)) => {
            Some(view! { <div class="notice good" role="status">"记下了，已经告诉作者。谢谢您！"</div> })
        }
        _ => None,
    };
    let now = own.clone().map(|given| {
        let words = if given.round == number {
            format!("您说了：第 {number} 稿{}。", given.verdict.name())
        } else {
            let (before, said) = (given.round, given.verdict.name());
            format!("您对第 {before} 稿说过{said}；这是第 {number} 稿，请看过再说一次。")
        };
        view! { <p>{words}<span class="quiet"><Moment at=given.at/></span></p> }
    });
    let is_said = own.as_ref().filter(|given| given.round == number).map(|given| given.verdict);
    let form = match opened.round.ordered_at {
        Some(_) => view! { <p class="quiet">"作者已经下单，不能再改了。"</p> }.into_any(),
        None if opened.is_maker => ().into_any(),
        None => {
            let buttons: Vec<_> = Verdict::ALL
                .into_iter()
                .map(|verdict| {
                    let class = match verdict {
                        Verdict::Print => "button primary",
                        Verdict::Change => "button",
                    };
                    let pressed = (is_said == Some(verdict)).then_some("true");
                    view! {
                        <button class=class name="verdict" value=verdict.code() aria-pressed=pressed>
                            {verdict.name()}
                        </button>
                    }
                })
                .collect();
            view! {
                <form method="post" action=format!("{}/verdict", opened.home())>
                    <input type="hidden" name="round" value=number.to_string()/>
                    <div class="row">{buttons}</div>
                    <FieldError name="verdict".to_owned()/>
                    <p class="hint">"作者下单以前都可以改主意。"</p>
                </form>
            }
            .into_any()
        }
    };
    view! {
        <section id="verdict" class="verdict">
            <h2>{format!("第 {number} 稿，看完了吗？")}</h2>
            {said}
            {now}
            {form}
            <Others said=others number/>
        </section>
    }
}

#[component]
fn Others(said: Vec<Said>, number: i64) -> impl IntoView {
    if said.is_empty() {
        return None;
    }
    let items: Vec<_> = said
        .into_iter()
        .map(|said| {
            let class = badge(said.verdict, said.round == number);
            let words = format!("第 {} 稿{}", said.round, said.verdict.name());
            view! { <li><strong>{said.who}</strong>" "<span class=class>{words}</span></li> }
        })
        .collect();
    Some(view! { <h3>"其他看样的人"</h3><ul class="others">{items}</ul> })
}

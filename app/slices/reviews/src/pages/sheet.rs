//! GET /review/{code}/page/{page}: one page, or two that face each other, with what is said of them. A press on the picture says
//! where; a form with nine fields does the same for the keyboard.

use std::sync::Arc;

use base::db::new_id;
use domain::calendar::is_calendar;
use domain::ids::ReviewCommentId;
use domain::review::{FIELDS, PRESSED, Spot, WORDS, may_write, page_name};
use leptos::prelude::*;
use web::render::{loaded, parameter, unkept, use_form, use_query};
use web::ui::parts::{ErrorSummary, FieldError, Limit, area_text, described_by};

use super::front::{Name, see};
use super::parts::{Frame, Marks, Picture, alternative};
use super::thread::{ThreadItem, Ways};
use crate::forms::read_spot;
use crate::open::{Opened, asked, opened, page_of};
use crate::talk::{Talk, Thread};

/// How wide a page is shown: see `style/areas/reviews.css`.
const SIZES: &str = "(min-width: 77.5em) 440px, (min-width: 40em) 560px, (min-width: 30em) 440px, (min-width: 22em) 320px, 288px";

/// What a press on a picture is sent as before its place is known: nothing is drawn, the picture lies below.
const NOTHING: &str = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/// On this site.
#[component]
pub fn SheetPage() -> impl IntoView {
    let ((app, parts), code) = (asked(), parameter::<String>("code"));
    let page = parameter::<String>("page");
    loaded(
        async move {
            let (app, opened) = opened(app, parts, code).await?;
            let page = page_of(&opened.document, &page?)?;
            see(&app, &opened).await?;
            let (talk, _) = Talk::of(&app, &opened.work.id, &opened.document).await?;
            Ok((opened, page, talk))
        },
        |(opened, page, talk)| {
            let title = page_name(page);
            let is_known = opened.reviewer.is_some() || opened.is_maker;
            let body = if is_known {
                view! { <Looking opened=opened.clone() page talk/> }.into_any()
            } else {
                view! { <Name opened=opened.clone()/> }.into_any()
            };
            view! { <Frame opened title>{body}</Frame> }
        },
    )
}

/// The page that lies beside one in an open book: 2 and 3, 4 and 5. A calendar's hang one by one.
fn facing(opened: &Opened, page: usize) -> Option<usize> {
    if page < 2 || is_calendar(&opened.document) {
        return None;
    }
    let other = if page.is_multiple_of(2) { page + 1 } else { page - 1 };
    (2..=opened.document.pages.len()).contains(&other).then_some(other)
}

/// Where somebody pressed the picture, as the address has it.
fn pressed(opened: &Opened) -> Option<Spot> {
    PRESSED.into_iter().find_map(|width| {
        let part = |axis: &str| use_query(&format!("w{width}.{axis}"))?.parse::<i64>().ok();
        Spot::pressed(width, opened.document.trim, part("x")?, part("y")?)
    })
}

#[component]
fn Looking(opened: Opened, page: usize, talk: Talk) -> impl IntoView {
    let facing = facing(&opened, page);
    let may = !opened.is_maker && may_write(opened.round.rule(), Some(0), 0).is_ok();
    let form = use_form();
    let pending = if form.is_sent() { read_spot(&form) } else { pressed(&opened) };
    let beside = facing.map(|other| {
        let before = other < page;
        view! { <Sheet opened=opened.clone() page=other talk=talk.clone() may beside=true before/> }
    });
    let own: Vec<_> = talk.on(page).cloned().collect();
    let other = facing.map(|other| {
        let threads: Vec<_> = talk.on(other).cloned().collect();
        let list = (!threads.is_empty())
            .then(|| view! { <List opened=opened.clone() threads talk=talk.clone() page=other may=false/> });
        view! { <div class="of-facing">{list}</div> }
    });
    let ordered = opened.round.ordered_at.is_some().then(|| {
        view! { <p class="notice">"作者已经下单，这一稿不再收意见。"</p> }
    });
    view! {
        <h1 class="sr">{page_name(page)}</h1>
        <ErrorSummary title="还没有记下"/>
        <div class="looking">
            <div class="open" class:double=facing.is_some()>
                <Sheet opened=opened.clone() page talk=talk.clone() pending may/>
                {beside}
            </div>
            <Turns opened=opened.clone() page facing/>
            <div class="said">
                {ordered}
                {may.then(|| view! { <Write opened=opened.clone() page pending/> })}
                <List opened threads=own talk page may/>
                {other}
            </div>
        </div>
    }
}

/// A page's picture with its marks; pressed, it says where.
#[component]
fn Sheet(
    opened: Opened,
    page: usize,
    talk: Talk,
    may: bool,
    #[prop(optional_no_strip)] pending: Option<Spot>,
    #[prop(optional)] beside: bool,
    #[prop(optional)] before: bool,
) -> impl IntoView {
    let (trim, number) = (opened.document.trim, opened.round.number);
    let threads: Vec<_> = talk.on(page).cloned().collect();
    let alt = alternative(&opened.document.title, page);
    let here = opened.page(page);
    let action = format!("{here}#write");
    let large = opened.picture(number, page, 1280);
    let shown = opened.clone();
    let press = may.then(|| {
        let inputs: Vec<_> = PRESSED
            .into_iter()
            .map(|width| {
                let name = format!("w{width}");
                view! {
                    <input
                        type="image"
                        class=name.clone()
                        name=name
                        src=NOTHING
                        alt=format!("在{}点一下，写意见", page_name(page))
                        tabindex="-1"
                    />
                }
            })
            .collect();
        view! { <form class="press" action=action>{inputs}</form> }
    });
    let marks =
        view! { <Marks threads trim pending=pending href=if beside { here } else { String::new() }/> };
    view! {
        <figure class="sheetpage" class:beside=beside class:before=before>
            <div class="paper">
                <Picture
                    address=Arc::new(move |width| shown.picture(number, page, width))
                    trim
                    alt
                    sizes=SIZES
                    lazy=beside
                />
                {press}
                {marks}
            </div>
            <figcaption class="quiet">{page_name(page)}" · "<a href=large>"看大图"</a></figcaption>
        </figure>
    }
}

/// The ways on: one page where one is shown, two where two are.
#[component]
fn Turns(opened: Opened, page: usize, facing: Option<usize>) -> impl IntoView {
    let last = opened.document.pages.len();
    let back = |to: usize, class: &'static str| {
        view! { <a class=class rel="prev" href=opened.page(to)><span aria-hidden="true">"‹"</span>"上一页"</a> }
    };
    let on = |to: usize, class: &'static str| {
        let (href, name) = if to > last {
            (format!("{}#verdict", opened.home()), "看完了")
        } else {
            (opened.page(to), "下一页")
        };
        view! { <a class=class rel="next" href=href>{name}<span aria-hidden="true">"›"</span></a> }
    };
    let narrow = if facing.is_some() { "turn narrow" } else { "turn" };
    let single = view! { {(page > 0).then(|| back(page - 1, narrow))}{on(page + 1, narrow)} };
    let double = facing.map(|other| {
        let (first, after) = (page.min(other), page.max(other) + 1);
        // from 2 and 3 to the first page alone, else to the pair before
        let before = if first <= 3 { first - 1 } else { first - 2 };
        view! { {back(before, "turn wide")}{on(after, "turn wide")} }
    });
    view! {
        <nav class="turns" aria-label="翻页">
            {single}{double}
            <a class="all" href=format!("{}#pages", opened.home())>
                {if page == 0 { "封面".to_owned() } else { format!("{page} / {last}") }}
            </a>
        </nav>
    }
}

/// The form for what is to be said, and where.
#[component]
fn Write(opened: Opened, page: usize, pending: Option<Spot>) -> impl IntoView {
    let form = use_form();
    unkept();
    let id: ReviewCommentId = new_id();
    let wrong = form.error("words").is_some();
    // an answer that came back keeps its own
    let is_own = wrong || !form.get("words").is_empty();
    let id = if is_own { form.or("comment", id.as_str()) } else { id.to_string() };
    let place = match pending {
        Some(spot) => view! {
            <input type="hidden" name="x" value=spot.x.to_string()/>
            <input type="hidden" name="y" value=spot.y.to_string()/>
            <p class="hint">
                "标在"{page_name(page)}"的"<strong>{spot.field()}</strong>"；再点一下图可以换位置，"
                <a href=opened.page(page)>"不标位置"</a>"。"
            </p>
        }
        .into_any(),
        None => {
            let fields: Vec<_> = FIELDS
                .into_iter()
                .enumerate()
                .map(|(index, name)| {
                    let value = (index + 1).to_string();
                    view! {
                        <label title=name>
                            <input type="radio" name="field" value=value/>
                            <span class="sr">{name}</span>
                        </label>
                    }
                })
                .collect();
            view! {
                <p class="hint">"点一下图上要改的地方，再写；也可以先选大概的位置："</p>
                <fieldset class="nine">
                    <legend class="sr">"在这一页的哪里"</legend>
                    <div>{fields}</div>
                    <label class="whole"><input type="radio" name="field" value="" checked/>"整页"</label>
                </fieldset>
            }
            .into_any()
        }
    };
    view! {
        <form id="write" class="stack write" method="post" action=opened.page(page)>
            <h2>{format!("{}，哪里要改？", page_name(page))}</h2>
            <input type="hidden" name="comment" value=id/>
            <input type="hidden" name="round" value=opened.round.number.to_string()/>
            {place}
            <div class="field">
                <label class="sr" for="words">"意见"</label>
                <Limit name="words" most=WORDS.to_string()/>
                <textarea
                    id="words"
                    name="words"
                    rows="3"
                    maxlength=WORDS.to_string()
                    required
                    aria-invalid=wrong.then_some("true")
                    aria-describedby=described_by("words", true, wrong)
                >
                    {area_text(&form.or("words", ""))}
                </textarea>
                <FieldError name="words".to_owned()/>
            </div>
            <button class="button primary">"记下这条意见"</button>
        </form>
    }
}

/// What was said of a page.
#[component]
fn List(opened: Opened, threads: Vec<Thread>, talk: Talk, page: usize, may: bool) -> impl IntoView {
    let ways = Ways {
        base: format!("{}/comment", opened.home()),
        answers: may,
        reader: opened.who().filter(|_| !opened.is_maker).cloned(),
        ..Ways::default()
    };
    let count = threads.len();
    let items: Vec<_> = threads
        .into_iter()
        .map(|thread| {
            view! { <ThreadItem thread talk=talk.clone() newest=opened.round.clone() ways=ways.clone()/> }
        })
        .collect();
    let list = if count == 0 {
        view! { <p class="quiet">"这一页还没有人写意见。"</p> }.into_any()
    } else {
        view! { <ol class="threads">{items}</ol> }.into_any()
    };
    view! { <section><h2>{format!("{}的意见", page_name(page))}</h2>{list}</section> }
}

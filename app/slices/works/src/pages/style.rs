//! GET /manager/opus/{id}/style?part=…: the whole book in other styles, each with three of its spreads.

use domain::ids::WorkId;
use leptos::prelude::*;
use press::PageRef;
use web::render::{here, loaded, parameter, use_query};
use web::ui::parts::{ErrorSummary, FieldError, height_of};
use web::ui::shell::Shell;

use crate::restyle::{Aspect, Made, Offer, offers};
use crate::{Work, picture_address, store};

/// The styles of one aspect, each to be taken with one press.
#[component]
pub fn StylePage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    let wanted = use_query("part").unwrap_or_default();
    let aspect = Aspect::ALL.into_iter().find(|aspect| aspect.code() == wanted).unwrap_or(Aspect::Theme);
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?.on_shelf()?;
            let offers = offers(&here.app, &here.member.id, &work.document, aspect).await?;
            Ok((here.member, work, offers))
        },
        move |(member, work, offers)| {
            let base = format!("/manager/opus/{}", work.id);
            let parts: Vec<_> = Aspect::ALL
                .into_iter()
                .map(|part| {
                    let current = (part == aspect).then_some("page");
                    view! { <a href=format!("{base}/style?part={}", part.code()) aria-current=current>{part.name()}</a> }
                })
                .collect();
            let body = match offers {
                Err(reason) => view! { <p class="notice">{reason}</p> }.into_any(),
                Ok(offers) => view! { <Offers work=work.clone() offers/> }.into_any(),
            };
            view! {
                <Shell member title="换整本样式".to_owned() assets=&["works.css"]>
                    <header class="head">
                        <div>
                            <h1>"换整本样式"</h1>
                            <p class="quiet"><a href=base.clone()>{format!("《{}》", work.document.title)}</a></p>
                        </div>
                    </header>
                    <ErrorSummary title="还没有换"/>
                    <div class="stack">
                        <nav class="sorts" aria-label="换什么">
                            {parts}
                            <a href=format!("{base}/format")>"开本"</a>
                        </nav>
                        <p class="hint">"按一下就换好，照片和写的字都留着；换了以后可以一步撤销。"</p>
                        <FieldError name="to".to_owned()/>
                        {body}
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn Offers(work: Work, offers: Vec<Offer>) -> impl IntoView {
    let is_one = offers.iter().all(|offer| offer.made.as_ref().is_ok_and(|made| made.is_now));
    let same = is_one.then(|| {
        view! { <p class="notice">"照片不多，这几种排出来是一样的：这种开本至少要装订这么多页。"</p> }
    });
    let cards: Vec<_> = offers
        .into_iter()
        .map(|Offer { to, name, hint, made }| {
            let code = to.code();
            let (pictures, act) = match made {
                Err(refusal) => (None, view! { <p class="error">{refusal.to_string()}</p> }.into_any()),
                Ok(made) => {
                    let act = if made.is_now {
                        view! { <p class="badge">"现在这样"</p> }.into_any()
                    } else {
                        view! { <button class="button" name="to" value=code.clone()>{format!("换成{name}")}</button> }
                            .into_any()
                    };
                    let pages = made.pages;
                    let act = view! { <p class="quiet"><span class="num">{pages}</span>" 页"</p>{act} }.into_any();
                    (Some(view! { <Spreads work=work.clone() code made/> }), act)
                }
            };
            view! {
                <li class="sheet">
                    <h2>{name}</h2>
                    <p class="quiet">{hint}</p>
                    {pictures}
                    <div class="row">{act}</div>
                </li>
            }
        })
        .collect();
    view! {
        <form method="post" action=format!("/manager/opus/{}/style", work.id)>
            <input type="hidden" name="revision" value=work.revision.to_string()/>
            {same}
            <ul class="styles">{cards}</ul>
        </form>
    }
}

/// Three spreads of the book as it would be.
#[component]
fn Spreads(work: Work, code: String, made: Made) -> impl IntoView {
    // a running text is set anew when its theme is taken
    if !work.document.files().is_empty() {
        return None;
    }
    let height = height_of(work.document.trim, 160);
    let pairs: Vec<_> = made
        .shown
        .iter()
        .map(|left| {
            let pair = match *left {
                0 => [PageRef::Cover, PageRef::Inner(0)],
                left => [PageRef::Inner(left), PageRef::Inner(left + 1)],
            };
            let pictures: Vec<_> = pair
                .map(|page| {
                    let page = picture_address(&work.id, work.revision, page, 320);
                    view! { <img src=format!("{page}&book={code}") width="160" height=height.clone() alt="" loading="lazy"/> }
                })
                .into();
            view! { <i class="open" aria-hidden="true">{pictures}</i> }
        })
        .collect();
    Some(view! { <div class="three">{pairs}</div> })
}

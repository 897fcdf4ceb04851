//! /manager/publication/{title}: where a member's study and packages lead; and how a reader hears of new issues.

use axum::extract::{RawForm, State};
use axum::response::Redirect;
use base::db::now_ms;
use base::error::Error;
use domain::ids::PublicationId;
use leptos::prelude::*;
use web::app::App;
use web::render::{Here, here, loaded, parameter, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::shell::Shell;

use super::TITLE_KIND;
use super::store::publications::Publication;
use super::store::{following, issues, publications};

/// GET /manager/publication/{id}: to where it is read.
pub async fn lead(
    State(app): State<App>,
    Parameter(id): Parameter<PublicationId>,
) -> Result<Redirect, Error> {
    Ok(Redirect::to(&publications::find(&app.db, &id).await?.path()))
}

/// POST /manager/publication/{id}/following: `act` is follow or leave.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<PublicationId>,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let publication = publications::find(&app.db, &id).await?;
    let form = read_form(&body)?;
    let mut tx = app.db.begin().await?;
    let done = match form.get("act") {
        "follow" => {
            let by_message = form.get("by_message") == "1";
            following::follow(&mut tx, &publication.id, &member.id, by_message, now_ms()).await?;
            "follow"
        }
        "leave" => {
            following::leave(&mut tx, &publication.id, &member.id).await?;
            "leave"
        }
        _ => return Err(Error::Incomplete),
    };
    tx.commit().await?;
    Ok(Redirect::to(&format!("/manager/publication/{id}/following?done={done}")))
}

struct Shown {
    member: Member,
    publication: Publication,
    /// Whether the reader follows it, and then whether by messages.
    following: Option<bool>,
    is_subscribed: bool,
    offers: Vec<selling::Offer>,
}

/// GET /manager/publication/{id}/following.
#[component]
pub fn FollowingPage() -> impl IntoView {
    let (here, id) = (here(), parameter::<PublicationId>("title"));
    loaded(
        async move {
            let (Here { app, member }, id) = (here?, id?);
            let publication = publications::find(&app.db, &id).await?;
            // one that nobody has seen yet is none, but for its maker
            if publication.member != member.id && issues::published(&app.db, &id, 1).await?.is_empty() {
                return Err(Error::NotFound);
            }
            let following = following::find(&app.db, &id, &member.id).await?;
            let now = now_ms();
            let is_subscribed =
                selling::entitled(&app.db, &member.id, TITLE_KIND, id.as_str(), now).await?.is_some();
            let offers = match publication.sale {
                Some(_) if !is_subscribed => selling::offers(&app.db, TITLE_KIND, id.as_str(), now).await?,
                _ => Vec::new(),
            };
            Ok(Shown { member, publication, following, is_subscribed, offers })
        },
        |shown| view! { <Following shown/> },
    )
}

#[component]
fn Following(shown: Shown) -> impl IntoView {
    let Shown { member, publication, following, is_subscribed, offers } = shown;
    let done = match use_query("done").as_deref() {
        Some("follow") => Some("好了，出了新一期会告诉您。"),
        Some("leave") => Some("不再提醒您了。"),
        _ => None,
    };
    let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
    let action = format!("/manager/publication/{}/following", publication.id);
    let way = match (&member.email, &member.phone) {
        (Some(email), _) => format!("同时发邮件到 {email}"),
        (None, Some(phone)) => format!("同时发短信到 {phone}"),
        (None, None) => "同时发消息给我".to_owned(),
    };
    let checked = following.unwrap_or(false);
    let leave = following.is_some().then(|| {
        view! {
            <form method="post" action=action.clone()>
                <button class="link danger" name="act" value="leave">"不再提醒"</button>
            </form>
        }
    });
    let paid = match (publication.sale, is_subscribed) {
        (None, _) => view! { <p class="quiet">"全部内容免费阅读。"</p> }.into_any(),
        (Some(_), true) => {
            view! { <p class="notice good">"您订阅了它，新一期会出现在书房里。"</p> }.into_any()
        }
        (Some(_), false) => {
            let items: Vec<_> = offers
                .into_iter()
                .map(|offer| {
                    view! { <li><a href=offer.address>{format!("套餐《{}》，{}", offer.title, offer.term)}</a></li> }
                })
                .collect();
            view! {
                <p class="quiet">"全文要订阅或购买；提醒是免费的。"</p>
                <ul class="areas">{items}</ul>
            }
            .into_any()
        }
    };
    let button = if following.is_some() { "保存" } else { "出了新一期提醒我" };
    let name = publication.name.clone();
    view! {
        <Shell member title=format!("订阅《{name}》的更新") assets=&["newsdesk.css"]>
            <header class="head">
                <div>
                    <p><a class="link" href=publication.path()>{name.clone()}</a></p>
                    <h1>{format!("订阅《{name}》的更新")}</h1>
                </div>
            </header>
            {done}
            <section class="sheet stack title-form">
                {paid}
                <form class="stack" method="post" action=action>
                    <p>"新一期会列在“书房”里。"</p>
                    <label class="check">
                        <input type="checkbox" name="by_message" value="1" checked=checked/>
                        <span>{way}</span>
                    </label>
                    <div class="row">
                        <button class="button primary" name="act" value="follow">{button}</button>
                        <a class="link" href="/manager/book-study">"书房"</a>
                    </div>
                </form>
                {leave}
            </section>
        </Shell>
    }
}

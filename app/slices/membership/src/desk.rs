//! /manager/desk 工作台: the houses that a member works for. At a house's desk the member of its requests is the house, for what
//! [`Slice::desk`](web::slice::Slice::desk) names: so every query keeps its rule of whose things it may touch.

use async_trait::async_trait;
use axum::extract::State;
use axum::response::Redirect;
use base::db::now_ms;
use base::error::Error;
use domain::ids::{MemberId, SubMemberId};
use domain::money::Fen;
use domain::sub_member::may_work;
use leptos::prelude::*;
use web::app::App;
use web::render::{Here, here, loaded, use_query};
use web::router::Parameter;
use web::session::{Acting, Member};
use web::slice::{Desk, Desks};
use web::ui::parts::{Ask, Moment, Money};
use web::ui::shell::Shell;

use super::store::sub_members::{self as rows, SubMember};
use super::{DESKS, allowance, sub_members};

/// Where whoever begins to work for a house finds its works.
const WORKS: &str = "/manager/opus_list/all";

/// A house as a sub-member sees it.
struct HouseOf {
    place: SubMember,
    name: String,
    tier: domain::tier::Tier,
    tier_until: Option<i64>,
    /// Whether one may work there now.
    open: bool,
}

/// The house of a member's place; `None` when the place has ended.
async fn house_of(app: &App, id: &SubMemberId, member: &MemberId) -> Result<Option<HouseOf>, Error> {
    let mut tx = app.db.begin_snapshot().await?;
    let Some(place) = rows::place_of(&mut tx, id, member).await? else { return Ok(None) };
    let longer = rows::longer(&mut tx, &place).await?;
    let (name, standing) = match accounts::house(&mut tx, &place.house).await {
        Ok(house) => house,
        Err(Error::NotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    let (tier, tier_until) = standing.at(now_ms());
    Ok(Some(HouseOf { open: may_work(tier, longer), place, name, tier, tier_until }))
}

/// Sub-members' desks, for whoever asks who makes a request.
pub struct AtDesks;

#[async_trait]
impl Desks for AtDesks {
    async fn at(&self, app: &App, member: &Member) -> Result<Desk, Error> {
        let Some(id) = &member.works_as else {
            return Err(Error::internal("a login that works for nobody"));
        };
        let Some(house) = house_of(app, id, &member.id).await? else {
            return Ok(Desk::Shut("您已不在这家的成员里。"));
        };
        if !house.open {
            return Ok(Desk::Shut(
                "这家的会员已到期，或者成员超出了名额：作品都在，等对方续费或升级以后就可以接着工作。",
            ));
        }
        Ok(Desk::Open(Member {
            id: house.place.house,
            name: house.name,
            tier: house.tier,
            tier_until: house.tier_until,
            acting: Some(Acting { role: house.place.role, name: member.name.clone() }),
            // nothing else of the house's is the sub-member's to see
            phone: None,
            email: None,
            member_code: String::new(),
            invite_code: String::new(),
            avatar: None,
            balance: Fen::ZERO,
            cart_lines: 0,
            ..member.clone()
        }))
    }
}

/// POST /manager/desk/{id}: this browser works for the house from now on.
pub async fn begin(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SubMemberId>,
) -> Result<Redirect, Error> {
    let house = house_of(&app, &id, &member.id).await?.ok_or(Error::NotFound)?;
    if !house.open {
        return Ok(Redirect::to(DESKS));
    }
    accounts::work_as(&app, &member.login, Some(&id)).await?;
    Ok(Redirect::to(WORKS))
}

/// POST /manager/desk/end: this browser is its member's own again.
pub async fn end(State(app): State<App>, member: Member) -> Result<Redirect, Error> {
    accounts::work_as(&app, &member.login, None).await?;
    Ok(Redirect::to(DESKS))
}

/// POST /manager/desk/{id}/removal: the member leaves the house.
pub async fn leave(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<SubMemberId>,
) -> Result<Redirect, Error> {
    sub_members::leave(&app, &member.id, &id, now_ms()).await?;
    Ok(Redirect::to(&format!("{DESKS}?done=left")))
}

async fn load(here: Result<Here, Error>) -> Result<(Member, Vec<(HouseOf, Fen)>), Error> {
    let Here { app, member } = here?;
    let places = rows::of_member(&mut app.db.begin_snapshot().await?, &member.id).await?;
    let mut houses = Vec::new();
    for place in places {
        if let Some(house) = house_of(&app, &place.id, &member.id).await? {
            let left = allowance::left(&mut app.db.begin_snapshot().await?, &place.id).await?;
            houses.push((house, left));
        }
    }
    Ok((member, houses))
}

/// GET /manager/desk.
#[component]
pub fn DesksPage() -> impl IntoView {
    let here = here();
    loaded(load(here), |(member, houses)| {
        let done = match use_query("done").as_deref() {
            Some("joined") => Some("您已经加入，可以开始工作了。"),
            Some("left") => Some("您已经退出。"),
            _ => None,
        };
        let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
        let works_as = member.works_as.clone();
        let body = if houses.is_empty() {
            view! {
                <section class="trim empty">
                    <h2>"还没有谁邀请您"</h2>
                    <p class="quiet">"别人在“我的会员”里邀请您以后，您在这里切换到对方的作品和素材，替对方做书。"</p>
                    <a class="button primary" href="/manager/make_ebook">"做自己的书"</a>
                </section>
            }
            .into_any()
        } else {
            let cards: Vec<_> = houses
                .into_iter()
                .map(|(house, left)| {
                    let at_work = works_as.as_ref() == Some(&house.place.id);
                    view! { <House house left at_work/> }
                })
                .collect();
            view! { <ul class="tiers">{cards}</ul> }.into_any()
        };
        view! {
            <Shell member title="工作台".to_owned() assets=&["membership.css"]>
                <header class="head">
                    <div>
                        <h1>"工作台"</h1>
                        <p class="quiet">"您受邀为这些账号做书。切换以后，作品和素材是对方的；您自己的都在原处。"</p>
                    </div>
                </header>
                {done}
                {body}
            </Shell>
        }
    })
}

#[component]
fn House(house: HouseOf, left: Fen, at_work: bool) -> impl IntoView {
    let HouseOf { place, name, open, .. } = house;
    let end = at_work.then(|| {
        view! {
            <form method="post" action=format!("{DESKS}/end")><button class="button wide">"结束，回到自己的"</button></form>
        }
    });
    let action = if !open {
        view! {
            <div class="notice warn">"对方的会员已到期，或者成员超出了名额。作品都在，恢复以后可以接着工作。"</div>
            {end}
        }
        .into_any()
    } else if at_work {
        view! { <a class="button primary wide" href=WORKS>"去它的作品"</a>{end} }.into_any()
    } else {
        view! {
            <form method="post" action=format!("{DESKS}/{}", place.id)>
                <button class="button primary wide">"开始工作"</button>
            </form>
        }
        .into_any()
    };
    let allowance = (left > Fen::ZERO).then(|| view! { <dt>"给您的额度"</dt><dd><Money amount=left/></dd> });
    view! {
        <li class="sheet tier-card" aria-current=at_work.then_some("true")>
            <h2>{name.clone()}</h2>
            <dl class="facts">
                <dt>"您的角色"</dt><dd>{place.role.name()}"，"{place.role.description()}</dd>
                <dt>"加入"</dt><dd><Moment at=place.joined_at/></dd>
                {allowance}
            </dl>
            {action}
            <Ask
                label="退出"
                question=format!("退出{name}？您不能再打开它的作品，要回来须对方再邀请。")
                confirm="退出"
                action=format!("{DESKS}/{}/removal", place.id)
                about=name
            />
        </li>
    }
}

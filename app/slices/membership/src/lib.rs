//! Memberships 会员: tiers that members buy for a time, and the sub-members who work for their houses. The back office's pages
//! of members are here, too: who has the accounts stands below what those show.
//!
//! Not here: what a tier opens and the rules of terms (domain), how a member's tier is read with each request (accounts), and
//! paying from outside (payments).

mod allowance;
mod check;
mod closing;
pub mod commands;
mod desk;
mod invitation;
#[doc(hidden)]
pub mod jobs;
mod member_page;
mod my_member;
#[doc(hidden)]
pub mod notices;
#[doc(hidden)]
pub mod prices;
mod quote;
mod staff;
#[doc(hidden)]
pub mod store;
mod sub_members;
mod term;
#[doc(hidden)]
pub mod terms;
mod upgrade;

use axum::routing::post;
use domain::ids::{MemberId, TermId};
use domain::membership::NotSold;
use domain::money::Fen;
use domain::package::DAY_MS;
use domain::staff::Capability;
use domain::sub_member::Role;
use domain::tier::{Feature, Tier};
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::app::App;
use platform::db::{new_id, now_ms};
use platform::error::Error;
use platform::router::Routes;
use platform::slice::{AtDesk, Entry, Group, Slice, StaffEntry};
use platform::ui::time;

pub use desk::DesksPage;
pub use invitation::{AcceptPage, InvitationPage};
pub use member_page::SubMemberPage;
pub use my_member::MembersPage;
pub use quote::QuotePage;
pub use staff::{StaffMemberPage, StaffMembersPage};
pub use store::terms::{Term, find_for_owner, lock_for_owner};
pub use term::TermPage;
pub use terms::TermGivenBack;
pub use upgrade::UpgradePage;

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::staff::masked;
}

use jobs::TellEnd;

const UPGRADE: &str = "/manager/upgrade";
const QUOTE: &str = "/manager/upgrade/quote";
const MEMBERS: &str = "/manager/myMember";
const DESKS: &str = "/manager/desk";

const HOUSE: Policy = Policy::Needs(Feature::SubMembers);

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/manager/desk", Policy::Member),
        ("/manager/desk/end", Policy::Member),
        ("/manager/desk/{id}", Policy::Member),
        ("/manager/desk/{id}/removal", Policy::Member),
        ("/manager/invitation/{token}", Policy::Member),
        ("/manager/myMember", HOUSE),
        ("/manager/myMember/invitation/{id}", HOUSE),
        ("/manager/myMember/invitation/{id}/withdrawal", HOUSE),
        ("/manager/myMember/{id}", HOUSE),
        ("/manager/myMember/{id}/allowance", HOUSE),
        ("/manager/myMember/{id}/removal", HOUSE),
        ("/manager/upgrade", Policy::Member),
        ("/manager/upgrade/quote", Policy::Member),
        ("/manager/upgrade/{id}", Policy::Member),
        ("/staff/members", Policy::Staff(Capability::SeeMembers)),
        ("/staff/members/{id}", Policy::Staff(Capability::SeeMembers)),
        ("/staff/members/{id}/look", Policy::Staff(Capability::SeeMembers)),
        ("/staff/members/{id}/look/end", Policy::Staff(Capability::SeeMembers)),
    ],
    desk: &[
        ("/manager/desk", AtDesk::Own),
        ("/manager/desk/end", AtDesk::Own),
        ("/manager/desk/{id}", AtDesk::Own),
    ],
    navigation: &[
        Entry::new(Group::Account, UPGRADE, "会员升级", 15),
        Entry::new(Group::Account, MEMBERS, "我的会员", 40),
        Entry::new(Group::Account, DESKS, "工作台", 60).with(&["/manager/invitation/"]),
    ],
    jobs: |handlers| handlers.with::<TellEnd>(),
    tables: &[
        "membership_price_books",
        "membership_terms",
        "membership_notices",
        "sub_members",
        "sub_member_invitations",
        "allowance_orders",
    ],
    open: Some(|app| Box::pin(async move { prices::fill(&app).await })),
    closing: Some(&closing::AtClosing),
    payable: Some(&terms::Terms),
    purses: Some(&allowance::Allowances),
    listener: Some(&allowance::Allowances),
    desks: Some(&desk::AtDesks),
    recount: Some(|tx, faults| Box::pin(check::check_money(tx, faults))),
    staff_navigation: &[StaffEntry {
        href: "/staff/members",
        name: "会员",
        rank: 50,
        needs: Capability::SeeMembers,
    }],
    ..Slice::new("membership")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/manager/desk") view=DesksPage/>
        <Route path=path!("/manager/invitation/:token") view=AcceptPage/>
        <Route path=path!("/manager/myMember") view=MembersPage/>
        <Route path=path!("/manager/myMember/invitation/:id") view=InvitationPage/>
        <Route path=path!("/manager/myMember/:id") view=SubMemberPage/>
        <Route path=path!("/manager/upgrade") view=UpgradePage/>
        <Route path=path!("/manager/upgrade/quote") view=QuotePage/>
        <Route path=path!("/manager/upgrade/:id") view=TermPage/>
        <Route path=path!("/staff/members") view=StaffMembersPage/>
        <Route path=path!("/staff/members/:id") view=StaffMemberPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default()
        .route("/manager/desk/end", post(desk::end))
        .route("/manager/desk/{id}", post(desk::begin))
        .route("/manager/desk/{id}/removal", post(desk::leave))
        .route("/manager/invitation/{token}", post(invitation::accept))
        .route("/manager/myMember", post(my_member::invite))
        .route("/manager/myMember/invitation/{id}/withdrawal", post(invitation::withdraw))
        .route("/manager/myMember/{id}", post(member_page::change))
        .route("/manager/myMember/{id}/allowance", post(member_page::transfer))
        .route("/manager/myMember/{id}/removal", post(member_page::remove))
        .route("/manager/upgrade/quote", post(quote::confirm))
        .route("/manager/upgrade/{id}", post(term::pay))
        .route("/staff/members/{id}/look", post(staff::begin_look))
        .route("/staff/members/{id}/look/end", post(staff::end_look))
}

/// Where a term is paid and shown.
fn address(id: &TermId) -> String {
    format!("{UPGRADE}/{id}")
}

/// What the demo gives the demo member's editor to spend.
const DEMO_ALLOWANCE: Fen = Fen(20_000);

/// Demo content: the member bought a year of 超级会员 some months ago, and somebody edits its books.
pub async fn demo(app: &App, member: &MemberId, editor: &MemberId) -> Result<(), Error> {
    let then = now_ms() - 150 * DAY_MS;
    let (tier, months) = (Tier::Super, 12);
    let price = prices::price(app, tier, months, then).await?;
    let wanted = terms::Wanted { tier, months, amount: price, credit: Fen::ZERO };
    let id = terms::confirm(app, member, wanted, then).await.map_err(Error::internal)?;
    terms::pay_from_balance(app, &id, member, then).await.map_err(Error::internal)?;
    let place = store::sub_members::SubMember {
        id: new_id(),
        house: member.clone(),
        member: editor.clone(),
        name: "周小舟".into(),
        role: Role::Editor,
        joined_at: then,
        removed_at: None,
    };
    let mut tx = app.db.begin().await?;
    store::sub_members::insert(&mut tx, &place).await?;
    tx.commit().await?;
    let way = allowance::Way::Give;
    let given = allowance::transfer(app, member, &place.id, way, DEMO_ALLOWANCE, "demo", now_ms());
    given.await.map_err(Error::internal)
}

/// Why something can't be bought, and what to do.
fn say(reason: &NotSold) -> String {
    match reason {
        NotSold::Lower { has, until: Some(until), wanted } => format!(
            "您的{has}到 {} 才到期，在那之前不能改成更低的{wanted}。可以先续费{has}；要用{wanted}，请在它到期以后再买。",
            time::day(*until)
        ),
        NotSold::Lower { has, until: None, wanted } => {
            format!("您的{has}长期有效，不能改成更低的{wanted}。需要调整请联系我们。")
        }
        other => other.to_string(),
    }
}

//! Memberships 会员: tiers that members buy for a time, and the sub-members who work for their houses. The back office's pages
//! of members are here, too: who has the accounts stands below what those show.
//!
//! Not here: what a tier opens and the rules of terms (domain), how a member's tier is read with each request (accounts), and
//! paying from outside (payments).

mod allowance;
mod check;
mod closing;
mod commands;
mod daily;
mod desk;
mod invitation;
#[doc(hidden)]
pub mod jobs;
mod member_export;
mod member_page;
mod month;
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
mod term_page;
#[doc(hidden)]
pub mod terms;
mod upgrade;

use axum::routing::post;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::time;
use domain::days::DAY_MS;
use domain::ids::TermId;
use domain::membership::NotSold;
use domain::money::Fen;
use domain::staff::Capability;
use domain::sub_member::Role;
use domain::tier::{Feature, Tier};
use leptos::prelude::*;
use web::access::Policy;
use web::app::App;
use web::demo::Demo;
use web::route::Route;
use web::slice::{AtDesk, Entry, Group, Slice, StaffEntry};

pub use desk::DesksPage;
pub use invitation::{AcceptPage, InvitationPage};
pub use member_page::SubMemberPage;
pub use my_member::MembersPage;
pub use quote::QuotePage;
pub use staff::{StaffMemberPage, StaffMembersPage};
pub use store::terms::{Term, find_for_owner, lock_for_owner};
pub use term_page::TermPage;
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

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/desk", Policy::Member).at_desk(AtDesk::Own).page(|| DesksPage().into_any()),
    Route::new("/manager/desk/end", Policy::Member).at_desk(AtDesk::Own).handled(|| post(desk::end)),
    Route::new("/manager/desk/{id}", Policy::Member).at_desk(AtDesk::Own).handled(|| post(desk::begin)),
    Route::new("/manager/desk/{id}/removal", Policy::Member).handled(|| post(desk::leave)),
    Route::new("/manager/invitation/{token}", Policy::Member)
        .page(|| AcceptPage().into_any())
        .handled(|| post(invitation::accept)),
    Route::new("/manager/myMember", HOUSE)
        .page(|| MembersPage().into_any())
        .handled(|| post(my_member::invite)),
    Route::new("/manager/myMember/invitation/{id}", HOUSE).page(|| InvitationPage().into_any()),
    Route::new("/manager/myMember/invitation/{id}/withdrawal", HOUSE).handled(|| post(invitation::withdraw)),
    Route::new("/manager/myMember/{id}", HOUSE)
        .page(|| SubMemberPage().into_any())
        .handled(|| post(member_page::change)),
    Route::new("/manager/myMember/{id}/allowance", HOUSE).handled(|| post(member_page::transfer)),
    Route::new("/manager/myMember/{id}/removal", HOUSE).handled(|| post(member_page::remove)),
    Route::new("/manager/upgrade", Policy::Member).page(|| UpgradePage().into_any()),
    Route::new("/manager/upgrade/quote", Policy::Member)
        .page(|| QuotePage().into_any())
        .handled(|| post(quote::confirm)),
    Route::new("/manager/upgrade/{id}", Policy::Member)
        .page(|| TermPage().into_any())
        .handled(|| post(term_page::pay)),
    Route::new("/staff/members", Policy::Staff(Capability::SeeMembers))
        .page(|| StaffMembersPage().into_any()),
    Route::new("/staff/members/{id}", Policy::Staff(Capability::SeeMembers))
        .page(|| StaffMemberPage().into_any()),
    Route::new("/staff/members/{id}/look", Policy::Staff(Capability::SeeMembers))
        .handled(|| post(staff::begin_look)),
    Route::new("/staff/members/{id}/look/end", Policy::Staff(Capability::SeeMembers))
        .handled(|| post(staff::end_look)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES],
    commands: &[
        web::command!("member", "Manage members.", commands::MemberCommand, commands::member),
        web::command!(
            "membership",
            "Set what memberships cost, and give what was paid for one back.",
            commands::Command,
            commands::run
        ),
    ],
    demo: Some(|app, demo| Box::pin(fill_demo(app, demo))),
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
    exports: &[&member_export::Members],
    staff_navigation: &[StaffEntry {
        href: "/staff/members",
        name: "会员",
        rank: 50,
        needs: Capability::SeeMembers,
    }],
    daily: Some(&daily::AtDay),
    monthly: Some(|tx, time, figures| Box::pin(month::add(tx, time, figures))),
    audited: &[("membership import", "导入会员价格"), ("membership refund", "会员退款")],
    ..Slice::new("membership")
};

/// Where a term is paid and shown.
fn address(id: &TermId) -> String {
    format!("{UPGRADE}/{id}")
}

/// What the demo gives the demo member's editor to spend.
const DEMO_ALLOWANCE: Fen = Fen(20_000);

/// Demo content: the member bought a year of 超级会员 some months ago, and somebody edits its books.
async fn fill_demo(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let Demo { member, editor, .. } = &*demo;
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

//! Memberships 会员: tiers that members buy for a time, and the sub-members who work for their houses.
//!
//! Not here: what a tier opens and the rules of terms (domain), how a member's tier is read with each request (accounts), and
//! paying from outside (payments).

mod check;
mod closing;
pub mod commands;
mod jobs;
mod notices;
mod prices;
mod quote;
#[cfg(test)]
mod races;
mod store;
mod term;
mod terms;
mod upgrade;

use axum::routing::post;
use domain::ids::{MemberId, TermId};
use domain::membership::NotSold;
use domain::money::Fen;
use domain::package::DAY_MS;
use domain::tier::Tier;
use leptos::prelude::*;
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::components::Route;
use leptos_router::path;

use platform::access::Policy;
use platform::app::App;
use platform::db::now_ms;
use platform::error::Error;
use platform::router::Routes;
use platform::slice::{Entry, Group, Slice};
use platform::ui::time;

pub use quote::QuotePage;
pub use term::TermPage;
pub use upgrade::UpgradePage;

use jobs::TellEnd;

const UPGRADE: &str = "/manager/upgrade";
const QUOTE: &str = "/manager/upgrade/quote";

/// See [`Slice`].
pub const SLICE: Slice = Slice {
    routes: router,
    policies: &[
        ("/manager/upgrade", Policy::Member),
        ("/manager/upgrade/quote", Policy::Member),
        ("/manager/upgrade/{id}", Policy::Member),
    ],
    navigation: &[Entry::new(Group::Account, UPGRADE, "会员升级", 15)],
    jobs: |handlers| handlers.with::<TellEnd>(),
    tables: &["membership_price_books", "membership_terms", "membership_notices"],
    open: Some(|app| Box::pin(async move { prices::fill(&app).await })),
    closing: Some(&closing::AtClosing),
    payable: Some(&terms::Terms),
    recount: Some(|tx, faults| Box::pin(check::check_money(tx, faults))),
    ..Slice::new("membership")
};

/// The slice's pages.
#[component(transparent)]
pub fn Pages() -> AnyNestedRoute {
    view! {
        <Route path=path!("/manager/upgrade") view=UpgradePage/>
        <Route path=path!("/manager/upgrade/quote") view=QuotePage/>
        <Route path=path!("/manager/upgrade/:id") view=TermPage/>
    }
    .into_inner()
    .into_any_nested_route()
}

/// The slice's handlers.
fn router() -> Routes {
    Routes::default()
        .route("/manager/upgrade/quote", post(quote::confirm))
        .route("/manager/upgrade/{id}", post(term::pay))
}

/// Where a term is paid and shown.
fn address(id: &TermId) -> String {
    format!("{UPGRADE}/{id}")
}

/// Demo content: the member bought a year of 超级会员 some months ago.
pub async fn demo(app: &App, member: &MemberId) -> Result<(), Error> {
    let then = now_ms() - 150 * DAY_MS;
    let (tier, months) = (Tier::Super, 12);
    let price = prices::price(app, tier, months, then).await?;
    let wanted = terms::Wanted { tier, months, amount: price, credit: Fen::ZERO };
    let id = terms::confirm(app, member, wanted, then).await.map_err(Error::internal)?;
    terms::pay_from_balance(app, &id, member, then).await.map_err(Error::internal)?;
    Ok(())
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

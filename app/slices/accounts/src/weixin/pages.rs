//! What the sign-in page and the profile show of weixin alone.

use leptos::prelude::*;
use web::render::use_query;
use web::ui::parts::ErrorSummary;

use super::{CLOSED, Trouble};
use crate::third_party::{Bound, Kind, OtherWays, StartForm, Told};

/// What went wrong, as an address says it.
fn trouble(name: &'static str) -> Option<String> {
    use_query(name).as_deref().and_then(Trouble::named).map(Trouble::message)
}

/// `?way=weixin` of the sign-in page: where a login at weixin that led nowhere ends.
#[component]
pub fn WeixinWay() -> impl IntoView {
    let trouble = trouble("trouble");
    let name = if trouble.is_some() { "重新用微信登录" } else { "微信登录" };
    let open = Kind::Weixin.is_open();
    view! {
        <ErrorSummary title="还差一点"/>
        {trouble.map(|text| view! { <Told text/> })}
        {(!open).then(|| view! { <p class="quiet">{CLOSED}</p> })}
        <StartForm kind=Kind::Weixin name primary=true/>
        <OtherWays/>
    }
}

/// The profile's part about weixin.
#[component]
pub fn Bindings() -> impl IntoView {
    view! { <Bound kind=Kind::Weixin trouble=trouble("weixin")/> }
}

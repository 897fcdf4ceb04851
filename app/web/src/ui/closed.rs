//! The page in the place of what a member's tier does not open (specification section 6).

use base::error::opened_by;
use domain::tier::Feature;
use leptos::prelude::*;

use super::shell::{Head, Mark};
use crate::app::App;
use crate::render::use_member;

/// Where a tier is bought.
const UPGRADE: &str = "/manager/upgrade";

/// Which tiers open the feature, and the way there.
#[component]
pub fn ClosedBody(feature: Feature) -> impl IntoView {
    let tier = use_member().map(|member| format!("您现在是{}。", member.tier.name()));
    // no link to what is not there
    let is_open = use_context::<App>().is_some_and(|app| app.policy(UPGRADE).is_some());
    let way = if is_open {
        view! { <a class="button primary" href=UPGRADE>"会员升级"</a> }.into_any()
    } else {
        view! { <a class="button primary" href="/about/contact">"联系我们开通"</a> }.into_any()
    };
    view! {
        <Head title="需要升级会员".to_owned()/>
        <main id="main" class="lost">
            <a class="brand" href="/manager/make_ebook"><Mark/>"书坊"</a>
            <h1>{format!("“{}”需要升级会员", feature.name())}</h1>
            <p class="quiet">{format!("{}可以使用。", opened_by(feature))}{tier}</p>
            <div class="row">
                {way}
                <a class="button" href="/manager/userInfo#tier">"我的会员等级"</a>
            </div>
        </main>
    }
}

//! The sign-in page.

use leptos::prelude::*;

use super::forms::KEPT;
use crate::render::{use_form, use_member, use_path};
use crate::site::about::AboutLinks;
use crate::ui::parts::{ErrorSummary, Field};
use crate::ui::shell::{Head, Mark};

/// GET /manager/login and /manager/login/{path}. The form posts to the address it stands at, so that the way
/// back goes with it.
#[component]
pub fn SignInPage() -> impl IntoView {
    let signed_in = use_member().map(|member| {
        view! {
            <p class="notice">
                {format!("您已经以 {} 登录。", member.name)}" "<a class="link" href="/manager/make_ebook">"去做书"</a>
            </p>
        }
    });
    // what was typed in a form whose session had ended goes through the door with the member
    let kept = use_form().or(KEPT, "");
    let kept = (!kept.is_empty()).then(|| view! { <input type="hidden" name=KEPT value=kept/> });
    view! {
        <Head title="登录".to_owned() assets=&["accounts.css"]/>
        <a class="skip" href="#main">"跳到登录"</a>
        <div class="door">
            <section class="welcome" aria-label="书坊">
                <p class="brand"><Mark/>"书坊"</p>
                <p class="lead">"把照片，做成一本可以传下去的书。"</p>
                <ul>
                    <li><strong>"自动排版"</strong>"放进照片，按拍摄时间与横竖自动成书，文字随时可以改。"</li>
                    <li><strong>"所见即所印"</strong>"屏幕上的每一行字、每一处裁切，就是印出来的样子。"</li>
                    <li><strong>"一本也印"</strong>"骑马钉、锁线精装、布艺封面，从一本到一百万本。"</li>
                </ul>
                <div class="strip"></div>
            </section>
            <main id="main" class="trim signin" tabindex="-1">
                <h1>"登录书坊"</h1>
                {signed_in}
                <ErrorSummary title="还差一点"/>
                <form class="fields" method="post" action=use_path()>
                    {kept}
                    <Field name="account" label="账号" most=254 autocomplete="username" required=true/>
                    <Field
                        name="password"
                        label="密码"
                        kind="password"
                        most=128
                        autocomplete="current-password"
                        required=true
                    />
                    <button class="button primary wide">"登录"</button>
                </form>
            </main>
            <AboutLinks/>
        </div>
    }
}

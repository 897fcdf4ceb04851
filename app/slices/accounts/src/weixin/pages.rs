//! What the sign-in page and the profile show of weixin.

use axum::http::request::Parts;
use leptos::prelude::*;
use tower_sessions::Session;

use super::forms::PASSWORD;
use super::{BINDING, CLOSED, OVER, Trouble, WAY, store};
use crate::sign_in_form::{CarriedForm, Credentials};
use platform::app::App;
use platform::error::Error;
use platform::render::{here, loaded, use_form, use_path, use_query};
use platform::ui::parts::{ErrorSummary, Field, Moment};

/// Whether the host configured weixin.
fn is_open() -> bool {
    use_context::<App>().is_some_and(|app| super::of(&app).is_ok_and(|weixin| weixin.is_some()))
}

/// What a member is told once at the top of a part of a page.
#[component]
fn Told(text: &'static str, #[prop(optional)] good: bool) -> impl IntoView {
    let (class, role) = if good { ("notice good", "status") } else { ("notice bad", "alert") };
    view! { <div class=class role=role><p>{text}</p></div> }
}

/// 微信登录, where the host configured it. A form, because it sets a cookie.
#[component]
pub fn StartForm(
    #[prop(default = "微信登录")] name: &'static str,
    #[prop(optional)] primary: bool,
) -> impl IntoView {
    let class = if primary { "button primary wide" } else { "button wide" };
    is_open().then(|| {
        view! {
            <form class="weixin" method="post" action=use_path()>
                <input type="hidden" name="way" value=WAY/>
                <CarriedForm/>
                <button class=class>{name}</button>
            </form>
        }
    })
}

/// `?way=weixin` of the sign-in page: where a login at weixin that led nowhere ends.
#[component]
pub fn WeixinWay() -> impl IntoView {
    let trouble = use_query("trouble").and_then(|name| Trouble::named(&name));
    let name = if trouble.is_some() { "重新用微信登录" } else { "微信登录" };
    let open = is_open();
    view! {
        <ErrorSummary title="还差一点"/>
        {trouble.map(|trouble| view! { <Told text=trouble.message()/> })}
        {(!open).then(|| view! { <p class="quiet">{CLOSED}</p> })}
        <StartForm name primary=true/>
        <OtherWays/>
    }
}

#[component]
fn OtherWays() -> impl IntoView {
    view! { <p class="others"><a class="link" href=use_path()>"用密码或扫码登录"</a></p> }
}

/// The session of this request, whose weixin waits in it.
fn waiting() -> impl Future<Output = Result<Option<String>, Error>> + Send + 'static {
    let session = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Session>().cloned());
    async move {
        match session {
            Some(session) => Ok(super::pending(&session).await?.map(|identity| identity.nickname)),
            None => Ok(None),
        }
    }
}

/// `?way=binding` of the sign-in page: an account for a weixin that has none.
#[component]
pub fn BindingForm() -> impl IntoView {
    let path = use_path();
    loaded(waiting(), move |nickname| match nickname {
        None => view! {
            <ErrorSummary title="还差一点"/>
            {(!use_form().is_refused()).then(|| view! { <Told text=OVER/> })}
            <StartForm name="重新用微信登录" primary=true/>
            <OtherWays/>
        }
        .into_any(),
        Some(nickname) => view! {
            <ErrorSummary title="还差一点"/>
            <p>
                "微信 "<strong><bdi>{nickname}</bdi></strong>
                " 还没有绑定书坊账号。绑定一次，以后用微信就能登录。"
            </p>
            <form class="fields" method="post" action=format!("{path}?way={BINDING}")>
                <input type="hidden" name="way" value=BINDING/>
                <Credentials/>
                <button class="button primary wide">"绑定并登录"</button>
            </form>
            <p class="others">
                <a class="link" href=format!("{path}?way=registration")>"还没有账号，注册一个"</a>
                <a class="link" href=path.clone()>"不绑定，用别的方式登录"</a>
            </p>
        }
        .into_any(),
    })
}

/// For the registration form: whether the new account gets the weixin that waits. The field is called `weixin`.
#[component]
pub fn PendingChoice() -> impl IntoView {
    loaded(waiting(), |nickname| {
        nickname.map(|nickname| {
            view! {
                <label class="check">
                    <input type="checkbox" name="weixin" value="bind" checked=true/>
                    <span>"绑定微信 "<bdi>{nickname}</bdi>"，以后用微信就能登录"</span>
                </label>
            }
        })
    })
}

/// The profile's part about weixin; nothing where weixin is not configured and nothing is bound.
#[component]
pub fn Bindings() -> impl IntoView {
    let open = is_open();
    let told = use_query("weixin").and_then(|outcome| match outcome.as_str() {
        "bound" => Some(view! { <Told text="微信已绑定，以后用微信就能登录。" good=true/> }.into_any()),
        "unbound" => Some(view! { <Told text="解绑成功!" good=true/> }.into_any()),
        "not_bound" => Some(view! { <Told text="没有绑定微信"/> }.into_any()),
        "not_unbound" => Some(view! { <Told text="解绑第三方登录失败"/> }.into_any()),
        name => Trouble::named(name).map(|trouble| view! { <Told text=trouble.message()/> }.into_any()),
    });
    let here = here();
    let load = async move {
        let here = here?;
        store::of_member(&here.app.db, &here.member.id).await
    };
    loaded(load, move |bound| {
        let body = match bound {
            Some(bound) => view! {
                <p>"已绑定 "<strong><bdi>{bound.nickname}</bdi></strong>"，绑定于 "<Moment at=bound.bound_at/>"。"</p>
                <form method="post" action="/manager/userInfo/weixin/unbinding">
                    <button class="button">"解绑微信"</button>
                </form>
            }
            .into_any(),
            None if open => view! {
                <p class="quiet">"绑定后用微信就能登录。"</p>
                <form class="fields" method="post" action="/manager/userInfo/weixin/binding">
                    <Field
                        name=PASSWORD
                        label="当前密码"
                        kind="password"
                        most=128
                        autocomplete="current-password"
                        required=true
                    />
                    <button class="button">"绑定微信"</button>
                </form>
            }
            .into_any(),
            None => return None,
        };
        Some(view! { <section class="sheet" id="weixin"><h2>"微信"</h2>{told}{body}</section> })
    })
}

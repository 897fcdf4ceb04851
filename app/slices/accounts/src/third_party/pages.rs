//! What the sign-in page and the profile show of who somebody is elsewhere.

use axum::http::request::Parts;
use base::error::Error;
use leptos::prelude::*;
use tower_sessions::Session;
use web::app::App;
use web::render::{here, loaded, use_form, use_path, use_query};
use web::ui::parts::{ErrorSummary, Field, Moment};

use super::{BINDING, Identity, Kind, over, store};
use crate::sign_in_form::{CarriedForm, Credentials};
use crate::{oidc, weixin};

impl Kind {
    /// Whether members come in by it.
    pub fn is_open(self) -> bool {
        use_context::<App>().is_some_and(|app| match self {
            Self::Weixin => weixin::of(&app).is_ok_and(|weixin| weixin.is_some()),
            Self::Company => openid::for_members(&app).is_ok_and(|provider| provider.is_some()),
        })
    }

    /// The way of the sign-in page that begins with it.
    fn way(self) -> &'static str {
        match self {
            Self::Weixin => weixin::WAY,
            Self::Company => oidc::WAY,
        }
    }
}

/// What a member is told once at the top of a part of a page.
#[component]
pub fn Told(#[prop(into)] text: String, #[prop(optional)] good: bool) -> impl IntoView {
    let (class, role) = if good { ("notice good", "status") } else { ("notice bad", "alert") };
    view! { <div class=class role=role><p>{text}</p></div> }
}

/// The sign-in page's button, where members come in so. A form, as the browser keeps something of it.
#[component]
pub fn StartForm(kind: Kind, #[prop(into)] name: String, #[prop(optional)] primary: bool) -> impl IntoView {
    let class = if primary { "button primary wide" } else { "button wide" };
    kind.is_open().then(|| {
        view! {
            <form class=kind.word() method="post" action=use_path()>
                <input type="hidden" name="way" value=kind.way()/>
                <CarriedForm/>
                <button class=class>{name}</button>
            </form>
        }
    })
}

/// Leads to the other ways in.
#[component]
pub fn OtherWays() -> impl IntoView {
    view! { <p class="others"><a class="link" href=use_path()>"用密码或扫码登录"</a></p> }
}

/// Who waits in the session of this request.
fn waiting() -> impl Future<Output = Result<Option<Identity>, Error>> + Send + 'static {
    let session = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Session>().cloned());
    async move {
        match session {
            Some(session) => super::pending(&session).await,
            None => Ok(None),
        }
    }
}

/// The binding ways of the sign-in page: an account for somebody elsewhere who has none.
#[component]
pub fn BindingForm(kind: Kind) -> impl IntoView {
    let (path, name) = (use_path(), kind.name());
    loaded(waiting(), move |waiting| match waiting.filter(|waiting| waiting.kind() == kind) {
        None => view! {
            <ErrorSummary title="还差一点"/>
            {(!use_form().is_refused()).then(|| view! { <Told text=over(&name)/> })}
            <StartForm kind name=format!("重新用{name}登录") primary=true/>
            <OtherWays/>
        }
        .into_any(),
        Some(Identity { nickname, .. }) => view! {
            <ErrorSummary title="还差一点"/>
            <p>
                {name.clone()}" "<strong><bdi>{nickname}</bdi></strong>
                {format!(" 还没有绑定书坊账号。绑定一次，以后用{name}就能登录。")}
            </p>
            <form class="fields" method="post" action=format!("{path}?way={}", kind.binding())>
                <input type="hidden" name="way" value=kind.binding()/>
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

/// For the registration form: whether the new account gets who waits.
#[component]
pub fn PendingChoice() -> impl IntoView {
    loaded(waiting(), |waiting| {
        waiting.map(|identity| {
            let name = identity.kind().name();
            view! {
                <label class="check">
                    <input type="checkbox" name=BINDING value="yes" checked=true/>
                    <span>{format!("绑定{name} ")}<bdi>{identity.nickname}</bdi>{format!("，以后用{name}就能登录")}</span>
                </label>
            }
        })
    })
}

/// The profile's part about one kind; nothing where nobody comes in so and nothing is bound. `trouble` is what went wrong on the way.
#[component]
pub fn Bound(kind: Kind, #[prop(optional_no_strip)] trouble: Option<String>) -> impl IntoView {
    let (name, word, open) = (kind.name(), kind.word(), kind.is_open());
    let told = match use_query(word).as_deref() {
        Some("bound") => Some((format!("{name}已绑定，以后用{name}就能登录。"), true)),
        Some("unbound") => Some(("解绑成功!".to_owned(), true)),
        Some("not_bound") => Some((format!("没有绑定{name}"), false)),
        Some("not_unbound") => Some(("解绑第三方登录失败".to_owned(), false)),
        _ => trouble.map(|trouble| (trouble, false)),
    };
    let told = told.map(|(text, good)| view! { <Told text good/> });
    let here = here();
    let load = async move {
        let here = here?;
        match kind.stored(&here.app)? {
            Some(stored) => store::of_member(&here.app.db, &here.member.id, &stored).await,
            None => Ok(None),
        }
    };
    loaded(load, move |bound| {
        let body = match bound {
            Some(bound) => view! {
                <p>"已绑定 "<strong><bdi>{bound.nickname}</bdi></strong>"，绑定于 "<Moment at=bound.bound_at/>"。"</p>
                <form method="post" action=format!("/manager/userInfo/{word}/unbinding")>
                    <button class="button">{format!("解绑{name}")}</button>
                </form>
            }
            .into_any(),
            None if open => view! {
                <p class="quiet">{format!("绑定后用{name}就能登录。")}</p>
                <form class="fields" method="post" action=format!("/manager/userInfo/{word}/binding")>
                    <Field
                        name=kind.password()
                        label="当前密码"
                        kind="password"
                        most=128
                        autocomplete="current-password"
                        required=true
                    />
                    <button class="button">{format!("绑定{name}")}</button>
                </form>
            }
            .into_any(),
            None => return None,
        };
        Some(view! { <section class="sheet third-party" id=word><h2>{name}</h2>{told}{body}</section> })
    })
}

//! The sign-in page.

use axum::http::request::Parts;
use base::db::now_ms;
use domain::return_path;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use web::app::App;
use web::assets;
use web::client;
use web::islands::{Island, ReactIsland, When};
use web::origin::Origin;
use web::render::{unkept, use_member, use_path, use_query};
use web::ui::parts::ErrorSummary;
use web::ui::public::{AboutLinks, present};
use web::ui::shell::{FormNote, Head, Mark};

use super::oidc::{self, CompanyWay};
use super::passkeys::PasskeyForm;
use super::props::QrLoginProps;
use super::qr::{self, Ask};
use super::recovery::{self, Recovery};
use super::registration::{self, Registration};
use super::second_factor::{self, SecondStep};
use super::sign_in_form::{CarriedForm, Credentials, WaysOn};
use super::third_party::{BindingForm, Kind, StartForm};
use super::weixin::{self, WeixinWay};
use super::{closing, logins, passkeys, scan};

/// What search engines say of the door.
const DESCRIPTION: &str =
    "登录书坊：把手机里的照片自动排成照片书、画册和台历，先看清每一页会印成什么样，再选纸张与装订下单。";

/// GET /manager/login and /manager/login/{path}. The form posts to the address it stands at, so that the way
/// back goes with it.
#[component]
pub fn SignInPage() -> impl IntoView {
    unkept();
    let signed_in = use_member().map(|member| {
        view! {
            <p class="notice">
                {format!("您已经以 {} 登录。", member.name)}" "<a class="link" href="/manager/make_ebook">"去做书"</a>
            </p>
        }
    });
    let closed = use_query(closing::CLOSED).map(|_| {
        view! {
            <p class="notice good" role="status">
                "账户已注销，照片、作品和个人资料正在删除。谢谢您用过书坊。"
            </p>
        }
    });
    let asked = use_query("way");
    // what came of a company account is no place to go elsewhere from
    let signed_in = signed_in.filter(|_| asked.as_deref() != Some(oidc::WAY));
    let (title, heading, way) = match asked.as_deref() {
        Some(registration::WAY) => named("注册", "注册书坊账号", view! { <Registration/> }.into_any()),
        Some(recovery::WAY) => named("找回密码", "找回密码", view! { <Recovery/> }.into_any()),
        Some(weixin::WAY) => named("微信登录", "微信登录", view! { <WeixinWay/> }.into_any()),
        Some(second_factor::WAY) => named("两步验证", "两步验证", view! { <SecondStep/> }.into_any()),
        Some(oidc::WAY) if Kind::Company.is_open() => {
            let title = oidc::title();
            (title.clone(), title, view! { <CompanyWay/> }.into_any())
        }
        asked => match asked.and_then(Kind::bound_by) {
            Some(kind) => {
                let title = format!("绑定{}", kind.name());
                (title.clone(), title, view! { <BindingForm kind/> }.into_any())
            }
            None => named("登录", "登录书坊", view! { <SignIn/> }.into_any()),
        },
    };
    // every door is the one that search engines may know
    if let (Some(app), Some(parts)) = (use_context::<App>(), use_context::<Parts>()) {
        present(&Origin::of(&app.config, &parts.headers), return_path::LOGIN, DESCRIPTION, Vec::new());
    }
    // what looks whether a browser can is for sites that ask
    let assets: &[_] = if use_context::<App>().is_some_and(|app| passkeys::are_offered(&app)) {
        &["accounts.css", "islands.js", "sign_in.js", "passkeys.js"]
    } else {
        &["accounts.css", "islands.js", "sign_in.js"]
    };
    view! {
        <Head title=title.clone() assets/>
        <a class="skip" href="#main">{format!("跳到{title}")}</a>
        <div class="door">
            <section class="welcome" aria-label="书坊">
                <p class="brand"><Mark/>"书坊"</p>
                <p class="lead">"把照片，做成一本可以传下去的书。"</p>
                <OpenBook/>
                <ul>
                    <li><strong>"自动排版"</strong>"放进照片，按拍摄时间与横竖自动成书，文字随时可以改。"</li>
                    <li><strong>"所见即所印"</strong>"屏幕上的每一行字、每一处裁切，就是印出来的样子。"</li>
                    <li><strong>"一本也印"</strong>"骑马钉、锁线精装、布艺封面，从一本到一百万本。"</li>
                </ul>
                <div class="strip"></div>
            </section>
            <main id="main" class="trim signin" tabindex="-1">
                <h1>{heading}</h1>
                {signed_in}
                {closed}
                <FormNote/>
                {way}
            </main>
            <AboutLinks/>
        </div>
    }
}

fn named(title: &str, heading: &str, way: AnyView) -> (String, String, AnyView) {
    (title.to_owned(), heading.to_owned(), way)
}

/// Two facing pages of a sample book, for looking at. A phone shows none and loads none.
#[component]
fn OpenBook() -> impl IntoView {
    let page = |file| {
        view! { <img src=assets::address(file) width="480" height="480" alt="" loading="lazy"/> }
    };
    view! { <div class="open-book">{page("sample-left-480.webp")}{page("sample-right-480.webp")}</div> }
}

/// 登录: the code for a phone, and the password.
#[component]
fn SignIn() -> impl IntoView {
    view! {
        <ErrorSummary title="还差一点"/>
        <div class="ways">
            <QrPanel/>
            <div>
                <form class="fields" method="post" action=use_path()>
                    <h2>"密码登录"</h2>
                    <CarriedForm/>
                    <Credentials/>
                    <button class="button primary wide">"登录"</button>
                </form>
                <PasskeyForm name="用通行密钥登录" place=use_path()/>
                <StartForm kind=Kind::Weixin name="微信登录"/>
                <StartForm kind=Kind::Company name=format!("用{}登录", Kind::Company.name())/>
                <WaysOn/>
            </div>
        </div>
    }
}

/// 扫码登录: a code for the phone on which the member is signed in. Nothing is stored for it.
#[component]
fn QrPanel() -> impl IntoView {
    let (app, parts) = (use_context::<App>()?, use_context::<Parts>()?);
    let (browser, cookie) = qr::browser(&app, &parts.headers);
    if let (Some((name, value)), Some(answer)) = (cookie, use_context::<ResponseOptions>()) {
        answer.append_header(name, value);
    }
    let address = client::address(&app, &parts);
    let ask = Ask::new(&browser, logins::device(&parts.headers), address, now_ms());
    let text = ask.to_text(app.key.as_bytes());
    let place = Origin::of(&app.config, &parts.headers).join(&format!("/manager/scan/{text}"));
    let picture = web::ui::qr::picture(&place, "登录二维码").ok()?;
    let number = ask.number();
    let island =
        Island::new(&QrLoginProps { ask: text.clone(), left: u32::try_from(qr::LIFE_MS).ok()?, number });
    Some(view! {
        <section class="qr" id="qr">
            <h2>"扫码登录"</h2>
            <div class="code" inner_html=picture></div>
            <p>"核对数字 "<strong class="num">{number}</strong></p>
            <p class="quiet">"在已登录书坊的手机上扫一扫，核对数字后确认。一分钟内有效。"</p>
            <ReactIsland island when=When::Visible>
                <form class="row" method="post" action=use_path()>
                    <input type="hidden" name="way" value=scan::WAY/>
                    <input type="hidden" name="ask" value=text/>
                    <CarriedForm/>
                    <button class="button">"我已确认"</button>
                    <a class="link" href=use_path()>"刷新"</a>
                </form>
            </ReactIsland>
        </section>
    })
}

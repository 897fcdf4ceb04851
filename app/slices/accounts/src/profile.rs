//! 资料: what a member is called and looks like, its tier and codes, and where it is signed in.

use axum::extract::{FromRequest, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::{Error, opened_by};
use domain::money::Fen;
use domain::tier::{Feature, allows};
use domain::typed::{self, is_blank};
use leptos::prelude::*;
use web::app::App;
use web::multipart::Multipart;
use web::render::{self, here, loaded, use_form, use_query};
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::parts::{Ask, Avatar, ErrorSummary, Field, FieldError, Money};
use web::ui::shell::Shell;

use super::devices::Devices;
use super::third_party::{Bound, Kind};
use super::weixin::Bindings;
use super::{avatar, calls, closing, second_factor, store};

/// Characters that a name may have.
pub const MOST_NAME: u32 = 30;
/// The largest form without a picture, in bytes.
const LARGEST_FORM: usize = 64 * 1024;

/// GET /manager/userInfo.
#[component]
pub fn ProfilePage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let logins = store::profile::logins(&here.app.db, &here.member.id, now_ms()).await?;
            let invited = store::profile::invited(&here.app.db, &here.member.id).await?;
            let second = second_factor::is_on(&here.app, &here.member.id).await?;
            Ok((here.member, logins, invited, second))
        },
        |(member, logins, invited, second)| {
            let done = match use_query("done").as_deref().filter(|_| !use_form().is_sent()) {
                Some("name") => Some("名字已保存。"),
                Some("avatar") => Some("头像已更新。"),
                Some("avatar-removed") => Some("头像已移除。"),
                Some("login") => Some("那个设备已退出登录。"),
                Some("logins") => Some("其他设备都已退出登录。"),
                _ => None,
            };
            let done = done.map(|text| view! { <div class="notice good" role="status">{text}</div> });
            let this = member.login.clone();
            view! {
                <Shell member=member.clone() title="资料".to_owned() assets=&["profile.css"]>
                    <header class="head">
                        <h1>"资料"</h1>
                    </header>
                    <ul class="mine">
                        <li><a href="/manager/order"><strong>"我的订单"</strong><small>"进度、物流、再印"</small></a></li>
                        <li>
                            <a href="/manager/recharge">
                                <strong>"余额"</strong><small><Money amount=member.balance/>"，充值与明细"</small>
                            </a>
                        </li>
                        <li><a href="/manager/userInfo/addresses"><strong>"收货地址"</strong><small>"新增、修改、默认"</small></a></li>
                    </ul>
                    {done}
                    <ErrorSummary title="还没有保存"/>
                    <div class="profile">
                        <div class="stack">
                            <Looks member=member.clone()/>
                            <SignIn member=member.clone() second/>
                            <Bindings/>
                            <Bound kind=Kind::Company/>
                            <section class="sheet" id="logins">
                                <h2>"登录设备"</h2>
                                <Devices logins this/>
                                <p><a class="link" href="/manager/userInfo/signins">"登录记录"</a></p>
                            </section>
                        </div>
                        <div class="stack">
                            <Purse balance=member.balance/>
                            <Tier member=member.clone()/>
                            <Invitation code=member.invite_code invited/>
                        </div>
                    </div>
                    <p><a class="link" href=closing::PATH>"注销账户"</a></p>
                </Shell>
            }
        },
    )
}

/// Name and picture.
#[component]
fn Looks(member: Member) -> impl IntoView {
    let kinds = expect_context::<App>().config.photo_kinds();
    let invalid = use_form().error("avatar").is_some();
    let described = if invalid { "avatar-hint avatar-error" } else { "avatar-hint" };
    let remove = member.avatar.is_some().then(|| {
        view! {
            <Ask
                label="移除头像"
                question="移除现在的头像？之后显示名字的第一个字。".to_owned()
                confirm="移除"
                action="/manager/userInfo/avatar/removal".to_owned()
            />
        }
    });
    view! {
        <section class="sheet looks">
            <h2 class="sr">"名字和头像"</h2>
            <div class="face">
                <Avatar member=member.clone()/>
                <div>
                    <strong>{member.name.clone()}</strong>
                    <p class="quiet">"会员号 "<span class="num">{member.member_code}</span></p>
                </div>
            </div>
            <form method="post" action="/manager/userInfo">
                <Field
                    name="name"
                    label="名字"
                    value=member.name
                    most=MOST_NAME
                    autocomplete="nickname"
                    required=true
                />
                <button class="button primary">"保存名字"</button>
            </form>
            <form method="post" action="/manager/userInfo" enctype="multipart/form-data">
                <div class="field">
                    <label for="avatar">"头像"</label>
                    <input
                        id="avatar"
                        class="input"
                        name="avatar"
                        type="file"
                        accept="image/jpeg,image/png,image/webp"
                        aria-invalid=invalid.then_some("true")
                        aria-describedby=described
                    />
                    <p class="hint" id="avatar-hint">{kinds}"，不超过 10 MB；取照片中间的正方形"</p>
                    <FieldError name="avatar".to_owned()/>
                </div>
                <button class="button">"上传头像"</button>
            </form>
            {remove}
        </section>
    }
}

/// How a member signs in and is reached.
#[component]
fn SignIn(member: Member, second: bool) -> impl IntoView {
    let shown = |text: Option<String>| text.unwrap_or_else(|| "未绑定".to_owned());
    view! {
        <section class="sheet">
            <h2>"账号与安全"</h2>
            <dl class="rows">
                <div><dt>"账号"</dt><dd>{member.account}</dd></div>
                <div>
                    <dt>"手机"</dt><dd class="num">{shown(member.phone)}</dd>
                    <dd><a class="link" href="/manager/userInfo/contact">"修改"<span class="sr">"手机"</span></a></dd>
                </div>
                <div>
                    <dt>"邮箱"</dt><dd>{shown(member.email)}</dd>
                    <dd><a class="link" href="/manager/userInfo/contact">"修改"<span class="sr">"邮箱"</span></a></dd>
                </div>
                <div>
                    <dt>"密码"</dt><dd>"已设置"</dd>
                    <dd><a class="link" href="/manager/userInfo/password">"修改"<span class="sr">"密码"</span></a></dd>
                </div>
                <div>
                    <dt>"两步验证"</dt><dd>{if second { "已开启" } else { "未开启" }}</dd>
                    <dd><a class="link" href="/manager/userInfo/second_factor">"设置"<span class="sr">"两步验证"</span></a></dd>
                </div>
            </dl>
        </section>
    }
}

#[component]
fn Purse(balance: Fen) -> impl IntoView {
    view! {
        <section class="sheet">
            <h2>"余额"</h2>
            <p class="purse"><Money amount=balance/></p>
        </section>
    }
}

/// The tier and what it opens; what is closed names the tiers that open it.
#[component]
fn Tier(member: Member) -> impl IntoView {
    let until = calls::tier_until(&member).1;
    let features: Vec<_> = Feature::all()
        .map(|feature| {
            let open = allows(member.tier, feature);
            let note = if open { "已开通".to_owned() } else { format!("{}可用", opened_by(feature)) };
            view! { <li class=open.then_some("open")><span>{feature.name()}</span><small>{note}</small></li> }
        })
        .collect();
    view! {
        <section class="sheet" id="tier">
            <h2>"会员等级"</h2>
            <p class="tier"><strong>{member.tier.name()}</strong>" "<span class="quiet">{until}</span></p>
            <ul class="features">{features}</ul>
        </section>
    }
}

#[component]
fn Invitation(code: String, invited: i64) -> impl IntoView {
    let invited = (invited > 0).then(|| {
        view! { <p>"已有 "<strong class="num">{invited}</strong>" 位朋友用它注册。"</p> }
    });
    view! {
        <section class="sheet">
            <h2>"邀请码"</h2>
            <p class="invitation num">{code}</p>
            {invited}
            <p class="hint">"朋友注册书坊时填上它，就会记为由您邀请。"</p>
        </section>
    }
}

/// POST /manager/userInfo: a form with a name, or a multipart one with a picture.
pub async fn save(State(app): State<App>, member: Member, request: Request) -> Result<Response, Error> {
    let (parts, body) = request.into_parts();
    let shown = parts.clone();
    let kind =
        parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let broken = || Error::BadRequest("表单无法读取，请刷新页面再试".into());
    if kind.starts_with("multipart/form-data") {
        let request = Request::from_parts(parts, body);
        let multipart = Multipart::from_request(request, &app).await.map_err(|_| broken())?;
        return avatar::upload(&app, &member, shown, multipart).await;
    }
    let body = axum::body::to_bytes(body, LARGEST_FORM).await.map_err(|_| broken())?;
    let mut form = read_form(&body)?;
    let name = form.get("name").to_owned();
    match complaint(&name) {
        None => {
            store::profile::set_name(&app.db, &member.id, &name).await?;
            Ok(Redirect::to("/manager/userInfo?done=name").into_response())
        }
        Some(complaint) => {
            form.refuse("name", complaint);
            render::again(&app, shown, "/manager/userInfo", form).await
        }
    }
}

/// What is wrong with a name.
pub fn complaint(name: &str) -> Option<String> {
    let length = name.chars().count();
    if is_blank(name) {
        Some("请输入名字".into())
    } else if length > MOST_NAME as usize {
        Some(format!("名字最多 {MOST_NAME} 个字"))
    } else if typed::name(name, usize::MAX) != name {
        // a break, or marks that turn a line round or take no room: a name must not look like another
        Some("名字里有看不见的字符，请重新输入".into())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn a_name_can_be_seen() {
        for name in ["林知夏", "Li Na", "小林📷", "👩‍🚀 می‌خواهم", &"字".repeat(30)] {
            assert_eq!(complaint(name), None, "{name}");
        }
        for name in ["", &"字".repeat(31), "林\u{202E}夏", "\u{200B}", "\u{3164}", "一\n二", "一\u{2028}二"]
        {
            assert!(complaint(name).is_some(), "{name:?}");
        }
    }
}

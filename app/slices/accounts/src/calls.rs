//! Calls 1 to 7 of the specification's section 7, and login-for-token.

use axum::http::{HeaderName, HeaderValue, header, request::Parts};
use axum::routing::{get, post};
use base::db::now_ms;
use base::error::Error;
use base::time;
use domain::ids::AddressId;
use domain::regions;
use domain::return_path;
use domain::tier::{Feature, allows};
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, Json, PostUrl};
use leptos_axum::ResponseOptions;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use tower_sessions::Session;
use web::access::Policy;
use web::app::App;
use web::calls::{Answer, Inner, List, Refusal, caller, handle};
use web::client;
use web::origin::Origin;
use web::route::Route;
use web::session::{self, Member, Visitor};
use web::slice::AtDesk;

use super::qr::{self, Ask};
use super::sign_ins::Way;
use super::third_party::{self, Kind};
use super::{logins, second_factor, store, weixin};

/// The slice's calls.
pub const ROUTES: &[Route] = &[
    Route::new("/user-center/login", Policy::Public).handled(|| post(handle)),
    Route::new("/user-center/userIsLogin3", Policy::Public).handled(|| post(handle)).in_read_only(),
    Route::new("/uwp/web/doLoginout.jsp", Policy::Member)
        .at_desk(AtDesk::Own)
        .handled(|| post(handle))
        .in_read_only(),
    Route::new("/user-center/getMemberInfo", Policy::Member).handled(|| get(handle)),
    Route::new("/user-center/getUserAddressList", Policy::Member).handled(|| get(handle)),
    Route::new("/user-center/getRegions", Policy::Member).handled(|| get(handle)),
    Route::new("/shopping/updateDefaultAddr", Policy::Member).handled(|| post(handle)),
    Route::new("/user-center/getThirdLoginInfo", Policy::Public).handled(|| post(handle)),
    Route::new("/user-center/unBindThirdLogin", Policy::Member).handled(|| post(handle)),
];

/// An answer that is only a status.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Done {
    status: i8,
}

/// An answer with a sentence where it failed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    status: i8,
    msg: String,
}

/// `{"status":1,"token"}` or `{"status":0,"msg"}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Token {
    Given { status: i8, token: String },
    Refused(Outcome),
}

/// The logged-in user (specification section 3).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct User {
    user_id: String,
    /// The invite code.
    yaoqingma: String,
    member_code: String,
    vip_name: String,
    #[serde(rename = "vip_lastTime_desc")]
    vip_last_time_desc: String,
    /// The day on which the tier ends, or empty.
    #[serde(rename = "vip_lastTime")]
    vip_last_time: String,
    user_avatar: String,
    /// `Y` or `N`.
    bind_wx: String,
    user_account: UserAccount,
}

/// What a member has, yuan.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UserAccount {
    balance: String,
}

/// `{"status":1,…}` with the user's fields, or `{"status":0}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SignedIn {
    Yes {
        status: i8,
        #[serde(flatten)]
        user: Box<User>,
    },
    No(Done),
}

/// Everything that a member may know of itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MemberInfo {
    #[serde(flatten)]
    user: User,
    name: String,
    phone: String,
    email: String,
    features: Features,
}

/// What the tier opens (specification section 6).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Features {
    sub_members: bool,
    statistics: bool,
    ebook: bool,
    epaper_subscription: bool,
    online_editor: bool,
}

/// A shipping address.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListedAddress {
    #[serde(rename = "ID")]
    id: String,
    receiver: String,
    phone: String,
    province: String,
    city: String,
    district: String,
    street: String,
    /// `Y` or `N`.
    #[serde(rename = "IsDefault")]
    is_default: String,
}

/// `{"result":1}` or `{"result":-1,"msg"}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Changed {
    result: i8,
    #[serde(skip_serializing_if = "Option::is_none")]
    msg: Option<String>,
}

/// `{"status":0,"data":{"msg"}}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reason {
    msg: String,
}

impl User {
    async fn of(app: &App, member: &Member) -> Result<Self, Error> {
        let (vip_last_time, vip_last_time_desc) = tier_until(member);
        Ok(Self {
            user_id: member.id.to_string(),
            yaoqingma: member.invite_code.clone(),
            member_code: member.member_code.clone(),
            vip_name: member.tier.name().to_owned(),
            vip_last_time_desc,
            vip_last_time,
            user_avatar: member.avatar_address(),
            bind_wx: yes_or_no(third_party::is_bound(app, &member.id, Kind::Weixin).await?),
            user_account: UserAccount { balance: member.balance.to_string() },
        })
    }
}

/// The day on which a member's tier ends, empty for one without an end, and the same in words.
pub fn tier_until(member: &Member) -> (String, String) {
    match member.tier_until.map(time::day) {
        Some(day) => (day.clone(), format!("{day} 到期")),
        None => (String::new(), "长期有效".to_owned()),
    }
}

fn yes_or_no(yes: bool) -> String {
    if yes { "Y" } else { "N" }.to_owned()
}

/// POST /user-center/login: a token for a program. The same answer and the same time for an unknown account. A member
/// with a second factor shows its code in `code`.
#[server(prefix = "/user-center", endpoint = "login", input = PostUrl, output = Json)]
async fn login(
    #[server(default)] account: String,
    #[server(default)] password: String,
    #[server(default)] code: String,
) -> Result<Token, Refusal> {
    let app = expect_context::<App>();
    let parts = expect_context::<Parts>();
    if account.trim().is_empty() || password.is_empty() {
        return Err(Error::BadRequest("请输入账号和密码".into()).into());
    }
    let refused = |msg: &str| Ok(Token::Refused(Outcome { status: 0, msg: msg.into() }));
    let known = logins::check_password(&app, &parts, Way::Program, &account, password).await;
    let Some(member) = known.map_err(later)? else { return refused("账号或密码不正确") };
    if let Some(reason) = second_factor::missing(&app, &parts, &member, &code).await.map_err(later)? {
        return refused(reason);
    }
    Ok(Token::Given { status: 1, token: logins::begin_with_token(&app, &member, &parts).await? })
}

/// A refusal; where it was too often, with when to come again.
fn later(error: Error) -> Refusal {
    if let Error::TooMany(wait) = &error {
        let answer = expect_context::<ResponseOptions>();
        answer.insert_header(header::RETRY_AFTER, HeaderValue::from(wait.seconds));
    }
    error.into()
}

/// POST /user-center/userIsLogin3 (call 1).
#[server(prefix = "/user-center", endpoint = "userIsLogin3", input = PostUrl, output = Json)]
async fn user_is_login() -> Result<SignedIn, Refusal> {
    Ok(match expect_context::<Visitor>().0 {
        Some(member) => {
            let app = expect_context::<App>();
            SignedIn::Yes { status: 1, user: Box::new(User::of(&app, &member).await?) }
        }
        None => SignedIn::No(Done { status: 0 }),
    })
}

/// POST /uwp/web/doLoginout.jsp (call 2): the session and the token that called are over.
#[server(prefix = "/uwp/web", endpoint = "doLoginout.jsp", input = PostUrl, output = Json)]
async fn do_logout() -> Result<Done, Refusal> {
    let (app, member) = caller()?;
    logins::end(&app, &member).await?;
    let session = expect_context::<Session>();
    if let Some(login) = session::login(&session).await?
        && login != member.login
    {
        store::delete_login(&app.db, &login, &member.id).await?;
    }
    session::sign_out(&session).await?;
    let answer = expect_context::<ResponseOptions>();
    for (name, value) in session::forgets(&app) {
        answer.append_header(name, value);
    }
    Ok(Done { status: 1 })
}

/// GET /user-center/getMemberInfo (call 3).
#[server(prefix = "/user-center", endpoint = "getMemberInfo", input = GetUrl, output = Json)]
async fn get_member_info() -> Result<Answer<Inner<MemberInfo>>, Refusal> {
    let (app, member) = caller()?;
    let may = |feature| allows(member.tier, feature);
    let info = MemberInfo {
        user: User::of(&app, &member).await?,
        name: member.name.clone(),
        phone: member.phone.clone().unwrap_or_default(),
        email: member.email.clone().unwrap_or_default(),
        features: Features {
            sub_members: may(Feature::SubMembers),
            statistics: may(Feature::Statistics),
            ebook: may(Feature::Ebook),
            epaper_subscription: may(Feature::EpaperSubscription),
            online_editor: may(Feature::OnlineEditor),
        },
    };
    Ok(Answer::ok(Inner { data: info }))
}

/// `{"status":1,"data":{"list":[…]}}` or `{"status":0,"data":{"msg"}}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Addresses {
    All(List<ListedAddress>),
    Failed(Reason),
}

/// GET /user-center/getUserAddressList (call 4). A failure has a sentence of its own (specification, section 8).
#[server(prefix = "/user-center", endpoint = "getUserAddressList", input = GetUrl, output = Json)]
async fn get_user_address_list() -> Result<Answer<Addresses>, Refusal> {
    let (app, member) = caller()?;
    let addresses = match store::addresses::of_member(&app.db, &member.id).await {
        Ok(addresses) => addresses,
        Err(error) => {
            tracing::error!(%error, "A member's addresses could not be read");
            let msg = "获取收货地址失败".into();
            return Ok(Answer { status: 0, data: Addresses::Failed(Reason { msg }) });
        }
    };
    let list = addresses
        .into_iter()
        .map(|address| ListedAddress {
            id: address.id.to_string(),
            receiver: address.receiver,
            phone: address.phone,
            province: address.province,
            city: address.city,
            district: address.district,
            street: address.street,
            is_default: yes_or_no(address.is_default),
        })
        .collect();
    Ok(Answer::ok(Addresses::All(List { list })))
}

/// A city with its districts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ListedCity {
    name: String,
    districts: Vec<String>,
}

/// GET /user-center/getRegions (ours): the cities of a province, for the lists of an address form.
#[server(prefix = "/user-center", endpoint = "getRegions", input = GetUrl, output = Json)]
async fn get_regions(#[server(default)] province: String) -> Result<Answer<List<ListedCity>>, Refusal> {
    let list: Vec<_> = regions::cities(&province)
        .map(|city| ListedCity {
            name: city.to_owned(),
            districts: regions::districts(&province, city).iter().map(|name| (*name).to_owned()).collect(),
        })
        .collect();
    if list.is_empty() {
        return Err(Error::BadRequest("请选择省份".into()).into());
    }
    Ok(Answer::ok(List { list }))
}

/// POST /shopping/updateDefaultAddr (call 5). Another's address answers like an unknown one.
#[server(prefix = "/shopping", endpoint = "updateDefaultAddr", input = PostUrl, output = Json)]
async fn update_default_addr(
    #[server(default)]
    #[server(rename = "addrID")]
    addr_id: String,
) -> Result<Changed, Refusal> {
    let (app, member) = caller()?;
    let set = match addr_id.parse::<AddressId>() {
        Ok(id) => store::addresses::set_default(&app.db, &member.id, &id).await?,
        Err(_) => false,
    };
    Ok(if set {
        Changed { result: 1, msg: None }
    } else {
        Changed { result: -1, msg: Some("设置默认地址失败".into()) }
    })
}

/// `{"status":1,"data":{"loginSessionID","qrcodeUrl"}}` or `{"status":0,"data":{"msg"}}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ThirdLogin {
    Info {
        #[serde(rename = "loginSessionID")]
        login_session_id: String,
        /// What the QR code holds, percent-encoded.
        #[serde(rename = "qrcodeUrl")]
        qrcode_url: String,
    },
    Refused(Reason),
}

impl ThirdLogin {
    /// A login that has begun, whose cookie goes with the answer.
    fn begun(id: String, url: &str, cookie: Option<(HeaderName, HeaderValue)>) -> Answer<Self> {
        if let Some((name, value)) = cookie {
            expect_context::<ResponseOptions>().append_header(name, value);
        }
        let qrcode_url = utf8_percent_encode(url, AS_COMPONENT).to_string();
        Answer::ok(Self::Info { login_session_id: id, qrcode_url })
    }

    fn refused(msg: &str) -> Answer<Self> {
        Answer { status: 0, data: Self::Refused(Reason { msg: msg.into() }) }
    }
}

/// Like JavaScript's `encodeURIComponent`.
const AS_COMPONENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// POST /user-center/getThirdLoginInfo (call 6). Both kinds of login begin in the browser that asks; weixin leads back to
/// it and signs in. Binding to an account asks for its password, which this call does not have.
#[server(prefix = "/user-center", endpoint = "getThirdLoginInfo", input = PostUrl, output = Json)]
async fn get_third_login_info(
    #[server(default)]
    #[server(rename = "thirdLoginType")]
    kind: String,
) -> Result<Answer<ThirdLogin>, Refusal> {
    let (app, parts) = (expect_context::<App>(), expect_context::<Parts>());
    Ok(match kind.as_str() {
        "qr" => {
            let (browser, cookie) = qr::browser(&app, &parts.headers);
            let address = client::address(&app, &parts);
            let ask = Ask::new(&browser, logins::device(&parts.headers), address, now_ms());
            let id = ask.to_text(app.key.as_bytes());
            let url = Origin::of(&app.config, &parts.headers).join(&format!("/manager/scan/{id}"));
            ThirdLogin::begun(id, &url, cookie)
        }
        "weixin" => match weixin::begin_sign_in(&app, &parts.headers, return_path::DEFAULT)? {
            Some(begun) => ThirdLogin::begun(begun.id, &begun.address, Some(begun.cookie)),
            None => ThirdLogin::refused(weixin::CLOSED),
        },
        _ => ThirdLogin::refused("获取第三方登录信息失败"),
    })
}

/// POST /user-center/unBindThirdLogin (call 7).
#[server(prefix = "/user-center", endpoint = "unBindThirdLogin", input = PostUrl, output = Json)]
async fn unbind_third_login(
    #[server(default)]
    #[server(rename = "thirdLoginType")]
    kind: String,
) -> Result<Outcome, Refusal> {
    let (app, member) = caller()?;
    let (status, msg) = match kind.as_str() {
        "weixin" => match third_party::unbind(&app, &member.id, Kind::Weixin).await {
            Ok(true) => (1, "解绑成功!"),
            Ok(false) => (0, "没有绑定微信"),
            Err(error) => {
                tracing::error!(%error, "A weixin could not be unbound");
                (0, "解绑第三方登录失败")
            }
        },
        _ => (0, "解绑第三方登录失败"),
    };
    Ok(Outcome { status, msg: msg.into() })
}

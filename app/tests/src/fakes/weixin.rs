//! A weixin of our own: the two questions of a website login, over HTTP, in good and bad moods.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::Server;

pub const APP_ID: &str = "wx0123456789abcdef";
pub const SECRET: &str = "a-secret-of-the-shop";
/// The official account, and what its pages are signed with.
pub const ACCOUNT: &str = "wxfedcba9876543210";
pub const TICKET: &str = "a ticket";

/// How a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Good,
    /// Its own number for an error.
    Errcode(i64),
    Status(u16),
    /// Longer than anybody waits.
    Late,
    NotJson,
    Huge,
    /// Good JSON without what was asked for.
    Empty,
    /// Leads elsewhere with everything that it was told.
    Redirect,
    /// Answers for another person than it was asked about.
    SomebodyElse,
    /// An id that is none.
    OddId,
}

#[derive(Debug, Clone)]
struct Person {
    openid: String,
    unionid: Option<String>,
    nickname: String,
}

#[derive(Default)]
struct Inner {
    codes: HashMap<String, Person>,
    used: Vec<String>,
    tokens: HashMap<String, Person>,
    /// By the question's address.
    moods: HashMap<&'static str, Mood>,
    tickets: usize,
    /// Questions that were led elsewhere and came.
    led_astray: usize,
}

pub const TOKEN: &str = "/sns/oauth2/access_token";
pub const PERSON: &str = "/sns/userinfo";

/// A running fake; ends with the test.
#[derive(Clone)]
pub struct FakeWeixin {
    inner: Arc<Mutex<Inner>>,
}

impl FakeWeixin {
    /// Starts one, and the server again with it configured.
    pub async fn configured(server: &mut Server) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let fake = Self { inner: Arc::default() };
        let router = Router::new()
            .route(TOKEN, get(token))
            .route(PERSON, get(person))
            .route("/cgi-bin/stable_token", post(stable_token))
            .route("/cgi-bin/ticket/getticket", get(ticket))
            .route("/elsewhere", get(elsewhere))
            .with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        server.kill();
        server.set("BINDERY_WEIXIN_APP_ID", APP_ID);
        server.set("BINDERY_WEIXIN_SECRET", SECRET);
        server.set("BINDERY_WEIXIN_API_URL", base);
        server.set("BINDERY_WEIXIN_ACCOUNT_APP_ID", ACCOUNT);
        server.set("BINDERY_WEIXIN_ACCOUNT_SECRET", "another secret");
        server.restart();
        fake
    }

    /// Somebody agrees; the code that the browser brings back.
    pub fn agree(&self, openid: &str) -> String {
        self.agree_as(openid, Some(&format!("union-{openid}")), &format!("昵称 {openid}"))
    }

    pub fn agree_as(&self, openid: &str, unionid: Option<&str>, nickname: &str) -> String {
        let mut inner = self.inner.lock().unwrap();
        let code = format!("code-{:x}-{openid}", rand::random::<u64>());
        let (openid, unionid) = (openid.to_owned(), unionid.map(str::to_owned));
        inner.codes.insert(code.clone(), Person { openid, unionid, nickname: nickname.to_owned() });
        code
    }

    /// How it answers one of its questions from now on.
    pub fn set_mood(&self, question: &'static str, mood: Mood) {
        self.inner.lock().unwrap().moods.insert(question, mood);
    }

    /// How many questions followed a redirect.
    pub fn led_astray(&self) -> usize {
        self.inner.lock().unwrap().led_astray
    }

    /// How many tickets it gave.
    pub fn tickets(&self) -> usize {
        self.inner.lock().unwrap().tickets
    }

    /// Every access token that it gave.
    pub fn tokens(&self) -> Vec<String> {
        self.inner.lock().unwrap().tokens.keys().cloned().collect()
    }
}

type Asked = Query<HashMap<String, String>>;

/// Leave to ask for the account.
async fn stable_token(Json(asked): Json<Value>) -> Response {
    if (asked["appid"].as_str(), asked["secret"].as_str()) != (Some(ACCOUNT), Some("another secret")) {
        return refused(40_125);
    }
    Json(json!({ "access_token": "stable", "expires_in": 7200 })).into_response()
}

async fn ticket(State(fake): State<FakeWeixin>, Query(asked): Asked) -> Response {
    let asked = |name: &str| asked.get(name).map(String::as_str);
    if (asked("access_token"), asked("type")) != (Some("stable"), Some("jsapi")) {
        return refused(40_001);
    }
    fake.inner.lock().unwrap().tickets += 1;
    Json(json!({ "errcode": 0, "errmsg": "ok", "ticket": TICKET, "expires_in": 7200 })).into_response()
}

fn refused(errcode: i64) -> Response {
    Json(json!({ "errcode": errcode, "errmsg": "no, rid: 123" })).into_response()
}

async fn in_mood(fake: &FakeWeixin, question: &'static str, mut good: Value) -> Response {
    let mood = fake.inner.lock().unwrap().moods.get(question).copied().unwrap_or(Mood::Good);
    match mood {
        Mood::Good => {}
        Mood::Errcode(errcode) => return refused(errcode),
        Mood::Status(status) => {
            return (StatusCode::from_u16(status).unwrap(), Json(good)).into_response();
        }
        Mood::Late => tokio::time::sleep(Duration::from_secs(30)).await,
        Mood::NotJson => return "<html>Bad gateway</html>".into_response(),
        Mood::Huge => {
            // it never ends by itself
            let chunks = futures::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 16 * 1024]));
            return Body::from_stream(chunks).into_response();
        }
        Mood::Empty => return Json(json!({})).into_response(),
        Mood::Redirect => return Redirect::temporary("/elsewhere").into_response(),
        Mood::SomebodyElse => good["openid"] = json!("somebody-else"),
        Mood::OddId => good["openid"] = json!("../../x y"),
    }
    // weixin says text/plain
    ([("content-type", "text/plain")], good.to_string()).into_response()
}

async fn token(State(fake): State<FakeWeixin>, Query(asked): Asked) -> Response {
    let given = |name: &str| asked.get(name).map(String::as_str).unwrap_or_default();
    assert_eq!((given("appid"), given("secret")), (APP_ID, SECRET));
    assert_eq!(given("grant_type"), "authorization_code");
    let good = {
        let mut inner = fake.inner.lock().unwrap();
        let code = given("code").to_owned();
        if inner.used.contains(&code) {
            return refused(40163);
        }
        let Some(person) = inner.codes.remove(&code) else { return refused(40029) };
        inner.used.push(code);
        let token = format!("token-{:x}", rand::random::<u128>());
        let mut good = json!({
            "access_token": token, "expires_in": 7200, "refresh_token": "REFRESH", "openid": person.openid,
            "scope": "snsapi_login",
        });
        if let Some(unionid) = &person.unionid {
            good["unionid"] = json!(unionid);
        }
        inner.tokens.insert(token, person);
        good
    };
    in_mood(&fake, TOKEN, good).await
}

async fn person(State(fake): State<FakeWeixin>, Query(asked): Asked) -> Response {
    let given = |name: &str| asked.get(name).map(String::as_str).unwrap_or_default();
    let known = fake.inner.lock().unwrap().tokens.get(given("access_token")).cloned();
    let Some(person) = known.filter(|person| person.openid == given("openid")) else {
        return refused(40001);
    };
    let good = json!({
        "openid": person.openid, "nickname": person.nickname, "sex": 0, "province": "", "city": "", "country": "",
        "headimgurl": "https://thirdwx.qlogo.cn/mmopen/x/132", "privilege": [],
        "unionid": person.unionid.unwrap_or_default(),
    });
    in_mood(&fake, PERSON, good).await
}

async fn elsewhere(State(fake): State<FakeWeixin>) -> &'static str {
    fake.inner.lock().unwrap().led_astray += 1;
    "{}"
}

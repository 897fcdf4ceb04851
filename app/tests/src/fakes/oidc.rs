//! A provider of company accounts: OpenID Connect as far as a code flow needs it, over HTTP, in good and bad moods.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Form, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use reqwest::Url;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::keys;
use crate::{Caller, Server};

pub const CLIENT: &str = "bindery";
pub const SECRET: &str = "a secret: of the shop";
/// Where the program is led back to: clerks, and members.
pub const RETURN: &str = "/staff/login/oidc/return";
pub const RETURN_OF_MEMBERS: &str = "/manager/login_oidc";

/// How questions are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Good,
    Status(u16),
    /// Longer than anybody waits.
    Late,
    NotJson,
    Huge,
    /// Leads elsewhere with everything that it was told.
    Redirect,
}

/// How a token is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    Well,
    /// By another's key under the provider's name for its own.
    ByAnother,
    /// By the client's secret (HS256), which is no key of the provider's.
    BySecret,
    Not,
}

/// Somebody who has signed in there, and what the token is to say.
struct Agreed {
    challenge: String,
    redirect: String,
    claims: Value,
    signed: Signed,
}

struct Inner {
    codes: HashMap<String, Agreed>,
    /// By the question's path.
    moods: HashMap<&'static str, Mood>,
    /// Questions that were led elsewhere and came.
    led_astray: usize,
    /// Tokens that it gave.
    given: usize,
    /// The key that it signs by.
    key: &'static str,
    /// What it says otherwise of itself.
    changes: Value,
}

pub const DISCOVERY: &str = "/.well-known/openid-configuration";
pub const KEYS: &str = "/keys";
pub const TOKEN: &str = "/token";

/// A running fake; ends with the test.
#[derive(Clone)]
pub struct FakeOidc {
    inner: Arc<Mutex<Inner>>,
    pub issuer: String,
}

impl FakeOidc {
    /// Starts one, and the server again with it configured.
    pub async fn configured(server: &mut Server) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let inner = Inner {
            codes: HashMap::new(),
            moods: HashMap::new(),
            led_astray: 0,
            given: 0,
            key: "wechatpay",
            changes: json!({}),
        };
        let fake = Self { inner: Arc::new(Mutex::new(inner)), issuer };
        let router = Router::new()
            .route(DISCOVERY, get(discovery))
            .route(KEYS, get(keys_of))
            .route(TOKEN, post(token))
            .route("/elsewhere", get(elsewhere).post(elsewhere))
            .with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        server.kill();
        server.set("BINDERY_OIDC_ISSUER", fake.issuer.clone());
        server.set("BINDERY_OIDC_CLIENT_ID", CLIENT);
        server.set("BINDERY_OIDC_CLIENT_SECRET", SECRET);
        server.restart();
        fake
    }

    /// The same, where members come in by it, too.
    pub async fn for_members(server: &mut Server) -> Self {
        server.set("BINDERY_OIDC_MEMBERS", "1");
        Self::configured(server).await
    }

    /// Somebody signs in at the address that the program has led to; where the browser is led back to.
    pub fn agree(&self, address: &str, subject: &str) -> String {
        self.agree_as(address, subject, json!({}), Signed::Well)
    }

    /// The same with a token that says something else, or is signed otherwise.
    pub fn agree_as(&self, address: &str, subject: &str, changes: Value, signed: Signed) -> String {
        let asked = asked(address);
        assert_eq!(address.split('?').next(), Some(&*format!("{}/authorize", self.issuer)));
        let given = |name: &str| asked.get(name).unwrap_or_else(|| panic!("no {name}: {address}")).clone();
        assert_eq!((&*given("client_id"), &*given("response_type")), (CLIENT, "code"));
        let redirect = Url::parse(&given("redirect_uri")).unwrap();
        let scope = match redirect.path() {
            RETURN => "openid",
            RETURN_OF_MEMBERS => "openid profile",
            path => panic!("{path}"),
        };
        assert_eq!((&*given("scope"), &*given("code_challenge_method")), (scope, "S256"));
        let now = keys::seconds();
        let mut claims = json!({
            "iss": self.issuer, "sub": subject, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": given("nonce"),
            // what a wrong program would go by
            "email": "lin@example.com", "email_verified": true, "preferred_username": "lin", "name": "lin",
        });
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let code = format!("code-{:x}", rand::random::<u128>());
        let agreed =
            Agreed { challenge: given("code_challenge"), redirect: given("redirect_uri"), claims, signed };
        self.inner.lock().unwrap().codes.insert(code.clone(), agreed);
        format!("{}?code={code}&state={}", redirect.path(), given("state"))
    }

    /// How it answers one of its questions from now on.
    pub fn set_mood(&self, question: &'static str, mood: Mood) {
        self.inner.lock().unwrap().moods.insert(question, mood);
    }

    /// What it says otherwise of itself from now on.
    pub fn describe_as(&self, changes: Value) {
        self.inner.lock().unwrap().changes = changes;
    }

    /// It signs by another key from now on.
    pub fn change_key(&self) {
        self.inner.lock().unwrap().key = "alipay";
    }

    /// How many questions followed a redirect.
    pub fn led_astray(&self) -> usize {
        self.inner.lock().unwrap().led_astray
    }

    /// How many tokens it gave.
    pub fn given(&self) -> usize {
        self.inner.lock().unwrap().given
    }

    async fn in_mood(&self, question: &'static str, good: Value) -> Response {
        let mood = self.inner.lock().unwrap().moods.get(question).copied().unwrap_or(Mood::Good);
        match mood {
            Mood::Good => Json(good).into_response(),
            Mood::Status(status) => (StatusCode::from_u16(status).unwrap(), Json(good)).into_response(),
            Mood::Late => {
                tokio::time::sleep(Duration::from_secs(30)).await;
                Json(good).into_response()
            }
            Mood::NotJson => "<html>Bad gateway</html>".into_response(),
            Mood::Huge => {
                // it never ends by itself
                let chunks = futures::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 16 * 1024]));
                ([("content-type", "application/json")], Body::from_stream(chunks)).into_response()
            }
            Mood::Redirect => Redirect::temporary("/elsewhere").into_response(),
        }
    }
}

/// What an address asks for.
pub fn asked(address: &str) -> HashMap<String, String> {
    Url::parse(address).unwrap().query_pairs().into_owned().collect()
}

/// Where an answer leads a browser on to by itself.
pub async fn led_on(answer: reqwest::Response) -> String {
    assert_eq!(answer.status(), reqwest::StatusCode::OK);
    let refresh = answer.headers()["refresh"].to_str().unwrap().to_owned();
    let page = answer.text().await.unwrap();
    let address = refresh.strip_prefix("0; url=").unwrap().to_owned();
    assert!(page.contains(&address.replace('&', "&amp;")), "{page}");
    address
}

/// Sets out from the sign-in page; the provider's address.
pub async fn sets_out(caller: &Caller) -> String {
    led_on(caller.post("/staff/login/oidc", &[]).await).await
}

async fn discovery(State(fake): State<FakeOidc>) -> Response {
    let at = |path: &str| format!("{}{path}", fake.issuer);
    let mut good = json!({
        "issuer": fake.issuer, "authorization_endpoint": at("/authorize"), "token_endpoint": at(TOKEN), "jwks_uri": at(KEYS),
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "tls_client_auth"],
        "code_challenge_methods_supported": ["plain", "S256"],
    });
    for (name, value) in fake.inner.lock().unwrap().changes.as_object().unwrap() {
        good[name] = value.clone();
    }
    fake.in_mood(DISCOVERY, good).await
}

async fn keys_of(State(fake): State<FakeOidc>) -> Response {
    let key = fake.inner.lock().unwrap().key;
    let (n, e) = keys::public_numbers(key);
    let good = json!({ "keys": [{
        "kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "n": URL_SAFE_NO_PAD.encode(n), "e": URL_SAFE_NO_PAD.encode(e),
    }] });
    fake.in_mood(KEYS, good).await
}

async fn token(
    State(fake): State<FakeOidc>,
    headers: HeaderMap,
    Form(form): Form<HashMap<String, String>>,
) -> Response {
    let given = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let encoded = |text: &str| serde_urlencoded::to_string([("", text)]).unwrap()[1..].to_owned();
    let basic = STANDARD.encode(format!("{}:{}", encoded(CLIENT), encoded(SECRET)));
    if headers["authorization"] != format!("Basic {basic}") {
        return (StatusCode::UNAUTHORIZED, Json(json!({ "error": "invalid_client" }))).into_response();
    }
    assert_eq!(given("grant_type"), "authorization_code");
    let agreed = fake.inner.lock().unwrap().codes.remove(given("code"));
    let verified = URL_SAFE_NO_PAD.encode(Sha256::digest(given("code_verifier")));
    let Some(agreed) = agreed.filter(|it| it.challenge == verified && it.redirect == given("redirect_uri"))
    else {
        let told = json!({ "error": "invalid_grant", "error_description": "no" });
        return (StatusCode::BAD_REQUEST, Json(told)).into_response();
    };
    let key = {
        let mut inner = fake.inner.lock().unwrap();
        inner.given += 1;
        inner.key
    };
    let token = signed(&agreed.claims, agreed.signed, key);
    let good = json!({ "access_token": "an access token", "token_type": "Bearer", "expires_in": 300, "id_token": token });
    fake.in_mood(TOKEN, good).await
}

/// A token as a JSON Web Signature.
fn signed(claims: &Value, signed: Signed, key: &str) -> String {
    let algorithm = match signed {
        Signed::Well | Signed::ByAnother => "RS256",
        Signed::BySecret => "HS256",
        Signed::Not => "none",
    };
    let encoded = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let head = json!({ "alg": algorithm, "typ": "JWT", "kid": "1" });
    let text = format!("{}.{}", encoded(&head), encoded(claims));
    let of_key = |name: &str| STANDARD.decode(keys::sign(name, &text)).unwrap();
    let signature = match signed {
        Signed::Well => of_key(key),
        Signed::ByAnother => of_key("merchant"),
        Signed::BySecret => {
            let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, SECRET.as_bytes());
            ring::hmac::sign(&key, text.as_bytes()).as_ref().to_vec()
        }
        Signed::Not => Vec::new(),
    };
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
}

async fn elsewhere(State(fake): State<FakeOidc>) -> &'static str {
    fake.inner.lock().unwrap().led_astray += 1;
    "{}"
}

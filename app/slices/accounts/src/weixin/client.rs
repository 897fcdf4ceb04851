//! What is asked of weixin, as its open platform describes website logins (网站应用微信登录): the address at which a
//! person agrees, and the two questions that turn the code it comes back with into an identity.

use std::time::Duration;

use base::error::Error;
use domain::typed;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::config::WeixinConfig;
use crate::third_party::{Identity, WEIXIN};

const CONNECT: Duration = Duration::from_secs(5);
/// From the question to the last byte of the answer.
const WHOLE: Duration = Duration::from_secs(10);
/// The largest answer that is read, in bytes; real ones have less than one KB.
const LARGEST: usize = 64 * 1024;
/// The longest id weixin may give, in bytes; real ones have 28.
const LONGEST_ID: usize = 128;
/// The longest nickname that is kept, in characters; weixin allows 32.
const LONGEST_NAME: usize = 32;

/// Why weixin told us nothing. None of these texts holds a secret, a code or a token.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Its own number; 40029 and 40163 are a wrong and a used code.
    #[error("weixin refused with errcode {0}")]
    Refused(i64),
    #[error("weixin answered with status {0}")]
    Status(u16),
    #[error("weixin did not answer in time")]
    Late,
    #[error("weixin could not be asked: {0}")]
    Unreachable(reqwest::Error),
    #[error("weixin answered more than {LARGEST} bytes")]
    TooLarge,
    #[error("weixin answered what can't be read")]
    Garbled,
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        // the address holds the secret, the code or the token
        if error.is_timeout() { Self::Late } else { Self::Unreachable(error.without_url()) }
    }
}

/// What a code is worth: leave to ask who the person is.
#[derive(Deserialize)]
pub struct Grant {
    access_token: String,
    pub openid: String,
    #[serde(default)]
    pub unionid: Option<String>,
}

#[derive(Deserialize)]
struct Person {
    openid: String,
    #[serde(default)]
    unionid: Option<String>,
    #[serde(default)]
    nickname: String,
}

/// Our application at weixin.
pub struct Weixin {
    config: WeixinConfig,
    http: reqwest::Client,
}

impl Weixin {
    /// Ready to ask.
    pub fn new(config: WeixinConfig) -> Result<Self, Error> {
        Ok(Self { config, http: asking()? })
    }

    /// Where people agree.
    pub fn open_url(&self) -> &str {
        &self.config.open_url
    }

    /// Where a person agrees, and is then led to `back` with `state` and a code.
    pub fn authorize_address(&self, back: &str, state: &str) -> Result<String, Error> {
        let parameters = [
            ("appid", self.config.app_id.as_str()),
            ("redirect_uri", back),
            ("response_type", "code"),
            ("scope", "snsapi_login"),
            ("state", state),
        ];
        let page = format!("{}/connect/qrconnect", self.config.open_url);
        let mut address = reqwest::Url::parse_with_params(&page, parameters).map_err(Error::internal)?;
        address.set_fragment(Some("wechat_redirect"));
        Ok(address.into())
    }

    /// Hands in a code.
    pub async fn grant(&self, code: &str) -> Result<Grant, Failure> {
        let parameters = [
            ("appid", self.config.app_id.as_str()),
            ("secret", self.config.secret.as_str()),
            ("code", code),
            ("grant_type", "authorization_code"),
        ];
        let mut grant: Grant = self.ask("/sns/oauth2/access_token", &parameters).await?;
        grant.unionid = grant.unionid.filter(|id| !id.is_empty());
        let plausible = is_id(&grant.openid) && grant.unionid.as_deref().is_none_or(is_id);
        if plausible { Ok(grant) } else { Err(Failure::Garbled) }
    }

    /// Asks who gave a grant.
    pub async fn person(&self, grant: Grant) -> Result<Identity, Failure> {
        let parameters = [
            ("access_token", grant.access_token.as_str()),
            ("openid", grant.openid.as_str()),
            ("lang", "zh_CN"),
        ];
        let person: Person = self.ask("/sns/userinfo", &parameters).await?;
        let told = person.unionid.filter(|id| !id.is_empty());
        let same = person.openid == grant.openid
            && told.as_deref().is_none_or(is_id)
            && (told.is_none() || grant.unionid.is_none() || told == grant.unionid);
        if !same {
            return Err(Failure::Garbled);
        }
        Ok(Identity {
            kind: WEIXIN.to_owned(),
            openid: grant.openid,
            unionid: grant.unionid.or(told),
            nickname: plain_name(&person.nickname),
        })
    }

    async fn ask<T: DeserializeOwned>(&self, path: &str, parameters: &[(&str, &str)]) -> Result<T, Failure> {
        ask(self.http.get(format!("{}{path}", self.config.api_url)).query(parameters)).await
    }
}

/// Who asks weixin.
pub fn asking() -> Result<reqwest::Client, Error> {
    reqwest::Client::builder()
        .connect_timeout(CONNECT)
        .timeout(WHOLE)
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(Error::internal)
}

/// Asks, and reads the answer.
pub async fn ask<T: DeserializeOwned>(question: reqwest::RequestBuilder) -> Result<T, Failure> {
    let mut answer = question.send().await?;
    if !answer.status().is_success() {
        return Err(Failure::Status(answer.status().as_u16()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        if body.len() + chunk.len() > LARGEST {
            return Err(Failure::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    let body: Value = serde_json::from_slice(&body).map_err(|_| Failure::Garbled)?;
    match body.get("errcode").and_then(Value::as_i64) {
        Some(errcode) if errcode != 0 => Err(Failure::Refused(errcode)),
        _ => serde_json::from_value(body).map_err(|_| Failure::Garbled),
    }
}

fn is_id(text: &str) -> bool {
    (1..=LONGEST_ID).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// A nickname without what nobody can see; people without a name are called 微信用户.
fn plain_name(name: &str) -> String {
    // marks that turn the direction of what follows would turn the sentence around the name, too
    let name = typed::name(name, LONGEST_NAME);
    if typed::is_blank(&name) { "微信用户".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weixin() -> Weixin {
        Weixin::new(WeixinConfig {
            app_id: "wx0123".into(),
            secret: "s3cret".into(),
            open_url: "https://open.weixin.qq.com".into(),
            api_url: "https://api.weixin.qq.com".into(),
        })
        .unwrap()
    }

    #[test]
    fn the_page_to_agree_on_is_the_documented_one() {
        let address =
            weixin().authorize_address("https://books.example/manager/login_weixin", "abc").unwrap();
        assert_eq!(
            address,
            "https://open.weixin.qq.com/connect/qrconnect?appid=wx0123\
             &redirect_uri=https%3A%2F%2Fbooks.example%2Fmanager%2Flogin_weixin&response_type=code\
             &scope=snsapi_login&state=abc#wechat_redirect"
        );
    }

    #[test]
    fn the_secret_is_in_no_debug_text() {
        assert!(!format!("{:?}", weixin().config).contains("s3cret"));
    }

    #[test]
    fn names_are_plain() {
        assert_eq!(plain_name(" 小林\u{202e}🌊\u{7} "), "小林🌊");
        assert_eq!(plain_name("\u{200f} "), "微信用户");
        assert_eq!(plain_name(&"长".repeat(90)).chars().count(), LONGEST_NAME);
    }
}

//! The application by which members sign in with weixin, as the host configured it.

use base::config::{WEIXIN_ACCOUNT, site};
use base::variables::{ConfigError, Kind, Usual, Variable, variable};

const APP_ID: &str = "BINDERY_WEIXIN_APP_ID";
const SECRET: &str = "BINDERY_WEIXIN_SECRET";
const ACCOUNT_SECRET: &str = "BINDERY_WEIXIN_ACCOUNT_SECRET";
const OPEN_URL: &str = "BINDERY_WEIXIN_OPEN_URL";
const API_URL: &str = "BINDERY_WEIXIN_API_URL";

/// What the host may set.
pub static VARIABLES: &[&Variable] = &[
    &Variable::new(
        APP_ID,
        Kind::Text,
        Usual::Words("no weixin"),
        "a website application 网站应用 of weixin's open platform, whose callback domain is this site's; with its secret, members \
         sign in with weixin",
    ),
    &Variable::new(SECRET, Kind::Text, Usual::Words("no weixin"), "its secret").secret(),
    &Variable::new(
        WEIXIN_ACCOUNT,
        Kind::Text,
        Usual::Words("weixin shows title and address"),
        "an official account 公众号 whose JS接口安全域名 is this site's; with its secret, public pages that are sent on in weixin \
         show their own title, words and picture",
    ),
    &Variable::new(ACCOUNT_SECRET, Kind::Text, Usual::Words("weixin shows title and address"), "its secret")
        .secret(),
    &Variable::new(
        OPEN_URL,
        Kind::Own(|text| site(text).map(drop)),
        Usual::Value("https://open.weixin.qq.com"),
        "where people agree",
    ),
    &Variable::new(
        API_URL,
        Kind::Own(|text| site(text).map(drop)),
        Usual::Value("https://api.weixin.qq.com"),
        "where codes are handed in",
    ),
];

/// Whether what belongs together is there.
pub fn check() -> Result<(), ConfigError> {
    read(variable)?;
    read_account(variable).map(drop)
}

/// A website application 网站应用 of weixin's open platform.
#[derive(Clone)]
pub struct WeixinConfig {
    /// `BINDERY_WEIXIN_APP_ID`.
    pub app_id: String,
    /// `BINDERY_WEIXIN_SECRET`.
    pub secret: String,
    /// Where people agree (`BINDERY_WEIXIN_OPEN_URL`).
    pub open_url: String,
    /// Where codes are handed in (`BINDERY_WEIXIN_API_URL`).
    pub api_url: String,
}

impl std::fmt::Debug for WeixinConfig {
    /// Without the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WeixinConfig").field("app_id", &self.app_id).finish_non_exhaustive()
    }
}

/// An official account 公众号, for the cards of pages that are sent on.
#[derive(Clone)]
pub struct AccountConfig {
    /// `BINDERY_WEIXIN_ACCOUNT_APP_ID`.
    pub app_id: String,
    /// `BINDERY_WEIXIN_ACCOUNT_SECRET`.
    pub secret: String,
    /// As of [`WeixinConfig`].
    pub api_url: String,
}

/// Where weixin is asked.
fn api_url(variable: &impl Fn(&str) -> Option<String>) -> Result<String, ConfigError> {
    place(API_URL, "https://api.weixin.qq.com", variable)
}

fn place(name: &str, usual: &str, variable: &impl Fn(&str) -> Option<String>) -> Result<String, ConfigError> {
    site(&variable(name).unwrap_or_else(|| usual.to_owned()))
        .map_err(|reason| ConfigError::new(&format!("{name}: {reason}")))
}

/// Reads the host's settings of the official account.
pub fn read_account(variable: impl Fn(&str) -> Option<String>) -> Result<Option<AccountConfig>, ConfigError> {
    match (variable(WEIXIN_ACCOUNT), variable(ACCOUNT_SECRET)) {
        (None, None) => Ok(None),
        (Some(app_id), Some(secret)) => {
            Ok(Some(AccountConfig { app_id, secret, api_url: api_url(&variable)? }))
        }
        _ => Err(ConfigError::new(
            "BINDERY_WEIXIN_ACCOUNT_APP_ID and BINDERY_WEIXIN_ACCOUNT_SECRET belong together; one of them is missing",
        )),
    }
}

/// Reads the host's settings.
pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Option<WeixinConfig>, ConfigError> {
    let open_url = || place(OPEN_URL, "https://open.weixin.qq.com", &variable);
    match (variable(APP_ID), variable(SECRET)) {
        (None, None) => Ok(None),
        (Some(app_id), Some(secret)) => {
            Ok(Some(WeixinConfig { app_id, secret, open_url: open_url()?, api_url: api_url(&variable)? }))
        }
        _ => Err(ConfigError::new(
            "BINDERY_WEIXIN_APP_ID and BINDERY_WEIXIN_SECRET belong together; one of them is missing",
        )),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn weixin_needs_an_application_and_its_secret() {
        let configured = |pairs: &'static [(&str, &str)]| {
            super::read(|name| {
                pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(configured(&[]).is_ok_and(|weixin| weixin.is_none()));
        assert!(configured(&[("BINDERY_WEIXIN_APP_ID", "wx1")]).is_err());
        let both: &[(&str, &str)] = &[("BINDERY_WEIXIN_APP_ID", "wx1"), ("BINDERY_WEIXIN_SECRET", "s3cret")];
        let weixin = configured(both).ok().flatten().expect("both are there");
        assert_eq!(weixin.api_url, "https://api.weixin.qq.com");
        assert!(!format!("{weixin:?}").contains("s3cret"));
    }
}

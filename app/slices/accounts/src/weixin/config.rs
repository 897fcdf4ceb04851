//! The application by which members sign in with weixin, as the host configured it.

use platform::config::{ConfigError, WEIXIN_ACCOUNT, site};

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
    let name = "BINDERY_WEIXIN_API_URL";
    variable(name).map_or_else(|| Ok("https://api.weixin.qq.com".to_owned()), |url| site(name, &url))
}

/// Reads the host's settings of the official account.
pub fn read_account(variable: impl Fn(&str) -> Option<String>) -> Result<Option<AccountConfig>, ConfigError> {
    match (variable(WEIXIN_ACCOUNT), variable("BINDERY_WEIXIN_ACCOUNT_SECRET")) {
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
    let open = "BINDERY_WEIXIN_OPEN_URL";
    let open_url =
        || variable(open).map_or_else(|| Ok("https://open.weixin.qq.com".to_owned()), |url| site(open, &url));
    match (variable("BINDERY_WEIXIN_APP_ID"), variable("BINDERY_WEIXIN_SECRET")) {
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

//! What the host decides: addresses and folders, from the environment over the built-in Leptos.toml.

use std::path::PathBuf;

use axum::http::Uri;
use leptos::config::{LeptosOptions, get_config_from_str};

use crate::delivery::Delivery;

/// The content of Leptos.toml, so that the binary needs nothing beside it.
const LEPTOS_TOML: &str = include_str!("../../../Leptos.toml");

/// The settings of one running program.
#[derive(Debug, Clone)]
pub struct Config {
    /// The data folder (`BINDERY_DATA`, by default `data` in the working folder).
    pub data: PathBuf,
    /// `sqlite:…` or `postgres://…` (`BINDERY_DATABASE_URL`, by default a SQLite file in the data folder).
    pub database_url: String,
    /// The folder of originals and derivatives (`BINDERY_STORAGE_URL`, `file:…`).
    pub storage: PathBuf,
    /// Leptos's own options; among them where the server listens (`LEPTOS_SITE_ADDR`).
    pub leptos: LeptosOptions,
    /// What signed calls are signed with (`BINDERY_SIGN_KEY`); without it a signature is always wrong.
    pub sign_key: Option<String>,
    /// Whether cookies are sent over https only (`BINDERY_SECURE_COOKIES=1`, behind a TLS proxy).
    pub secure_cookies: bool,
    /// Whether the client's address is the last one of `X-Forwarded-For`, and its scheme that of
    /// `X-Forwarded-Proto` (`BINDERY_TRUST_PROXY=1`).
    pub trust_proxy: bool,
    /// Where the world finds the site, without a slash at the end (`BINDERY_PUBLIC_URL`); without it, what a request
    /// says.
    pub public_url: Option<String>,
    /// Who runs the shop.
    pub contact: Contact,
    /// How codes and notices reach members (`BINDERY_SMTP_URL`, `BINDERY_MAIL_FROM`, `BINDERY_SMS_URL`,
    /// `BINDERY_SMS_KEY`).
    pub delivery: Delivery,
}

/// What visitors are told about the host; what is not set is not shown.
#[derive(Debug, Clone, Default)]
pub struct Contact {
    /// `BINDERY_COMPANY`.
    pub company: Option<String>,
    /// `BINDERY_CONTACT_EMAIL`.
    pub email: Option<String>,
    /// `BINDERY_CONTACT_PHONE`.
    pub phone: Option<String>,
}

/// A setting that cannot be used, as a sentence for the host.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    /// What is wrong, as a sentence that names the variable.
    pub fn new(sentence: &str) -> Self {
        Self(sentence.to_owned())
    }
}

impl Config {
    /// Reads the environment.
    pub fn from_env() -> Result<Self, ConfigError> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let data = PathBuf::from(variable("BINDERY_DATA").unwrap_or_else(|| "data".into()));
        let database_url = variable("BINDERY_DATABASE_URL")
            .unwrap_or_else(|| format!("sqlite:{}", data.join("bindery.db").display()));
        let storage = match variable("BINDERY_STORAGE_URL") {
            None => data.join("storage"),
            Some(url) => match url.strip_prefix("file:") {
                Some(path) => PathBuf::from(path.trim_start_matches("//")),
                None => {
                    return Err(ConfigError(format!(
                        "BINDERY_STORAGE_URL: {url:?} is not a file: address; this version stores files in a folder"
                    )));
                }
            },
        };
        Ok(Self {
            data,
            database_url,
            storage,
            leptos: leptos_options()?,
            sign_key: variable("BINDERY_SIGN_KEY"),
            secure_cookies: flag(variable("BINDERY_SECURE_COOKIES")),
            trust_proxy: flag(variable("BINDERY_TRUST_PROXY")),
            public_url: variable("BINDERY_PUBLIC_URL").map(|url| public_url(&url)).transpose()?,
            contact: Contact {
                company: variable("BINDERY_COMPANY"),
                email: variable("BINDERY_CONTACT_EMAIL"),
                phone: variable("BINDERY_CONTACT_PHONE"),
            },
            delivery: Delivery::from_variables(variable)?,
        })
    }
}

/// Scheme and host, such as `https://books.example`: the program answers at the root of its host.
fn public_url(url: &str) -> Result<String, ConfigError> {
    let uri: Option<Uri> = url.parse().ok();
    let plain = uri.filter(|uri| {
        let web = matches!(uri.scheme_str(), Some("http" | "https"));
        let host = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        web && host && uri.path() == "/" && uri.query().is_none()
    });
    match plain {
        Some(_) => Ok(url.trim_end_matches('/').to_owned()),
        None => Err(ConfigError(format!(
            "BINDERY_PUBLIC_URL: {url:?} is not an address like https://books.example, without a path"
        ))),
    }
}

fn flag(value: Option<String>) -> bool {
    value.is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("true"))
}

/// Leptos's own options: the built-in file, overridden by `LEPTOS_*` variables.
fn leptos_options() -> Result<LeptosOptions, ConfigError> {
    get_config_from_str(LEPTOS_TOML).map_err(|error| ConfigError(format!("Leptos.toml: {error}")))
}

#[cfg(test)]
mod tests {
    use super::public_url;

    #[test]
    fn the_public_address_is_scheme_and_host() {
        assert_eq!(public_url("https://books.example/").ok().as_deref(), Some("https://books.example"));
        assert_eq!(public_url("http://[::1]:3000").ok().as_deref(), Some("http://[::1]:3000"));
        for wrong in [
            "books.example",
            "ftp://books.example",
            "https://a@b",
            "https://b/shop",
            "https://b/?x",
            "https://",
        ] {
            assert!(public_url(wrong).is_err(), "{wrong}");
        }
    }
}

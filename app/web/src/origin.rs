//! Where the world finds this site, for the absolute addresses that search engines want.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, header};
use base::config::Config;

/// Scheme and host, such as `https://books.example`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin(String);

impl Origin {
    /// The configured address, else the one that the request was sent to.
    pub fn of(config: &Config, headers: &HeaderMap) -> Self {
        if let Some(url) = &config.public_url {
            return Self(url.clone());
        }
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        // the last proxy's word counts, as for the address
        let proto = text(header::HeaderName::from_static("x-forwarded-proto")).filter(|_| config.trust_proxy);
        let https = match proto.and_then(|list| list.rsplit(',').next()) {
            Some(proto) => proto.trim().eq_ignore_ascii_case("https"),
            None => config.secure_cookies,
        };
        let host = text(header::HOST).filter(|host| is_host(host)).map(str::to_owned);
        let host = host.unwrap_or_else(|| config.leptos.site_addr.to_string());
        Self(format!("{}://{host}", if https { "https" } else { "http" }))
    }

    /// The configured address. What leaves the site, such as a message with a secret in its link, names this or none: the
    /// host of a request is whatever its sender says.
    pub fn configured(config: &Config) -> Option<Self> {
        config.public_url.clone().map(Self)
    }

    /// An absolute address of a path on this site.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}

/// A name or number and perhaps a port; nothing that could mean anything else in an address, a page or XML.
fn is_host(host: &str) -> bool {
    let plain = host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]".contains(&b));
    plain
        && host.len() <= 255
        && host.parse::<Authority>().is_ok_and(|authority| !authority.host().is_empty())
}

#[cfg(test)]
mod tests {
    use super::is_host;

    #[test]
    fn a_host_is_a_host() {
        for host in ["books.example", "127.0.0.1:3000", "[::1]:3000", "xn--fiq228c.example"] {
            assert!(is_host(host), "{host}");
        }
        for host in ["", "a/b", "a@b", "a\"b", "a<b", "a b", "a?b", "a#b", "a&b", ":80", &"a".repeat(256)] {
            assert!(!is_host(host), "{host}");
        }
    }
}

//! Where on the network a client is.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::HeaderMap;
use axum::http::request::Parts;

use crate::app::App;

/// The client's address.
pub fn ip(app: &App, parts: &Parts) -> Option<IpAddr> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let forwarded = if app.config.trust_proxy { forwarded_for(&parts.headers) } else { None };
    forwarded.or(peer)
}

/// The client's address for counting it; an IPv6 client has a whole /64 to itself, so that counts as one.
pub fn address(app: &App, parts: &Parts) -> String {
    match ip(app, parts) {
        Some(IpAddr::V6(address)) if address.to_ipv4_mapped().is_none() => {
            address.segments().iter().take(4).map(|part| format!("{part:x}:")).collect()
        }
        Some(address) => address.to_string(),
        None => "unknown".into(),
    }
}

/// What our own proxy says of the client: the last entry of the last line, since each proxy adds its own at the end
/// (RFC 7239, section 7.1). Some write a port, and IPv6 in brackets.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let line = headers.get_all("x-forwarded-for").iter().next_back()?;
    let last = line.to_str().ok().and_then(|line| line.rsplit(',').next()).map(str::trim);
    let address = last.and_then(written);
    if address.is_none() {
        tracing::warn!(?line, "The proxy's X-Forwarded-For names no address; its own is taken");
    }
    address
}

/// An address as proxies write it: `203.0.113.7`, `203.0.113.7:4711`, `2001:db8::1`, `[2001:db8::1]:4711`.
fn written(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()))
}

//! `bindery health`: what `/readyz` of the server that runs here answers, for containers, in which nothing else can ask.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use base::error::Failure;

/// A write may wait for five seconds before the server says that it is not ready.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks the server that listens at an address.
///
/// # Errors
/// When it does not answer, or can't do its work.
pub async fn ask(listens: SocketAddr) -> Result<(), Failure> {
    let host = match listens.ip() {
        IpAddr::V4(all) if all.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(all) if all.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        one => one,
    };
    let address = format!("http://{}/readyz", SocketAddr::new(host, listens.port()));
    let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build()?;
    let answer = client.get(&address).send().await?;
    let status = answer.status();
    print!("{}", answer.text().await?);
    if status.is_success() { Ok(()) } else { Err(format!("{address} answers {status}").into()) }
}

//! Asking a provider: never for long, never for much, and never somebody it refers to.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, redirect};

use super::Failure;

const CONNECT: Duration = Duration::from_secs(5);
/// From the question to the last byte of the answer.
const WHOLE: Duration = Duration::from_secs(10);
/// The largest answer that is read, in bytes; real ones have a few KB.
const LARGEST: usize = 64 * 1024;

/// An answer as it came.
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Vec<u8>,
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        // the address holds signed parameters
        if error.is_timeout() { Self::Late } else { Self::Unreachable(error.without_url()) }
    }
}

/// A client for one provider.
pub fn client() -> Result<Client, reqwest::Error> {
    Client::builder()
        .connect_timeout(CONNECT)
        .timeout(WHOLE)
        .redirect(redirect::Policy::none())
        .user_agent(concat!("Bindery/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Sends a question and reads the answer.
pub async fn send(question: RequestBuilder) -> Result<Answer, Failure> {
    let mut answer = question.send().await?;
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        if body.len() + chunk.len() > LARGEST {
            return Err(Failure::Doubtful("it is too large"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer { status, headers, body })
}

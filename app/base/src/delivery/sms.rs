//! Short messages by an HTTP gateway, which the operator puts before the provider of its choice.
//!
//! ```text
//! POST {BINDERY_SMS_URL}
//! Authorization: Bearer {BINDERY_SMS_KEY}
//! Content-Type: application/json
//!
//! {"phone":"13800138000","text":"【书坊】…"}
//! ```
//!
//! Any 2xx answer means that the message is taken; 408, 429 and 5xx that it should come again later; anything else
//! that it never will be. The answer's body is not read.

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, StatusCode, Url, redirect};
use serde::Serialize;

use super::{Failure, PATIENCE};
use crate::variables::ConfigError;

/// A gateway.
#[derive(Clone)]
pub struct Gateway {
    client: Client,
    url: Url,
    authorization: String,
    /// Its host, for people.
    pub place: String,
}

#[derive(Serialize)]
struct Request<'a> {
    phone: &'a str,
    text: &'a str,
}

impl Gateway {
    /// `BINDERY_SMS_URL` and `BINDERY_SMS_KEY`; `None` when neither is set.
    pub fn from_variables(variable: &impl Fn(&str) -> Option<String>) -> Result<Option<Self>, ConfigError> {
        let (url, key) = match (variable("BINDERY_SMS_URL"), variable("BINDERY_SMS_KEY")) {
            (None, None) => return Ok(None),
            (Some(url), Some(key)) => (url, key),
            (Some(_), None) => return Err(ConfigError::new("BINDERY_SMS_URL needs BINDERY_SMS_KEY")),
            (None, Some(_)) => {
                return Err(ConfigError::new("BINDERY_SMS_KEY is of no use without BINDERY_SMS_URL"));
            }
        };
        let wrong = || ConfigError::new("BINDERY_SMS_URL is no address such as https://sms.example.com/send");
        let url: Url = url.parse().map_err(|_| wrong())?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong());
        }
        let place = url.host_str().ok_or_else(wrong)?.to_owned();
        if !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(ConfigError::new("BINDERY_SMS_KEY has characters that no header takes"));
        }
        let client = Client::builder().redirect(redirect::Policy::none()).timeout(PATIENCE).build();
        let client = client.map_err(|error| ConfigError::new(&format!("BINDERY_SMS_URL: {error}")))?;
        Ok(Some(Self { client, url, authorization: format!("Bearer {key}"), place }))
    }

    /// Hands a message to the gateway.
    pub async fn send(&self, phone: &str, text: &str) -> Result<(), Failure> {
        let body = serde_json::to_vec(&Request { phone, text })
            .map_err(|error| Failure::Never(error.to_string()))?;
        let request = self.client.post(self.url.clone()).body(body);
        let answer = request
            .header(AUTHORIZATION, &self.authorization)
            .header(CONTENT_TYPE, "application/json")
            .send()
            .await
            .map_err(|error| {
                Failure::Later(format!("the gateway could not be asked: {}", error.without_url()))
            })?;
        let status = answer.status();
        let reason = format!("the gateway answered {status}");
        match status {
            status if status.is_success() => Ok(()),
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => Err(Failure::Later(reason)),
            status if status.is_server_error() => Err(Failure::Later(reason)),
            _ => Err(Failure::Never(reason)),
        }
    }
}

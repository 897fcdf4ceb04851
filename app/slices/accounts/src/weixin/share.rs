//! The card that weixin shows of a page somebody sends on: pages of this site sign themselves for weixin's JS-SDK. Active when
//! the host configured an official account 公众号 (`BINDERY_WEIXIN_ACCOUNT_APP_ID`, `BINDERY_WEIXIN_ACCOUNT_SECRET`), whose
//! JS接口安全域名 is this site's.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::header;
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use std::sync::Arc;
use tokio::sync::Mutex;

use base::db::{new_id, now_ms};
use base::error::Error;
use web::app::App;
use web::origin::Origin;

use super::client::{Failure, ask, asking};
use super::config::{self, AccountConfig};

/// How long before its end a ticket is not used any more, in ms.
const MARGIN_MS: i64 = 5 * 60_000;
/// How long nobody is asked again after weixin gave none, in ms: its questions of a day are counted.
const REST_MS: i64 = 60_000;

/// The official account.
struct Account {
    config: AccountConfig,
    http: reqwest::Client,
    /// What pages are signed with, and until when it may be used; nothing where weixin gave none the last time.
    ticket: Mutex<(Option<String>, i64)>,
}

#[derive(Deserialize)]
struct Token {
    access_token: String,
}

#[derive(Deserialize)]
struct Ticket {
    ticket: String,
    /// Seconds.
    expires_in: i64,
}

impl Account {
    /// The ticket, asked for where none is in hand. Weixin gives the stable token without ending the one of another program
    /// (获取稳定版接口调用凭据).
    async fn ticket(&self, now: i64) -> Option<String> {
        let mut known = self.ticket.lock().await;
        if known.1 <= now {
            *known = match self.fetch().await {
                Ok(Ticket { ticket, expires_in }) => {
                    (Some(ticket), now + (expires_in.clamp(0, 7_200) * 1_000 - MARGIN_MS).max(REST_MS))
                }
                Err(failure) => {
                    tracing::warn!(%failure, "Pages can't be signed for weixin");
                    (None, now + REST_MS)
                }
            };
        }
        known.0.clone()
    }

    async fn fetch(&self) -> Result<Ticket, Failure> {
        let AccountConfig { app_id, secret, api_url } = &self.config;
        let body =
            serde_json::json!({ "grant_type": "client_credential", "appid": app_id, "secret": secret });
        let question = self.http.post(format!("{api_url}/cgi-bin/stable_token")).body(body.to_string());
        let token: Token = ask(question.header(header::CONTENT_TYPE, "application/json")).await?;
        let parameters = [("access_token", token.access_token.as_str()), ("type", "jsapi")];
        ask(self.http.get(format!("{api_url}/cgi-bin/ticket/getticket")).query(&parameters)).await
    }
}

/// The account, where the host configured one.
fn account(app: &App) -> Result<Arc<Option<Account>>, Error> {
    app.own(|_| {
        let config = config::read_account(base::variables::variable).map_err(Error::internal)?;
        let account = |config| Ok(Account { config, http: asking()?, ticket: Mutex::new((None, 0)) });
        config.map(account).transpose()
    })
}

/// Which page is to be signed: its whole address without what follows `#`.
#[derive(Deserialize)]
pub struct Asked {
    url: String,
}

/// What `wx.config` is given.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Signed {
    app_id: String,
    /// Seconds since 1970.
    timestamp: i64,
    nonce_str: String,
    signature: String,
}

/// GET /weixin/share?url=…: the signature of one of this site's pages.
pub async fn sign(
    State(app): State<App>,
    Query(Asked { url }): Query<Asked>,
    parts: Parts,
) -> Result<Json<Signed>, Error> {
    let account = account(&app)?;
    let account = account.as_ref().as_ref().ok_or(Error::NotFound)?;
    // nobody else's page is signed
    let home = Origin::of(&app.config, &parts.headers).join("/");
    if !url.starts_with(&home) || url.contains('#') {
        return Err(Error::BadRequest("这不是本站的网页".into()));
    }
    let now = now_ms();
    let ticket = account.ticket(now).await.ok_or(Error::NotFound)?;
    let (nonce, timestamp) = (new_id::<String>(), now / 1_000);
    let signature = signature(&ticket, &nonce, timestamp, &url);
    Ok(Json(Signed { app_id: account.config.app_id.clone(), timestamp, nonce_str: nonce, signature }))
}

/// JS-SDK使用权限签名算法 of weixin's documentation: the fields in the order of their names.
fn signature(ticket: &str, nonce: &str, timestamp: i64, url: &str) -> String {
    let text = format!("jsapi_ticket={ticket}&noncestr={nonce}&timestamp={timestamp}&url={url}");
    hex::encode(Sha1::digest(text))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_page_is_signed_as_weixin_documents_it() {
        // the example of weixin's own documentation
        let ticket = "sM4AOVdWfPE4DxkXGEs8VMCPGGVi4C3VM0P37wVUCFvkVAy_90u5h9nbSlYy3-Sl-HhTdfl2fzFy1AOcHKP7qg";
        let signed = super::signature(
            ticket,
            "Wm3WZYTPz0wzccnW",
            1_414_587_457,
            "http://mp.weixin.qq.com?params=value",
        );
        assert_eq!(signed, "0f9de62fce790f9a083d5c99e95740ceb90c27ed");
    }
}

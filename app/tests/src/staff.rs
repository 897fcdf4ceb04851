//! Somebody in the back office, and the codes of a second factor.

use reqwest::Response;
use totp_rs::{Builder, Secret};

use crate::{Caller, Server, between, location};

/// The code of a secret, some steps from now.
pub fn code(secret: &str, steps: i64) -> String {
    let now = time::OffsetDateTime::now_utc().unix_timestamp() + steps * 30;
    let secret = Secret::try_from_base32(secret).unwrap();
    Builder::new().with_secret(secret).build().unwrap().generate(now.unsigned_abs()).to_string()
}

pub const SECRET: &str = "quiet-harbour-lantern-42";

/// Somebody in the back office.
pub struct Clerk {
    pub caller: Caller,
    pub secret: String,
    /// The code that it signed in with.
    pub used: String,
}

impl Clerk {
    /// Lets somebody in with these roles, and signs it in.
    pub async fn sign_in(server: &Server, name: &str, roles: &[&str]) -> Self {
        let roles = roles.iter().flat_map(|role| ["--role", role]);
        let words: Vec<&str> =
            ["staff", "add", name, "--password", SECRET].into_iter().chain(roles).collect();
        let added = server.run(&words);
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
        let caller = server.visitor();
        assert_eq!(location(&password(&caller, name, SECRET).await), "/staff/login/code");
        let page = caller.page("/staff/login/code").await;
        assert!(page.contains("绑定验证器"), "{page}");
        let secret = between(&page, "<span class=\"num\">", "</span>");
        let used = code(&secret, 0);
        let shown = caller.post("/staff/login/code", &[("code", &used)]).await;
        assert_eq!(location(&shown), "/staff");
        Self { caller, secret, used }
    }

    /// A code that was not used yet, as if half a minute had gone by.
    pub async fn code(&self, server: &Server) -> String {
        server.sql("update staff set last_step = 0").await;
        code(&self.secret, 0)
    }
}

/// Where a list's next page is.
pub fn next_page(page: &str) -> String {
    let (before, _) = page.split_once("rel=\"next\"").expect("there is a next page");
    let (_, address) = before.rsplit_once("href=\"").unwrap();
    address.split('"').next().unwrap().replace("&amp;", "&")
}

pub async fn password(caller: &Caller, name: &str, password: &str) -> Response {
    caller.post("/staff/login", &[("name", name), ("password", password)]).await
}

/// A paid order whose member can't cancel it any more.
pub async fn printable(server: &Server, account: &str) -> (Caller, String) {
    let member = server.member(account, "500").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    let hour = "paid_at = paid_at - 3660000, state_since = state_since - 3660000";
    server.sql(&format!("update orders set {hour} where id = '{order}'")).await;
    (member, order)
}

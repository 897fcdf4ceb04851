//! 登录记录: who came in to an account and who tried to, for its member to look at (OWASP ASVS 5.0, chapter 16.3.1).
//!
//! Failures at an account are shown to its owner. What was typed is never kept. Rows stay for ninety days, a hundred of
//! what succeeded and a hundred of what failed, so that whoever guesses can't push out what the owner should see.

use axum::http::request::Parts;
use base::db::{new_id, now_ms};
use base::error::Error;
use domain::ids::{MemberId, SignInId};
use leptos::prelude::*;
use web::app::App;
use web::client;
use web::render::{here, loaded};
use web::ui::parts::Moment;
use web::ui::shell::Shell;

use super::MEMORY_MS;
use super::logins::{self, BeganBy};
use super::looks::{self, Looks};
use super::store::sign_ins::{self as store, SignIn};

/// The most rows of what succeeded, and of what failed.
const MOST: i64 = 100;
/// Failures alike within so many ms are one row.
const ALIKE_MS: i64 = 60 * 60_000;

/// How somebody came in, or tried to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// In a browser, in one of the ways that begin a login.
    Browser(BeganBy),
    /// By the call that gives programs a token.
    Program,
    /// The password once more, in a session that is signed in.
    Confirmation,
}

impl Way {
    /// As it is stored.
    fn name(self) -> &'static str {
        match self {
            Self::Browser(by) => by.name(),
            Self::Program => "program",
            Self::Confirmation => "confirmation",
        }
    }

    /// What a member is told of a stored one.
    fn described(name: &str) -> String {
        match name {
            "program" => "程序用密码要令牌".to_owned(),
            "confirmation" => "登录后再次输入密码".to_owned(),
            browser => BeganBy::described(browser),
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Succeeded,
    WrongPassword,
    /// After too many failures; the password was not looked at.
    Throttled,
    /// Everything was right but the second factor, which is not there yet.
    SecondFactor,
    WrongCode,
    WrongPasskey,
    /// Its counter went back: somebody may have a copy.
    CopiedPasskey,
}

impl Outcome {
    /// As it is stored.
    fn name(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::WrongPassword => "wrong_password",
            Self::Throttled => "throttled",
            Self::SecondFactor => "second_factor",
            Self::WrongCode => "wrong_code",
            Self::WrongPasskey => "wrong_passkey",
            Self::CopiedPasskey => "copied_passkey",
        }
    }

    /// Whether such ones within the hour are one row. The right password without a code is worth a row each time.
    fn adds_up(self) -> bool {
        matches!(self, Self::WrongPassword | Self::Throttled | Self::WrongCode | Self::WrongPasskey)
    }

    /// What a member is told of a stored one, and the look of its mark.
    fn described(name: &str) -> (&'static str, &'static str) {
        match name {
            "succeeded" => ("成功", "badge good"),
            "wrong_password" => ("密码不正确", "badge bad"),
            "throttled" => ("尝试过多，已拦下", "badge bad"),
            "second_factor" => ("密码正确，没有输入动态验证码", "badge bad"),
            "wrong_code" => ("动态验证码不正确", "badge bad"),
            "wrong_passkey" => ("通行密钥没有通过验证", "badge bad"),
            "copied_passkey" => ("通行密钥可能被复制，已拦下", "badge bad"),
            _ => ("没有成功", "badge bad"),
        }
    }
}

/// Notes what became of a sign-in. Nobody is kept out because this could not be written.
pub async fn note(app: &App, parts: &Parts, member: &MemberId, way: Way, outcome: Outcome) -> SignInId {
    let (id, row) = row(app, parts, way, outcome);
    write(app, member, row, outcome.adds_up()).await;
    id
}

/// Takes a row back that no longer tells the truth: the code came after all.
pub async fn take_back(app: &App, member: &MemberId, id: &SignInId) {
    if let Err(error) = store::remove(&app.db, member, id.as_str()).await {
        tracing::warn!(%error, "A sign-in could not be taken back");
    }
}

/// The same of a failure, after the answer: an account that exists must not take longer than one that does not.
pub fn note_later(app: &App, parts: &Parts, member: MemberId, way: Way, outcome: Outcome) {
    let (app, (_, row)) = (app.clone(), row(app, parts, way, outcome));
    tokio::spawn(async move { write(&app, &member, row, outcome.adds_up()).await });
}

fn row(app: &App, parts: &Parts, way: Way, outcome: Outcome) -> (SignInId, SignIn) {
    let id: SignInId = new_id();
    let row = SignIn {
        id: id.to_string(),
        at: now_ms(),
        way: way.name().to_owned(),
        outcome: outcome.name().to_owned(),
        device: logins::device(&parts.headers),
        address: client::address(app, parts),
        times: 1,
    };
    (id, row)
}

async fn write(app: &App, member: &MemberId, row: SignIn, adds_up: bool) {
    let written = async {
        let mut tx = app.db.begin().await?;
        store::insert(&mut tx, member, &row, adds_up, row.at - ALIKE_MS).await?;
        store::trim(&mut tx, member, MOST).await?;
        Ok::<_, Error>(tx.commit().await?)
    };
    if let Err(error) = written.await {
        tracing::warn!(%error, "A sign-in could not be noted");
    }
}

/// A sign-in or a try, in words.
#[derive(Debug, Clone)]
pub struct Told {
    /// Epoch ms.
    pub at: i64,
    pub way: String,
    pub outcome: &'static str,
    /// The look of the outcome's mark.
    pub mark: &'static str,
    pub device: String,
    pub address: String,
    /// How often within the hour.
    pub times: i64,
}

/// A member's newest sign-ins and tries, the newest first.
pub async fn newest(app: &App, member: &MemberId, most: usize) -> Result<Vec<Told>, Error> {
    let told = |row: SignIn| {
        let (outcome, mark) = Outcome::described(&row.outcome);
        Told {
            at: row.at,
            way: Way::described(&row.way),
            outcome,
            mark,
            device: row.device,
            address: row.address,
            times: row.times,
        }
    };
    let rows = store::of_member(&app.db, member, now_ms() - MEMORY_MS).await?;
    Ok(rows.into_iter().take(most).map(told).collect())
}

/// Deletes what is too old.
pub async fn forget_over(app: &App) -> Result<(), Error> {
    store::forget(&app.db, now_ms() - MEMORY_MS).await
}

/// GET /manager/userInfo/signins.
#[component]
pub fn SignInsPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let rows = store::of_member(&here.app.db, &here.member.id, now_ms() - MEMORY_MS).await?;
            let looks = looks::of_member(&here.app, &here.member.id).await?;
            Ok((here.member, rows, looks))
        },
        |(member, rows, looks)| {
            let list = if rows.is_empty() {
                view! { <p class="quiet">"还没有记录。"</p> }.into_any()
            } else {
                let rows: Vec<_> = rows.into_iter().map(|row| view! { <Row row/> }).collect();
                view! { <ul class="devices">{rows}</ul> }.into_any()
            };
            view! {
                <Shell member title="登录记录".to_owned() assets=&["profile.css"]>
                    <header class="head">
                        <h1>"登录记录"</h1>
                        <ul class="row ways">
                            <li><a class="link" href="/manager/userInfo">"返回资料"</a></li>
                        </ul>
                    </header>
                    <div class="stack">
                        <section class="sheet">
                            <p class="quiet">
                                "谁登录过您的账号，谁试过没有成功。保留最近 90 天，成功和没有成功的各最近 100 条；输入过的密码从不保存。"
                            </p>
                            {list}
                            <p class="quiet">
                                "有不是您本人的登录？请马上"
                                <a class="link" href="/manager/userInfo/password">"修改密码"</a>
                                "，其他设备上的登录会一起退出。只是别人没有试成，您不用做什么。"
                            </p>
                        </section>
                        <Looks looks/>
                    </div>
                </Shell>
            }
        },
    )
}

#[component]
fn Row(row: SignIn) -> impl IntoView {
    let SignIn { at, way, outcome, device, address, times, .. } = row;
    let (outcome, mark) = Outcome::described(&outcome);
    let times = (times > 1).then(|| format!("，一小时内 {times} 次"));
    view! {
        <li>
            <div>
                <strong><Moment at=at/></strong>" "<span class=mark>{outcome}</span>{times}
                <p class="hint">{Way::described(&way)}" · "{device}" · "<span class="num">{address}</span></p>
            </div>
        </li>
    }
}

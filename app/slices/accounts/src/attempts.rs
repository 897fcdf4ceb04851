//! Slowing down guesses without locking anybody out.
//!
//! Failed sign-ins are counted for an account at a network address, and for the address; past a few every further one
//! there has to wait, twice as long each time. What fails at all addresses together counts for the account, too, but far
//! higher and only against those that nothing is known of: a browser that signed the account in before has a count of its
//! own. Codes are counted the same way, those that are sent and those that are guessed at.

pub mod guests;

use axum::http::request::Parts;
use base::db::{Tx, now_ms, with_tx, with_write};
use base::error::{Error, Wait};
use base::metrics;
use domain::days::DAY_MS;
use domain::ids::MemberId;
use sha2::{Digest, Sha256};
use web::app::App;
use web::client;

use super::asker::Asker;

/// How often somebody may try.
#[derive(Debug, Clone, Copy)]
struct Limit {
    /// Tries without a wait.
    free: i64,
    /// The wait after those, in ms.
    first_ms: i64,
    /// Tries from which on it doubles.
    doubles_from: i64,
    /// The longest wait, so that nobody can lock a member out for good.
    longest_ms: i64,
    /// Tries older than this are forgotten.
    memory_ms: i64,
    /// What whoever has to wait is told: see [`Wait`].
    why: &'static str,
    meanwhile: &'static str,
}

const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60 * SECOND_MS;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// Failed sign-ins at an account from a network address.
const HERE: Limit = Limit {
    free: 5,
    first_ms: 2 * SECOND_MS,
    doubles_from: 5,
    longest_ms: 5 * MINUTE_MS,
    memory_ms: HOUR_MS,
    why: "从您所在的网络对这个账号尝试次数过多",
    meanwhile: "",
};
/// The same of a browser that signed the account in before.
const KNOWN: Limit = Limit { why: "在这个浏览器里对这个账号尝试次数过多", ..HERE };
/// The same, and wrong codes, of a network address, which may be a whole school's.
const ADDRESS: Limit =
    Limit { free: 30, doubles_from: 30, why: "从您所在的网络登录，尝试次数过多", ..HERE };
/// Failed sign-ins at an account from everywhere. A hundred is what NIST SP 800-63B-4 section 3.2.2 allows in a row.
const ACCOUNT: Limit = Limit {
    free: 100,
    first_ms: MINUTE_MS,
    doubles_from: 100,
    longest_ms: 15 * MINUTE_MS,
    memory_ms: DAY_MS,
    why: "很多地方在猜这个账号的密码，尝试次数过多，没有登录过它的浏览器要等一等",
    meanwhile: "在登录过的浏览器里可以照常登录；也可以用已登录的手机扫码，或者找回密码，马上就能进来。",
};
/// The same for an address that has not failed at the account: its owner, who is somewhere else today, is let in where
/// those who guess wait already.
const ACCOUNT_FRESH: Limit = Limit { free: 1_000, doubles_from: 1_000, ..ACCOUNT };

/// The same of somebody in the back office, who knows no other way in.
const STAFF: Limit = Limit {
    why: "很多地方在猜这个后台账号的密码，尝试次数过多", meanwhile: "", ..ACCOUNT
};

/// Codes sent to a contact that a network address asks for: one a minute, and about fifteen on the worst of days.
const CODES_HERE: Limit = Limit {
    free: 1,
    first_ms: MINUTE_MS,
    doubles_from: 4,
    longest_ms: 4 * HOUR_MS,
    memory_ms: DAY_MS,
    why: "验证码发得太频繁",
    meanwhile: "",
};
/// The same of a browser that signed the contact's account in before.
const CODES_KNOWN: Limit = CODES_HERE;
/// Codes sent to a contact, whoever asks: nobody's mailbox is filled.
const CODES_OF_CONTACT: Limit = Limit {
    free: 20,
    doubles_from: 20,
    longest_ms: HOUR_MS,
    why: "今天有很多地方要求给它发验证码，验证码发得太频繁",
    meanwhile: "在登录过这个账号的浏览器里可以马上发。",
    ..CODES_HERE
};
/// Codes that a network address asks for.
const CODES_OF_ADDRESS: Limit = Limit {
    free: 30,
    doubles_from: 30,
    longest_ms: HOUR_MS,
    memory_ms: HOUR_MS,
    why: "从您所在的网络要验证码太频繁",
    ..CODES_HERE
};

/// Wrong codes for a contact from a network address.
const GUESSES_HERE: Limit = Limit {
    free: 15,
    first_ms: MINUTE_MS,
    doubles_from: 15,
    longest_ms: 4 * HOUR_MS,
    memory_ms: DAY_MS,
    why: "从您所在的网络，验证码输错的次数过多",
    meanwhile: "",
};
/// Wrong codes for a contact from everywhere. With those of known browsers there are never more than a hundred a day.
const GUESSES_OF_CONTACT: Limit = Limit {
    free: 80,
    first_ms: DAY_MS,
    doubles_from: 80,
    longest_ms: DAY_MS,
    why: "今天有很多地方在猜它的验证码，输错的次数过多",
    meanwhile: "在登录过这个账号的浏览器里可以马上再试。",
    ..GUESSES_HERE
};
/// Wrong codes for a contact from browsers that signed its account in before, all together.
const GUESSES_KNOWN: Limit = Limit {
    free: 20,
    doubles_from: 20,
    why: "在登录过这个账号的浏览器里，验证码输错的次数过多",
    meanwhile: "",
    ..GUESSES_OF_CONTACT
};

/// Wrong codes of a second factor from a network address. Whoever gets here knows the password.
const SECOND_HERE: Limit = Limit {
    why: "从您所在的网络，动态验证码输错的次数过多",
    meanwhile: "也可以用一个恢复码，或者用已登录的手机扫码。",
    ..HERE
};
/// The same from everywhere, and of known browsers all together: a hundred of a million codes a day.
const SECOND_OF_ACCOUNT: Limit = Limit {
    why: "今天有很多地方在猜这个账号的动态验证码，输错的次数过多",
    meanwhile: "在登录过的浏览器里可以照常登录；也可以用一个恢复码。请尽快修改密码。",
    ..GUESSES_OF_CONTACT
};
const SECOND_KNOWN: Limit = Limit {
    why: "在登录过这个账号的浏览器里，动态验证码输错的次数过多",
    meanwhile: "可以用一个恢复码，或者用已登录的手机扫码。",
    ..GUESSES_KNOWN
};

/// Redeem codes that were refused, of an account: ten a minute (publishing page, section 3).
const CODES_OF_READER: Limit = Limit {
    free: 10,
    first_ms: MINUTE_MS,
    doubles_from: i64::MAX,
    longest_ms: MINUTE_MS,
    memory_ms: MINUTE_MS,
    why: "兑换码试得太频繁",
    meanwhile: "",
};
/// The same of a network address, which may be a whole school's.
const CODES_OF_READERS: Limit =
    Limit { free: 30, why: "从您所在的网络，兑换码试得太频繁", ..CODES_OF_READER };
/// The same for an account that has not failed lately: a class that redeems its codes at once, and whoever sits beside one
/// who guesses.
const CODES_OF_READERS_FRESH: Limit = Limit { free: 1_000, ..CODES_OF_READERS };
/// Mistyped redeem codes of an account, which are no tries at one.
const MISTYPED: Limit = Limit { why: "兑换码输错的次数太多", ..CODES_OF_READER };

/// Wrong passwords of a shared work from a network address.
const LINK_HERE: Limit =
    Limit { why: "从您所在的网络，这件作品的密码输错的次数过多", ..HERE };
/// The same from everywhere.
const LINK: Limit = Limit {
    why: "很多地方在猜这件作品的密码，输错的次数过多", meanwhile: "", ..ACCOUNT
};

/// Times that a network address begins to ask for a passkey: each is a row until the browser has answered, and a browser that
/// knows of passkeys asks whenever somebody is about to type the account.
const PASSKEYS_ASKED: Limit = Limit {
    free: 1_000,
    first_ms: MINUTE_MS,
    doubles_from: i64::MAX,
    longest_ms: MINUTE_MS,
    memory_ms: 10 * MINUTE_MS,
    why: "从您所在的网络用通行密钥登录得太频繁",
    meanwhile: "也可以用密码登录。",
};

/// Times that a network address begins to sign in with a company account: each is a row until somebody has come back, and two
/// questions to the provider.
const COMPANY_ACCOUNTS: Limit = Limit {
    free: 100,
    why: "从您所在的网络用公司账号登录得太频繁",
    meanwhile: "也可以用密码登录。",
    ..PASSKEYS_ASKED
};

/// Reports about what others publish, from a network address.
const REPORTS: Limit = Limit {
    free: 5,
    first_ms: MINUTE_MS,
    doubles_from: 5,
    longest_ms: HOUR_MS,
    memory_ms: DAY_MS,
    why: "从您所在的网络，今天的举报已经很多",
    meanwhile: "",
};

/// What reviewers of works send from a network address: names, comments, answers, verdicts. A class or an office is behind one.
const REVIEWS: Limit = Limit {
    free: 300,
    first_ms: MINUTE_MS,
    doubles_from: 300,
    longest_ms: 10 * MINUTE_MS,
    memory_ms: HOUR_MS,
    why: "从您所在的网络，看样的意见写得太频繁",
    meanwhile: "",
};

/// Times that a network address asks for a title's letters; a school or an office is behind one.
const FOLLOWING_HERE: Limit = Limit {
    free: 20,
    first_ms: MINUTE_MS,
    doubles_from: 20,
    longest_ms: HOUR_MS,
    memory_ms: HOUR_MS,
    why: "从您所在的网络，订阅得太频繁",
    meanwhile: "",
};
/// Messages to one address that ask for a confirmation, of all titles and whoever asks: nobody's mailbox is filled. Who asks is
/// not told.
const FOLLOWING_OF_CONTACT: Limit = Limit {
    free: 5,
    first_ms: HOUR_MS,
    doubles_from: 5,
    longest_ms: 12 * HOUR_MS,
    memory_ms: DAY_MS,
    why: "",
    meanwhile: "",
};

/// Messages of gifts that a member sends: whoever it knows, not a list of strangers.
const GIFTS_OF_MEMBER: Limit = Limit {
    free: 20,
    first_ms: HOUR_MS,
    doubles_from: 20,
    longest_ms: 12 * HOUR_MS,
    memory_ms: DAY_MS,
    why: "今天用邮件送出的礼物已经很多",
    meanwhile: "可以换成打印贺卡，或者把礼物的链接直接发给对方。",
};
/// The same to one address, whoever sends them: nobody's mailbox is filled.
const GIFTS_OF_CONTACT: Limit =
    Limit {
        free: 5, doubles_from: 5, why: "今天发到这个邮箱的礼物已经很多", ..GIFTS_OF_MEMBER
    };

impl Limit {
    /// How long the next try must wait, in ms, counted from the last one.
    fn wait_ms(self, tries: i64) -> i64 {
        if tries < self.free {
            return 0;
        }
        (self.first_ms << (tries - self.doubles_from).clamp(0, 20)).min(self.longest_ms)
    }
}

/// What is counted under one name.
enum Subject<'a> {
    /// An account or a contact at a network address, or in a known browser.
    Part(&'static str, &'a str, &'a str),
    /// An account, a contact or an address as a whole.
    Whole(&'static str, &'a str),
}

impl Subject<'_> {
    /// The key of its row. Names are whatever was typed, so digests stand for them: short, and without a sign that means
    /// something to SQL.
    fn key(&self) -> String {
        let digest = |name: &str| hex::encode(&Sha256::digest(name)[..16]);
        match self {
            Self::Part(kind, name, part) => format!("{kind}:{}:{part}", digest(name)),
            Self::Whole(kind, name) => format!("{kind}:{}", digest(name)),
        }
    }
}

/// A try that counts as a failure until [`Attempt::succeeded`]: guesses sent all at once don't slip past the
/// count.
pub struct Attempt {
    /// Where success wipes the slate.
    own: Option<String>,
    /// Where success only takes this one try back.
    shared: Vec<String>,
}

/// Starts a try at an account, or says how long it must wait.
pub async fn start(app: &App, account: &str, asker: &Asker) -> Result<Attempt, Error> {
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    let attempt = match asker.known() {
        Some(browser) => {
            let own = Subject::Part("known", account, browser).key();
            taking.take(&mut tx, &own, KNOWN).await?;
            Attempt { own: Some(own), shared: Vec::new() }
        }
        None => {
            let own = Subject::Part("here", account, asker.address()).key();
            let shared = vec![
                Subject::Whole("account", account).key(),
                Subject::Whole("address", asker.address()).key(),
            ];
            // always in this order, so that two tries never wait for each other
            let before = taking.take(&mut tx, &own, HERE).await?;
            let limit = if before == 0 { ACCOUNT_FRESH } else { ACCOUNT };
            taking.take(&mut tx, &shared[0], limit).await?;
            taking.take(&mut tx, &shared[1], ADDRESS).await?;
            Attempt { own: Some(own), shared }
        }
    };
    taking.done()?;
    tx.commit().await?;
    Ok(attempt)
}

/// Starts a try at something that is not an account's, such as an invite code.
pub async fn start_anywhere(app: &App, address: &str) -> Result<Attempt, Error> {
    let address = Subject::Whole("address", address).key();
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    taking.take(&mut tx, &address, ADDRESS).await?;
    taking.done()?;
    tx.commit().await?;
    Ok(Attempt { own: None, shared: vec![address] })
}

/// Starts a try at a code that was sent to a contact.
pub async fn start_code(app: &App, contact: &str, asker: &Asker) -> Result<Attempt, Error> {
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    let mut limits = match asker.known() {
        Some(_) => vec![(Subject::Whole("guess-known", contact).key(), GUESSES_KNOWN)],
        None => vec![
            (Subject::Part("guess", contact, asker.address()).key(), GUESSES_HERE),
            (Subject::Whole("guess", contact).key(), GUESSES_OF_CONTACT),
        ],
    };
    if asker.known().is_none() {
        limits.push((Subject::Whole("address", asker.address()).key(), ADDRESS));
    }
    for (subject, limit) in &limits {
        taking.take(&mut tx, subject, *limit).await?;
    }
    taking.done()?;
    tx.commit().await?;
    Ok(Attempt { own: None, shared: limits.into_iter().map(|(subject, _)| subject).collect() })
}

/// Starts a try at the code of a member's second factor.
pub async fn start_second_factor(app: &App, member: &str, asker: &Asker) -> Result<Attempt, Error> {
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    let (own, shared) = match asker.known() {
        Some(_) => (None, Subject::Whole("second-known", member).key()),
        None => (
            Some(Subject::Part("second", member, asker.address()).key()),
            Subject::Whole("second", member).key(),
        ),
    };
    if let Some(own) = &own {
        taking.take(&mut tx, own, SECOND_HERE).await?;
    }
    let limit = if own.is_some() { SECOND_OF_ACCOUNT } else { SECOND_KNOWN };
    taking.take(&mut tx, &shared, limit).await?;
    taking.done()?;
    tx.commit().await?;
    Ok(Attempt { own, shared: vec![shared] })
}

/// Starts a try at a redeem code.
pub async fn start_redeeming(app: &App, member: &str, address: &str) -> Result<Attempt, Error> {
    let (own, shared) =
        (Subject::Whole("redeem", member).key(), Subject::Whole("redeem-address", address).key());
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    let before = taking.take(&mut tx, &own, CODES_OF_READER).await?;
    let limit = if before == 0 { CODES_OF_READERS_FRESH } else { CODES_OF_READERS };
    taking.take(&mut tx, &shared, limit).await?;
    taking.done()?;
    tx.commit().await?;
    Ok(Attempt { own: None, shared: vec![own, shared] })
}

/// Counts a redeem code that was mistyped.
pub async fn start_typing(app: &App, member: &str) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    taking.take(&mut tx, &Subject::Whole("redeem-typing", member).key(), MISTYPED).await?;
    taking.done()?;
    Ok(tx.commit().await?)
}

/// Starts a try at the password of something that is shared by its address.
pub async fn start_link_password(app: &App, link: &str, parts: &Parts) -> Result<Attempt, Error> {
    let address = client::address(app, parts);
    let here = Subject::Part("link", link, &address).key();
    let whole = Subject::Whole("link", link).key();
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    let before = taking.take(&mut tx, &here, LINK_HERE).await?;
    // who has not failed here yet is let in where those who guess wait already
    let limit = if before == 0 { Limit { free: 1_000, doubles_from: 1_000, ..LINK } } else { LINK };
    taking.take(&mut tx, &whole, limit).await?;
    taking.done()?;
    tx.commit().await?;
    Ok(Attempt { own: Some(here), shared: vec![whole] })
}

/// Starts a try at the password or the code of somebody in the back office.
pub async fn start_staff(app: &App, name: &str, parts: &Parts) -> Result<Attempt, Error> {
    let here = Subject::Part("staff", name, &client::address(app, parts)).key();
    let whole = Subject::Whole("staff", name).key();
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    taking.take(&mut tx, &here, HERE).await?;
    taking.take(&mut tx, &whole, STAFF).await?;
    taking.done()?;
    tx.commit().await?;
    Ok(Attempt { own: Some(here), shared: vec![whole] })
}

/// Counts something that anybody may send without signing in, or says how long it must wait.
pub async fn take_report(tx: &mut Tx, address: &str) -> Result<(), Error> {
    let mut taking = Taking::default();
    taking.take(tx, &Subject::Whole("report", address).key(), REPORTS).await?;
    taking.done()
}

/// Counts something that a reviewer of a work sends without an account, or says how long it must wait.
pub async fn take_review(tx: &mut Tx, address: &str) -> Result<(), Error> {
    let mut taking = Taking::default();
    taking.take(tx, &Subject::Whole("review", address).key(), REVIEWS).await?;
    taking.done()
}

/// Counts that a network address asks for a title's letters to a contact, or says how long it must wait. Whether a message
/// may go to the contact is what it answers: that nobody is told.
pub async fn take_following(app: &App, contact: &str, address: &str) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    taking.take(&mut tx, &Subject::Whole("following-address", address).key(), FOLLOWING_HERE).await?;
    taking.done()?;
    tx.commit().await?;
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    taking.take(&mut tx, &Subject::Whole("following", contact).key(), FOLLOWING_OF_CONTACT).await?;
    let may = taking.done().is_ok();
    if may {
        tx.commit().await?;
    }
    Ok(may)
}

/// Counts the message of a gift that a member sends to an address in this transaction, or says how long it must wait.
pub async fn take_gift_message(tx: &mut Tx, member: &MemberId, contact: &str) -> Result<(), Error> {
    let mut taking = Taking::default();
    taking.take(tx, &Subject::Whole("gift", member.as_str()).key(), GIFTS_OF_MEMBER).await?;
    taking.take(tx, &Subject::Whole("gift-address", contact).key(), GIFTS_OF_CONTACT).await?;
    taking.done()
}

/// Counts that somebody begins to ask for a passkey, or says how long it must wait.
pub async fn take_passkey(app: &App, address: &str) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    taking.take(&mut tx, &Subject::Whole("passkey", address).key(), PASSKEYS_ASKED).await?;
    taking.done()?;
    Ok(tx.commit().await?)
}

/// Counts that somebody sets out from a door for the provider of company accounts, or says how long it must wait.
pub async fn take_company_account(app: &App, parts: &Parts, door: &'static str) -> Result<(), Error> {
    let address = client::address(app, parts);
    let mut tx = app.db.begin().await?;
    let mut taking = Taking::default();
    taking.take(&mut tx, &Subject::Whole("company-account", &address).key(), COMPANY_ACCOUNTS).await?;
    taking.done().inspect_err(|_| metrics::sign_in_failed(door, "throttled"))?;
    Ok(tx.commit().await?)
}

/// Starts the try of somebody who comes back from there, or says how long it must wait.
pub async fn start_company_account(app: &App, parts: &Parts, door: &'static str) -> Result<Attempt, Error> {
    start_anywhere(app, &client::address(app, parts)).await.inspect_err(|error| {
        if matches!(error, Error::TooMany(_)) {
            metrics::sign_in_failed(door, "throttled");
        }
    })
}

/// Counts a code that is sent in this transaction, or says how long it must wait.
pub async fn take_code(tx: &mut Tx, contact: &str, asker: &Asker) -> Result<(), Error> {
    let mut taking = Taking::default();
    match asker.known() {
        Some(browser) => {
            taking.take(tx, &Subject::Part("code-known", contact, browser).key(), CODES_KNOWN).await?;
        }
        None => {
            let address = asker.address();
            taking.take(tx, &Subject::Part("code", contact, address).key(), CODES_HERE).await?;
            taking.take(tx, &Subject::Whole("code", contact).key(), CODES_OF_CONTACT).await?;
            taking.take(tx, &Subject::Whole("codes", address).key(), CODES_OF_ADDRESS).await?;
        }
    }
    taking.done()
}

/// The owner of a contact, or of an account, has proved itself: what others tried there counts no more.
pub async fn forgive(tx: &mut Tx, contact: &str, account: Option<&str>) -> Result<(), Error> {
    let mut forgiven = Vec::new();
    for kind in ["code", "code-known", "guess", "guess-known"] {
        forgiven.push(Subject::Whole(kind, contact).key());
    }
    for kind in ["here", "known", "account"] {
        forgiven.extend(account.map(|account| Subject::Whole(kind, account).key()));
    }
    for subject in forgiven {
        with_tx!(tx, |conn| sqlx::query(
            "delete from sign_in_attempts where subject = $1 or subject like $2"
        )
        .bind(&subject)
        .bind(format!("{subject}:%"))
        .execute(conn)
        .await
        .map(drop))?;
    }
    Ok(())
}

/// Several counts that one try is held against. Refused by one of them, the transaction is dropped and takes all counts
/// back; the longest wait is what is told.
#[derive(Default)]
struct Taking(Option<Wait>);

impl Taking {
    /// Counts one more try, and answers how many there were before.
    async fn take(&mut self, tx: &mut Tx, subject: &str, limit: Limit) -> Result<i64, Error> {
        // whoever holds the row goes first, so that tries sent at once are counted one after the other
        with_tx!(tx, |conn| sqlx::query(
            "insert into sign_in_attempts (subject, failures, last_failure_at) values ($1, 0, 0)
             on conflict (subject) do update set failures = sign_in_attempts.failures",
        )
        .bind(subject)
        .execute(conn)
        .await
        .map(drop))?;
        let (tries, last): (i64, i64) = with_tx!(tx, |conn| sqlx::query_as(
            "select failures, last_failure_at from sign_in_attempts where subject = $1",
        )
        .bind(subject)
        .fetch_one(conn)
        .await)?;
        let now = now_ms();
        let tries = if now - last < limit.memory_ms { tries } else { 0 };
        let left = last + limit.wait_ms(tries) - now;
        if left > 0 {
            let seconds = u64::try_from(left).unwrap_or(0).div_ceil(1000);
            if self.0.is_none_or(|wait| wait.seconds < seconds) {
                self.0 = Some(Wait { seconds, why: limit.why, meanwhile: limit.meanwhile });
            }
        }
        with_tx!(tx, |conn| sqlx::query(
            "update sign_in_attempts set failures = $2, last_failure_at = $3 where subject = $1",
        )
        .bind(subject)
        .bind(tries + 1)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
        Ok(tries)
    }

    fn done(self) -> Result<(), Error> {
        self.0.map_or(Ok(()), |wait| Err(Error::TooMany(wait)))
    }
}

impl Attempt {
    /// It was right: what failed here before is forgotten, all others get their one back.
    pub async fn succeeded(self, app: &App) -> Result<(), Error> {
        let mut tx = app.db.begin().await?;
        with_tx!(&mut tx, |conn| {
            sqlx::query("delete from sign_in_attempts where subject = $1")
                .bind(self.own)
                .execute(&mut *conn)
                .await?;
            for subject in self.shared {
                sqlx::query(
                    "update sign_in_attempts set failures = failures - 1 where subject = $1 and failures > 0",
                )
                .bind(subject)
                .execute(&mut *conn)
                .await?;
            }
        });
        Ok(tx.commit().await?)
    }
}

/// Deletes counts that no limit remembers.
pub async fn forget_over(app: &App) -> Result<(), Error> {
    with_write!(&app.db, |pool| sqlx::query("delete from sign_in_attempts where last_failure_at < $1")
        .bind(now_ms() - DAY_MS)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_failures_are_free_and_then_the_wait_doubles() {
        let waits: Vec<i64> = (3..=9).map(|failures| HERE.wait_ms(failures) / 1000).collect();
        assert_eq!(waits, [0, 0, 2, 4, 8, 16, 32]);
        assert_eq!(HERE.wait_ms(10_000), 5 * MINUTE_MS);
    }

    #[test]
    fn an_accounts_own_limit_is_far_higher_and_short() {
        assert_eq!(ACCOUNT.wait_ms(99), 0);
        assert_eq!(ACCOUNT.wait_ms(100_000), 15 * MINUTE_MS);
        assert_eq!(ACCOUNT_FRESH.wait_ms(999), 0, "whoever has not failed here gets through");
    }

    #[test]
    fn an_address_gets_one_code_a_minute_and_few_a_day() {
        let minutes = |sent| CODES_HERE.wait_ms(sent) / MINUTE_MS;
        assert_eq!((0..=7).map(minutes).collect::<Vec<_>>(), [0, 1, 1, 1, 1, 2, 4, 8]);
        assert!((15..=20).contains(&most_in_a_day(CODES_HERE)), "{}", most_in_a_day(CODES_HERE));
        assert!(most_in_a_day(CODES_OF_CONTACT) <= 60, "{}", most_in_a_day(CODES_OF_CONTACT));
        // what strangers ask for keeps the owner waiting for an hour at the very most
        assert_eq!(CODES_OF_CONTACT.wait_ms(10_000), HOUR_MS);
    }

    /// Tries that somebody gets who comes again as soon as it may.
    fn most_in_a_day(limit: Limit) -> i64 {
        let (mut tries, mut at) = (0, 0);
        while at < DAY_MS {
            tries += 1;
            at += limit.wait_ms(tries);
        }
        tries
    }

    #[test]
    fn a_contacts_codes_are_guessed_at_a_hundred_times_a_day_at_most() {
        // NIST SP 800-63B-4 section 3.2.2
        assert!(most_in_a_day(GUESSES_OF_CONTACT) + most_in_a_day(GUESSES_KNOWN) <= 100);
        // one address alone can't use up what all others have
        assert!(most_in_a_day(GUESSES_HERE) * 2 < GUESSES_OF_CONTACT.free);
    }

    #[test]
    fn names_have_nothing_that_sql_understands() {
        let key = Subject::Part("here", "a_b%'@例.cn", "192.0.2.7").key();
        assert!(key.starts_with("here:") && key.ends_with(":192.0.2.7") && key.len() < 60, "{key}");
        assert!(!key.contains(['%', '_', '\'']), "{key}");
    }
}

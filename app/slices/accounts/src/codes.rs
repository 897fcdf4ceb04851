//! Codes that prove who holds a contact: six digits, ten minutes, five tries, one use. Each is for whoever asked for it,
//! the same browser or the same network address: the newest replaces the one before there, and a stranger who asks and
//! guesses spends nothing of the owner's. Only a keyed digest is kept, bound to purpose, contact and member, so that a code is good for nothing else.

use base::db::{Tx, now_ms};
use base::delivery::{self, Message};
use base::error::Error;
use base::signing::keyed;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use domain::contact::Contact;
use domain::ids::MemberId;
use hmac::{Hmac, Mac};
use rand::{Rng, RngExt};
use sha2::Sha256;
use web::app::App;

use super::asker::Asker;
use super::{attempts, store};

/// How long a code is good for, in ms.
pub const LIFE_MS: i64 = 10 * 60_000;
/// How often a code may be guessed at.
pub const TRIES: i64 = 5;

/// What a code is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Registration,
    Recovery,
    /// A member's new mobile number or e-mail address.
    Contact,
}

impl Purpose {
    /// As it is stored.
    fn name(self) -> &'static str {
        match self {
            Self::Registration => "registration",
            Self::Recovery => "recovery",
            Self::Contact => "contact",
        }
    }

    fn subject(self) -> &'static str {
        match self {
            Self::Registration => "注册书坊",
            Self::Recovery => "找回书坊密码",
            Self::Contact => "更换书坊联系方式",
        }
    }

    fn text(self, code: &str) -> String {
        let what = match self {
            Self::Registration => "注册",
            Self::Recovery => "找回密码",
            Self::Contact => "更换联系方式",
        };
        format!(
            "【书坊】您的{what}验证码是 {code}，10 分钟内有效。请不要告诉任何人；若不是您本人操作，请忽略。"
        )
    }
}

/// What a code proves: that whoever asked holds this contact.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    pub purpose: Purpose,
    pub contact: &'a Contact,
    /// Who asks, where it is signed in.
    pub member: Option<&'a MemberId>,
}

/// A code that was right, to be used up together with what it allows.
pub struct Proof<'a> {
    claim: Claim<'a>,
    digest: String,
}

impl Claim<'_> {
    pub(super) fn purpose_name(&self) -> &'static str {
        self.purpose.name()
    }

    pub(super) fn member_id(&self) -> &str {
        self.member.map_or("", MemberId::as_str)
    }

    fn mac(&self, key: &str, code: &str) -> Hmac<Sha256> {
        let mut mac = keyed(key.as_bytes(), "code");
        for part in [self.purpose.name(), self.contact.as_str(), self.member_id(), code] {
            mac.update(part.as_bytes());
            mac.update(&[0]);
        }
        mac
    }
}

/// Sends a code to the contact, or, where no code can help, what to know instead. Both take the same work, and the
/// caller can't tell them apart. Too early or too often is [`Error::TooMany`].
pub async fn send(app: &App, claim: Claim<'_>, asker: &Asker, instead: Option<&str>) -> Result<(), Error> {
    let code = format!("{:06}", rand::rng().random_range(0..1_000_000));
    let digest = match instead {
        None => claim.mac(&app.key, &code).finalize().into_bytes().to_vec(),
        Some(_) => {
            let mut nothing = vec![0; 32];
            rand::rng().fill_bytes(&mut nothing);
            nothing
        }
    };
    let expires_at = now_ms() + LIFE_MS;
    let text = instead.map_or_else(|| claim.purpose.text(&code), str::to_owned);
    let message =
        Message { to: claim.contact, subject: claim.purpose.subject(), text, expires_at, on_behalf_of: None };
    let mut tx = app.db.begin().await?;
    attempts::take_code(&mut tx, claim.contact.as_str(), asker).await?;
    store::codes::put(&mut tx, &claim, asker, &STANDARD_NO_PAD.encode(digest), expires_at).await?;
    delivery::queue(app, &mut tx, message).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// Whether a code was sent for this, to whoever asks here, and is still good.
pub async fn was_sent(app: &App, claim: Claim<'_>, asker: &Asker) -> Result<bool, Error> {
    store::codes::is_open(&app.db, &claim, asker, now_ms()).await
}

/// Spends one of the code's tries, one of the contact's and one of the network address's.
pub async fn check<'a>(
    app: &App,
    claim: Claim<'a>,
    asker: &Asker,
    typed: &str,
) -> Result<Option<Proof<'a>>, Error> {
    let attempt = attempts::start_code(app, claim.contact.as_str(), asker).await?;
    for digest in store::codes::take_try(&app.db, &claim, asker, TRIES, now_ms()).await? {
        let expected = STANDARD_NO_PAD.decode(&digest).map_err(Error::internal)?;
        // compares in constant time
        if claim.mac(&app.key, typed).verify_slice(&expected).is_ok() {
            attempt.succeeded(app).await?;
            return Ok(Some(Proof { claim, digest }));
        }
    }
    Ok(None)
}

impl Proof<'_> {
    /// Uses the code up; false when somebody else was quicker.
    pub async fn spend(&self, tx: &mut Tx) -> Result<bool, Error> {
        store::codes::delete(tx, &self.claim, &self.digest).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_good_for_one_purpose_contact_and_member() {
        let [one, other] =
            ["reader@example.com", "other@example.com"].map(|text| Contact::read(text).unwrap());
        let member: MemberId = "m1".parse().unwrap();
        let claim = Claim { purpose: Purpose::Registration, contact: &one, member: None };
        let good = claim.mac("key", "123456").finalize().into_bytes();
        assert!(claim.mac("key", "123456").verify_slice(&good).is_ok());
        for (claim, key, code) in [
            (claim, "key", "123457"),
            (claim, "another key", "123456"),
            (Claim { purpose: Purpose::Recovery, ..claim }, "key", "123456"),
            (Claim { contact: &other, ..claim }, "key", "123456"),
            (Claim { member: Some(&member), ..claim }, "key", "123456"),
        ] {
            assert!(claim.mac(key, code).verify_slice(&good).is_err());
        }
    }
}

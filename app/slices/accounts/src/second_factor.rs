//! 两步验证: a code by time (TOTP, RFC 6238) that a member's own device shows, asked for after the password.
//!
//! - Any app of that kind will do: SHA-1, six digits, thirty seconds, and one step before or after ours.
//! - A code is used once: the newest step is kept, and no older one counts (RFC 6238, section 5.2).
//! - The secret lies in the database sealed with a key made of the installation's; recovery codes as keyed digests.
//! - A passkey takes the place of the code, and of the password: see [`super::passkeys`].
//! - Who has to show a code: whoever comes with the password, with a code that was sent (finding a password), or with
//!   weixin, whose account is another's to protect. A phone that is signed in and confirms a browser is a thing that the
//!   member has, and is enough (OWASP ASVS 5.0, chapter 6.3.3).

mod challenge;
mod settings;

use axum::http::request::Parts;
use base::db::now_ms;
use base::error::Error;
use base::signing::keyed;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::ids::MemberId;
use hmac::Mac;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rand::Rng;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use totp_rs::{Builder, Secret, Totp};
use web::app::App;

use super::asker::Asker;
use super::sign_ins::{self, Outcome, Way};
use super::store::second_factor as store;
use super::{attempts, notices, store as accounts_store};

pub use challenge::{SecondStep, WAY, answer, ask, begin, pass, place, waiting_for};
pub use settings::{SecondFactorPage, answer as change, shows_code};

/// Bytes of a secret: as many as SHA-1 makes (RFC 4226, section 4 recommends 160 bits).
const SECRET: usize = 20;
/// Recovery codes of a member.
const RECOVERY_CODES: usize = 10;
/// Letters of a recovery code: over 70 random bits, in three groups.
const RECOVERY_LETTERS: usize = 15;
/// No 0/O and 1/I/L: they are copied by hand.
const LETTERS: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";

/// Whether a member has switched it on.
pub async fn is_on(app: &App, member: &MemberId) -> Result<bool, Error> {
    Ok(store::find(&app.db, member).await?.is_some_and(|kept| kept.on_since.is_some()))
}

/// Whether what somebody typed is the member's code now, or one of its recovery codes; either counts once. Guessing gets
/// slower.
pub async fn check(app: &App, parts: &Parts, member: &MemberId, typed: &str) -> Result<bool, Error> {
    let asker = Asker::of(app, parts, Some(member));
    let digits = domain::typed::code(typed);
    if digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_digit()) {
        let attempt = attempts::start_second_factor(app, member.as_str(), &asker).await?;
        let Some(kept) = store::find(&app.db, member).await?.filter(|kept| kept.on_since.is_some()) else {
            return Ok(false);
        };
        let right = match step_of(app, member.as_str(), &kept.sealed, &digits)? {
            Some(step) => store::use_step(&app.db, member, step).await?,
            None => false,
        };
        if right {
            attempt.succeeded(app).await?;
        }
        return Ok(right);
    }
    // nobody guesses 70 bits: only the address waits, and never the owner for what others tried
    let attempt = attempts::start_anywhere(app, asker.address()).await?;
    let right = use_recovery_code(app, member, typed).await?;
    if right {
        attempt.succeeded(app).await?;
    }
    Ok(right)
}

/// Why a program that knows the password gets no token yet; `None` where nothing is missing.
pub async fn missing(
    app: &App,
    parts: &Parts,
    member: &MemberId,
    code: &str,
) -> Result<Option<&'static str>, Error> {
    if !is_on(app, member).await? {
        return Ok(None);
    }
    let (outcome, reason) = if code.trim().is_empty() {
        (Outcome::SecondFactor, "这个账号开启了两步验证，请把动态验证码放在 code 里")
    } else if check(app, parts, member, code).await? {
        return Ok(None);
    } else {
        (Outcome::WrongCode, "动态验证码不正确，或已经用过")
    };
    sign_ins::note(app, parts, member, Way::Program, outcome).await;
    Ok(Some(reason))
}

/// The owner is told: a code that somebody else found must not be used in silence.
async fn use_recovery_code(app: &App, member: &MemberId, typed: &str) -> Result<bool, Error> {
    let digest = recovery_digest(app, member, typed);
    let holder = accounts_store::contacts::holder_by_id(&app.db, member).await?;
    let mut tx = app.db.begin().await?;
    if !store::use_recovery_code(&mut tx, member, &digest, now_ms()).await? {
        return Ok(false);
    }
    let text = "【书坊】刚刚有人用一个恢复码通过了您账号的两步验证。若不是您本人操作，请立即修改密码，并重新生成恢复码。";
    notices::tell_everywhere(app, &mut tx, &holder, "书坊恢复码已使用", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(true)
}

/// The time step whose code this is, within one of ours.
pub fn step_of(app: &App, owner: &str, sealed: &str, code: &str) -> Result<Option<i64>, Error> {
    let seconds = u64::try_from(now_ms() / 1000).map_err(Error::internal)?;
    let step = totp(open(app.key.as_bytes(), owner, sealed)?)?.check(code, seconds);
    step.map(|step| i64::try_from(step).map_err(Error::internal)).transpose()
}

fn totp(secret: [u8; SECRET]) -> Result<Totp, Error> {
    Builder::new().with_secret(Secret::new_stack(secret)).build().map_err(Error::internal)
}

/// What an app reads from the QR code, and the secret for whoever types it.
pub fn enrolment(account: &str, secret: [u8; SECRET]) -> (String, String) {
    let word = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let secret = Secret::new_stack(secret).to_base32();
    let (house, account) = (word("书坊"), word(account));
    (format!("otpauth://totp/{house}:{account}?secret={secret}&issuer={house}"), secret)
}

pub fn new_secret() -> [u8; SECRET] {
    let mut secret = [0; SECRET];
    rand::rng().fill_bytes(&mut secret);
    secret
}

fn sealing(key: &[u8]) -> Result<LessSafeKey, Error> {
    let key = keyed(key, "second factor").finalize().into_bytes();
    UnboundKey::new(&AES_256_GCM, &key).map(LessSafeKey::new).map_err(Error::internal)
}

/// A secret as it lies in the database; it can be opened as its owner's only, who is named by an id.
pub fn seal(key: &[u8], owner: &str, secret: [u8; SECRET]) -> Result<String, Error> {
    let mut nonce = [0; NONCE_LEN];
    rand::rng().fill_bytes(&mut nonce);
    let mut bytes = secret.to_vec();
    sealing(key)?
        .seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(owner.as_bytes()),
            &mut bytes,
        )
        .map_err(Error::internal)?;
    Ok(STANDARD.encode([&nonce[..], &bytes].concat()))
}

/// The secret again.
pub fn open(key: &[u8], owner: &str, sealed: &str) -> Result<[u8; SECRET], Error> {
    let broken = || Error::internal("a second factor can't be opened");
    let bytes = STANDARD.decode(sealed).map_err(Error::internal)?;
    let (nonce, body) = bytes.split_first_chunk::<NONCE_LEN>().ok_or_else(broken)?;
    let mut body = body.to_vec();
    let opened = sealing(key)?
        .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(owner.as_bytes()), &mut body)
        .map_err(|_| broken())?;
    (&*opened).try_into().map_err(|_| broken())
}

/// Ten new recovery codes as the member is shown them, once.
fn new_recovery_codes() -> Vec<String> {
    (0..RECOVERY_CODES)
        .map(|_| {
            let mut bytes = [0; RECOVERY_LETTERS];
            rand::rng().fill_bytes(&mut bytes);
            let letters: Vec<u8> =
                bytes.iter().map(|byte| LETTERS[usize::from(*byte) % LETTERS.len()]).collect();
            let groups: Vec<_> =
                letters.chunks(5).map(|group| String::from_utf8_lossy(group).into_owned()).collect();
            groups.join("-")
        })
        .collect()
}

/// What a recovery code is known by, however it was typed.
fn recovery_digest(app: &App, member: &MemberId, code: &str) -> String {
    let bare = domain::typed::code(code).to_lowercase();
    let mac = keyed(app.key.as_bytes(), "recovery code").chain_update(member.as_str()).chain_update([0]);
    STANDARD.encode(mac.chain_update(bare).finalize().into_bytes())
}

/// For the operator, where a member has lost everything: takes the second factor and the passkeys away. False when there was
/// neither.
pub async fn reset(app: &App, account: &str, reason: &str) -> Result<bool, Error> {
    let account = super::normal_account(account);
    let Some(holder) = accounts_store::contacts::holder(&app.db, &account).await? else {
        return Err(Error::NotFound);
    };
    let mut tx = app.db.begin().await?;
    let had_factor = store::remove(&mut tx, &holder.id).await?;
    let had_passkeys = accounts_store::passkeys::remove_all(&mut tx, &holder.id).await?;
    if !had_factor && !had_passkeys {
        return Ok(false);
    }
    let detail = serde_json::json!({ "reason": reason });
    base::audit::note(&mut tx, "member second-factor-off", holder.id.as_str(), &detail).await?;
    let text = "【书坊】应您的要求，我们已关闭您账号的两步验证，通行密钥也已全部移除。若不是您本人要求的，请立即修改密码并联系我们。";
    notices::tell_everywhere(app, &mut tx, &holder, "书坊两步验证已关闭", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"a key of this installation";

    #[test]
    fn a_sealed_secret_is_opened_as_its_members_only() {
        let [one, other] = ["m1", "m2"];
        let secret = new_secret();
        let sealed = seal(KEY, one, secret).unwrap();
        assert_eq!(open(KEY, one, &sealed).unwrap(), secret);
        assert!(open(KEY, other, &sealed).is_err());
        assert!(open(b"another key", one, &sealed).is_err());
        assert_ne!(sealed, seal(KEY, one, secret).unwrap(), "the same secret looks different each time");
        assert!(open(KEY, one, "").is_err() && open(KEY, one, &sealed[..20]).is_err());
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, the last six of eight digits
        let totp = totp(*b"12345678901234567890").unwrap();
        for (seconds, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            assert_eq!(totp.generate(seconds).to_string(), code);
            for near in [seconds - 30, seconds, seconds + 30] {
                assert_eq!(totp.check(code, near), Some(seconds / 30));
            }
            assert_eq!(totp.check(code, seconds + 60), None);
        }
    }

    #[test]
    fn an_app_reads_house_and_account() {
        let (address, secret) = enrolment("lin+a@example.com", *b"12345678901234567890");
        assert_eq!(secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(
            address,
            "otpauth://totp/%E4%B9%A6%E5%9D%8A:lin%2Ba%40example%2Ecom\
             ?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=%E4%B9%A6%E5%9D%8A"
        );
    }

    #[test]
    fn recovery_codes_can_be_read_aloud_and_differ() {
        let codes = new_recovery_codes();
        assert_eq!(codes.len(), RECOVERY_CODES);
        let different: std::collections::HashSet<_> = codes.iter().collect();
        assert_eq!(different.len(), RECOVERY_CODES);
        for code in codes {
            assert_eq!(code.len(), RECOVERY_LETTERS + 2);
            assert!(!code.contains(['0', 'o', '1', 'i', 'l']), "{code}");
        }
    }
}

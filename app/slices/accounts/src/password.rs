//! Passwords, hashed with argon2id. Each hash takes 19 MB and a core, so only a few run at once.

use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};

use base::error::Error;
use domain::password::normal;
use web::app::App;

/// What an unknown account's password is compared with, so that the answer takes as long as for a known one.
static NOBODY: LazyLock<String> = LazyLock::new(|| digest("nobody's password").unwrap_or_default());

fn digest(password: &str) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default().hash_password(password.as_bytes())?.to_string())
}

/// Hashes a new password, in its normal form.
pub async fn hash(app: &App, password: String) -> Result<String, Error> {
    let _place = app.hashing.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || digest(&normal(&password)))
        .await
        .map_err(Error::internal)?
        .map_err(Error::internal)
}

/// Whether the password is the account's. Without a hash (no such account) it takes the same time and is false.
pub async fn matches(app: &App, password: String, hash: Option<String>) -> Result<bool, Error> {
    let _place = app.hashing.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| NOBODY.clone());
        let same = verify(&password, &hash);
        same && known
    })
    .await
    .map_err(Error::internal)
}

fn verify(password: &str, hash: &str) -> bool {
    let normal = normal(password);
    PasswordHash::new(hash).is_ok_and(|hash| {
        let is = |text: &str| Argon2::default().verify_password(text.as_bytes(), &hash).is_ok();
        // passwords were once hashed as they were typed
        is(&normal) || (normal != password && is(password))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_the_same_on_every_keyboard_and_old_hashes_stay_good() {
        let (wide, plain) = ("Ｌａｎｔｅｒｎ－９", "Lantern-9");
        let (old, new) = (digest(wide).unwrap(), digest(&normal(wide)).unwrap());
        assert!(verify(wide, &old), "a hash from before still opens");
        assert!(verify(wide, &new) && verify(plain, &new));
        assert!(!verify(plain, &old) && !verify("lantern-9", &new) && !verify(wide, "no hash"));
    }
}

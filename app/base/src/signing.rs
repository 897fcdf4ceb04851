//! What is signed with the installation's key.

use domain::redeem_code::{RANDOM, RedeemCode};
use hmac::{Hmac, KeyInit, Mac};
use rand::Rng;
use sha2::Sha256;

/// A signature to be made, bound to its purpose: what is signed for one is worth nothing for another.
pub fn keyed(key: &[u8], purpose: &str) -> Hmac<Sha256> {
    // HMAC takes a key of any length
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap_or_else(|_| unreachable!("any key will do"));
    mac.update(purpose.as_bytes());
    mac.update(&[0]);
    mac
}

/// What nobody can guess, in hex: something signed with it follows from nothing else, and is gone when it is forgotten.
pub fn new_salt() -> String {
    let mut salt = [0; 32];
    rand::rng().fill_bytes(&mut salt);
    hex::encode(salt)
}

/// The first 128 bits of a signature in hex: what is kept of that which is only to be known again.
pub fn short_digest(mac: Hmac<Sha256>) -> String {
    hex::encode(&mac.finalize().into_bytes()[..16])
}

/// The code that follows from a signature, so that it lies nowhere.
pub fn redeem_code(mac: Hmac<Sha256>) -> RedeemCode {
    let mut random = [0; RANDOM];
    random.copy_from_slice(&mac.finalize().into_bytes()[..RANDOM]);
    RedeemCode::of(random)
}

//! The codes of a batch: each follows from the batch's salt and its number by HMAC with the installation's key, so that the
//! file is made anew for each download and lies nowhere. What stays of a code is another HMAC.

use domain::coupon::Day;
use domain::csv;
use domain::redeem_code::{RANDOM, RedeemCode};
use hmac::Mac;
use rand::RngCore;

use crate::store::Coupon;
use platform::signing::keyed;

/// Bits of a random byte that make a character.
const RANDOM_BITS: u8 = 31;
/// Bytes of a digest that are kept: 128 bits.
const SHORT: usize = 16;

/// Under what a code is kept.
pub fn digest(key: &str, code: &RedeemCode) -> String {
    let digest = keyed(key.as_bytes(), "coupon code").chain_update(code.plain()).finalize().into_bytes();
    hex::encode(&digest[..SHORT])
}

/// What the codes of a new batch are made of.
pub fn salt() -> String {
    let mut salt = [0; 32];
    rand::rng().fill_bytes(&mut salt);
    hex::encode(salt)
}

/// The code of a batch with a number, from 1.
pub fn code(key: &str, salt: &str, number: i64) -> RedeemCode {
    let bytes = keyed(key.as_bytes(), "codes of a coupon")
        .chain_update(salt)
        .chain_update(number.to_be_bytes())
        .finalize();
    let mut random = [0; RANDOM];
    for (random, byte) in random.iter_mut().zip(bytes.into_bytes()) {
        *random = byte & RANDOM_BITS;
    }
    RedeemCode::of(random)
}

/// All codes of a batch as a table.
pub fn file(key: &str, salt: &str, coupon: &Coupon) -> String {
    let mut text = format!("{}{}", csv::BOM, csv::row(["code", "number", "coupon", "rule", "last_day"]));
    let (rule, last_day) = (coupon.rule.to_string(), Day(coupon.rule.until - 1).to_string());
    for number in 1..=coupon.codes {
        text.push_str(&csv::row([
            code(key, salt, number).to_string(),
            number.to_string(),
            coupon.name.clone(),
            rule.clone(),
            last_day.clone(),
        ]));
    }
    text
}

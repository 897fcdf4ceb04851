//! The codes of a batch: each follows from the batch's salt and its number by HMAC with the installation's key, so that the
//! file is made anew for each download and lies nowhere. What stays of a code is another HMAC.

use base::signing::{keyed, redeem_code, short_digest};
use domain::coupon::Day;
use domain::csv;
use domain::redeem_code::RedeemCode;
use hmac::Mac;

use crate::store::Coupon;

/// Under what a code is kept.
pub fn digest(key: &str, code: &RedeemCode) -> String {
    short_digest(keyed(key.as_bytes(), "coupon code").chain_update(code.plain()))
}

/// The code of a batch with a number, from 1.
pub fn code(key: &str, salt: &str, number: i64) -> RedeemCode {
    redeem_code(
        keyed(key.as_bytes(), "codes of a coupon").chain_update(salt).chain_update(number.to_be_bytes()),
    )
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

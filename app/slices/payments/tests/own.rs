//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

use domain::payment::Method;
use payments::tested::Ways;

const KEYS: &str = concat!(env!("BINDERY_CHECKOUT"), "/app/tests/keys");

fn read(pairs: &[(&str, &str)], public_url: Option<&str>) -> Result<Ways, String> {
    let variable = |name: &str| {
        pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.replace("KEYS", KEYS))
    };
    Ways::from_variables(variable, public_url).map_err(|error| error.to_string())
}

const WHOLE: [(&str, &str); 7] = [
    ("BINDERY_WECHATPAY_MCHID", "1900000001"),
    ("BINDERY_WECHATPAY_APPID", "wx1"),
    ("BINDERY_WECHATPAY_SERIAL", "5157F09EFDC096DE15EBE81A47057A72"),
    ("BINDERY_WECHATPAY_KEY_FILE", "KEYS/merchant.pem"),
    ("BINDERY_WECHATPAY_API_KEY", "0123456789abcdef0123456789ABCDEF"),
    ("BINDERY_WECHATPAY_PLATFORM_SERIAL", "PUB_KEY_ID_1"),
    ("BINDERY_WECHATPAY_PLATFORM_KEY_FILE", "KEYS/wechatpay.pub.pem"),
];

#[test]
fn a_way_is_configured_whole_or_not_at_all() {
    let site = Some("https://books.example");
    assert_eq!(read(&[], None).map(|ways| ways.all().count()), Ok(0));
    let ways = read(&WHOLE, site).expect("all of it");
    assert_eq!(ways.all().collect::<Vec<_>>(), [Method::Wechat]);
    assert_eq!(format!("{ways:?}"), "[Wechat]", "no key in a log");
    for left_out in 0..WHOLE.len() {
        let mut some = WHOLE.to_vec();
        let (name, _) = some.remove(left_out);
        let told = read(&some, site).expect_err("a part of it");
        assert!(told.ends_with(&format!("missing: {name}")), "{told}");
    }
    let told = read(&WHOLE, None).expect_err("no address for notifications");
    assert!(told.contains("BINDERY_PUBLIC_URL"), "{told}");
    let told = read(&[("BINDERY_BANK_NAME", "工商银行")], None).expect_err("no account");
    assert!(told.ends_with("missing: BINDERY_BANK_HOLDER, BINDERY_BANK_ACCOUNT"), "{told}");
}

#[test]
fn a_demo_takes_no_money_only_where_nobody_could_pay_any() {
    let ways = read(&[], None).expect("nothing is configured").or_stand_in();
    assert_eq!(ways.all().collect::<Vec<_>>(), [Method::Demo]);
    let ways = read(&WHOLE, Some("https://books.example")).expect("all of it").or_stand_in();
    assert_eq!(ways.all().collect::<Vec<_>>(), [Method::Wechat]);
}

#[test]
fn keys_are_read_at_the_start() {
    let site = Some("https://books.example");
    let with = |name: &str, value: &'static str| {
        let mut some = WHOLE.to_vec();
        for pair in &mut some {
            if pair.0 == name {
                pair.1 = value;
            }
        }
        read(&some, site)
    };
    assert!(with("BINDERY_WECHATPAY_PLATFORM_KEY_FILE", "KEYS/wechatpay.cert.pem").is_ok());
    assert!(with("BINDERY_WECHATPAY_KEY_FILE", "KEYS/merchant.pkcs1.pem").is_ok());
    for (name, value) in [
        ("BINDERY_WECHATPAY_KEY_FILE", "KEYS/nowhere.pem"),
        ("BINDERY_WECHATPAY_KEY_FILE", "KEYS/merchant.pub.pem"),
        ("BINDERY_WECHATPAY_PLATFORM_KEY_FILE", "KEYS/merchant.pem"),
        ("BINDERY_WECHATPAY_API_KEY", "too short"),
    ] {
        let told = with(name, value).expect_err(value);
        assert!(told.starts_with(name), "{told}");
    }
}

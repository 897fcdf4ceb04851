//! Trials 试读: a few free days of a package, once for each reader and each thing that it holds (publishing page, section 3).

use crate::contact::Contact;

/// The most days of a trial.
pub const MOST_DAYS: u32 = 31;

/// Why nobody tries anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotTried {
    #[error("这个套餐没有免费试读")]
    None,
    #[error("这是您自己的内容，不需要试读")]
    Own,
    #[error("里面的内容您买过、兑换过或试读过，不能再免费试读")]
    Before,
}

/// Under which contacts a reader tries: whoever has two accounts with one mailbox is one reader. What stands behind a plus in an
/// address is the same mailbox (RFC 5233), and Gmail reads no dots before the @.
pub fn same_for_all(contact: &Contact) -> String {
    let Contact::Email(address) = contact else { return contact.as_str().to_owned() };
    let Some((name, host)) = address.split_once('@') else { return address.clone() };
    let name = name.split('+').next().unwrap_or(name);
    let host = if host == "googlemail.com" { "gmail.com" } else { host };
    let name = if host == "gmail.com" { name.replace('.', "") } else { name.to_owned() };
    format!("{name}@{host}")
}

//! How a member is reached, which is also its account name: a mobile number or an e-mail address.

use std::fmt;

use crate::phone;
use crate::typed::typed;

/// A contact in the one form in which it is stored and compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Contact {
    /// A mobile number of mainland China: 11 digits that begin with 13 to 19.
    Phone(String),
    /// An e-mail address in lower case.
    Email(String),
}

/// The longest address that a mail server takes (RFC 5321 section 4.5.3.1.3, without its brackets).
pub const LONGEST: usize = 254;

impl Contact {
    /// Reads what somebody typed, as [`typed`]; around a mobile number spaces, hyphens and the country's code are no
    /// mistakes, and in an e-mail address 。 is a full stop (RFC 3490, section 3.1). `None` for anything else.
    pub fn read(text: &str) -> Option<Self> {
        let text = typed(text).to_lowercase();
        if text.contains('@') {
            let text = text.replace('。', ".");
            return is_email(&text).then_some(Self::Email(text));
        }
        phone::mobile(&text).map(Self::Phone)
    }

    /// As it is stored.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Phone(text) | Self::Email(text) => text,
        }
    }

    /// Whether it is a mobile number.
    pub fn is_phone(&self) -> bool {
        matches!(self, Self::Phone(_))
    }

    /// 手机号 or 邮箱.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Phone(_) => "手机号",
            Self::Email(_) => "邮箱",
        }
    }

    /// What a member is called who gave no name: an address up to its @, a number with its middle hidden.
    pub fn name(&self) -> String {
        match self {
            Self::Phone(number) => {
                format!("{}****{}", number.get(..3).unwrap_or_default(), number.get(7..).unwrap_or_default())
            }
            Self::Email(address) => address.split('@').next().unwrap_or_default().to_owned(),
        }
    }
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A dot-atom and a host name (RFC 5321 section 4.1.2): what every mail server takes, and nothing that could mean
/// anything else in a message's head.
fn is_email(text: &str) -> bool {
    let atom = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&b))
    };
    let label = |part: &str| {
        (1..=63).contains(&part.len())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    text.len() <= LONGEST
        && text.split_once('@').is_some_and(|(name, host)| {
            name.len() <= 64 && name.split('.').all(atom) && host.contains('.') && host.split('.').all(label)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_is_read_in_one_form() {
        for (typed, read) in [
            ("13800138000", "13800138000"),
            (" 138 0013 8000 ", "13800138000"),
            ("138-0013-8000", "13800138000"),
            ("+86 138 0013 8000", "13800138000"),
            ("008613800138000", "13800138000"),
            ("１３８００１３８０００", "13800138000"),
            ("Reader@Example.COM", "reader@example.com"),
            ("reader＠example.com", "reader@example.com"),
            ("a.b+books@mail.example.cn", "a.b+books@mail.example.cn"),
        ] {
            assert_eq!(
                Contact::read(typed).map(|contact| contact.to_string()).as_deref(),
                Some(read),
                "{typed}"
            );
        }
    }

    #[test]
    fn anything_else_is_no_contact() {
        for typed in [
            "",
            "reader",
            "12800138000",
            "1380013800",
            "138001380000",
            "23800138000",
            "@example.com",
            "a@",
            "a@example",
            "a@.example.com",
            "a@example.com.",
            "a@-example.com",
            "a@@example.com",
            ".a@example.com",
            "a..b@example.com",
            "a b@example.com",
            "a@example.com\r\nbcc:b@example.com",
            "a@例子.cn",
            &format!("{}@example.com", "a".repeat(65)),
            &format!("a@{}.com", "a.".repeat(130)),
        ] {
            assert_eq!(Contact::read(typed), None, "{typed}");
        }
    }

    #[test]
    fn a_member_without_a_name_is_called_something() {
        let name = |text| Contact::read(text).map(|contact| contact.name());
        assert_eq!(name("13800138000").as_deref(), Some("138****8000"));
        assert_eq!(name("reader@example.com").as_deref(), Some("reader"));
    }
}

//! Business cards 名片: what stands on one, what of it everybody may see, and the file that phones take it in as.

use crate::typed::{typed, words};

/// What stands on a card beside the name, which everybody sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    Title,
    Company,
    Picture,
    Phone,
    Email,
    Weixin,
    Address,
    Introduction,
    Works,
}

impl Field {
    /// All of them, as the form has them.
    pub const ALL: [Self; 9] = [
        Self::Title,
        Self::Company,
        Self::Picture,
        Self::Phone,
        Self::Email,
        Self::Weixin,
        Self::Address,
        Self::Introduction,
        Self::Works,
    ];

    /// The word for forms and for the database.
    pub fn code(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Company => "company",
            Self::Picture => "picture",
            Self::Phone => "phone",
            Self::Email => "email",
            Self::Weixin => "weixin",
            Self::Address => "address",
            Self::Introduction => "introduction",
            Self::Works => "works",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "职务",
            Self::Company => "单位",
            Self::Picture => "头像",
            Self::Phone => "电话",
            Self::Email => "邮箱",
            Self::Weixin => "微信号",
            Self::Address => "地址",
            Self::Introduction => "介绍",
            Self::Works => "作品和书架",
        }
    }

    /// The one with this word.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }

    /// Whether everybody sees it before anybody has chosen: not how somebody is rung up or written to.
    pub fn is_public_at_first(self) -> bool {
        !matches!(self, Self::Phone | Self::Email)
    }

    /// Characters that it may have; none where it is no text.
    pub fn length(self) -> usize {
        match self {
            Self::Title | Self::Weixin | Self::Phone => 40,
            Self::Company => 60,
            Self::Email | Self::Address => 100,
            Self::Introduction => 600,
            Self::Picture | Self::Works => 0,
        }
    }
}

/// Characters of a name.
pub const NAME_LENGTH: usize = 30;

/// What a card looks like, on the screen and on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Look {
    #[default]
    Plain,
    Ink,
    Cloth,
}

impl Look {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Ink, Self::Cloth];

    /// The word for forms, for the database and for the press.
    pub fn code(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Ink => "ink",
            Self::Cloth => "cloth",
        }
    }

    /// Name and a hint, as members read them.
    pub fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Plain => ("素白", "白纸黑字，一道细线"),
            Self::Ink => ("藏青", "深蓝底，纸色的字"),
            Self::Cloth => ("布脊", "米色纸，红布书脊"),
        }
    }

    /// The one with this word.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }
}

/// What somebody typed into a field, as it stands on the card: how somebody is reached as [`typed`], the rest as [`words`].
pub fn read_text(field: Field, text: &str) -> String {
    match field {
        Field::Email => typed(text).replace('。', "."),
        Field::Phone | Field::Weixin => typed(text),
        _ => words(text),
    }
}

/// What is wrong with a text of a card; empty texts are left out of it.
pub fn complaint(field: Field, text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let (name, most) = (field.name(), field.length());
    if text.chars().count() > most {
        return Some(format!("{name}最多 {most} 个字"));
    }
    let fits = match field {
        Field::Phone => {
            let digits = text.chars().filter(char::is_ascii_digit).count();
            (5..=20).contains(&digits) && text.chars().all(|c| c.is_ascii_digit() || "+-() 转".contains(c))
        }
        Field::Email => text.split_once('@').is_some_and(|(user, host)| {
            let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>\"',;".contains(c);
            !user.is_empty()
                && host.contains('.')
                && !host.starts_with('.')
                && !host.ends_with('.')
                && !host.contains('@')
                && text.chars().all(is_plain)
        }),
        Field::Weixin => text.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)),
        _ => true,
    };
    let wrong = match field {
        Field::Phone => "电话写成 13800138000 或 0571-8765 4321 的样子",
        Field::Email => "邮箱写成 name@example.com 的样子",
        _ => "微信号只有字母、数字、减号和下划线",
    };
    (!fits).then(|| wrong.to_owned())
}

/// What a phone takes in: only what everybody may see.
#[derive(Debug, Clone, Default)]
pub struct Contact<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub company: &'a str,
    pub phone: &'a str,
    pub email: &'a str,
    pub weixin: &'a str,
    pub address: &'a str,
    pub introduction: &'a str,
    /// The card's own address.
    pub url: &'a str,
    /// A JPEG, as base64; empty where there is none.
    pub picture: &'a str,
}

/// A vCard 3.0 (RFC 2426), the version that phones read without asking: UTF-8, lines of at most 75 bytes.
pub fn vcard(contact: &Contact<'_>) -> String {
    let mut lines = vec!["BEGIN:VCARD".to_owned(), "VERSION:3.0".to_owned()];
    let mut put = |name: &str, text: &str| {
        if !text.is_empty() {
            lines.push(format!("{name}:{}", escaped(text)));
        }
    };
    put("FN", contact.name);
    put("ORG", contact.company);
    put("TITLE", contact.title);
    put("EMAIL;TYPE=INTERNET,WORK", contact.email);
    put("NOTE", contact.introduction);
    put("X-WEIXIN", contact.weixin);
    // family name, given name, and so on: a Chinese name is shown whole
    lines.insert(2, format!("N:{};;;;", escaped(contact.name)));
    let dialled: String =
        contact.phone.chars().filter(|c| c.is_ascii_digit() || "+-()转 ".contains(*c)).collect();
    if !dialled.is_empty() {
        lines.push(format!("TEL;TYPE=WORK,VOICE:{}", escaped(&dialled.replace('转', ","))));
    }
    if !contact.address.is_empty() {
        lines.push(format!("ADR;TYPE=WORK:;;{};;;;", escaped(contact.address)));
    }
    if !contact.picture.is_empty() {
        lines.push(format!("PHOTO;ENCODING=b;TYPE=JPEG:{}", contact.picture));
    }
    if !contact.url.is_empty() {
        lines.push(format!("URL:{}", contact.url));
    }
    lines.push("END:VCARD".to_owned());
    lines.iter().map(|line| folded(line)).collect()
}

/// A text as a value (RFC 2426, section 4): commas, semicolons, backslashes and line breaks mean something.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\\' | ',' | ';' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// The longest line, in bytes, without its end.
const LINE: usize = 75;

/// A line with its end, cut where it is too long (RFC 2426, section 2.6), never inside a character.
fn folded(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    let mut length = 0;
    for c in line.chars() {
        if length + c.len_utf8() > LINE {
            out.push_str("\r\n ");
            length = 1;
        }
        out.push(c);
        length += c.len_utf8();
    }
    out.push_str("\r\n");
    out
}

//! Licences 团体订阅: a package for a class, a school or a company. So many of its people may read it until a day, each on a seat
//! 席位; who takes one shows that it belongs there, by a code, by its mailbox, or by where on the network it is.

use std::fmt;
use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use crate::contact::Contact;
use crate::days::DAY_MS;
use crate::typed::typed;

/// The most seats of a licence.
pub const MOST_SEATS: u32 = 5_000;
/// Characters of who it is for.
pub const NAME_LENGTH: usize = 60;
/// The most mail domains of a licence.
pub const MOST_DOMAINS: usize = 10;
/// The most ranges of network addresses of a licence.
pub const MOST_RANGES: usize = 20;
/// How far ahead its last day may be, in ms: five years.
pub const LONGEST_MS: i64 = 5 * 366 * DAY_MS;
/// The widest range of network addresses: 65,536 of version 4, a provider's customer of version 6 (RFC 6177).
const WIDEST_V4: u8 = 16;
const WIDEST_V6: u8 = 32;

/// Hosts at which anybody gets a mailbox, so that one there shows nothing.
const OPEN_TO_ALL: &[&str] = &[
    "126.com",
    "139.com",
    "163.com",
    "188.com",
    "189.cn",
    "21cn.com",
    "aliyun.com",
    "foxmail.com",
    "gmail.com",
    "googlemail.com",
    "hotmail.com",
    "icloud.com",
    "live.cn",
    "live.com",
    "mac.com",
    "me.com",
    "msn.com",
    "outlook.com",
    "proton.me",
    "protonmail.com",
    "qq.com",
    "sina.cn",
    "sina.com",
    "sohu.com",
    "tom.com",
    "vip.163.com",
    "vip.qq.com",
    "vip.sina.com",
    "wo.cn",
    "yahoo.com",
    "yeah.net",
];

/// The part behind the @ of an organisation's mailboxes, such as `school.edu.cn`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MailDomain(String);

/// Why a text names no mail domain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotADomain {
    #[error("“{0}”不是邮箱域名，写成 school.edu.cn 这样")]
    Misspelt(String),
    #[error("“{0}”是谁都能注册的公共邮箱，请填单位自己的邮箱域名")]
    OpenToAll(String),
}

impl MailDomain {
    /// Reads what was typed; an @ before it, or a whole address, is no mistake.
    ///
    /// # Errors
    /// [`NotADomain`].
    pub fn read(text: &str) -> Result<Self, NotADomain> {
        let host = typed(text).to_lowercase().replace('。', ".");
        let host = host.rsplit('@').next().unwrap_or_default();
        // what a mailbox there could be is what mailboxes are read by
        if host.is_empty() || !matches!(Contact::read(&format!("a@{host}")), Some(Contact::Email(_))) {
            return Err(NotADomain::Misspelt(text.to_owned()));
        }
        if OPEN_TO_ALL.contains(&host) {
            return Err(NotADomain::OpenToAll(host.to_owned()));
        }
        Ok(Self(host.to_owned()))
    }

    /// Whether a mailbox is there, or at a department of it (`cs.school.edu.cn`).
    pub fn has(&self, address: &str) -> bool {
        let Some((_, host)) = address.rsplit_once('@') else { return false };
        let host = host.to_lowercase();
        host == self.0 || host.strip_suffix(&self.0).is_some_and(|before| before.ends_with('.'))
    }
}

impl fmt::Display for MailDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Network addresses of an organisation, as its provider gave them (RFC 4632, RFC 4291).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NetworkRange(IpNet);

/// Why a text names no range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotARange {
    #[error("“{0}”不是网络地址，写成 203.0.113.0/24 或者 203.0.113.7 这样")]
    Misspelt(String),
    #[error("“{0}”的范围太大，最大到 /16（IPv6 到 /32）")]
    TooWide(String),
}

impl NetworkRange {
    /// Reads one address or a range of them; what stands behind its mask is dropped.
    ///
    /// # Errors
    /// [`NotARange`].
    pub fn read(text: &str) -> Result<Self, NotARange> {
        let plain = typed(text);
        let misspelt = || NotARange::Misspelt(text.to_owned());
        let net = match plain.parse::<IpAddr>() {
            Ok(address) => IpNet::from(address.to_canonical()),
            Err(_) => plain.parse::<IpNet>().map_err(|_| misspelt())?.trunc(),
        };
        let is_too_wide = match net {
            IpNet::V4(net) => Ipv4Net::prefix_len(&net) < WIDEST_V4,
            IpNet::V6(net) => Ipv6Net::prefix_len(&net) < WIDEST_V6,
        };
        if is_too_wide { Err(NotARange::TooWide(text.to_owned())) } else { Ok(Self(net)) }
    }

    /// Whether an address is in it.
    pub fn has(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl fmt::Display for NetworkRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            net if net.prefix_len() == net.max_prefix_len() => net.addr().fmt(f),
            net => net.fmt(f),
        }
    }
}

/// What stands between blanks, commas or lines, each once.
///
/// # Errors
/// The first that is none.
pub fn each<T: PartialEq, E>(text: &str, read: impl Fn(&str) -> Result<T, E>) -> Result<Vec<T>, E> {
    let parts = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、' | ';' | '；'));
    let mut found = Vec::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let one = read(part)?;
        if !found.contains(&one) {
            found.push(one);
        }
    }
    Ok(found)
}

/// What shows that somebody belongs to an organisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// It has the licence's code.
    Code,
    /// Its mailbox is the organisation's.
    Mail,
    /// It came from the organisation's network.
    Network,
}

impl Way {
    /// Each.
    pub const ALL: [Self; 3] = [Self::Code, Self::Mail, Self::Network];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Mail => "mail",
            Self::Network => "network",
        }
    }

    /// The way of a word.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.code() == code)
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "席位码",
            Self::Mail => "单位邮箱",
            Self::Network => "单位网络",
        }
    }
}

/// The way in which somebody belongs there without a code: by its mailbox, or by its address on the network.
pub fn shown_by(
    domains: &[MailDomain],
    ranges: &[NetworkRange],
    mailbox: Option<&str>,
    address: Option<IpAddr>,
) -> Option<Way> {
    if mailbox.is_some_and(|mailbox| domains.iter().any(|domain| domain.has(mailbox))) {
        return Some(Way::Mail);
    }
    address.filter(|address| ranges.iter().any(|range| range.has(*address))).map(|_| Way::Network)
}

/// Where a licence stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LicenceState {
    Running,
    /// Its last day has passed.
    Over,
    /// Its seller ended it.
    Ended,
}

impl LicenceState {
    /// Of a licence that runs until a moment (epoch ms) and may have been ended.
    pub fn of(until: i64, is_ended: bool, now: i64) -> Self {
        match (is_ended, now < until) {
            (true, _) => Self::Ended,
            (false, true) => Self::Running,
            (false, false) => Self::Over,
        }
    }

    /// As its seller reads it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "进行中",
            Self::Over => "已到期",
            Self::Ended => "已停止",
        }
    }
}

/// Why somebody gets no seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotSeated {
    #[error("这份团体订阅已经结束，不能再占席位")]
    Over,
    #[error("席位已经坐满了。请联系您的单位或者老师，空出一个再来")]
    Full,
    #[error("您的席位已经被收回。请联系您的单位或者老师")]
    TakenBack,
    #[error("这是您自己的内容，不需要席位")]
    Own,
    #[error("您的邮箱和所在的网络都不在这份团体订阅里；有席位码的话，请在书房里输入")]
    NotThere,
}

/// What a seat hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub state: LicenceState,
    /// Whether the reader is its seller.
    pub is_own: bool,
    /// The reader's seat: `Some(true)` where it was taken back.
    pub seat: Option<bool>,
    pub seats: i64,
    pub taken: i64,
}

/// Whether a reader gets a seat now: `false` where it has one already.
///
/// # Errors
/// [`NotSeated`].
pub fn may_sit(standing: Standing) -> Result<bool, NotSeated> {
    match standing {
        Standing { is_own: true, .. } => Err(NotSeated::Own),
        Standing { state: LicenceState::Over | LicenceState::Ended, .. } => Err(NotSeated::Over),
        Standing { seat: Some(false), .. } => Ok(false),
        Standing { seat: Some(true), .. } => Err(NotSeated::TakenBack),
        Standing { seats, taken, .. } if taken >= seats => Err(NotSeated::Full),
        _ => Ok(true),
    }
}

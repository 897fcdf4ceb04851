//! How reading is counted: devices, sources and the bounds of what one showing of a page may say.

/// Who looks at a page for so long reads it, in ms.
pub const READ_MS: u32 = 1_000;
/// The most time that one showing of a page counts, in ms: who went for a cup of tea does not read meanwhile.
pub const LONGEST_MS: u32 = 10 * 60_000;
/// Characters of a source and of a search that are kept.
pub const WORD_LENGTH: usize = 60;

/// What somebody reads with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Device {
    Phone,
    Tablet,
    Computer,
}

impl Device {
    /// All of them, as they are listed.
    pub const ALL: [Self; 3] = [Self::Phone, Self::Tablet, Self::Computer];

    /// The word for the database.
    pub fn code(self) -> &'static str {
        match self {
            Self::Phone => "phone",
            Self::Tablet => "tablet",
            Self::Computer => "computer",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Phone => "手机",
            Self::Tablet => "平板",
            Self::Computer => "电脑",
        }
    }

    /// By what a browser says of itself; `touches` tells an iPad, which calls itself a Macintosh.
    pub fn of(user_agent: &str, touches: bool) -> Self {
        let has = |word: &str| user_agent.contains(word);
        let is_tablet = has("iPad")
            || has("Tablet")
            || has("Kindle")
            || has("MatePad")
            || (has("Android") && !has("Mobile"))
            || (has("Macintosh") && touches);
        if is_tablet {
            Self::Tablet
        } else if has("Mobile") || has("iPhone") || has("Android") || has("HarmonyOS") {
            Self::Phone
        } else {
            Self::Computer
        }
    }
}

/// Where a reader came from: the host of another site, `site` for this one, or an application whose browser names no page.
/// Empty where nothing says so.
pub fn source(referer: Option<&str>, own_host: Option<&str>, user_agent: &str) -> String {
    let host = referer.and_then(host);
    match host {
        Some(host) if own_host.is_some_and(|own| own.eq_ignore_ascii_case(&host)) => "site".to_owned(),
        Some(host) => {
            let bare = host.split(':').next().unwrap_or_default();
            bare.chars().take(WORD_LENGTH).collect::<String>().to_lowercase()
        }
        None => APPLICATIONS
            .iter()
            .find(|(mark, ..)| user_agent.contains(mark))
            .map_or_else(String::new, |(_, code, _)| (*code).to_owned()),
    }
}

/// Applications whose browsers name no page that a reader came from: their mark, a word for the database, a name.
const APPLICATIONS: [(&str, &str, &str); 6] = [
    ("MicroMessenger", "weixin", "微信"),
    ("DingTalk", "dingtalk", "钉钉"),
    ("Weibo", "weibo", "微博"),
    (" QQ/", "qq", "QQ"),
    ("AlipayClient", "alipay", "支付宝"),
    ("XiaoHongShu", "xiaohongshu", "小红书"),
];

/// A source as members read it.
pub fn source_name(code: &str) -> String {
    match code {
        "" => "直接打开".to_owned(),
        "site" => "书坊站内".to_owned(),
        OTHERS => "其他".to_owned(),
        code => APPLICATIONS
            .iter()
            .find(|(_, known, _)| *known == code)
            .map_or_else(|| code.to_owned(), |(.., name)| (*name).to_owned()),
    }
}

/// What stands for everything beyond the words that are kept of a day.
pub const OTHERS: &str = "*";

/// The host, with its port, of an address of the web.
fn host(address: &str) -> Option<String> {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let host = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    let is_plain = host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]".contains(&b));
    (is_plain && !host.is_empty()).then(|| host.to_owned())
}

/// Whether a page belongs to what lies at `home`: turning its pages is no new visit.
pub fn is_inside(referer: Option<&str>, own_host: Option<&str>, home: &str) -> bool {
    let Some(referer) = referer else { return false };
    let same = host(referer).is_some_and(|host| own_host.is_some_and(|own| own.eq_ignore_ascii_case(&host)));
    let path = referer.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    let path = path.unwrap_or("/").split(['?', '#']).next().unwrap_or_default();
    same && path.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A share of a whole in tenths of a per cent, rounded; nothing of nothing.
pub fn per_mille(part: i64, whole: i64) -> Option<i64> {
    (whole > 0).then(|| (part * 1_000 + whole / 2) / whole)
}

/// By how much a number grew, in tenths of a per cent; nothing where there was none before.
pub fn growth(now: i64, before: i64) -> Option<i64> {
    (before > 0).then(|| (now - before) * 1_000 / before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_told_apart() {
        for (user_agent, touches, device) in [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 MicroMessenger/8.0.50",
                true,
                Device::Phone,
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; PJZ110) Chrome/130.0 Mobile Safari/537.36",
                true,
                Device::Phone,
            ),
            ("Mozilla/5.0 (Phone; OpenHarmony 5.0) ArkWeb/4.1 Mobile", true, Device::Phone),
            ("Mozilla/5.0 (Linux; Android 14; SM-X910) Chrome/130.0 Safari/537.36", true, Device::Tablet),
            ("Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) Mobile/15E148", true, Device::Tablet),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15",
                true,
                Device::Tablet,
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15",
                false,
                Device::Computer,
            ),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36", true, Device::Computer),
            ("", false, Device::Computer),
        ] {
            assert_eq!(Device::of(user_agent, touches), device, "{user_agent}");
        }
    }

    #[test]
    fn sources_are_hosts_and_applications() {
        let own = Some("books.example:3000");
        let of = |referer, user_agent| source(referer, own, user_agent);
        assert_eq!(of(Some("https://mp.Weixin.qq.com/s/abc?x=1"), ""), "mp.weixin.qq.com");
        assert_eq!(of(Some("https://a.example:8443/"), ""), "a.example");
        assert_eq!(of(Some("http://books.example:3000/shelf/one"), ""), "site");
        assert_eq!(of(None, "Mobile MicroMessenger/8"), "weixin");
        for nothing in [
            None,
            Some(""),
            Some("javascript:1"),
            Some("https://"),
            Some("https://a b/"),
            Some("https://a\"<b/"),
        ] {
            assert_eq!(of(nothing, "Chrome"), "", "{nothing:?}");
        }
        assert_eq!(source_name("weixin"), "微信");
        assert_eq!(source_name("a.example"), "a.example");
    }

    #[test]
    fn turning_a_page_is_no_visit() {
        let own = Some("books.example");
        for (referer, inside) in [
            ("https://books.example/read/one", true),
            ("https://books.example/read/one/3?q=a", true),
            ("https://books.example/read/one#contents", true),
            ("https://books.example/read/oneself", false),
            ("https://books.example/read/two/3", false),
            ("https://evil.example/read/one", false),
            ("https://books.example", false),
        ] {
            assert_eq!(is_inside(Some(referer), own, "/read/one"), inside, "{referer}");
        }
        assert!(!is_inside(None, own, "/read/one"));
    }

    #[test]
    fn shares_are_rounded_and_nothing_is_divided_by_nothing() {
        assert_eq!(per_mille(1, 3), Some(333));
        assert_eq!(per_mille(2, 3), Some(667));
        assert_eq!(per_mille(0, 0), None);
        assert_eq!(growth(120, 100), Some(200));
        assert_eq!(growth(5, 0), None);
        assert_eq!(growth(0, 10), Some(-1_000));
    }
}

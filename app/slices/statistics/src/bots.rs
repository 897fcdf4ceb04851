//! Programs that look like readers. Most never fetch what a page counts with; these are for the others.

/// Words that programs call themselves by, in small letters: crawlers, previews of messengers, tools of tests, watchers.
/// Held against the list of monperrus/crawler-user-agents, of which a sample is in the tests.
const WORDS: [&str; 71] = [
    "http://",
    "https://",
    ".com",
    "@",
    "compatible",
    "bot",
    "spider",
    "crawl",
    "slurp",
    "scrap",
    "scan",
    "grab",
    "fetch",
    "agent",
    "headless",
    "phantomjs",
    "puppeteer",
    "playwright",
    "selenium",
    "webdriver",
    "cypress",
    "electron",
    "lighthouse",
    "pagespeed",
    "gtmetrix",
    "ptst",
    "pingdom",
    "uptime",
    "monitor",
    "synthetic",
    "preview",
    "validat",
    "verif",
    "check",
    "capture",
    "audit",
    "inspect",
    "survey",
    "nikto",
    "openvas",
    "optimiz",
    "archive",
    "feeder",
    "google-",
    "google ",
    "outbrain",
    "curl",
    "python",
    "java)",
    "ghost",
    // and by name
    "acunetix",
    "collapsify",
    "dareboost",
    "datanyze",
    "dlc/",
    "foregenix",
    "geedo",
    "hardenize",
    "hotjar",
    "linktiger",
    "manus-user",
    "marketgoo",
    "miniature",
    "newsai",
    "readable/",
    "securityheaders",
    "silktide",
    "sindup",
    "splash",
    "testlocally",
    "watchtowr",
];
/// Makers of phones whose names have such a word in them.
const PHONES: [&str; 1] = ["cubot"];

/// Whether a browser says of itself that it is a program, or says nothing.
pub fn is_bot(user_agent: &str) -> bool {
    let mut small = user_agent.to_lowercase();
    for phone in PHONES {
        small = small.replace(phone, "");
    }
    // every browser since 1995 begins like this
    let is_browser = small.starts_with("mozilla/") || small.starts_with("opera/");
    !is_browser || WORDS.iter().any(|word| small.contains(word))
}

#[cfg(test)]
mod tests {
    use super::is_bot;

    /// Programs, one a line.
    const PROGRAMS: &str = include_str!("../tests/bots.txt");

    #[test]
    fn of_two_hundred_programs_hardly_one_is_counted() {
        let programs: Vec<&str> =
            PROGRAMS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
        assert_eq!(programs.len(), 200);
        let counted: Vec<_> = programs.into_iter().filter(|program| !is_bot(program)).collect();
        assert!(counted.len() <= 2, "{counted:#?}");
        assert!(is_bot("") && is_bot("-"));
    }

    #[test]
    fn people_are_counted() {
        for browser in [
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.53(0x18003530) NetType/WIFI Language/zh_CN",
            "Mozilla/5.0 (Linux; Android 14; V2324A Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.188 Mobile Safari/537.36 XWEB/1260183 MMWEBSDK/20241103 MMWEBID/1 MicroMessenger/8.0.55.2780 WeChat/arm64 Weixin NetType/5G Language/zh_CN ABI/arm64",
            "Mozilla/5.0 (Linux; U; Android 13; zh-cn; M2012K11AC) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0 MQQBrowser/15.2 Mobile Safari/537.36",
            "Mozilla/5.0 (Linux; Android 12; HarmonyOS; NOH-AN01; HMSCore 6.14.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0 HuaweiBrowser/15.0.4 Mobile Safari/537.36",
            "Mozilla/5.0 (Linux; Android 14; CUBOT KINGKONG) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
            "Mozilla/5.0 (Linux; U; Android 14; zh-CN; PJZ110) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/123.0 Quark/7.4.5 Mobile Safari/537.36",
            "Mozilla/5.0 (Linux; Android 14; 23127PN0CC; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/118.0 Mobile Safari/537.36 T7/13.64 SP-engine/3.0 baiduboxapp/13.64.0.10 (Baidu; P1 14)",
            "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
            "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
            "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
        ] {
            assert!(!is_bot(browser), "{browser}");
        }
    }
}

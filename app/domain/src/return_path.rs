//! Where a member goes after signing in (specification section 2, "Access"): the page first asked for, in
//! base64 with slashes replaced by %2F, as the last part of `/manager/login/…`.

use base64::Engine;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &ALPHABET,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Where a member goes who asked for nothing in particular.
pub const DEFAULT: &str = "/manager/make_ebook";
/// Every address that starts so is open to everyone.
pub const LOGIN: &str = "/manager/login";

/// The address of the sign-in page that leads back to `original`, a path with its query.
pub fn login_address(original: &str) -> String {
    format!("{LOGIN}/{}", BASE64.encode(original).replace('/', "%2F"))
}

/// The page to go to, from the last part of the sign-in address, percent-decoded or not.
///
/// `None` unless it is a plain path on this site: it starts with one slash, has only what browsers send as it is, and
/// does not lead back to the sign-in page.
pub fn decode(encoded: &str) -> Option<String> {
    let encoded = encoded.replace("%2F", "/").replace("%2f", "/").replace("%2B", "+").replace("%3D", "=");
    let bytes = BASE64.decode(encoded).ok()?;
    let asked = String::from_utf8(bytes).ok()?;
    let (path, query) = asked.split_once('?').unwrap_or((&asked, ""));
    let plain = path.bytes().all(stands_in_path) && query.bytes().all(stands_in_query);
    let on_site = path.starts_with('/') && !path.starts_with("//");
    let elsewhere = path != LOGIN && !path.starts_with("/manager/login/");
    (plain && on_site && elsewhere && asked.len() <= 2000).then_some(asked)
}

/// What the URL Standard leaves as it is in a query (section 1.3, percent-encoded bytes): nothing there can end it, so
/// nothing there can name another site.
fn stands_in_query(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"#<>".contains(&byte)
}

/// What it leaves in a path. A backslash is none of it: a browser sends a slash for one, and reads one as a slash.
fn stands_in_path(byte: u8) -> bool {
    stands_in_query(byte) && !b"?`{}\\".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_address_is_base64_with_slashes_as_percent_2f() {
        assert_eq!(login_address("/manager/order"), "/manager/login/L21hbmFnZXIvb3JkZXI=");
        // a path whose base64 has a slash
        assert_eq!(login_address("/a?b=???"), "/manager/login/L2E%2FYj0%2FPz8=");
    }

    proptest! {
        #[test]
        fn what_was_asked_for_comes_back(path in r"/[a-z_~|\[\]^-][a-zA-Z0-9/._~=&%|\[\]^-]{0,40}(\?[!$-;=?-~]{0,60})?") {
            prop_assume!(!path.starts_with("/manager/login"));
            let address = login_address(&path);
            let last = address.strip_prefix("/manager/login/").unwrap();
            prop_assert!(!last.contains('/'));
            prop_assert_eq!(decode(last), Some(path.clone()));
            prop_assert_eq!(decode(&last.replace("%2F", "/")), Some(path));
        }

        #[test]
        fn nothing_leads_off_the_site(asked in r"[/\\?#@:.|\[\]a\t ]{0,10}") {
            if let Some(asked) = decode(&BASE64.encode(asked)) {
                let (path, query) = asked.split_once('?').unwrap_or((&asked, ""));
                prop_assert!(path.starts_with('/') && !path.starts_with("//") && !path.contains('\\'));
                prop_assert!(!query.contains(['#', ' ', '\t']));
            }
        }
    }

    #[test]
    fn what_browsers_send_as_it_is_comes_back() {
        for path in [
            "/manager/photos?after=a|b",
            "/manager/order?q=[1]{2}^3`4'5\\6",
            "/manager/order?next=//evil.example/\\evil.example?a=https://evil.example",
            "/manager/order?%22%3C%3E%23%20%E4%B8%AD",
            "/manager/order?",
            "/?\\\\evil.example",
            "/a|b/[c]/d^e/'f'/~_-.!$&()*+,;=:@%7B",
            "/[::1]/",
            "/@evil.example",
        ] {
            let address = login_address(path);
            assert_eq!(decode(address.strip_prefix("/manager/login/").unwrap()).as_deref(), Some(path));
        }
    }

    #[test]
    fn foreign_and_odd_paths_are_refused() {
        for path in [
            "",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "\\/evil",
            "/a b",
            "/a\tb",
            "/\t/evil.example",
            "/a\r\nSet-Cookie: x=1",
            "/manager/login",
            "/manager/login/L2E=",
            "/manager/login?x=1",
            "manager/order",
            "/中文",
            "/a#b",
            "///evil.example",
            "/%0d%0a\n",
            // a backslash is a slash to a browser
            "/a\\b",
            "/.\\/evil.example",
            "/a/..\\\\evil.example?q",
            "\\\\evil.example?q",
            "//[::1]/?q",
            "//evil.example?/manager/order",
            "?//evil.example",
            "?/manager/order",
            // what browsers percent-encode
            "/a{b}",
            "/a`b",
            "/a?b\"c",
            "/a?<script>",
            "/a?b#c",
            "/a?b c",
            "/a?b\tc",
            "/a?b\r\nSet-Cookie: x=1",
            "/a?b\0c",
            "/a?b\x7fc",
            "/a?中文",
            "/manager/login?x=|",
            "/manager/login/|",
        ] {
            assert_eq!(decode(&BASE64.encode(path)), None, "{path:?}");
        }
        for raw in ["", "%%%", "L2E", "*", "L2E=L2E="] {
            assert!(decode(raw).is_none_or(|path| path == "/a"), "{raw:?}");
        }
    }
}

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
/// `None` unless it is a plain path on this site: it starts with one slash, has only the characters that
/// RFC 3986 allows in a path and a query (so no backslash, space, control character or second scheme can be
/// read differently by a browser), and does not lead back to the sign-in page.
pub fn decode(encoded: &str) -> Option<String> {
    let encoded = encoded.replace("%2F", "/").replace("%2f", "/").replace("%2B", "+").replace("%3D", "=");
    let bytes = BASE64.decode(encoded).ok()?;
    let path = String::from_utf8(bytes).ok()?;
    let plain = path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@%?".contains(&b));
    let on_site = path.starts_with('/') && !path.starts_with("//");
    let elsewhere =
        path != LOGIN && !path.starts_with("/manager/login/") && !path.starts_with("/manager/login?");
    (plain && on_site && elsewhere && path.len() <= 2000).then_some(path)
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
        fn what_was_asked_for_comes_back(path in "/[a-z_~-][a-zA-Z0-9/._~?=&%-]{0,60}") {
            prop_assume!(!path.starts_with("/manager/login"));
            let address = login_address(&path);
            let last = address.strip_prefix("/manager/login/").unwrap();
            prop_assert!(!last.contains('/'));
            prop_assert_eq!(decode(last), Some(path.clone()));
            prop_assert_eq!(decode(&last.replace("%2F", "/")), Some(path));
        }

        #[test]
        fn nothing_leads_off_the_site(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Some(path) = decode(&BASE64.encode(&bytes)) {
                prop_assert!(path.starts_with('/') && !path.starts_with("//") && !path.contains('\\'));
            }
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
        ] {
            assert_eq!(decode(&BASE64.encode(path)), None, "{path:?}");
        }
        for raw in ["", "%%%", "L2E", "*", "L2E=L2E="] {
            assert!(decode(raw).is_none_or(|path| path == "/a"), "{raw:?}");
        }
    }
}

//! Names of things that stay whatever the site's address is.

use sha2::{Digest, Sha256};

/// The name of what a row is about, for feeds (RFC 4287, section 4.2.6), catalogues and electronic books: a UUID made of the
/// row's own id (RFC 9562, version 8, as appendix B.2 makes one of a SHA-256). `kind` keeps things of one row apart; neither
/// it nor this ever changes.
pub fn urn(kind: &str, id: &str) -> String {
    let digest = Sha256::digest(format!("{kind}\0{id}"));
    let mut bytes: [u8; 16] = digest[..16].try_into().unwrap_or_default();
    (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x80, bytes[8] & 0x3f | 0x80);
    let text = hex::encode(bytes);
    format!("urn:uuid:{}-{}-{}-{}-{}", &text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..])
}

#[cfg(test)]
mod tests {
    use super::urn;

    #[test]
    fn a_name_is_a_uuid_of_its_own_that_stays() {
        let name = urn("issue", "01KAZX5V8QDJ0GNB7Y6M2T3R4S");
        let groups: Vec<&str> = name.strip_prefix("urn:uuid:").expect("a UUID").split('-').collect();
        assert_eq!(groups.iter().map(|group| group.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert!(groups[2].starts_with('8') && "89ab".contains(&groups[3][..1]), "{name}");
        // what programs that follow a title know its issues by: another value is another issue
        assert_eq!(urn("issue", "a"), "urn:uuid:5945008c-92d6-879f-8043-ce1215764616");
        assert_ne!(urn("issue", "a"), urn("work", "a"));
    }
}

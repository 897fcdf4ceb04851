//! What the links of messages and the names of letters carry: whom they are about, under the installation's key. Nothing of it is
//! kept, and no address stands in it.

use base::signing::keyed;
use domain::ids::{FollowerId, IssueId, MemberId, PublicationId};
use hmac::Mac;

/// Who gets a title's letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reader {
    /// At an address that it gave for this title.
    Follower(FollowerId),
    /// At the address of its account.
    Member(MemberId),
}

impl Reader {
    /// As rows name it.
    pub fn id(&self) -> &str {
        match self {
            Self::Follower(id) => id.as_str(),
            Self::Member(id) => id.as_str(),
        }
    }

    /// As rows say what it is.
    pub fn is_member(&self) -> bool {
        matches!(self, Self::Member(_))
    }

    /// The one that a row names.
    pub fn of(id: String, is_member: bool) -> Option<Self> {
        if is_member { id.try_into().ok().map(Self::Member) } else { id.try_into().ok().map(Self::Follower) }
    }
}

/// What something is signed for: it is worth nothing for another.
const CONFIRMING: &str = "newsletter confirm";
const LEAVING: &str = "newsletter leave";
const NAMING: &str = "newsletter letter";

/// Bytes of a signature.
const SIGNED: usize = 16;

fn signed(key: &str, purpose: &str, text: &str) -> String {
    let mac = keyed(key.as_bytes(), purpose).chain_update(text).finalize().into_bytes();
    format!("{text}.{}", hex::encode(&mac[..SIGNED]))
}

/// The words before a signature that is ours.
fn verified<'a>(key: &str, purpose: &str, token: &'a str) -> Option<Vec<&'a str>> {
    let (text, mac) = token.rsplit_once('.')?;
    let mac = hex::decode(mac).ok().filter(|mac| mac.len() == SIGNED)?;
    keyed(key.as_bytes(), purpose).chain_update(text).verify_truncated_left(&mac).ok()?;
    Some(text.split('.').collect())
}

/// What confirms that an address is its owner's wish.
pub fn confirming(key: &str, follower: &FollowerId) -> String {
    signed(key, CONFIRMING, follower.as_str())
}

/// Whose address it confirms.
pub fn confirmed(key: &str, token: &str) -> Option<FollowerId> {
    match verified(key, CONFIRMING, token)?[..] {
        [follower] => follower.parse().ok(),
        _ => None,
    }
}

/// What ends the letters of a title to a reader.
pub fn leaving(key: &str, title: &PublicationId, reader: &Reader) -> String {
    signed(key, LEAVING, &format!("{title}.{}", named(reader)))
}

/// Which letters it ends.
pub fn left(key: &str, token: &str) -> Option<(PublicationId, Reader)> {
    match verified(key, LEAVING, token)?[..] {
        [title, kind, reader] => Some((title.parse().ok()?, read(kind, reader)?)),
        _ => None,
    }
}

/// A letter's own name, which stands in its Message-ID and comes back in reports about it.
pub fn name_of(key: &str, issue: &IssueId, reader: &Reader) -> String {
    signed(key, NAMING, &format!("{issue}.{}", named(reader)))
}

/// The letter with a name, as a Message-ID says it. A report about a letter that was never sent has none of ours.
pub fn letter_named(key: &str, message_id: &str) -> Option<(IssueId, Reader)> {
    let name = message_id.trim_matches(['<', '>', ' ']).split('@').next()?;
    match verified(key, NAMING, name)?[..] {
        [issue, kind, reader] => Some((issue.parse().ok()?, read(kind, reader)?)),
        _ => None,
    }
}

fn named(reader: &Reader) -> String {
    let kind = if reader.is_member() { "m" } else { "f" };
    format!("{kind}.{}", reader.id())
}

fn read(kind: &str, id: &str) -> Option<Reader> {
    match kind {
        "f" => Reader::of(id.to_owned(), false),
        "m" => Reader::of(id.to_owned(), true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_for_what_it_was_made_for() {
        let (title, issue): (PublicationId, IssueId) = ("t1".parse().unwrap(), "i1".parse().unwrap());
        for reader in [Reader::of("x".into(), false).unwrap(), Reader::of("x".into(), true).unwrap()] {
            let (leave, name) = (leaving("key", &title, &reader), name_of("key", &issue, &reader));
            assert_eq!(left("key", &leave), Some((title.clone(), reader.clone())));
            assert_eq!(
                letter_named("key", &format!("<{name}@books.example>")),
                Some((issue.clone(), reader))
            );
            assert_eq!(left("key", &name), None, "another purpose");
            assert_eq!(left("other", &leave), None, "another key");
            assert_eq!(left("key", &leave.replace("t1", "t2")), None, "another title");
            assert_eq!(left("key", leave.rsplit_once('.').unwrap().0), None, "unsigned");
            assert_eq!(letter_named("key", &format!("{}@x", &name[..name.len() - 2])), None, "cut short");
        }
        let follower: FollowerId = "f1".parse().unwrap();
        let token = confirming("key", &follower);
        assert_eq!(confirmed("key", &token), Some(follower));
        assert_eq!(confirmed("key", "f1."), None);
    }
}

//! A publication's letters: which answers of a mail server end a reader's following, when a letter is tried again, in which order
//! letters to one host leave, and how much of an article stands in one.

/// How long a letter is worth sending after its issue came out, in ms.
pub const LIFE_MS: i64 = 24 * 60 * 60_000;
/// How long the link that confirms a reader's address holds, in ms.
pub const CONFIRMED_WITHIN_MS: i64 = 48 * 60 * 60_000;
/// How long one address gets no second message of the same title that asks for a confirmation, in ms.
pub const ASKED_APART_MS: i64 = 10 * 60_000;
/// Bytes of a whole letter as it is sent, pictures and both texts: Gmail cuts longer ones off at 102 KB.
pub const MOST_BYTES: usize = 100_000;
/// Articles that a letter names; of more it says how many.
pub const MOST_ARTICLES: usize = 20;
/// Characters of an article's beginning.
pub const BEGINNING: usize = 80;
/// How many letters in a row may come back for a passing reason until nothing more is sent.
pub const PASSING_IN_A_ROW: usize = 3;

const MINUTE_MS: i64 = 60_000;

/// What a mail server meant that did not take a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such mailbox, or it wants nothing: nothing more is sent to it.
    Mailbox,
    /// It may take it later.
    Passing,
    /// It does not take letters from this site, whoever they are for: that is the host's to put right, and no reader's fault.
    Sender,
}

impl Refusal {
    /// Reads a reply (RFC 5321, section 4.2) with the enhanced code that may stand in its words (RFC 3463).
    pub fn of(code: u16, words: &str) -> Self {
        if code < 500 {
            return Self::Passing;
        }
        // 530 to 538 are of signing in (RFC 4954, section 6), 555 of the command's form
        if matches!(code, 500..=504 | 530..=538 | 555) {
            return Self::Sender;
        }
        match enhanced(words) {
            // X.1.7 and X.1.8 are about the sender's address, X.7.x about policy: signing in, encryption, SPF and DKIM
            Some((_, 1, 7 | 8)) => Self::Sender,
            // but 5.7.1 is said of a recipient, too, that takes nothing from strangers
            Some((_, 7, detail)) if detail != 1 => Self::Sender,
            // X.3.x is about mail systems, such as a letter that is too large for one
            Some((_, 3, _)) => Self::Sender,
            _ if is_about_the_sender(words) => Self::Sender,
            _ => Self::Mailbox,
        }
    }
}

/// Servers without enhanced codes say it in words.
fn is_about_the_sender(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    const ABOUT_IT: [&str; 12] = [
        "mail from must",
        "mail from address",
        "sender",
        "authoriz",
        "authentic",
        "spf",
        "dkim",
        "dmarc",
        "relay",
        "blocked using",
        "spam",
        "dt:spm",
    ];
    ABOUT_IT.iter().any(|word| words.contains(word))
}

/// Class, subject and detail of the first enhanced code of a reply, such as `5.1.1`.
fn enhanced(words: &str) -> Option<(u16, u16, u16)> {
    words.split([' ', '\n', '\r', '-', '(', ')', '#', '[', ']', ':', ';', ',']).find_map(status)
}

/// A status of RFC 3463 by itself.
fn status(text: &str) -> Option<(u16, u16, u16)> {
    let mut numbers = text.split('.').map(|number| match number.len() {
        1..=3 => number.parse::<u16>().ok(),
        _ => None,
    });
    let read = (numbers.next()??, numbers.next()??, numbers.next()??);
    (numbers.next().is_none() && matches!(read.0, 2 | 4 | 5)).then_some(read)
}

/// What a delivery report says of a recipient (RFC 3464, sections 2.3.3 and 2.3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported {
    /// It will never arrive: nothing more is sent there.
    Gone,
    /// It did not arrive for a reason that may pass, and nobody tries it any more.
    GivenUp,
    /// It arrived, was passed on, or is tried further.
    Underway,
}

impl Reported {
    /// Reads the fields `Action` and `Status`.
    pub fn of(action: &str, code: &str) -> Self {
        if !action.trim().eq_ignore_ascii_case("failed") {
            return Self::Underway;
        }
        // a comment may stand behind it
        let code = code.split_whitespace().next().unwrap_or_default();
        match status(code) {
            // of our sending, not of the mailbox
            Some((5, 7, _) | (5, 1, 7 | 8)) => Self::GivenUp,
            Some((5, _, _)) => Self::Gone,
            _ => Self::GivenUp,
        }
    }
}

/// How long a letter waits after so many tries that failed, from 1 on, in ms.
pub fn pause_after(tries: i64) -> i64 {
    [5, 15, 60, 240].get(usize::try_from(tries - 1).unwrap_or(0)).copied().unwrap_or(240) * MINUTE_MS
}

/// The place of a title's next letter in a host's line, a moment: behind the title's own last one there, as far as the host takes
/// letters apart. So titles take turns: a second one's first letter goes before most of the first one's. `per_minute` is how many
/// the host takes; all else is in ms.
pub fn turn_after(now: i64, last: Option<i64>, per_minute: i64) -> i64 {
    let apart = (MINUTE_MS / per_minute.max(1)).max(1);
    last.map_or(now, |last| now.max(last + apart))
}

/// The host that takes mail for an address, as mail is counted by; `None` for what is no address.
pub fn host_of(address: &str) -> Option<&str> {
    address.rsplit_once('@').map(|(_, host)| host).filter(|host| !host.is_empty())
}

/// Bytes of so many in base64 (RFC 2045, section 6.8), in lines of 76.
pub fn in_base64(bytes: usize) -> usize {
    let letters = bytes.div_ceil(3) * 4;
    letters + letters.div_ceil(76) * 2
}

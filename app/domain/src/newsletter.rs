//! A publication's letters: which answers of a mail server end a reader's following, when a letter is tried again, in which order
//! letters to one host leave, and how much of an article stands in one.

use crate::days::DAY_MS;
use crate::publication::{Day, Kind};

/// How long a letter is worth sending after its issue came out, in ms.
pub const LIFE_MS: i64 = DAY_MS;
/// How long the link that confirms a reader's address holds, in ms.
pub const CONFIRMED_WITHIN_MS: i64 = 2 * DAY_MS;
/// How long one address gets no second message of the same title that asks for a confirmation, in ms.
pub const ASKED_APART_MS: i64 = 10 * 60_000;
/// Bytes of a whole letter as it is sent, pictures and both texts: Gmail cuts longer ones off at 102 KB.
pub const MOST_BYTES: usize = 100_000;
/// Articles that a letter names; of more it says how many.
pub const MOST_ARTICLES: usize = 20;
/// How long after it came out, and after its day, an issue is news, in ms: what came out before is in no letter.
const NEWS_MS: i64 = 3 * DAY_MS;
/// The same of a magazine's day, which is mostly the first of its month, in ms.
const MAGAZINES_NEWS_MS: i64 = 31 * DAY_MS;
/// Unconfirmed addresses that a title asks in an hour.
pub const ASKED_IN_AN_HOUR: i64 = 60;
/// Characters of an article's beginning.
pub const BEGINNING: usize = 80;
/// How long letters that wait for their issue to come out again, or for their title to be switched on, may do so, in ms.
pub const KEPT_MS: i64 = NEWS_MS;
/// How many letters in a row may come back for a passing reason until nothing more is sent.
pub const PASSING_IN_A_ROW: usize = 3;

const MINUTE_MS: i64 = 60_000;

/// Whether an issue is sent that first came out at a moment: neither one of the past that comes out once more, nor one that is
/// brought in from elsewhere.
pub fn is_news(kind: Kind, day: Day, came_out: i64, now: i64) -> bool {
    let after_its_day = match kind {
        Kind::Epaper => NEWS_MS,
        Kind::Magazine => MAGAZINES_NEWS_MS,
    };
    came_out > now - NEWS_MS && day.start() + DAY_MS > now - after_its_day
}

/// What a mail server meant that did not take a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such mailbox any more: nothing more is sent to it.
    Mailbox,
    /// It may take it later, or another letter.
    Passing,
    /// It does not take letters from this site, whoever they are for: that is the host's to put right, and no reader's fault.
    Sender,
}

impl Refusal {
    /// Reads a reply (RFC 5321, section 4.2) with the enhanced code that may stand in its words (RFC 3463). A reader's following
    /// ends by what says that the mailbox is gone, and by nothing else: mail systems have many more reasons than anybody knows.
    pub fn of(code: u16, words: &str) -> Self {
        if code < 500 {
            return Self::Passing;
        }
        let enhanced = enhanced(words);
        let words = words.to_lowercase();
        let is_ours = is_about_the_sender(&words);
        match enhanced {
            Some((5, 1, 0)) if is_ours => Self::Sender,
            Some(status) if is_gone(status) => Self::Mailbox,
            // X.1.7 and X.1.8 are about the sender's address, X.3.x about mail systems, such as a letter that is too large for
            // one, X.6.x about what is in it
            Some((5, 1, 7 | 8) | (5, 3 | 6, _)) => Self::Sender,
            // a mailbox that is full, or switched off for a while
            Some((_, 2, _) | (4, _, _)) => Self::Passing,
            // X.7.x is about policy: signing in, SPF and DKIM; 5.7.1 is said of a recipient, too, that takes nothing from strangers
            Some((5, 7, detail)) if detail != 1 || is_ours => Self::Sender,
            Some((5, 7, _)) => Self::Passing,
            // 530 to 538 are of signing in (RFC 4954, section 6), 555 of the command's form
            _ if is_ours || matches!(code, 500..=504 | 530..=538 | 555) => Self::Sender,
            _ if says_gone(&words) => Self::Mailbox,
            _ => Self::Passing,
        }
    }
}

/// Whether a status says that there is no such mailbox or no such host.
fn is_gone(status: (u16, u16, u16)) -> bool {
    matches!(status, (5, 1, 0 | 1 | 2 | 3 | 6 | 10) | (5, 2, 1))
}

/// Servers without enhanced codes say it in words, here in lower case.
fn says_gone(words: &str) -> bool {
    const GONE: [&str; 18] = [
        "user unknown",
        "unknown user",
        "no such user",
        "user not found",
        "user does not exist",
        "user doesn't exist",
        "no such mailbox",
        "mailbox unavailable",
        "mailbox not found",
        "mailbox does not exist",
        "no such recipient",
        "unknown recipient",
        "recipient not found",
        "recipient rejected",
        "recipient does not exist",
        "account does not exist",
        "address does not exist",
        "用户不存在",
    ];
    GONE.iter().any(|word| words.contains(word))
}

/// The same for what is about whoever sends.
fn is_about_the_sender(words: &str) -> bool {
    const ABOUT_IT: [&str; 23] = [
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
        "block list",
        "blocklist",
        "blacklist",
        "reputation",
        "policy",
        "spam",
        "content",
        "frequency limited",
        "daily quota",
        // 163's
        "dt:spm",
        "hl:i",
        "mi:",
        "rp:",
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
    /// Reads the fields `Action`, `Status` and `Diagnostic-Code`, the last as far as there is one. As with a refusal, only what says
    /// that the mailbox is gone ends anything.
    pub fn of(action: &str, code: &str, diagnostic: &str) -> Self {
        if !action.trim().eq_ignore_ascii_case("failed") {
            return Self::Underway;
        }
        // a comment may stand behind it
        let code = code.split_whitespace().next().unwrap_or_default();
        let is_gone = match status(code) {
            // "some address was wrong", and "something was": the server's own words know more
            Some((5, 1, 0)) if !diagnostic.trim().is_empty() => {
                refused_as(diagnostic) == Some(Refusal::Mailbox)
                    || !is_about_the_sender(&diagnostic.to_lowercase())
            }
            Some((5, 0, 0)) => refused_as(diagnostic) == Some(Refusal::Mailbox),
            Some(status) => is_gone(status),
            None => false,
        };
        if is_gone { Self::Gone } else { Self::GivenUp }
    }
}

/// What a server's reply meant that a report repeats: `smtp; 550 5.1.1 no such user` (RFC 3464, section 2.3.6).
fn refused_as(diagnostic: &str) -> Option<Refusal> {
    let (kind, reply) = diagnostic.split_once(';')?;
    let reply = reply.trim_start();
    let code = reply.get(..3)?.parse().ok().filter(|_| kind.trim().eq_ignore_ascii_case("smtp"))?;
    Some(Refusal::of(code, &reply[3..]))
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

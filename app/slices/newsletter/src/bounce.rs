//! `bindery bounce`: what mail servers report of letters that did not arrive (RFC 3464). The host's own mail server hands each
//! mail that comes to the sender's address to it.

use std::io::Read;

use base::error::{Error, Failure};
use clap::Subcommand;
use domain::ids::IssueId;
use domain::newsletter::Reported;
use mail_parser::{MessageParser, MimeHeaders, PartType};
use web::app::App;

use super::sending;
use super::store::letters;
use super::token::{self, Reader};

/// Bytes of a mail that are read; a report brings the letter back at most once.
const MOST: u64 = 10_000_000;

/// Commands about what comes back.
#[derive(Subcommand)]
pub enum Command {
    /// Read one mail from the standard input. A report of a letter that failed ends the letters to its reader; any other mail
    /// does nothing. It fails only where it should be handed in again.
    Take,
}

/// Runs one.
pub async fn run(app: &App, command: Command) -> Result<(), Failure> {
    let Command::Take = command;
    let mut mail = Vec::new();
    std::io::stdin().lock().take(MOST).read_to_end(&mut mail)?;
    match read(&app.key, &mail) {
        None => println!("This mail is no report about a letter."),
        Some((_, _, Reported::Underway)) => println!("The letter is still on its way."),
        Some((issue, reader, reported)) => match take(app, &issue, &reader, reported).await? {
            true => println!("The reader is sent no more."),
            false => println!("It is noted that the letter came back."),
        },
    }
    Ok(())
}

/// Which of our letters a mail reports about, and what. Whom it names counts for nothing: only the name of the letter, which is
/// signed, says whose it was, so that nobody ends another's letters by a mail.
fn read(key: &str, mail: &[u8]) -> Option<(IssueId, Reader, Reported)> {
    let mail = MessageParser::default().parse(mail)?;
    let mut reported = None;
    let mut letter = None;
    for part in &mail.parts {
        let kind = part.content_type();
        let is = |main: &str, sub: &str| {
            kind.is_some_and(|kind| {
                kind.c_type.eq_ignore_ascii_case(main)
                    && kind.c_subtype.as_deref().is_some_and(|known| known.eq_ignore_ascii_case(sub))
            })
        };
        if is("message", "delivery-status") || is("message", "global-delivery-status") {
            reported = reported.or_else(|| status_in(part.contents()));
        } else if is("text", "rfc822-headers") || is("message", "global-headers") {
            letter = letter.or_else(|| named_in(key, part.contents()));
        } else if let PartType::Message(inner) = &part.body {
            letter = letter.or_else(|| token::letter_named(key, inner.message_id()?));
        }
    }
    let (issue, reader) = letter?;
    Some((issue, reader, reported?))
}

/// The letter that these fields are the head of.
fn named_in(key: &str, head: &[u8]) -> Option<(IssueId, Reader)> {
    let head = MessageParser::default().parse_headers(head)?;
    token::letter_named(key, head.message_id()?)
}

/// What a report's fields of recipients say; each of our letters has one. The fields of the whole report come first, without an
/// action.
fn status_in(fields: &[u8]) -> Option<Reported> {
    let text = String::from_utf8_lossy(fields).replace("\r\n", "\n");
    text.split("\n\n").find_map(|group| {
        let group = MessageParser::default().parse_headers(group.trim_start().as_bytes())?;
        let field = |name: &str| group.header_raw(name.to_owned()).map(|value| value.trim().to_owned());
        let of = |name: &str| field(name).unwrap_or_default();
        Some(Reported::of(&field("Action")?, &of("Status"), &of("Diagnostic-Code")))
    })
}

/// Notes a report; whether its reader is sent no more. Taken in twice it counts once.
async fn take(app: &App, issue: &IssueId, reader: &Reader, reported: Reported) -> Result<bool, Error> {
    let Some(title) = letters::title_of(&app.db, issue, reader).await? else { return Ok(false) };
    let same = sending::same_address(app, &title, reader).await?;
    let mut tx = app.db.begin().await?;
    sending::came_back(&mut tx, issue, &title, reader).await?;
    let ends = match reported {
        Reported::Gone => true,
        Reported::Underway => false,
        Reported::GivenUp => letters::is_one_of_a_row(&mut tx, &title, issue, reader).await?,
    };
    if ends {
        sending::stop(&mut tx, &title, &same).await?;
    }
    tx.commit().await?;
    Ok(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(status: &str, head: &str) -> String {
        format!(
            "From: MAILER-DAEMON@mx.example\nTo: books@example.com\nSubject: Undelivered Mail Returned to Sender\n\
             MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\n\n\
             --b\nContent-Type: text/plain\n\nThe mail system: action: failed\n\n\
             --b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\nArrival-Date: Sat, 28 Nov 2026 08:00:00 +0800\n\n\
             Final-Recipient: rfc822; reader@example.com\n{status}\nDiagnostic-Code: smtp; 550 no such user\n\n\
             --b\nContent-Type: {head}\n\n--b--\n"
        )
        .replace('\n', "\r\n")
    }

    #[test]
    fn a_report_about_a_letter_of_ours_is_read() {
        let reader = Reader::of("f1".to_owned(), false).unwrap();
        let issue: IssueId = "i1".parse().unwrap();
        let name = token::name_of("key", &issue, &reader);
        let heads = [
            format!(
                "text/rfc822-headers\n\nFrom: books@example.com\nMessage-ID: <{name}@example.com>\nTo: reader@example.com\n"
            ),
            format!(
                "message/rfc822\n\nFrom: books@example.com\nmessage-id: <{name}@example.com>\n\nthe letter\n"
            ),
        ];
        for head in &heads {
            for (status, reported) in [
                ("Action: failed\nStatus: 5.1.1", Reported::Gone),
                ("action: FAILED\nstatus: 5.2.1 (mailbox disabled)", Reported::Gone),
                ("Action: failed\nStatus: 4.4.7", Reported::GivenUp),
                ("Action: failed\nStatus: 5.7.1", Reported::GivenUp),
                // by its diagnostic code
                ("Action: failed\nStatus: 5.0.0", Reported::Gone),
                ("Action: delayed\nStatus: 4.4.1", Reported::Underway),
                ("Action: relayed\nStatus: 2.0.0", Reported::Underway),
            ] {
                let read = read("key", report(status, head).as_bytes());
                assert_eq!(read, Some((issue.clone(), reader.clone(), reported)), "{status} {head}");
            }
            assert_eq!(read("another key", report("Action: failed\nStatus: 5.1.1", head).as_bytes()), None);
        }
        let strange = "text/rfc822-headers\n\nMessage-ID: <i1.f.f1.00@example.com>\n";
        assert_eq!(
            read("key", report("Action: failed\nStatus: 5.1.1", strange).as_bytes()),
            None,
            "unsigned"
        );
        // an answer by a person, and nothing at all
        for other in
            [&format!("From: a@b.example\r\nIn-Reply-To: <{name}@example.com>\r\n\r\nthanks"), "", "\0\0"]
        {
            assert_eq!(read("key", other.as_bytes()), None, "{other}");
        }
    }
}

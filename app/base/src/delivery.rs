//! Short texts to a member's mobile number or e-mail address: codes and notices.
//!
//! A message is a row of the outbox, written in the same transaction as what it tells of, and a job that hands it to
//! the configured provider and deletes the row. Where no provider is configured, or it refuses, the row stays for the
//! operator (`bindery outbox`) until the message is no use any more.

mod mail;
mod sms;

use domain::contact::Contact;
use domain::ids::MemberId;

use crate::db::{Tx, new_id, now_ms, with_db, with_tx, with_write};
use crate::error::Error;
use crate::jobs::{self, Job, Lane};
use crate::metrics;
use crate::program::Program;
use crate::storage::original_key;
use crate::variables::ConfigError;
use serde::{Deserialize, Serialize};

/// How long a notice is worth reading, in ms.
pub const NOTICE_LIFE_MS: i64 = 24 * 60 * 60_000;
/// How long a provider may take, well below a job's lease.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(15);

/// The configured providers.
#[derive(Clone)]
pub struct Delivery {
    mail: Option<mail::Smtp>,
    sms: Option<sms::Gateway>,
}

/// A text to send.
pub struct Message<'a> {
    pub to: &'a Contact,
    /// The subject of a mail; a short message has none.
    pub subject: &'a str,
    pub text: String,
    /// When it is no use any more, epoch ms.
    pub expires_at: i64,
    /// One of many that go to a member's readers: these let others' messages pass.
    pub on_behalf_of: Option<&'a MemberId>,
}

/// A mail that is written for each of many readers and keeps no row of the outbox: whoever sends it knows what has left.
#[derive(Debug)]
pub struct Letter<'a> {
    /// Before the @ of its Message-ID: the same when it is sent again.
    pub id: &'a str,
    pub to: &'a str,
    pub subject: &'a str,
    pub text: &'a str,
    pub html: &'a str,
    /// JPEGs that the page names by `cid:`, each with its name there.
    pub pictures: &'a [(&'static str, Vec<u8>)],
    /// Fields of its head beside the usual ones.
    pub headers: Vec<(&'static str, String)>,
}

/// Why a letter is still here.
#[derive(Debug, PartialEq, Eq)]
pub enum Undelivered {
    /// The server's answer; its words may repeat the address, and belong in no log.
    Answered { code: u16, words: String },
    /// It was not asked, or did not answer.
    Unasked(String),
}

/// A file that goes with a mail; a short message goes without.
pub struct Attachment<'a> {
    /// Of its bytes, which lie among the originals.
    pub sha256: &'a str,
    pub name: &'a str,
}

/// A row of the outbox.
#[derive(Debug, sqlx::FromRow)]
pub struct Waiting {
    pub contact: String,
    pub subject: String,
    pub body: String,
    /// 1 when the program does not send it.
    pub held: i64,
    pub created_at: i64,
    pub expires_at: i64,
    /// SHA-256 of a file that goes with it.
    pub attachment: Option<String>,
    pub attachment_name: Option<String>,
}

/// Why a provider did not take a message. No reason holds the contact or the text: it goes to the log.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// It may take it later.
    #[error("{0}")]
    Later(String),
    /// It never will.
    #[error("{0}")]
    Never(String),
}

impl std::fmt::Debug for Delivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // credentials stay out of logs
        f.write_str("Delivery")
    }
}

impl Delivery {
    /// Reads the providers' settings.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        Ok(Self {
            mail: mail::Smtp::from_variables(&variable)?,
            sms: sms::Gateway::from_variables(&variable)?,
        })
    }

    /// Whether mails leave through a provider.
    pub fn mails(&self) -> bool {
        self.mail.is_some()
    }

    /// Whether short messages leave through a provider.
    pub fn texts(&self) -> bool {
        self.sms.is_some()
    }

    /// Sends a few words, past the outbox, to see whether they leave; why they do not.
    pub async fn try_out(&self, to: &Contact) -> Result<(), String> {
        const WORDS: &str = "这是书坊的测试消息：收到它，就说明消息能送达。";
        let sent = match (to, &self.mail, &self.sms) {
            (Contact::Email(address), Some(mail), _) => {
                mail.send(&new_id::<String>(), address, "书坊测试邮件", WORDS, None).await
            }
            (Contact::Phone(number), _, Some(gateway)) => gateway.send(number, WORDS).await,
            _ => return Err("no provider is configured".to_owned()),
        };
        sent.map_err(|failure| failure.to_string())
    }

    /// Says which way messages go; the host must not find out by a member's complaint.
    pub fn log(&self) {
        match &self.mail {
            Some(smtp) => tracing::info!("E-mail leaves by SMTP through {}", smtp.place),
            None => tracing::info!(
                "No BINDERY_SMTP_URL: e-mail is not sent but kept in the outbox, which `bindery outbox` prints"
            ),
        }
        match &self.sms {
            Some(gateway) => tracing::info!("Short messages leave through the gateway at {}", gateway.place),
            None => tracing::info!(
                "No BINDERY_SMS_URL: short messages are not sent but kept in the outbox, which `bindery outbox` prints"
            ),
        }
    }

    /// Hands a letter to the mail server now.
    pub async fn send_letter(&self, letter: &Letter<'_>) -> Result<(), Undelivered> {
        let Some(mail) = &self.mail else {
            return Err(Undelivered::Unasked("no provider is configured any more".to_owned()));
        };
        let sent = tokio::time::timeout(PATIENCE, mail.send_letter(letter))
            .await
            .unwrap_or_else(|_| Err(Undelivered::Unasked("no answer in time".to_owned())));
        let outcome = match &sent {
            Ok(()) => "sent",
            Err(Undelivered::Answered { code: 500.., .. }) => "refused",
            Err(_) => "later",
        };
        // apart from messages: that a reader's mailbox is gone is no trouble of the host's
        metrics::message("letter", outcome);
        sent
    }

    fn sends_to(&self, contact: &Contact) -> bool {
        if contact.is_phone() { self.texts() } else { self.mails() }
    }

    async fn send(
        &self,
        id: &str,
        contact: &str,
        subject: &str,
        body: &str,
        file: Option<(String, Vec<u8>)>,
    ) -> Result<(), Failure> {
        let later = || Failure::Later("no answer in time".to_owned());
        match (Contact::read(contact), &self.mail, &self.sms) {
            (Some(Contact::Email(address)), Some(smtp), _) => {
                tokio::time::timeout(PATIENCE, smtp.send(id, &address, subject, body, file))
                    .await
                    .map_err(|_| later())?
            }
            (Some(Contact::Phone(number)), _, Some(gateway)) => {
                tokio::time::timeout(PATIENCE, gateway.send(&number, body)).await.map_err(|_| later())?
            }
            _ => Err(Failure::Never("no provider is configured any more".to_owned())),
        }
    }
}

/// Puts a message on its way as part of a transaction. Ring the bell after it.
pub async fn queue(program: &Program, tx: &mut Tx, message: Message<'_>) -> Result<(), Error> {
    put(program, tx, message, None).await
}

/// The same with a file.
pub async fn queue_with_file(
    program: &Program,
    tx: &mut Tx,
    message: Message<'_>,
    file: Attachment<'_>,
) -> Result<(), Error> {
    put(program, tx, message, Some(file)).await
}

async fn put(
    program: &Program,
    tx: &mut Tx,
    message: Message<'_>,
    file: Option<Attachment<'_>>,
) -> Result<(), Error> {
    let id: String = new_id();
    let sends = program.config.delivery.sends_to(message.to);
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into outbox (id, contact, subject, body, held, created_at, expires_at, attachment, attachment_name)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&id)
    .bind(message.to.as_str())
    .bind(message.subject)
    .bind(message.text)
    .bind(i64::from(!sends))
    .bind(now_ms())
    .bind(message.expires_at)
    .bind(file.as_ref().map(|file| file.sha256))
    .bind(file.as_ref().map(|file| file.name))
    .execute(conn)
    .await
    .map(drop)
    })?;
    if sends {
        let job = Deliver { message: id };
        match message.on_behalf_of {
            Some(member) => jobs::enqueue_in(tx, &job, Lane::Background, member, now_ms()).await?,
            None => jobs::enqueue(tx, &job).await?,
        }
    } else {
        tracing::info!("A message was put into the outbox; `bindery outbox` prints it");
    }
    Ok(())
}

/// The job that hands a message of the outbox to its provider.
#[derive(Debug, Serialize, Deserialize)]
pub struct Deliver {
    pub message: String,
}

impl Job for Deliver {
    type App = Program;
    const KIND: &'static str = "deliver";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, program: Program) -> Result<(), Error> {
        deliver(&program, &self.message).await
    }
}

/// Hands a message over and forgets it. Running it again sends nothing twice, except when the program dies
/// between the two.
async fn deliver(program: &Program, id: &str) -> Result<(), Error> {
    let row: Option<Waiting> = with_db!(&program.db, |pool| sqlx::query_as(
        "select contact, subject, body, held, created_at, expires_at, attachment, attachment_name
         from outbox where id = $1 and held = 0",
    )
    .bind(id)
    .fetch_optional(pool)
    .await)?;
    let Some(message) = row else { return Ok(()) };
    if message.expires_at > now_ms() {
        let file = match (message.attachment_name, message.attachment) {
            (Some(name), Some(sha256)) => {
                program.storage.get(&original_key(&sha256)).await?.map(|bytes| (name, bytes))
            }
            _ => None,
        };
        let (contact, subject, body) = (&message.contact, &message.subject, &message.body);
        let sent = program.config.delivery.send(id, contact, subject, body, file).await;
        let way = if contact.contains('@') { "mail" } else { "sms" };
        let outcome = match &sent {
            Ok(()) => "sent",
            Err(Failure::Later(_)) => "later",
            Err(Failure::Never(_)) => "refused",
        };
        metrics::message(way, outcome);
        match sent {
            Ok(()) => {}
            Err(Failure::Later(reason)) => {
                return Err(Error::internal(format!("a message could not be sent: {reason}")));
            }
            Err(Failure::Never(reason)) => {
                tracing::warn!(
                    reason,
                    "A message was refused and stays in the outbox; `bindery outbox` prints it"
                );
                with_write!(&program.db, |pool| sqlx::query("update outbox set held = 1 where id = $1")
                    .bind(id)
                    .execute(pool)
                    .await
                    .map(drop))?;
                return Ok(());
            }
        }
    }
    with_write!(&program.db, |pool| sqlx::query("delete from outbox where id = $1")
        .bind(id)
        .execute(pool)
        .await
        .map(drop))?;
    Ok(())
}

/// What is in the outbox and still some use, oldest first.
pub async fn waiting(program: &Program) -> Result<Vec<Waiting>, Error> {
    Ok(with_db!(&program.db, |pool| sqlx::query_as(
        "select contact, subject, body, held, created_at, expires_at, attachment, attachment_name from outbox
         where expires_at > $1 order by created_at, id",
    )
    .bind(now_ms())
    .fetch_all(pool)
    .await)?)
}

/// Deletes messages that are no use any more, and jobs that gave up on them.
pub async fn forget_over(program: &Program) -> Result<(), Error> {
    let now = now_ms();
    with_write!(&program.db, |pool| {
        sqlx::query("delete from outbox where expires_at <= $1").bind(now).execute(pool).await?;
        sqlx::query("delete from jobs where kind = 'deliver' and created_at <= $1")
            .bind(now - NOTICE_LIFE_MS)
            .execute(pool)
            .await?;
    });
    Ok(())
}

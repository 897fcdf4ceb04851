//! E-mail by SMTP (RFC 5321).

use std::error::Error;

use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Mailbox, Message, MessageBuilder, MultiPart, SinglePart};
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};

use super::{Failure, Letter, PATIENCE, Undelivered};
use crate::variables::ConfigError;

/// A mail server.
#[derive(Clone)]
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// Host and port, for people.
    pub place: String,
}

impl Smtp {
    /// `BINDERY_SMTP_URL`, `BINDERY_MAIL_FROM` and `BINDERY_SMTP_CA`; `None` when none is set.
    pub fn from_variables(variable: &impl Fn(&str) -> Option<String>) -> Result<Option<Self>, ConfigError> {
        let (url, from) = match (variable("BINDERY_SMTP_URL"), variable("BINDERY_MAIL_FROM")) {
            (None, None) if variable("BINDERY_SMTP_CA").is_some() => {
                return Err(ConfigError::new("BINDERY_SMTP_CA is of no use without BINDERY_SMTP_URL"));
            }
            (None, None) => return Ok(None),
            (Some(url), Some(from)) => (url, from),
            (Some(_), None) => {
                return Err(ConfigError::new(
                    "BINDERY_SMTP_URL needs BINDERY_MAIL_FROM, such as 书坊 <books@example.com>",
                ));
            }
            (None, Some(_)) => {
                return Err(ConfigError::new("BINDERY_MAIL_FROM is of no use without BINDERY_SMTP_URL"));
            }
        };
        let from: Mailbox = from.parse().map_err(|_| {
            ConfigError::new(
                "BINDERY_MAIL_FROM is no sender such as books@example.com or 书坊 <books@example.com>",
            )
        })?;
        // the address may hold a password: it is not repeated
        let wrong = || {
            ConfigError::new(
                "BINDERY_SMTP_URL is no address such as smtps://user:password@mail.example.com:465",
            )
        };
        let uri: axum::http::Uri = url.parse().map_err(|_| wrong())?;
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(wrong)?;
        let place = uri.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&url)
            .map_err(|_| wrong())?
            .hello_name(ClientId::Domain(from.email.domain().to_owned()))
            .timeout(Some(PATIENCE));
        if let Some(file) = variable("BINDERY_SMTP_CA") {
            transport = transport.tls(trusting(&uri, host, &file)?);
        }
        Ok(Some(Self { transport: transport.build(), from, place }))
    }

    /// Hands a mail to the server. The id makes the same message's head the same when it is sent again.
    pub async fn send(
        &self,
        id: &str,
        address: &str,
        subject: &str,
        text: &str,
        file: Option<(String, Vec<u8>)>,
    ) -> Result<(), Failure> {
        let head = self.head(id, address, subject)?;
        let message = match file {
            None => head.header(ContentType::TEXT_PLAIN).body(text.to_owned()),
            Some((name, bytes)) => {
                let kind = ContentType::parse("application/pdf").unwrap_or(ContentType::TEXT_PLAIN);
                let file = Attachment::new(name).body(unchanged(bytes)?, kind);
                head.multipart(
                    MultiPart::mixed().singlepart(SinglePart::plain(text.to_owned())).singlepart(file),
                )
            }
        };
        self.hand_over(message.map_err(|_| unwritten())?).await.map_err(|undelivered| match undelivered {
            // the server's own words may repeat the address
            Undelivered::Answered { code, .. } => {
                let reason = format!("the mail server answered {code}");
                if code >= 500 { Failure::Never(reason) } else { Failure::Later(reason) }
            }
            Undelivered::Unasked(reason) => Failure::Later(reason),
        })
    }

    /// Hands a letter to the server: a text and a page that says the same, with pictures in it.
    pub async fn send_letter(&self, letter: &Letter<'_>) -> Result<(), Undelivered> {
        let unwritten = |failure: Failure| Undelivered::Unasked(failure.to_string());
        let head = self.head(letter.id, letter.to, letter.subject).map_err(unwritten)?;
        let mut page = MultiPart::related().singlepart(SinglePart::html(letter.html.to_owned()));
        for (name, jpeg) in letter.pictures {
            let kind =
                ContentType::parse("image/jpeg").map_err(|error| Undelivered::Unasked(error.to_string()))?;
            let body = unchanged(jpeg.clone()).map_err(unwritten)?;
            page = page.singlepart(Attachment::new_inline((*name).to_owned()).body(body, kind));
        }
        let both =
            MultiPart::alternative().singlepart(SinglePart::plain(letter.text.to_owned())).multipart(page);
        let mut message = head.multipart(both).map_err(|error| Undelivered::Unasked(error.to_string()))?;
        for (name, value) in &letter.headers {
            let name = HeaderName::new_from_ascii_str(name);
            message.headers_mut().insert_raw(HeaderValue::new(name, value.clone()));
        }
        self.hand_over(message).await
    }

    fn head(&self, id: &str, address: &str, subject: &str) -> Result<MessageBuilder, Failure> {
        let to = address.parse().map_err(|_| Failure::Never("no mail goes to such an address".to_owned()))?;
        Ok(Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .subject(subject))
    }

    async fn hand_over(&self, message: Message) -> Result<(), Undelivered> {
        match self.transport.send(message).await {
            Ok(_) => Ok(()),
            Err(error) => Err(match error.status() {
                Some(code) => Undelivered::Answered {
                    code: code.into(),
                    words: error.source().map(ToString::to_string).unwrap_or_default(),
                },
                None => Undelivered::Unasked(format!("the mail server could not be asked: {error}")),
            }),
        }
    }
}

/// The body of a file: whatever else is chosen for a text may change its line ends.
fn unchanged(bytes: Vec<u8>) -> Result<Body, Failure> {
    Body::new_with_encoding(bytes, ContentTransferEncoding::Base64)
        .map_err(|_| Failure::Never("the file could not be written".to_owned()))
}

fn unwritten() -> Failure {
    Failure::Never("the mail could not be written".to_owned())
}

/// The encryption that the server's address asks for, with a host's own certificate authority beside the web's.
fn trusting(uri: &axum::http::Uri, host: &str, file: &str) -> Result<Tls, ConfigError> {
    let wrong = |what: &str| ConfigError::new(&format!("BINDERY_SMTP_CA: {file} {what}"));
    let pem = std::fs::read(file).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    // a file without any certificate is read as none
    let none = || wrong("holds no certificate in PEM");
    if !pem.windows(PEM_BEGIN.len()).any(|bytes| bytes == PEM_BEGIN) {
        return Err(none());
    }
    let certificate = Certificate::from_pem(&pem).map_err(|_| none())?;
    let parameters = TlsParameters::builder(host.to_owned())
        .add_root_certificate(certificate)
        .build()
        .map_err(|_| none())?;
    let asks = |how: &str| uri.query().is_some_and(|query| query.split('&').any(|part| part == how));
    if uri.scheme_str() == Some("smtps") {
        Ok(Tls::Wrapper(parameters))
    } else if asks("tls=required") {
        Ok(Tls::Required(parameters))
    } else if asks("tls=opportunistic") {
        Ok(Tls::Opportunistic(parameters))
    } else {
        Err(ConfigError::new(
            "BINDERY_SMTP_CA is of no use with a BINDERY_SMTP_URL that does not ask for TLS",
        ))
    }
}

const PEM_BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";

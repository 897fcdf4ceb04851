//! Messages on their way to members: a mail server and a gateway that the tests run themselves.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::mail_over_tls::{Manner, Papers, tls_mail_server};
use support::invoices::{ask, paid_order};
use support::invoices::{pdf, succeeds};
use support::wait::until;
use support::{PASSWORD, Server, between, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    mail_goes_to_a_server_that_proves_its_name_and_to_no_other,
    a_code_leaves_as_a_short_message_after_a_failure_and_a_crash,
    an_invoice_leaves_with_its_file,
    what_a_provider_refuses_is_the_operators,
    wrong_settings_are_told_in_a_sentence,
    a_code_leaves_by_mail,
);

/// What a server of the test was given.
pub type Inbox = Arc<Mutex<Vec<String>>>;

/// A mail server that takes everything for everybody but `refused@…`, and `later@…` some other time.
pub async fn mail_server() -> (String, Inbox) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let inbox = Inbox::default();
    let kept = inbox.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(take_mail(stream, kept.clone()));
        }
    });
    (address, inbox)
}

async fn take_mail(mut stream: TcpStream, inbox: Inbox) -> std::io::Result<()> {
    stream.write_all(b"220 test\r\n").await?;
    talk(stream, inbox).await
}

/// Everything after the greeting.
pub async fn talk(stream: impl AsyncRead + AsyncWrite + Unpin, inbox: Inbox) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut mail = String::new();
    let mut in_data = false;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        mail += &line;
        let answer = match line.trim_end() {
            "." if in_data => {
                in_data = false;
                inbox.lock().unwrap().push(std::mem::take(&mut mail));
                "250 taken"
            }
            _ if in_data => continue,
            "DATA" => {
                in_data = true;
                "354 go on"
            }
            "QUIT" => "221 bye",
            line if line.starts_with("RCPT") && line.contains("refused@") => "550 no such mailbox",
            line if line.starts_with("RCPT") && line.contains("later@") => "450 4.2.1 come again later",
            _ => "250 fine",
        };
        stream.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
}

/// A gateway that answers the given statuses, and 200 after those.
pub async fn gateway(statuses: Vec<u16>) -> (String, Inbox) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/send", listener.local_addr().unwrap());
    let inbox = Inbox::default();
    let (kept, mut statuses) = (inbox.clone(), statuses.into_iter());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let status = statuses.next().unwrap_or(200);
            let mut request = Vec::new();
            let mut block = [0; 4096];
            while !String::from_utf8_lossy(&request).trim_end().ends_with('}') {
                match stream.read(&mut block).await {
                    Ok(read) if read > 0 => request.extend(&block[..read]),
                    _ => break,
                }
            }
            kept.lock().unwrap().push(format!("{status} {}", String::from_utf8_lossy(&request)));
            let answer = format!("HTTP/1.1 {status} said\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (address, inbox)
}

/// Waits until so many have come.
async fn arrived(inbox: &Inbox, count: usize) -> Vec<String> {
    until(&format!("{count} messages come"), async || inbox.lock().unwrap().len() >= count).await;
    inbox.lock().unwrap().clone()
}

/// Waits until the outbox says so.
async fn outbox_with(server: &Server, words: &str) -> String {
    until(&format!("the outbox has {words}"), async || server.outbox().contains(words)).await;
    server.outbox()
}

fn restart(server: &mut Server) {
    server.kill();
    server.restart();
}

async fn register(server: &Server, contact: &str) {
    let fields = [("way", "registration"), ("step", "send"), ("contact", contact)];
    let answer = server.visitor().post("/manager/login?way=registration", &fields).await;
    assert_eq!(answer.status(), 200);
}

async fn a_code_leaves_by_mail(mut server: Server) {
    let (address, inbox) = mail_server().await;
    server.set("BINDERY_SMTP_URL", format!("smtp://{address}"));
    server.set("BINDERY_MAIL_FROM", "书坊 <books@example.com>");
    restart(&mut server);
    register(&server, "reader@example.com").await;
    let mails = arrived(&inbox, 1).await;
    for part in
        ["MAIL FROM:<books@example.com>", "RCPT TO:<reader@example.com>", "Message-ID: <", "charset=utf-8"]
    {
        assert!(mails[0].contains(part), "{part} is not in {}", mails[0]);
    }
    // what has left is kept nowhere
    outbox_with(&server, "The outbox is empty.").await;
    // the code in it works: the text is base64 or quoted-printable, digits stay legible in the second
    let body = mails[0].split("\r\n\r\n").nth(1).unwrap();
    let text = if mails[0].contains("base64") {
        use base64::Engine;
        let packed: String = body.split("\r\n.\r\n").next().unwrap().split_whitespace().collect();
        let bytes = base64::engine::general_purpose::STANDARD.decode(packed.trim_end_matches('.')).unwrap();
        String::from_utf8(bytes).unwrap()
    } else {
        body.replace("=\r\n", "").replace("=E7=A0=81=E6=98=AF ", "验证码是 ").replace("=EF=BC=8C", "，")
    };
    let code = between(&text, "验证码是 ", "，");
    let fields = [
        ("way", "registration"),
        ("step", "finish"),
        ("contact", "reader@example.com"),
        ("code", &code),
        ("password", PASSWORD),
    ];
    let answer = server.visitor().post("/manager/login?way=registration", &fields).await;
    assert_eq!(answer.status(), 303);
    // short messages still go to the operator
    register(&server, "13800138000").await;
    assert!(server.outbox().contains("to 13800138000 (yours to deliver"));
}

async fn an_invoice_leaves_with_its_file(mut server: Server) {
    let (address, inbox) = mail_server().await;
    let url = format!("smtp://{address}");
    server.set("BINDERY_SMTP_URL", url.clone());
    server.set("BINDERY_MAIL_FROM", "books@example.com");
    restart(&mut server);
    let member = server.member("buyer@example.com", "500").await;
    let id = ask(&member, &paid_order(&member).await).await;
    server.sql("update invoices set email = 'accounts@example.com'").await;
    let (file, path) = (pdf("for the accountant"), server.folder.path().join("x.pdf"));
    std::fs::write(&path, &file).unwrap();
    let settings = [("BINDERY_SMTP_URL", &*url), ("BINDERY_MAIL_FROM", "books@example.com")];
    succeeds(server.run_with(&settings, &["invoice", "issue", &id, path.to_str().unwrap()]));
    let mails = arrived(&inbox, 2).await;
    let mail = mails.iter().find(|mail| mail.contains("RCPT TO:<accounts@example.com>")).unwrap();
    use base64::Engine;
    let packed = base64::engine::general_purpose::STANDARD.encode(&file);
    let lines: String = mail.split_whitespace().collect();
    assert!(mail.contains("application/pdf") && lines.contains(&packed), "{mail}");
    assert!(mails.iter().any(|mail| mail.contains("RCPT TO:<buyer@example.com>")), "the member is told");
}

async fn mail_goes_to_a_server_that_proves_its_name_and_to_no_other(mut server: Server) {
    let ca = Papers::authority();
    let file = server.folder.path().join("ca.pem");
    std::fs::write(&file, ca.pem()).unwrap();
    server.set("BINDERY_MAIL_FROM", "books@example.com");
    server.set("BINDERY_SMTP_CA", file.to_str().unwrap());
    let good = ca.papers_of("localhost");
    for (reader, manner) in [("one@example.com", Manner::FromTheStart), ("two@example.com", Manner::StartTls)]
    {
        let (url, inbox) = tls_mail_server(&good, manner).await;
        server.set("BINDERY_SMTP_URL", url);
        restart(&mut server);
        register(&server, reader).await;
        let mails = arrived(&inbox, 1).await;
        assert!(mails[0].contains(&format!("RCPT TO:<{reader}>")), "{}", mails[0]);
        outbox_with(&server, "The outbox is empty.").await;
    }
    // another's name, an authority that nobody here knows, and one that takes no encryption: nothing is told to them
    let strangers = [
        (ca.papers_of("mail.example.com"), Manner::FromTheStart),
        (Papers::authority().papers_of("localhost"), Manner::FromTheStart),
        (Papers::authority().papers_of("localhost"), Manner::StartTls),
        (ca.papers_of("localhost"), Manner::RefusesTls),
    ];
    for (number, (papers, manner)) in strangers.iter().enumerate() {
        let (url, inbox) = tls_mail_server(papers, *manner).await;
        server.set("BINDERY_SMTP_URL", url);
        restart(&mut server);
        let reader = format!("stranger{number}@example.com");
        register(&server, &reader).await;
        inbox_refused(&server, &reader).await;
        assert!(inbox.lock().unwrap().is_empty(), "{manner:?}");
        server.sql("delete from outbox").await;
        server.sql("delete from jobs").await;
    }
}

/// Waits until a message was tried in vain, and sees that it is still there.
async fn inbox_refused(server: &Server, reader: &str) {
    let refused = "select id from jobs where last_error like '%the mail server could not be asked%'";
    until("a message was tried in vain", async || !server.column(refused).await.is_empty()).await;
    assert!(server.outbox().contains(&format!("to {reader}")), "{}", server.outbox());
}

async fn a_code_leaves_as_a_short_message_after_a_failure_and_a_crash(mut server: Server) {
    let (address, inbox) = gateway(vec![500]).await;
    server.set("BINDERY_SMS_URL", address);
    server.set("BINDERY_SMS_KEY", "a-key");
    restart(&mut server);
    register(&server, "13800138000").await;
    arrived(&inbox, 1).await;
    // the program dies between the failure and the next try, and half a minute later what it held is free
    server.kill();
    server.sql("update jobs set run_at = 1, leased_until = 0").await;
    server.restart();
    let tries = arrived(&inbox, 2).await;
    assert!(tries[0].starts_with("500 ") && tries[1].starts_with("200 "));
    for request in &tries {
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains("POST /send HTTP/1.1")
                && head.to_lowercase().contains("authorization: bearer a-key")
        );
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["phone"], "13800138000");
        assert!(body["text"].as_str().unwrap().contains("验证码是 "));
        assert_eq!(body.as_object().unwrap().len(), 2);
    }
    outbox_with(&server, "The outbox is empty.").await;
    assert_eq!(inbox.lock().unwrap().len(), 2, "it is sent once");
}

async fn what_a_provider_refuses_is_the_operators(mut server: Server) {
    let (address, _) = mail_server().await;
    let (gate, _) = gateway(vec![422]).await;
    server.set("BINDERY_SMTP_URL", format!("smtp://{address}"));
    server.set("BINDERY_MAIL_FROM", "books@example.com");
    server.set("BINDERY_SMS_URL", gate);
    server.set("BINDERY_SMS_KEY", "a-key");
    restart(&mut server);
    register(&server, "refused@example.com").await;
    register(&server, "13800138000").await;
    outbox_with(&server, "to refused@example.com (yours to deliver").await;
    outbox_with(&server, "to 13800138000 (yours to deliver").await;
    // until it is no use to anybody
    server.sql("update outbox set expires_at = expires_at - 601000").await;
    assert_eq!(server.outbox(), "The outbox is empty.\n");
}

async fn wrong_settings_are_told_in_a_sentence(server: Server) {
    for (settings, words) in [
        (&[("BINDERY_SMTP_URL", "smtp://mail.example.com")][..], "needs BINDERY_MAIL_FROM"),
        (&[("BINDERY_MAIL_FROM", "books@example.com")], "without BINDERY_SMTP_URL"),
        (
            &[
                ("BINDERY_SMTP_URL", "http://me:hush@mail.example.com"),
                ("BINDERY_MAIL_FROM", "books@example.com"),
            ],
            "BINDERY_SMTP_URL is no address",
        ),
        (
            &[("BINDERY_SMTP_URL", "smtps://mail.example.com"), ("BINDERY_MAIL_FROM", "nobody")],
            "BINDERY_MAIL_FROM is no sender",
        ),
        (&[("BINDERY_SMTP_CA", "/ca.pem")], "without BINDERY_SMTP_URL"),
        (
            &[
                ("BINDERY_SMTP_URL", "smtps://mail.example.com"),
                ("BINDERY_MAIL_FROM", "books@example.com"),
                ("BINDERY_SMTP_CA", "/nowhere/ca.pem"),
            ],
            "cannot be read",
        ),
        (
            &[
                ("BINDERY_SMTP_URL", "smtps://mail.example.com"),
                ("BINDERY_MAIL_FROM", "books@example.com"),
                ("BINDERY_SMTP_CA", concat!(env!("BINDERY_CHECKOUT"), "/app/tests/Cargo.toml")),
            ],
            "holds no certificate",
        ),
        (&[("BINDERY_SMS_URL", "https://sms.example.com/send")], "needs BINDERY_SMS_KEY"),
        (&[("BINDERY_SMS_KEY", "a-key")], "without BINDERY_SMS_URL"),
        (
            &[("BINDERY_SMS_URL", "sms.example.com"), ("BINDERY_SMS_KEY", "a-key")],
            "BINDERY_SMS_URL is no address",
        ),
    ] {
        let output = server.run_with(settings, &["migrate"]);
        assert!(!output.status.success(), "{settings:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(words) && !said.contains("hush"), "{said}");
    }
}

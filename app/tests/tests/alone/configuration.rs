//! What a host sets in the environment: read strictly when the program starts, and tried by `bindery check`.

use std::process::{Command, Output};

use support::fakes::alipay::FakeAlipay;
use support::fakes::keys::file;
use support::fakes::s3::FakeS3;
use support::fakes::wechatpay::FakeWechatpay;
use support::postgres_over_tls::TlsPostgres;
use support::staff::Clerk;
use support::{Engine, Server, on_both_engines};

use crate::clerks::comes_in;
use crate::delivery::{gateway, mail_server};
use crate::mail_over_tls::Papers;

on_both_engines!(
    a_machine_whose_clock_is_off_goes_by_the_databases,
    two_who_set_up_at_once_make_one_first_clerk;
    on_sqlite:
    secrets_may_lie_in_files,
    a_check_asks_outside_what_it_is_told_to,
    a_check_finds_what_is_wrong_outside,
    a_check_says_of_everything_how_it_is,
    a_misspelt_setting_is_refused_with_the_right_name,
);

/// What a command said, and whether it succeeded.
pub fn said(output: &Output) -> (bool, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

async fn a_misspelt_setting_is_refused_with_the_right_name(server: Server) {
    let wrong = [
        ("BINDERY_PUBLC_URL", "https://books.example"),
        ("BINDERY_SECURE_COOKIES", "ja"),
        ("LEPTOS_SITE_ADRR", "127.0.0.1:1"),
        ("BINDERY_SUMMARY_HOUR", "25"),
        ("BINDERY_BANK_NAME", "工商银行"),
    ];
    for command in [&["serve"][..], &["migrate"], &["check"]] {
        let output = server.run_with(&wrong, command);
        let (good, out, error) = said(&output);
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        let told = if command == ["check"] { out } else { error };
        for words in [
            "BINDERY_PUBLC_URL: there is no such setting; perhaps BINDERY_PUBLIC_URL is meant",
            "BINDERY_SECURE_COOKIES: \"ja\" is neither 1 nor 0",
            "LEPTOS_SITE_ADRR: there is no such setting; perhaps LEPTOS_SITE_ADDR is meant",
            "BINDERY_SUMMARY_HOUR: \"25\" is no whole number from 0 to 23",
            "BINDERY_BANK_HOLDER, BINDERY_BANK_NAME, BINDERY_BANK_ACCOUNT belong together; missing: BINDERY_BANK_HOLDER, BINDERY_BANK_ACCOUNT",
        ] {
            assert_eq!(told.matches(words).count(), 1, "{command:?} {good}: {words}\n{told}");
        }
    }
    // a word of another kind, and the log's
    for (name, value, words) in [
        (
            "LEPTOS_SITE_ADDR",
            "books.example",
            "LEPTOS_SITE_ADDR: \"books.example\" is no address with a port",
        ),
        ("BINDERY_LOG", "bindery=loud", "BINDERY_LOG: "),
        ("BINDERY_LOG_FORMAT", "xml", "BINDERY_LOG_FORMAT: \"xml\" is neither text nor json"),
        ("BINDERY_DATABASE_URL", "mysql://me:hush@db/books", "BINDERY_DATABASE_URL: it is neither"),
        ("BINDERY_DATABASE_CONNECTIONS", "4", "\"4\" is no whole number from 8 to 400"),
    ] {
        let (good, _, error) = said(&server.run_with(&[(name, value)], &["serve"]));
        assert!(!good && error.contains(words) && !error.contains("hush"), "{name}: {error}");
    }
}

async fn secrets_may_lie_in_files(mut server: Server) {
    let bucket = FakeS3::start().await;
    bucket.configure(&mut server);
    let secret = server.folder.path().join("secret");
    std::fs::write(&secret, "a-secret-of-the-host\n").unwrap();
    // the one in the environment goes
    server.set("AWS_SECRET_ACCESS_KEY", "");
    server.set("AWS_SECRET_ACCESS_KEY_FILE", secret.to_str().unwrap());
    let (good, out, error) = said(&server.run_configured(&["check", "--storage"]).await);
    assert!(good && out.contains("好 storage: a file was written, read and deleted"), "{out}{error}");
    std::fs::write(&secret, "another secret\n").unwrap();
    let (good, out, _) = said(&server.run_configured(&["check", "--storage"]).await);
    assert!(!good && out.contains("坏 storage: a file could not be written"), "{out}");

    let path = server.folder.path().join("sign");
    std::fs::write(&path, "a key\n").unwrap();
    let path = path.to_str().unwrap();
    let both = [("BINDERY_SIGN_KEY", "a key"), ("BINDERY_SIGN_KEY_FILE", path)];
    let (good, _, error) = said(&server.run_with(&both, &["serve"]));
    assert!(!good && error.contains("both BINDERY_SIGN_KEY and BINDERY_SIGN_KEY_FILE are set"), "{error}");
    let missing = [("BINDERY_SMTP_URL_FILE", "/nowhere/smtp")];
    let (good, _, error) = said(&server.run_with(&missing, &["serve"]));
    assert!(!good && error.contains("BINDERY_SMTP_URL_FILE: /nowhere/smtp: it can't be read"), "{error}");
}

async fn a_check_says_of_everything_how_it_is(mut server: Server) {
    // whoever is asked outside would be found to be away
    server.set("BINDERY_SMTP_URL", "smtp://127.0.0.1:1");
    server.set("BINDERY_MAIL_FROM", "books@example.com");
    let (good, out, error) = said(&server.run_configured(&["check"]).await);
    assert!(good, "{out}{error}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines.iter().all(|line| line.starts_with("好 ")), "{out}");
    let engine = if server.engine == Engine::Sqlite { "SQLite" } else { "PostgreSQL 1" };
    for words in [
        "settings: every variable is known",
        &format!("database: {engine}"),
        "can be written to, up to date",
        "disk: ",
        "storage: a file was written, read and deleted in ",
        "colours: print files are made for coated paper",
        "mail: not tried; --mail ADDRESS sends one",
        "short messages: kept for `bindery outbox`",
    ] {
        assert!(out.contains(words), "{words} is not in {out}");
    }
    assert_eq!(out.contains("clock: as the database's"), server.engine == Engine::Postgres, "{out}");
    // of a program that brought it up to date later, and before any did
    server.sql("update _sqlx_migrations set version = 99990000 where version = (select max(version) from _sqlx_migrations)").await;
    let (good, out, _) = said(&server.run(&["check"]));
    assert!(good && out.contains("(migration 99990000), which lets this one run"), "{out}");
    server.sql("update oldest_program set migration = 99990000").await;
    let (good, out, _) = said(&server.run(&["check"]));
    assert!(!good && out.contains("by a newer program (migration 99990000)"), "{out}");
    server.sql("delete from _sqlx_migrations where version = 99990000").await;
    let (good, out, _) = said(&server.run(&["check"]));
    assert!(good && out.contains("1 migrations are not done yet"), "{out}");
    server.sql("drop table _sqlx_migrations").await;
    let (good, out, _) = said(&server.run(&["check"]));
    assert!(good && out.contains("empty; the first start makes its tables"), "{out}");

    // five minutes ahead of the database
    if server.engine == Engine::Postgres && Command::new("faketime").arg("--version").output().is_ok() {
        let output = Command::new("faketime")
            .args(["-f", "+300s"])
            .arg(support::program())
            .arg("check")
            .env("BINDERY_DATA", server.folder.path())
            .env("BINDERY_DATABASE_URL", &server.database_url)
            .output()
            .unwrap();
        let (good, out, _) = said(&output);
        assert!(
            !good && out.contains("坏 clock: this machine's is ") && out.contains("ahead of the database's"),
            "{out}"
        );
    }
}

/// Of instances on one database; SQLite's clock is the machine's.
async fn a_machine_whose_clock_is_off_goes_by_the_databases(server: Server) {
    if server.engine == Engine::Sqlite || Command::new("faketime").arg("--version").output().is_err() {
        return;
    }
    for (off, account) in [("-120s", "late@example.com"), ("+120s", "early@example.com")] {
        let output = Command::new("faketime")
            .args(["-f", off])
            .arg(support::program())
            .args(["member", "add", "--account", account, "--password", "a long pass phrase 7"])
            .env("BINDERY_DATA", server.folder.path())
            .env("BINDERY_DATABASE_URL", &server.database_url)
            .output()
            .unwrap();
        let (good, _, error) = said(&output);
        assert!(good, "{error}");
        let apart = format!(
            "select cast(cast(extract(epoch from clock_timestamp()) * 1000 as bigint) - created_at as text) from members
             where account = '{account}'"
        );
        let apart: i64 = server.read(&apart).await.parse().unwrap();
        assert!((0..20_000).contains(&apart), "{off}: {apart} ms");
    }
}

async fn a_check_asks_outside_what_it_is_told_to(mut server: Server) {
    let bucket = FakeS3::start().await;
    bucket.configure(&mut server);
    let (address, mails) = mail_server().await;
    server.set("BINDERY_SMTP_URL", format!("smtp://{address}"));
    server.set("BINDERY_MAIL_FROM", "书坊 <books@example.com>");
    let (address, messages) = gateway(Vec::new()).await;
    server.set("BINDERY_SMS_URL", address);
    server.set("BINDERY_SMS_KEY", "a-key");
    let wechatpay = FakeWechatpay::started(&mut server).await;
    let _alipay = FakeAlipay::started(&mut server).await;

    let (good, out, error) = said(&server.run_configured(&["check"]).await);
    assert!(good && out.contains("not tried; --storage does"), "{out}{error}");
    assert!(mails.lock().unwrap().is_empty() && messages.lock().unwrap().is_empty());

    let asked = ["check", "--mail", "host@example.com", "--sms", "13800138000", "--storage", "--pay"];
    let (good, out, error) = said(&server.run_configured(&asked).await);
    assert!(good, "{out}{error}");
    for words in [
        "好 storage: a file was written, read and deleted in ",
        "好 mail: the server took one to host@example.com",
        "好 short messages: the gateway took one to 13800138000",
        "好 微信支付: the keys are taken",
        "好 支付宝: the keys are taken",
    ] {
        assert!(out.contains(words), "{words} is not in {out}");
    }
    assert!(mails.lock().unwrap()[0].contains("RCPT TO:<host@example.com>"));
    assert!(messages.lock().unwrap()[0].contains("13800138000"));
    assert_eq!(wechatpay.orders(), 0, "nothing was begun there");
    // what was written for it is gone
    assert!(support::names_in(&bucket.place("incoming")).is_empty());
}

async fn a_check_finds_what_is_wrong_outside(mut server: Server) {
    let mut bucket = FakeS3::start().await;
    bucket.configure(&mut server);
    bucket.vanish().await;
    server.set("BINDERY_SMTP_URL", "smtp://127.0.0.1:1");
    server.set("BINDERY_MAIL_FROM", "books@example.com");
    let (address, _) = gateway(vec![403]).await;
    server.set("BINDERY_SMS_URL", address);
    server.set("BINDERY_SMS_KEY", "a-key");
    let _wechatpay = FakeWechatpay::started(&mut server).await;
    let _alipay = FakeAlipay::started(&mut server).await;
    // answers that another one signed
    server.set("BINDERY_ALIPAY_PUBLIC_KEY_FILE", file("wechatpay.pub"));
    server.set("BINDERY_WECHATPAY_PLATFORM_KEY_FILE", file("alipay.pub"));
    let asked = ["check", "--mail", "host@example.com", "--sms", "13800138000", "--storage", "--pay"];
    let output = server.run_configured(&asked).await;
    let (_, out, error) = said(&output);
    assert_eq!(output.status.code(), Some(1), "{out}{error}");
    for words in [
        "坏 storage: ",
        "坏 mail: ",
        "坏 short messages: the gateway answered 403",
        "坏 微信支付: ",
        "坏 支付宝: ",
    ] {
        assert!(out.contains(words), "{words} is not in {out}");
    }
    for secret in ["a-secret-of-the-host", "a-key"] {
        assert!(!out.contains(secret) && !error.contains(secret), "{out}{error}");
    }
    bucket.answer().await;
}

async fn two_who_set_up_at_once_make_one_first_clerk(mut server: Server) {
    let visitor = server.visitor();
    assert!(visitor.page("/staff/login").await.contains("后台还没有人"));
    let file = server.folder.path().join("bindery.env");
    let file = file.to_str().unwrap();
    let setup = |more: &[&str]| {
        let words =
            ["setup", "--public-url", "https://books.example", "--company", "书坊印刷", "--file", file];
        let words: Vec<&str> = words.into_iter().chain(more.iter().copied()).collect();
        said(&server.run(&words))
    };
    // nothing is written while something is wrong
    for (more, words) in [
        (&[][..], "--clerk has to say it"),
        (&["--clerk", "陈 站长"], "a clerk's name has 1 to 30"),
        (&["--clerk", "chen", "--smtp-url", "smtp://mail.example.com"], "needs BINDERY_MAIL_FROM"),
    ] {
        let (good, _, error) = setup(more);
        assert!(!good && error.contains(words) && !std::path::Path::new(file).exists(), "{error}");
    }
    std::fs::write(file, "# the shop\nBINDERY_HEIF=0\nBINDERY_COMPANY=\n").unwrap();
    let both: Vec<_> = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..2).map(|_| scope.spawn(|| setup(&["--clerk", "chen"]))).collect();
        begun.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(both.iter().all(|(good, ..)| *good), "{both:?}");
    let links: Vec<&str> = both
        .iter()
        .filter_map(|(_, out, _)| out.split("https://books.example").nth(1))
        .map(str::trim)
        .collect();
    assert_eq!(links.len(), 1, "{both:?}");
    assert!(both.iter().any(|(_, out, _)| out.contains("let in before")), "{both:?}");
    assert_eq!(server.column("select name || ' ' || roles from staff").await, ["chen owner"]);
    let expected =
        "# the shop\nBINDERY_HEIF=0\nBINDERY_COMPANY=书坊印刷\nBINDERY_PUBLIC_URL=https://books.example\n";
    assert_eq!(std::fs::read_to_string(file).unwrap(), expected);

    let chen = comes_in(&server, links[0]).await;
    let home = chen.caller.page("/staff").await;
    for missing in ["书坊还没有设好", "BINDERY_PUBLIC_URL", "BINDERY_COMPANY", "BINDERY_SMTP_URL"] {
        assert!(home.contains(missing), "{missing}: {home}");
    }
    assert!(!visitor.page("/staff/login").await.contains("后台还没有人"));
    // who was let in otherwise is one, too
    Clerk::sign_in(&server, "wang", &["站长"]).await;
    let (good, _, error) = setup(&["--clerk", "lin"]);
    assert!(!good && error.contains("wang works in the back office already"), "{error}");

    server.kill();
    server.set("BINDERY_PUBLIC_URL", "https://books.example");
    server.set("BINDERY_COMPANY", "书坊印刷");
    server.set("BINDERY_SMTP_URL", "smtp://127.0.0.1:1");
    server.set("BINDERY_MAIL_FROM", "books@example.com");
    server.restart();
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    assert!(!lin.caller.page("/staff").await.contains("书坊还没有设好"));
}

#[tokio::test]
async fn a_database_is_reached_over_tls_as_libpq_does() {
    let authority = Papers::authority();
    let (certificate, key) = authority.papers_of("localhost").pem();
    let Some(postgres) = TlsPostgres::start(&certificate, &key) else {
        eprintln!("skipped: PostgreSQL is not installed");
        return;
    };
    let mut server = Server::start(Engine::Sqlite).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (own, strange) = (folder.path().join("own.pem"), folder.path().join("strange.pem"));
    std::fs::write(&own, authority.pem()).unwrap();
    std::fs::write(&strange, Papers::authority().pem()).unwrap();
    let own = format!("sslrootcert={}", own.display());
    let strange = format!("sslrootcert={}", strange.display());
    let reached = |host: &str, query: &str| {
        let url = postgres.url(host, query);
        let (good, out, error) = said(&server.run_with(&[("BINDERY_DATABASE_URL", &url)], &["check"]));
        let line = out.lines().find(|line| line.contains(" database: ")).unwrap_or_default();
        assert_eq!(good, line.starts_with("好 database: PostgreSQL"), "{out}{error}");
        line.to_owned()
    };
    let full = format!("sslmode=verify-full&{own}");
    for (host, query) in [
        ("localhost", full.as_str()),
        ("localhost", &format!("sslmode=verify-ca&{own}")),
        // the certificate is not for this name, which is not asked
        ("127.0.0.1", &format!("sslmode=verify-ca&{own}")),
        ("127.0.0.1", &format!("sslmode=require&{own}")),
        ("127.0.0.1", "sslmode=require"),
        ("localhost", "sslmode=prefer"),
        ("localhost", ""),
    ] {
        let line = reached(host, query);
        assert!(line.starts_with('好'), "{host} {query}: {line}");
    }
    for (host, query, words) in [
        ("127.0.0.1", full.as_str(), "the server's certificate is for another name"),
        ("localhost", "sslmode=verify-full", "is from an authority that is not known here"),
        (
            "localhost",
            &format!("sslmode=verify-full&{strange}"),
            "is from an authority that is not known here",
        ),
        // as libpq: whoever names an authority is shown a certificate of it
        ("localhost", &format!("sslmode=require&{strange}"), "is from an authority that is not known here"),
        // the cluster lets nobody in who does not encrypt
        ("localhost", "sslmode=disable", "no encryption"),
    ] {
        let line = reached(host, query);
        assert!(line.starts_with('坏') && line.contains(words), "{host} {query}: {line}");
    }

    // the whole program: its lock, its pool, a page
    server.kill();
    server.set("BINDERY_DATABASE_URL", postgres.url("localhost", &full));
    server.set("BINDERY_DATABASE_CONNECTIONS", "8");
    server.restart();
    let visitor = server.visitor();
    assert!(visitor.page("/readyz").await.starts_with("ready"));
    assert!(visitor.page("/about").await.contains("书坊"));
    server.stop();

    // nobody is there
    let (good, out, _) =
        said(&server.run_with(
            &[("BINDERY_DATABASE_URL", "postgres://postgres:hush@127.0.0.1:1/postgres")],
            &["check"],
        ));
    assert!(!good && out.contains("坏 database: BINDERY_DATABASE_URL: nothing answers there"), "{out}");
    assert!(!out.contains("hush"), "{out}");

    // one that has no TLS says so
    if let Ok(plain) = std::env::var("BINDERY_TEST_POSTGRES") {
        let url = format!("{plain}&sslmode=require");
        let (good, _, error) = said(&server.run_with(&[("BINDERY_DATABASE_URL", &url)], &["migrate"]));
        assert!(!good && error.contains("the server has no TLS, which sslmode asks for"), "{error}");
    }
}

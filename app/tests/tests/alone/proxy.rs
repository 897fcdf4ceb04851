//! Caddy in front of the program, as `docs/hosting.md` has it.

use std::net::TcpListener;
use std::process::{Child, Command};

use reqwest::{Certificate, Client, StatusCode, redirect};
use support::wait::until;
use support::{PASSWORD, Server, repository};

/// Ends with the test.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn members_sign_in_through_caddy_over_tls() {
    let settings = [("BINDERY_TRUST_PROXY", "1"), ("BINDERY_SECURE_COOKIES", "1")];
    let server = Server::start_in(tempfile::tempdir().unwrap(), &settings);
    let account = ["member", "add", "--account", "a@example.com", "--password", PASSWORD];
    assert!(server.run(&account).status.success());

    // what is shipped, with another address, papers of its own, and where this server is
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let base = format!("https://localhost:{port}");
    let shipped = std::fs::read_to_string(repository("packaging/Caddyfile")).unwrap();
    let ours = shipped
        .replace("books.example {", &format!("{base} {{\n\ttls internal\n"))
        .replace("127.0.0.1:3000", server.base.trim_start_matches("http://"));
    assert!(ours.contains(&base) && !ours.contains(":3000\n"), "{ours}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Caddyfile");
    let options = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n";
    std::fs::write(&file, format!("{options}{ours}")).unwrap();
    let mut caddy = Command::new("caddy");
    caddy.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file);
    caddy.env("XDG_DATA_HOME", folder.path()).env("XDG_CONFIG_HOME", folder.path());
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    let _proxy = Proxy(caddy.stderr(log).spawn().expect("Debian's caddy is there"));

    let root = folder.path().join("caddy/pki/authorities/local/root.crt");
    let browser = || {
        let root = Certificate::from_pem(&std::fs::read(&root).ok()?).ok()?;
        let browser = Client::builder().add_root_certificate(root).cookie_store(true);
        browser.redirect(redirect::Policy::none()).build().ok()
    };
    until("caddy answers", async || {
        let Some(browser) = browser() else { return false };
        browser.get(format!("{base}/healthz")).send().await.is_ok()
    })
    .await;
    let browser = browser().unwrap();
    let form = [("account", "a@example.com"), ("password", PASSWORD)];
    let answer = browser.post(format!("{base}/manager/login")).form(&form).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let page = browser.get(format!("{base}/manager/order")).send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    assert!(page.headers().contains_key("strict-transport-security"));
}

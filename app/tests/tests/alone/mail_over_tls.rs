//! A mail server of the test that encrypts, with papers that the test makes itself.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::delivery::{Inbox, talk};

/// When a server encrypts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// RFC 8314: `smtps://`.
    FromTheStart,
    /// RFC 3207: after `STARTTLS`.
    StartTls,
    /// It is asked for `STARTTLS` and has none.
    RefusesTls,
}

/// An authority that signs papers.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A server's certificate and its key.
pub struct Papers {
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
    pem: (String, String),
}

impl Papers {
    /// The certificate and its key, as servers read them.
    pub fn pem(self) -> (String, String) {
        self.pem
    }

    /// A new authority; each is another one.
    pub fn authority() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }
}

impl Authority {
    /// What a host that trusts it keeps in a file.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// Papers for a server's name.
    pub fn papers_of(&self, name: &str) -> Papers {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let pem = (certificate.pem(), key.serialize_pem());
        Papers { certificate: certificate.der().clone(), key: key.serialize_der(), pem }
    }
}

/// A mail server on this machine, with the address that a host configures, and what it was given.
pub async fn tls_mail_server(papers: &Papers, manner: Manner) -> (String, Inbox) {
    let key = PrivateKeyDer::try_from(papers.key.clone()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![papers.certificate.clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let inbox = Inbox::default();
    let kept = inbox.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(greet(stream, acceptor.clone(), manner, kept.clone()));
        }
    });
    let url = match manner {
        Manner::FromTheStart => format!("smtps://localhost:{port}"),
        Manner::StartTls | Manner::RefusesTls => format!("smtp://localhost:{port}?tls=required"),
    };
    (url, inbox)
}

async fn greet(
    mut stream: TcpStream,
    acceptor: TlsAcceptor,
    manner: Manner,
    inbox: Inbox,
) -> std::io::Result<()> {
    if manner == Manner::FromTheStart {
        let mut stream = acceptor.accept(stream).await?;
        stream.write_all(b"220 test\r\n").await?;
        return talk(stream, inbox).await;
    }
    stream.write_all(b"220 test\r\n").await?;
    if manner == Manner::RefusesTls {
        return talk(stream, inbox).await;
    }
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    assert!(line.starts_with("EHLO"), "{line}");
    stream.write_all(b"250-test\r\n250 STARTTLS\r\n").await?;
    line.clear();
    stream.read_line(&mut line).await?;
    assert_eq!(line, "STARTTLS\r\n", "nothing is said before it is encrypted");
    stream.write_all(b"220 go on\r\n").await?;
    talk(acceptor.accept(stream.into_inner()).await?, inbox).await
}

//! RSA-SHA256 and AES-256-GCM as both providers use them, and reading their keys from PEM files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, SubjectPublicKeyInfoDer};
use webpki::ring::RSA_PKCS1_2048_8192_SHA256;
use webpki::{EndEntityCert, RawPublicKeyEntity};

/// Our own private key: what a provider knows us by.
pub struct SigningKey {
    pair: RsaKeyPair,
    random: SystemRandom,
}

/// A provider's public key.
pub enum VerifyingKey {
    /// From a file of its own.
    Plain(SubjectPublicKeyInfoDer<'static>),
    /// In a certificate, as WeChat Pay's platform certificates are.
    Certificate(CertificateDer<'static>),
}

/// The key of what is encrypted for us.
pub struct OpeningKey(LessSafeKey);

/// A key or a text that is not what it should be. The texts hold nothing secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    #[error("no RSA private key in PEM")]
    PrivateKey,
    #[error("no RSA public key or certificate in PEM")]
    PublicKey,
    #[error("not 32 bytes")]
    OpeningKey,
    #[error("the signature could not be made")]
    Unsigned,
    #[error("the signature is wrong")]
    Signature,
    #[error("what is encrypted can't be opened")]
    Sealed,
}

impl SigningKey {
    /// Reads PKCS#8 or PKCS#1.
    pub fn from_pem(pem: &[u8]) -> Result<Self, Broken> {
        let key = PrivateKeyDer::from_pem_slice(pem).map_err(|_| Broken::PrivateKey)?;
        let pair = match &key {
            PrivateKeyDer::Pkcs8(der) => RsaKeyPair::from_pkcs8(der.secret_pkcs8_der()),
            PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()),
            _ => return Err(Broken::PrivateKey),
        };
        let pair = pair.map_err(|_| Broken::PrivateKey)?;
        Ok(Self { pair, random: SystemRandom::new() })
    }

    /// The signature of a text, base64.
    pub fn sign(&self, text: &str) -> Result<String, Broken> {
        let mut signature = vec![0; self.pair.public().modulus_len()];
        self.pair
            .sign(&RSA_PKCS1_SHA256, &self.random, text.as_bytes(), &mut signature)
            .map_err(|_| Broken::Unsigned)?;
        Ok(STANDARD.encode(signature))
    }
}

impl VerifyingKey {
    /// Reads a public key or a certificate.
    pub fn from_pem(pem: &[u8]) -> Result<Self, Broken> {
        let key = match SubjectPublicKeyInfoDer::from_pem_slice(pem) {
            Ok(key) => Self::Plain(key),
            Err(_) => Self::Certificate(CertificateDer::from_pem_slice(pem).map_err(|_| Broken::PublicKey)?),
        };
        // a key that can't be read is the host's to hear about at the start, not the first payer's
        match key.check(b"", b"") {
            Err(webpki::Error::InvalidSignatureForPublicKey) => Ok(key),
            _ => Err(Broken::PublicKey),
        }
    }

    /// Whether a base64 signature is this key's of these bytes.
    pub fn verify(&self, bytes: &[u8], signature: &str) -> Result<(), Broken> {
        let signature = STANDARD.decode(signature).map_err(|_| Broken::Signature)?;
        self.check(bytes, &signature).map_err(|_| Broken::Signature)
    }

    fn check(&self, bytes: &[u8], signature: &[u8]) -> Result<(), webpki::Error> {
        match self {
            Self::Plain(key) => RawPublicKeyEntity::try_from(key)?.verify_signature(
                RSA_PKCS1_2048_8192_SHA256,
                bytes,
                signature,
            ),
            Self::Certificate(certificate) => EndEntityCert::try_from(certificate)?.verify_signature(
                RSA_PKCS1_2048_8192_SHA256,
                bytes,
                signature,
            ),
        }
    }
}

impl OpeningKey {
    /// The key as the provider shows it: 32 characters.
    pub fn new(key: &str) -> Result<Self, Broken> {
        let key = UnboundKey::new(&AES_256_GCM, key.as_bytes()).map_err(|_| Broken::OpeningKey)?;
        Ok(Self(LessSafeKey::new(key)))
    }

    /// Opens what was sealed with AES-256-GCM, base64; what stands beside it is authenticated, too.
    pub fn open(&self, sealed: &str, nonce: &str, beside: &str) -> Result<Vec<u8>, Broken> {
        let mut bytes = STANDARD.decode(sealed).map_err(|_| Broken::Sealed)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce.as_bytes()).map_err(|_| Broken::Sealed)?;
        let opened = self
            .0
            .open_in_place(nonce, Aad::from(beside.as_bytes()), &mut bytes)
            .map_err(|_| Broken::Sealed)?;
        let length = opened.len();
        bytes.truncate(length);
        Ok(bytes)
    }
}

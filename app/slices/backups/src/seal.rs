//! What is encrypted: age's format, so that `age` alone opens it, too (<https://age-encryption.org/v1>).

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use age::x25519::{Identity, Recipient};
use age::{Decryptor, Encryptor};
use base::error::Failure;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// What passes on what is written, with its SHA-256 and how much it was.
pub struct Hashing<W> {
    to: W,
    digest: Sha256,
    bytes: u64,
}

impl<W: Write> Hashing<W> {
    pub fn new(to: W) -> Self {
        Self { to, digest: Sha256::new(), bytes: 0 }
    }

    /// Where it was written, its SHA-256 in hex, and how many bytes it was.
    pub fn end(mut self) -> io::Result<(W, String, u64)> {
        self.to.flush()?;
        Ok((self.to, hex::encode(self.digest.finalize()), self.bytes))
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Encrypts a file into another one; answers the SHA-256 of what was written, and its bytes.
pub fn seal(recipient: &Recipient, from: &Path, to: File) -> io::Result<(String, u64)> {
    let recipients = std::iter::once(recipient as &dyn age::Recipient);
    let encryptor = Encryptor::with_recipients(recipients).map_err(io::Error::other)?;
    let mut sealed = encryptor.wrap_output(Hashing::new(BufWriter::new(to)))?;
    io::copy(&mut File::open(from)?, &mut sealed)?;
    let (_, digest, bytes) = sealed.finish()?.end()?;
    Ok((digest, bytes))
}

/// Opens what was encrypted.
pub fn open(identity: &Identity, from: File) -> Result<impl Read + Send + use<>, Failure> {
    let decryptor = Decryptor::new_buffered(BufReader::new(from))?;
    Ok(decryptor.decrypt(std::iter::once(identity as &dyn age::Identity))?)
}

/// The secret half of a key, as `age-keygen` writes it into a file.
pub fn identity(path: &Path) -> Result<Identity, Failure> {
    let told = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| told(&error))?;
    let keys: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    match keys[..] {
        [key] => Ok(key.parse().map_err(|_| told(&"it holds no secret key of age (AGE-SECRET-KEY-1…)"))?),
        _ => Err(told(&"it has to hold one secret key of age and nothing else").into()),
    }
}

/// What a file is called in an encrypted repository: nobody learns from it which file it is, and nobody but who makes backups
/// can. Another recipient has other names, so that nothing encrypted for the one before is taken for the new one's.
pub fn keyed(key: &str, recipient: &str, sha256: &str) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap_or_else(|_| unreachable!("any length is good"));
    mac.update(format!("{recipient} {sha256}").as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

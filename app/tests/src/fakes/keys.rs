//! Keys that the tests' own providers sign and seal with.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey};
use rustls_pki_types::PrivatePkcs8KeyDer;
use rustls_pki_types::pem::PemObject;

/// Where a key's file is, for the program's settings.
pub fn file(name: &str) -> String {
    format!("{}/app/tests/keys/{name}.pem", env!("BINDERY_CHECKOUT"))
}

fn pair(name: &str) -> RsaKeyPair {
    let der = PrivatePkcs8KeyDer::from_pem_file(file(name)).unwrap();
    RsaKeyPair::from_pkcs8(der.secret_pkcs8_der()).unwrap()
}

/// RSA-SHA256 with a named key, base64.
pub fn sign(name: &str, text: &str) -> String {
    let pair = pair(name);
    let mut signature = vec![0; pair.public().modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).unwrap();
    STANDARD.encode(signature)
}

/// A named key's modulus and exponent, as a JSON Web Key has them.
pub fn public_numbers(name: &str) -> (Vec<u8>, Vec<u8>) {
    let numbers = PublicKeyComponents::<Vec<u8>>::from(pair(name).public());
    (numbers.n, numbers.e)
}

/// Whether a signature is a named key's.
pub fn is_signed(name: &str, text: &str, signature: &str) -> bool {
    let pair = pair(name);
    let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, pair.public().as_ref().to_vec());
    STANDARD.decode(signature).is_ok_and(|signature| key.verify(text.as_bytes(), &signature).is_ok())
}

/// AES-256-GCM, base64.
pub fn seal(key: &str, nonce: &str, beside: &str, text: &str) -> String {
    let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key.as_bytes()).unwrap());
    let nonce = Nonce::try_assume_unique_for_key(nonce.as_bytes()).unwrap();
    let mut bytes = text.as_bytes().to_vec();
    key.seal_in_place_append_tag(nonce, Aad::from(beside.as_bytes()), &mut bytes).unwrap();
    STANDARD.encode(bytes)
}

/// Seconds since 1970.
pub fn seconds() -> i64 {
    std::time::UNIX_EPOCH.elapsed().unwrap().as_secs().try_into().unwrap()
}

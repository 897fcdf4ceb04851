//! A device that makes passkeys and shows them, in software (W3C Web Authentication, Level 3, section 6): ES256, no
//! attestation. What it does wrong on demand is what the server has to see.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const MADE: u8 = 0x40;

/// A device with one passkey.
pub struct Authenticator {
    key: EcdsaKeyPair,
    id: Vec<u8>,
    /// Whose it is, as the site calls its member.
    pub handle: String,
    /// What the browser says of the page.
    pub origin: String,
    /// The site that it answers for.
    pub site: String,
    /// Counts each use.
    pub counter: u32,
    /// Whether it has asked who holds it.
    pub verifies: bool,
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).unwrap();
    bytes
}

impl Authenticator {
    /// Makes a passkey as a page at this origin is told to, and answers what the browser sends.
    pub fn make(origin: &str, options: &Value) -> (Self, String) {
        assert!(options["authenticatorSelection"]["userVerification"] == "required", "{options}");
        assert!(options["pubKeyCredParams"].as_array().unwrap().iter().any(|kind| kind["alg"] == -7));
        let rng = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &rng).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &rng).unwrap();
        let device = Self {
            key,
            id: random::<32>().to_vec(),
            handle: options["user"]["id"].as_str().unwrap().to_owned(),
            origin: origin.to_owned(),
            site: options["rp"]["id"].as_str().unwrap().to_owned(),
            counter: 0,
            verifies: true,
        };
        let answer = device.made(options);
        (device, answer)
    }

    /// What the browser sends of the passkey that was made.
    pub fn made(&self, options: &Value) -> String {
        let mut data = self.data(MADE);
        data.extend([0; 16]);
        data.extend((self.id.len() as u16).to_be_bytes());
        data.extend(&self.id);
        // COSE: an EC2 key for ES256 on P-256
        let point = &self.key.public_key().as_ref()[1..];
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&point[..32]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&point[32..]);
        // CBOR: {"fmt": "none", "attStmt": {}, "authData": …}
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(u8::try_from(data.len()).unwrap());
        object.extend(&data);
        let response = json!({
            "clientDataJSON": self.client_data("webauthn.create", options),
            "attestationObject": URL_SAFE_NO_PAD.encode(object),
            "transports": ["internal"],
        });
        self.answer(response)
    }

    /// Shows the passkey, and answers what the browser sends.
    pub fn show(&mut self, options: &Value) -> String {
        assert_eq!(options["userVerification"], "required");
        self.counter += 1;
        let client_data = self.client_data("webauthn.get", options);
        let data = self.data(0);
        let digest = Sha256::digest(URL_SAFE_NO_PAD.decode(&client_data).unwrap());
        let signature = self.key.sign(&SystemRandom::new(), &[data.as_slice(), digest.as_slice()].concat());
        let response = json!({
            "clientDataJSON": client_data,
            "authenticatorData": URL_SAFE_NO_PAD.encode(&data),
            "signature": URL_SAFE_NO_PAD.encode(signature.unwrap()),
            "userHandle": self.handle,
        });
        self.answer(response)
    }

    fn answer(&self, response: Value) -> String {
        let id = URL_SAFE_NO_PAD.encode(&self.id);
        json!({
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "platform",
            "clientExtensionResults": {}, "response": response,
        })
        .to_string()
    }

    fn client_data(&self, kind: &str, options: &Value) -> String {
        let origin = &self.origin;
        let data = json!({ "type": kind, "challenge": options["challenge"], "origin": origin, "crossOrigin": false });
        URL_SAFE_NO_PAD.encode(data.to_string())
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut data = Sha256::digest(&self.site).to_vec();
        data.push(PRESENT | verified | flags);
        data.extend(self.counter.to_be_bytes());
        data
    }
}

//! Members as rows, without a process of the command line for each.

use std::time::{SystemTime, UNIX_EPOCH};

use domain::contact::Contact;
use domain::ids::MemberId;
use domain::ledger::{Entry, Posting};
use domain::money::Fen;
use sha2::{Digest, Sha256};

use crate::Server;

/// [`PASSWORD`](crate::PASSWORD) as argon2id, at the least cost that there is: the program takes the cost of a hash from the
/// hash, and hundreds of members sign in.
const HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$uxWTSOnvlCJwDdrvGjf7x3xvw771mTCJHUN5gdfCrTw";

/// What `bindery member add` does: a member with a balance in yuan, which the ledger knows about.
pub async fn member(server: &Server, account: &str, balance: &str, tier: &str) -> String {
    let contact = Contact::read(account).unwrap_or_else(|| panic!("no account: {account}"));
    let balance: Fen = balance.parse().unwrap();
    let id = new_id();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let field = if contact.is_phone() { "phone" } else { "email" };
    let (member_code, invite_code) = codes(&id);
    let mut statements = vec![format!(
        "insert into members (id, account, {field}, name, password_hash, member_code, invite_code, tier, created_at)
         values ('{id}', '{contact}', '{contact}', '{name}', '{HASH}', '{member_code}', '{invite_code}', '{tier}', {now})",
        name = contact.name(),
    )];
    if balance > Fen::ZERO {
        let member: MemberId = id.parse().unwrap();
        let key = format!("opening:{id}").parse().unwrap();
        statements.extend(post(&Posting::opening_grant(key, &member, balance).unwrap(), now));
    }
    server.transaction(&statements).await;
    id
}

fn new_id() -> String {
    ulid::Ulid::new().to_string().to_ascii_lowercase()
}

/// A member code and an invite code that nobody else has.
fn codes(id: &str) -> (String, String) {
    const LETTERS: &[u8] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";
    let digest = Sha256::digest(id);
    let number = digest.iter().take(8).fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
    let letters = digest.iter().skip(8).take(8);
    let letters = letters.map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]));
    (format!("{:08}", number % 100_000_000), letters.collect())
}

/// A posting as the ledger writes it: accounts in their order, entries numbered, a digest of all.
fn post(posting: &Posting, now: u128) -> Vec<String> {
    let id = new_id();
    let mut digest = Sha256::new();
    for Entry { account, amount } in posting.entries() {
        digest.update(format!("{account} {amount}\n"));
    }
    let (key, digest) = (posting.key().as_str(), hex::encode(digest.finalize()));
    let mut statements = vec![format!(
        "insert into ledger_transactions (id, posting_key, digest, memo, created_at)
         values ('{id}', '{key}', '{digest}', '开户余额', {now})"
    )];
    let mut entries: Vec<_> = posting.entries().iter().enumerate().collect();
    entries.sort_by(|(_, one), (_, other)| one.account.cmp(&other.account));
    for (position, Entry { account, amount }) in entries {
        let floor = if account.may_be_negative() { "null" } else { "0" };
        let fen = amount.0;
        statements.push(format!(
            "insert into ledger_accounts (id, balance, floor, entries) values ('{account}', {fen}, {floor}, 1)
             on conflict (id) do update
             set balance = ledger_accounts.balance + {fen}, entries = ledger_accounts.entries + 1"
        ));
        statements.push(format!(
            "insert into ledger_entries (transaction_id, position, account_id, amount, balance_after, sequence)
             select '{id}', {position}, id, {fen}, balance, entries from ledger_accounts where id = '{account}'"
        ));
    }
    statements
}

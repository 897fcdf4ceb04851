//! Invoices: what is paid, asked for and issued.

use std::process::Output;

use crate::{Caller, Server, between, location};

/// A paid order; answers its number.
pub async fn paid_order(member: &Caller) -> String {
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    location(&member.post("/manager/shopping/pay", &[("order", &order)]).await);
    order
}

/// Asks for an invoice in one's own name and answers its id.
pub async fn ask(member: &Caller, order: &str) -> String {
    let answer = send(member, order, &[("title", "new"), ("kind", "personal"), ("name", "林知夏")]).await;
    id_of(&location(&answer))
}

/// A PDF of one empty page with a remark in it, so that two of them differ.
pub fn pdf(remark: &str) -> Vec<u8> {
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Remark({remark})>>"),
    ];
    let mut text = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(text.len());
        text += &format!("{} 0 obj{object}endobj\n", index + 1);
    }
    let start = text.len();
    text += "xref\n0 4\n0000000000 65535 f \n";
    for place in places {
        text += &format!("{place:010} 00000 n \n");
    }
    text += &format!("trailer<</Size 4/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
    text.into_bytes()
}

/// What a command printed; it must have worked.
pub fn succeeds(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Why a command failed.
pub fn fails(output: Output) -> String {
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

pub fn try_issue(server: &Server, id: &str, file: &[u8], more: &[&str]) -> Output {
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&path, file).unwrap();
    let mut arguments = vec!["invoice", "issue", id, path.path().to_str().unwrap()];
    arguments.extend(more);
    server.run(&arguments)
}

/// Issues an invoice.
pub fn issue(server: &Server, id: &str, file: &[u8], more: &[&str]) -> String {
    succeeds(try_issue(server, id, file, more))
}

pub const LIST: &str = "/manager/invoice";

/// The fields of the form for an order, as its page offers them.
pub async fn offered(member: &Caller, order: &str) -> Vec<(String, String)> {
    let page = member.page(&format!("{LIST}/new?order={order}")).await;
    let hidden = |name: &str| between(&page, &format!("name=\"{name}\" value=\""), "\"");
    ["invoice", "order", "amount"].map(|name| (name.to_owned(), hidden(name))).into()
}

/// Sends the form for an order with these fields.
pub async fn send(member: &Caller, order: &str, fields: &[(&str, &str)]) -> reqwest::Response {
    let offered = offered(member, order).await;
    let offered = offered.iter().map(|(name, value)| (&**name, &**value));
    let all: Vec<(&str, &str)> = offered
        .filter(|(name, _)| fields.iter().all(|(given, _)| given != name))
        .chain(fields.iter().copied())
        .collect();
    member.post(&format!("{LIST}/new?order={order}"), &all).await
}

pub fn id_of(place: &str) -> String {
    between(&format!("{place}?"), "/manager/invoice/", "?")
}

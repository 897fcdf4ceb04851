//! A member with an album, at the editor's calls.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use crate::{Caller, Server, jpeg};

pub async fn json_of(answer: Response) -> Value {
    serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
}

/// A member with an album of its own.
pub struct Editor {
    pub member: Caller,
    pub work: String,
    pub photos: Vec<String>,
}

impl Editor {
    pub async fn of(server: &Server, account: &str) -> Self {
        let member = server.member(account, "0").await;
        let photos = member.upload((0..6).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
        let work = member.album("square-210", "海边的夏天", &photos).await;
        Self { member, work, photos }
    }

    /// The revision and the document.
    pub async fn document(&self) -> (i64, Value) {
        let answer = self.member.get(&format!("/works/document?workID={}", self.work)).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["cache-control"], "private, no-store");
        let body = json_of(answer).await;
        assert_eq!(body["status"], 1);
        (body["data"]["revision"].as_i64().unwrap(), body["data"]["document"].clone())
    }

    pub async fn send(&self, base: i64, operations: &Value) -> (StatusCode, Value) {
        let (base, operations) = (base.to_string(), operations.to_string());
        let fields = [("workID", &*self.work), ("base", &base), ("operations", &operations)];
        let answer = self.member.post("/works/edit", &fields).await;
        (answer.status(), json_of(answer).await)
    }

    /// Sends what is to be made, and answers the revision.
    pub async fn make(&self, base: i64, operations: &Value) -> i64 {
        let (status, body) = self.send(base, operations).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        assert_eq!(body["status"], 1);
        body["data"]["revision"].as_i64().unwrap()
    }

    pub async fn refuse(&self, base: i64, operations: &Value) -> String {
        let (status, body) = self.send(base, operations).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{operations} {body}");
        assert_eq!(body["code"], 400);
        body["msg"].as_str().unwrap().to_owned()
    }
}

/// Page and element of the first photo inside, and of the second.
pub fn photos_of(document: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for page in document["pages"].as_array().unwrap() {
        for element in page["elements"].as_array().unwrap() {
            if element["kind"] == "photo" {
                let id = |of: &Value| of["id"].as_str().unwrap().to_owned();
                found.push((id(page), id(element)));
            }
        }
    }
    found
}

pub fn element<'d>(document: &'d Value, id: &str) -> Option<&'d Value> {
    let pages = std::iter::once(&document["cover"]).chain(document["pages"].as_array().unwrap());
    pages.flat_map(|page| page["elements"].as_array().unwrap()).find(|element| element["id"] == id)
}

pub fn set(id: &str, (page, element): &(String, String), name: &str, value: Value) -> Value {
    json!({ "id": id, "op": "set", "page": page, "element": element, "name": name, "value": value })
}

pub fn frame(x: f64) -> Value {
    json!({ "x": x, "y": 20.5, "width": 80, "height": 60 })
}

pub fn words(id: &str, text: &str) -> Value {
    json!({ "id": id, "kind": "text", "role": "caption", "text": text,
        "frame": { "x": 20, "y": 180, "width": 120, "height": 12 } })
}

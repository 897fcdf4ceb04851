//! /works/document and /works/edit: what programs and the editor change.

use serde_json::json;

use support::editor::{Editor, element, photos_of, words};
use support::{Server, on_both_engines};

on_both_engines!(what_was_acknowledged_is_there_after_a_kill,);

async fn what_was_acknowledged_is_there_after_a_kill(mut server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (_, document) = editor.document().await;
    let page = &photos_of(&document)[0].0;
    let add = json!([{ "id": "a", "op": "add", "page": page, "element": words("w", "海风") }]);
    assert_eq!(editor.make(1, &add).await, 2);
    server.kill();
    server.restart();
    let member = editor.member.at(&server.base);
    let editor = Editor { member, ..editor };
    assert_eq!(element(&editor.document().await.1, "w").unwrap()["text"], "海风");
    assert_eq!(editor.make(1, &add).await, 2);
}

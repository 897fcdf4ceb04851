//! /works/document and /works/edit: what programs and the editor change.

use reqwest::StatusCode;
use serde_json::{Value, json};

use support::editor::{Editor, element, frame, json_of, photos_of, set, words};
use support::{Server, location, on_both_engines};

on_both_engines!(
    everything_in_a_document_has_a_name,
    an_operation_is_made_once_however_often_it_comes,
    two_editors_merge,
    the_same_property_on_both_sides_keeps_both,
    a_journal_from_last_year_overwrites_nothing,
    two_at_once_lose_nothing;
    on_sqlite:
    a_document_of_before_has_the_same_names_everywhere,
    operations_are_made_and_undone,
    somebody_elses_things_stay_theirs,
    a_sitting_is_one_version,
    revisions_of_a_sitting_can_be_looked_at,
    a_proof_keeps_its_revision,
    a_work_goes_with_its_operations,
    thousands_of_operations_take_little_room,
    what_is_refused_changes_nothing,
    words_stay_words,
);

/// A statement narrowed to the rows of an editor's work.
fn of_work(sql: &str, editor: &Editor) -> String {
    format!("{sql} work_id = '{}'", editor.work)
}

async fn operations(server: &Server, editor: &Editor) -> String {
    server.read(&of_work("select cast(count(*) as text) from work_operations where", editor)).await
}

async fn everything_in_a_document_has_a_name(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (revision, document) = editor.document().await;
    assert_eq!(revision, 1);
    assert_eq!(document["cover"]["id"], "cover");
    let mut ids: Vec<&str> = vec!["cover"];
    for page in document["pages"].as_array().unwrap() {
        ids.push(page["id"].as_str().unwrap());
        for element in page["elements"].as_array().unwrap() {
            ids.push(element["id"].as_str().unwrap());
            assert!(element["frame"]["width"].as_f64().unwrap() > 0.0);
        }
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    // forms leave the names of what they leave
    let page = format!("/manager/opus/{}/pages", editor.work);
    let answer = editor.member.post(&page, &[("revision", "1"), ("add", "1")]).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let (_, after) = editor.document().await;
    let name = |document: &Value, page: usize| document["pages"][page]["id"].as_str().unwrap().to_owned();
    assert_eq!(name(&after, 0), name(&document, 0));
    assert_eq!(name(&after, 3), name(&document, 1));
    assert!(!ids.contains(&&*name(&after, 1)) && !ids.contains(&&*name(&after, 2)));
}

async fn a_document_of_before_has_the_same_names_everywhere(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (_, mut document) = editor.document().await;
    // as it was stored before there were names
    document.as_object_mut().unwrap().remove("version");
    let forget = |page: &mut Value| {
        page.as_object_mut().unwrap().remove("id");
        for element in page["elements"].as_array_mut().unwrap() {
            element.as_object_mut().unwrap().remove("id");
        }
    };
    forget(&mut document["cover"]);
    document["pages"].as_array_mut().unwrap().iter_mut().for_each(forget);
    let text = document.to_string().replace('\'', "''");
    for (table, id) in [("works", "id"), ("work_revisions", "work_id")] {
        server.sql(&format!("update {table} set document = '{text}' where {id} = '{}'", editor.work)).await;
    }
    let (_, read) = editor.document().await;
    assert_eq!(read["pages"][2]["id"], "p0-3");
    let (_, again) = editor.document().await;
    assert_eq!(read, again);
    let photo = &photos_of(&read)[0];
    let revision = editor.make(1, &json!([set("a", photo, "rotation", json!(5))])).await;
    assert_eq!(revision, 2);
    assert_eq!(element(&editor.document().await.1, &photo.1).unwrap()["rotation"], 5.0);
}

async fn operations_are_made_and_undone(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (revision, before) = editor.document().await;
    let photos = photos_of(&before);
    let (page, photo) = &photos[0];
    let old = element(&before, photo).unwrap().clone();
    let place = before["pages"].as_array().unwrap().iter().find(|it| it["id"] == **page).unwrap()["elements"]
        .as_array()
        .unwrap()
        .iter()
        .position(|it| it["id"] == **photo)
        .unwrap();
    let shape = json!({ "id": "shape-1", "kind": "shape", "shape": "ellipse", "fill": "accent",
        "border": { "width": 1, "colour": "#203864" }, "rotation": 30,
        "frame": { "x": 10, "y": 10, "width": 30, "height": 20 } });
    let ornament = json!({ "id": "ornament-1", "kind": "shape", "shape": "sprig", "fill": "strong",
        "frame": { "x": 60, "y": 10, "width": 44, "height": 16 } });
    let revision = editor
        .make(
            revision,
            &json!([
                set("1", &photos[0], "frame", frame(12.5)),
                set("2", &photos[0], "rotation", json!(-12.5)),
                set("3", &photos[0], "border", json!({ "width": 1.5, "colour": "strong" })),
                set("4", &photos[0], "radius", json!(4)),
                set("5", &photos[0], "locked", json!(true)),
                { "id": "6", "op": "add", "page": page, "element": words("mine", "海风") },
                set("7", &(page.clone(), "mine".to_owned()), "size", json!(2)),
                set("8", &(page.clone(), "mine".to_owned()), "colour", json!("#a4452c")),
                { "id": "9", "op": "add", "page": page, "element": shape },
                { "id": "10", "op": "order", "page": page, "element": "shape-1", "to": 0 },
                { "id": "11", "op": "set", "page": page, "name": "ground", "value": "tint" },
                set("12", &photos[0], "mask", json!("arch")),
                { "id": "13", "op": "add", "page": page, "element": ornament },
                set("14", &(page.clone(), "ornament-1".to_owned()), "shape", json!("double-frame")),
            ]),
        )
        .await;
    let (newest, after) = editor.document().await;
    assert_eq!(newest, revision);
    let turned = element(&after, photo).unwrap();
    assert_eq!(
        (&turned["rotation"], &turned["locked"], &turned["radius"], &turned["mask"]),
        (&json!(-12.5), &json!(true), &json!(4.0), &json!("arch"))
    );
    assert_eq!(turned["frame"]["x"], 12.5);
    assert_eq!(element(&after, "mine").unwrap()["size"], 2);
    assert_eq!(element(&after, "ornament-1").unwrap()["shape"], "double-frame");
    let changed = after["pages"].as_array().unwrap().iter().find(|it| it["id"] == **page).unwrap();
    assert_eq!(changed["elements"][0]["id"], "shape-1");
    assert_eq!(changed["ground"], "tint");
    // it is drawn, and what the page says of it
    let number = before["pages"].as_array().unwrap().iter().position(|it| it["id"] == **page).unwrap() + 1;
    let picture = async |revision: i64| {
        let address = format!("/manager/opus/{}/page/{number}/320?r={revision}", editor.work);
        editor.member.get(&address).await.bytes().await.unwrap()
    };
    assert_ne!(picture(1).await, picture(revision).await);
    let proof = editor.member.get(&format!("/manager/opus/{}/proof.pdf", editor.work)).await;
    assert_eq!(proof.status(), StatusCode::OK);
    // everything back, by what each operation was before
    let undone = editor
        .make(
            revision,
            &json!([
                { "id": "u11", "op": "set", "page": page, "name": "ground", "value": null },
                { "id": "u9", "op": "remove", "page": page, "element": "shape-1" },
                { "id": "u13", "op": "remove", "page": page, "element": "ornament-1" },
                { "id": "u6", "op": "remove", "page": page, "element": "mine" },
                { "id": "u0", "op": "remove", "page": page, "element": photo },
                { "id": "u1", "op": "add", "page": page, "element": old, "to": place },
            ]),
        )
        .await;
    let (newest, now) = editor.document().await;
    assert_eq!((newest, now), (undone, before));
    assert_eq!(picture(1).await, picture(undone).await);
}

async fn an_operation_is_made_once_however_often_it_comes(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (_, document) = editor.document().await;
    let photos = photos_of(&document);
    let add = json!([{ "id": "add-1", "op": "add", "page": photos[0].0, "element": words("w1", "一句话") }]);
    assert_eq!(editor.make(1, &add).await, 2);
    // its answer was lost
    for _ in 0..3 {
        assert_eq!(editor.make(1, &add).await, 2);
    }
    assert_eq!(operations(&server, &editor).await, "1");
    // sent on with what was done since, on the same element
    let at = (photos[0].0.clone(), "w1".to_owned());
    let more = json!([add[0], set("turn-1", &at, "rotation", json!(9))]);
    let (status, body) = editor.send(1, &more).await;
    assert_eq!((status, &body["data"]), (StatusCode::OK, &json!({ "revision": 3, "merged": false })));
    // also when somebody changed that meanwhile: it was made, and is no newer now
    assert_eq!(editor.make(3, &json!([set("turn-2", &at, "rotation", json!(20))])).await, 4);
    assert_eq!(editor.make(1, &more).await, 4);
    assert_eq!(element(&editor.document().await.1, "w1").unwrap()["rotation"], 20.0);
    // twice in one request, alike and not alike
    let twice = set("twice", &at, "rotation", json!(1));
    assert_eq!(editor.make(4, &json!([twice, twice])).await, 5);
    let unlike = [set("unlike", &at, "rotation", json!(1)), set("unlike", &at, "rotation", json!(2))];
    assert!(editor.refuse(5, &json!(unlike)).await.contains("两个不同的操作"));
    // the same name in another work is another operation
    let other = Editor::of(&server, "other@example.com").await;
    let (_, document) = other.document().await;
    let add = json!([{ "id": "add-1", "op": "add", "page": photos_of(&document)[0].0, "element": words("w1", "话") }]);
    assert_eq!(other.make(1, &add).await, 2);
}

async fn what_is_refused_changes_nothing(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (revision, document) = editor.document().await;
    let photos = photos_of(&document);
    let (page, photo) = &photos[0];
    let wrong_values = [
        ("frame", json!({ "x": 0, "y": 0, "width": 0, "height": 10 })),
        ("frame", json!({ "x": 0, "y": 0, "width": -10, "height": 10 })),
        ("frame", json!({ "x": 1e308, "y": 0, "width": 10, "height": 10 })),
        ("frame", json!({ "x": 0, "y": 0, "width": 1e308, "height": 1e308 })),
        ("frame", json!({ "x": 0, "y": 0, "width": "NaN", "height": 10 })),
        ("frame", json!({ "x": null, "y": 0, "width": 10, "height": 10 })),
        ("frame", json!({ "x": 5000, "y": 0, "width": 10, "height": 10 })),
        ("frame", Value::Null),
        ("rotation", json!(1e308)),
        ("rotation", json!("90")),
        ("crop", json!({ "x": 0.5, "y": 0, "width": 0.6, "height": 1 })),
        ("crop", json!({ "x": 0, "y": 0, "width": 0, "height": 0 })),
        ("border", json!({ "width": -1, "colour": "strong" })),
        ("border", json!({ "width": 1, "colour": "url(https://evil.example)" })),
        ("radius", json!(1e9)),
        ("mask", json!("star")),
        ("mask", json!(["arch"])),
        ("text", json!("a photo has no words")),
        ("id", json!("another")),
        ("kind", json!("text")),
        ("opacity", json!(0.5)),
        ("photo", json!("../../etc/passwd")),
        ("photo", json!("no-such-photo")),
    ];
    let good = set("good", &photos[1], "rotation", json!(45));
    for (name, value) in wrong_values {
        editor.refuse(revision, &json!([good, set("bad", &photos[0], name, value)])).await;
    }
    let add = |element: Value| json!({ "id": "bad", "op": "add", "page": page, "element": element });
    let unicorn =
        json!({ "id": "x", "kind": "shape", "shape": "unicorn", "fill": "accent", "frame": frame(10.0) });
    let mut unnamed = words("x", "话");
    unnamed.as_object_mut().unwrap().remove("id");
    let long = "字".repeat(501);
    for bad in [
        set("bad", &(page.clone(), "no-such".to_owned()), "rotation", json!(1)),
        set("bad", &("no-such".to_owned(), photo.clone()), "rotation", json!(1)),
        add(unicorn),
        // an element of another page
        json!({ "id": "bad", "op": "remove", "page": "cover", "element": photo }),
        json!({ "id": "bad", "op": "remove", "page": page, "element": "no-such" }),
        json!({ "id": "bad", "op": "order", "page": page, "element": photo, "to": 999 }),
        json!({ "id": "bad", "op": "order", "page": page, "element": photo, "to": -1 }),
        json!({ "id": "bad", "op": "set", "page": page, "name": "theme", "value": "no-such" }),
        json!({ "id": "bad", "op": "set", "page": page, "name": "elements", "value": [] }),
        json!({ "id": "bad", "op": "explode", "page": page }),
        json!({ "id": "", "op": "remove", "page": page, "element": photo }),
        json!({ "id": "x".repeat(41), "op": "remove", "page": page, "element": photo }),
        json!({ "op": "remove", "page": page, "element": photo }),
        json!("remove"),
        add(unnamed),
        add(words(photo, "a name that is taken")),
        add(words("x", &long)),
        add(words("x", "a\u{0}b")),
        add(json!({ "id": "x", "kind": "video", "frame": frame(1.0) })),
        add(json!({ "id": "x", "kind": "pdf", "file": "0".repeat(64), "page": 1, "frame": frame(1.0),
            "crop": { "x": 0, "y": 0, "width": 1, "height": 1 } })),
    ] {
        editor.refuse(revision, &json!([good, bad])).await;
    }
    // more than a page, or a request, may hold
    let many = |count: usize| -> Value {
        (0..count)
            .map(|n| json!({ "id": format!("o{n}"), "op": "add", "page": page, "element": words(&format!("n{n}"), "字") }))
            .collect()
    };
    let reason = editor.refuse(revision, &many(10_000)).await;
    assert!(reason.contains("200 件"), "{reason}");
    editor.refuse(revision, &many(10_001)).await;
    // what is no list of operations
    let raw = [
        "",
        "{}",
        "[]",
        "null",
        "[",
        "NaN",
        "[NaN]",
        r#"[{"id":"a","op":"set","page":"cover","name":"ground","value":1e999}]"#,
    ];
    for text in raw {
        let fields = [("workID", &*editor.work), ("base", "1"), ("operations", text)];
        let answer = editor.member.post("/works/edit", &fields).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{text}");
    }
    for base in ["", "0", "-1", "2", "99999999999999999999", "x", "1.5"] {
        let operations = json!([good]).to_string();
        let fields = [("workID", &*editor.work), ("base", base), ("operations", &operations)];
        let answer = editor.member.post("/works/edit", &fields).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{base}");
    }
    assert_eq!(editor.document().await, (revision, document));
    assert_eq!(operations(&server, &editor).await, "0");
    // what was refused may come again
    editor.make(revision, &json!([good])).await;
}

async fn somebody_elses_things_stay_theirs(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let other = Editor::of(&server, "other@example.com").await;
    let (revision, document) = editor.document().await;
    let photos = photos_of(&document);
    let theirs = Editor { member: other.member, work: editor.work.clone(), photos: other.photos.clone() };
    let turn = json!([set("a", &photos[0], "rotation", json!(5))]);
    assert_eq!(theirs.send(revision, &turn).await.0, StatusCode::NOT_FOUND);
    assert_eq!(theirs.send(revision, &json!("nonsense")).await.0, StatusCode::NOT_FOUND);
    let answer = theirs.member.get(&format!("/works/document?workID={}", editor.work)).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let missing = theirs.member.get("/works/document?workID=no-such").await;
    assert_eq!(missing.text().await.unwrap(), answer.text().await.unwrap());
    // their photo on one's own page
    let photo = &theirs.photos[0];
    editor.refuse(revision, &json!([set("b", &photos[0], "photo", json!(photo))])).await;
    let frame = json!({ "id": "x", "kind": "photo", "photo": photo, "frame": frame(1.0),
        "crop": { "x": 0, "y": 0, "width": 1, "height": 1 } });
    editor
        .refuse(revision, &json!([{ "id": "c", "op": "add", "page": photos[0].0, "element": frame }]))
        .await;
    // one's own
    let own = editor.photos.last().unwrap();
    editor.make(revision, &json!([set("d", &photos[0], "photo", json!(own))])).await;
    // nobody, and from elsewhere
    let visitor = server.visitor();
    let answer = visitor.get(&format!("/works/document?workID={}", editor.work)).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(json_of(answer).await["code"], 401);
    let answer = editor.member.post_with_origin("/works/edit", "https://evil.example").await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    // what lies in the trash is left alone
    let trash = format!("/manager/opus/{}/trash", editor.work);
    assert_eq!(editor.member.post(&trash, &[]).await.status(), StatusCode::SEE_OTHER);
    let (status, body) = editor.send(2, &json!([set("e", &photos[0], "rotation", json!(1))])).await;
    assert_eq!((status, body["code"].as_i64()), (StatusCode::CONFLICT, Some(409)));
}

async fn words_stay_words(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (_, document) = editor.document().await;
    let page = &photos_of(&document)[0].0;
    let text = "<script>alert(1)</script> #panic[] \"&amp;\n第二段";
    let mut block = words("w", text);
    block["role"] = json!("title");
    editor.make(1, &json!([{ "id": "a", "op": "add", "page": page, "element": block }])).await;
    let (revision, document) = editor.document().await;
    assert_eq!(element(&document, "w").unwrap()["text"], text);
    let shown = editor.member.page(&format!("/manager/opus/{}", editor.work)).await;
    assert!(!shown.contains("<script>alert"));
    assert!(shown.contains("&lt;script>alert(1)&lt;/script>"), "{shown}");
    let number = document["pages"].as_array().unwrap().iter().position(|it| it["id"] == **page).unwrap() + 1;
    let address = format!("/manager/opus/{}/page/{number}/320?r={revision}", editor.work);
    assert_eq!(editor.member.get(&address).await.status(), StatusCode::OK);
}

async fn two_editors_merge(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (base, document) = editor.document().await;
    let photos = photos_of(&document);
    let one = editor.make(base, &json!([set("one", &photos[0], "frame", frame(33.0))])).await;
    // another device, which has not seen that: another element, and another property of the same one
    let theirs = json!([
        set("two", &photos[1], "frame", frame(44.0)),
        set("three", &photos[0], "locked", json!(true))
    ]);
    let (status, body) = editor.send(base, &theirs).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(body["data"], json!({ "revision": one + 1, "merged": true }));
    // the first one goes on with what it has
    let mine = json!([set("four", &photos[0], "frame", frame(55.0))]);
    assert_eq!(editor.send(one, &mine).await.1["data"], json!({ "revision": one + 2, "merged": true }));
    // both had the same idea
    let same = json!([set("five", &photos[0], "locked", json!(true))]);
    assert_eq!(editor.make(base, &same).await, one + 2);
    let (_, merged) = editor.document().await;
    assert_eq!(element(&merged, &photos[0].1).unwrap()["frame"]["x"], 55.0);
    assert_eq!(element(&merged, &photos[1].1).unwrap()["frame"]["x"], 44.0);
    assert_eq!(element(&merged, &photos[0].1).unwrap()["locked"], true);
    // a form that was opened before is refused, and kept
    let texts = format!("/manager/opus/{}/texts", editor.work);
    let answer = editor.member.post(&texts, &[("revision", "1"), ("title", "别的书名")]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert_eq!(editor.document().await.1, merged);
}

async fn the_same_property_on_both_sides_keeps_both(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (base, document) = editor.document().await;
    let photos = photos_of(&document);
    let newest = editor.make(base, &json!([set("one", &photos[0], "frame", frame(33.0))])).await;
    let theirs =
        json!([set("two", &photos[1], "rotation", json!(3)), set("three", &photos[0], "frame", frame(44.0))]);
    // sent twice, it is kept once
    for _ in 0..2 {
        let (status, body) = editor.send(base, &theirs).await;
        assert_eq!(status, StatusCode::CONFLICT);
        assert_eq!((&body["code"], &body["data"]["revision"]), (&json!(409), &json!(newest)), "{body}");
        assert!(!body["msg"].as_str().unwrap().is_empty());
    }
    let (revision, stands) = editor.document().await;
    assert_eq!(revision, newest);
    assert_eq!(element(&stands, &photos[0].1).unwrap()["frame"]["x"], 33.0);
    assert!(element(&stands, &photos[1].1).unwrap()["rotation"].is_null(), "nothing of it was made");
    let kept =
        server.read(&of_work("select document from work_revisions where revision < 0 and", &editor)).await;
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(element(&kept, &photos[0].1).unwrap()["frame"]["x"], 44.0);
    assert_eq!(element(&kept, &photos[1].1).unwrap()["rotation"], 3.0);
    let page = editor.member.page(&format!("/manager/opus/{}/revisions", editor.work)).await;
    assert!(page.contains("还没有并进来的改动") && page.contains("/revisions/-1"));
    // the member takes it
    let take = format!("/manager/opus/{}/revisions/-1/restoration", editor.work);
    location(&editor.member.post(&take, &[("revision", &newest.to_string())]).await);
    let (_, taken) = editor.document().await;
    assert_eq!(element(&taken, &photos[0].1).unwrap()["frame"]["x"], 44.0);
    // what one takes away and another changes
    let base = newest + 1;
    let away = json!([{ "id": "away", "op": "remove", "page": photos[2].0, "element": photos[2].1 }]);
    editor.make(base, &away).await;
    let (status, _) = editor.send(base, &json!([set("late", &photos[2], "rotation", json!(3))])).await;
    assert_eq!(status, StatusCode::CONFLICT);
    // a page that went meanwhile
    let pages = format!("/manager/opus/{}/pages", editor.work);
    let (revision, _) = editor.document().await;
    let left = (1..)
        .step_by(2)
        .find(|left| taken["pages"][*left]["elements"].as_array().is_some_and(|it| !it.is_empty()));
    let left = left.unwrap();
    let answer = editor
        .member
        .post(&pages, &[("revision", &revision.to_string()), ("remove", &(left + 1).to_string())])
        .await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let gone = (taken["pages"][left]["id"].as_str().unwrap().to_owned(), String::new());
    let turn =
        |id: &str| json!([{ "id": id, "op": "set", "page": gone.0, "name": "ground", "value": "deep" }]);
    assert_eq!(editor.send(revision, &turn("x")).await.0, StatusCode::CONFLICT);
    editor.refuse(revision + 1, &turn("y")).await;
}

/// The versions that the member sees, in the order of the line.
async fn versions(server: &Server, editor: &Editor) -> Vec<String> {
    let sql = of_work("select cast(revision as text) from work_revisions where revision > 0 and", editor);
    server.column(&format!("{sql} order by revision")).await
}

async fn a_sitting_is_one_version(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (mut revision, document) = editor.document().await;
    let photo = &photos_of(&document)[0];
    for step in 0..12 {
        let operation = set(&format!("s{step}"), photo, "rotation", json!(step));
        revision = editor.make(revision, &json!([operation])).await;
    }
    assert_eq!(revision, 13);
    assert_eq!(versions(&server, &editor).await, ["1", "13"]);
    // ten minutes later
    server.sql(&of_work("update work_revisions set sitting = sitting - 600000 where", &editor)).await;
    for step in 0..3 {
        let operation = set(&format!("t{step}"), photo, "rotation", json!(90 + step));
        revision = editor.make(revision, &json!([operation])).await;
    }
    assert_eq!(versions(&server, &editor).await, ["1", "13", "16"]);
    let page = editor.member.page(&format!("/manager/opus/{}/revisions", editor.work)).await;
    assert!(page.contains("在编辑器里改") && page.contains("第 13 版") && !page.contains("第 12 版"));
    // a form ends the sitting
    let texts = format!("/manager/opus/{}/texts", editor.work);
    let answer = editor.member.post(&texts, &[("revision", "16"), ("title", "新书名")]).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    editor.make(17, &json!([set("u", photo, "rotation", json!(1))])).await;
    assert_eq!(versions(&server, &editor).await, ["1", "13", "16", "17", "18"]);
}

async fn revisions_of_a_sitting_can_be_looked_at(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (_, document) = editor.document().await;
    let photo = &photos_of(&document)[0];
    let (mut revision, mut states) = (1, vec![(1, document.clone())]);
    for step in 1..8 {
        let turn = set(&format!("a{step}"), photo, "rotation", json!(step * 10));
        let text = format!("第 {step} 句");
        let add = json!({ "id": format!("b{step}"), "op": "add", "page": photo.0,
            "element": words(&format!("w{step}"), &text), "to": 0 });
        revision = editor.make(revision, &json!([turn, add])).await;
        states.push(editor.document().await);
    }
    assert_eq!(versions(&server, &editor).await, ["1", "8"]);
    // whoever still has one of them: its pictures, and operations made over it
    for (revision, state) in &states {
        let number =
            state["pages"].as_array().unwrap().iter().position(|it| it["id"] == *photo.0).unwrap() + 1;
        let address = format!("/manager/opus/{}/page/{number}/320?r={revision}", editor.work);
        assert_eq!(editor.member.get(&address).await.status(), StatusCode::OK, "{revision}");
        let id = format!("late-{revision}");
        let at = (photo.0.clone(), "w1".to_owned());
        let (status, body) = editor.send(*revision, &json!([set(&id, &at, "rotation", json!(7))])).await;
        // before the text was there, it is unknown; afterwards it is merged
        let expected = if *revision == 1 { StatusCode::BAD_REQUEST } else { StatusCode::OK };
        assert_eq!(status, expected, "{revision} {body}");
        let (status, _) =
            editor.send(*revision, &json!([set(&format!("{id}-x"), photo, "rotation", json!(-1))])).await;
        let expected = if *revision == 8 { StatusCode::OK } else { StatusCode::CONFLICT };
        assert_eq!(status, expected, "{revision}");
    }
}

async fn a_proof_keeps_its_revision(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (_, document) = editor.document().await;
    let photo = &photos_of(&document)[0];
    let line = editor.member.add_to_cart(&editor.work, "album-210").await;
    for step in 0..3 {
        editor.make(1 + step, &json!([set(&format!("a{step}"), photo, "rotation", json!(step + 1))])).await;
    }
    server
        .sql(&format!("update cart_lines set proofed_revision = 4, proofed_at = 1 where id = '{line}'"))
        .await;
    for step in 3..6 {
        editor.make(1 + step, &json!([set(&format!("a{step}"), photo, "rotation", json!(step + 1))])).await;
    }
    assert_eq!(versions(&server, &editor).await, ["1", "4", "7"]);
}

async fn a_journal_from_last_year_overwrites_nothing(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (_, document) = editor.document().await;
    let photos = photos_of(&document);
    for step in 0..4 {
        editor
            .make(1 + step, &json!([set(&format!("a{step}"), &photos[0], "rotation", json!(step + 1))]))
            .await;
    }
    // nobody has the revisions between any more
    server.sql(&of_work("update work_operations set change = null where", &editor)).await;
    let before = editor.document().await;
    let late = json!([set("late", &photos[1], "rotation", json!(77))]);
    let (status, body) = editor.send(3, &late).await;
    assert_eq!((status, &body["data"]["revision"]), (StatusCode::CONFLICT, &json!(5)), "{body}");
    assert_eq!(editor.document().await, before);
    let kept =
        server.read(&of_work("select document from work_revisions where revision < 0 and", &editor)).await;
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(element(&kept, &photos[1].1).unwrap()["rotation"], 77.0);
    // from one that is kept it merges, however old it is, and what was made is still known to have been
    assert_eq!(editor.make(1, &late).await, 6);
    assert_eq!(editor.make(1, &json!([set("a0", &photos[0], "rotation", json!(1))])).await, 6);
}

async fn two_at_once_lose_nothing(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (_, document) = editor.document().await;
    let photos = photos_of(&document);
    let rounds = 12;
    let client = async |name: &str, photo: &(String, String)| {
        let mut base = 1;
        for step in 1..=rounds {
            let operation = set(&format!("{name}-{step}"), photo, "rotation", json!(step));
            base = editor.make(base, &json!([operation])).await;
        }
    };
    tokio::join!(client("one", &photos[0]), client("two", &photos[1]), client("three", &photos[2]));
    let (revision, merged) = editor.document().await;
    assert_eq!(revision, 1 + 3 * rounds);
    for photo in &photos[..3] {
        assert_eq!(element(&merged, &photo.1).unwrap()["rotation"], json!(f64::from(rounds as i32)));
    }
    // all of them on one property: one goes over, the others are kept
    let outcomes = all_at_once(&editor, revision, &photos[3]).await;
    assert_eq!(outcomes.iter().filter(|status| **status == StatusCode::OK).count(), 1, "{outcomes:?}");
    assert!(outcomes.iter().all(|status| [StatusCode::OK, StatusCode::CONFLICT].contains(status)));
    let kept = server
        .read(&of_work("select cast(count(*) as text) from work_revisions where revision < 0 and", &editor))
        .await;
    assert_eq!(kept, "2");
}

async fn all_at_once(editor: &Editor, base: i64, photo: &(String, String)) -> [StatusCode; 3] {
    let turn = async |by: i32| {
        editor.send(base, &json!([set(&format!("at-once-{by}"), photo, "rotation", json!(by))])).await.0
    };
    let (one, two, three) = tokio::join!(turn(1), turn(2), turn(3));
    [one, two, three]
}

async fn thousands_of_operations_take_little_room(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (mut revision, document) = editor.document().await;
    let photos = photos_of(&document);
    for request in 0..40 {
        let operations: Value = (0..50)
            .map(|n| {
                set(
                    &format!("{request}-{n}"),
                    &photos[n % photos.len()],
                    "frame",
                    frame(f64::from(request) / 7.0),
                )
            })
            .collect();
        revision = editor.make(revision, &operations).await;
    }
    let bytes: u64 = server
        .read(&of_work("select cast(sum(bytes) as text) from work_revisions where", &editor))
        .await
        .parse()
        .unwrap();
    let steps: u64 = server
        .read(&of_work("select cast(sum(length(change)) as text) from work_operations where", &editor))
        .await
        .parse()
        .unwrap();
    let whole = u64::try_from(document.to_string().len()).unwrap();
    assert!(steps < 2_000 * 300, "{steps} bytes of 2,000 operations");
    assert_eq!(versions(&server, &editor).await.len(), 2);
    assert!(bytes >= steps && bytes < steps + 4 * whole, "they count as what the member keeps: {bytes}");
}

async fn a_work_goes_with_its_operations(server: Server) {
    let editor = Editor::of(&server, "maker@example.com").await;
    let (_, document) = editor.document().await;
    editor.make(1, &json!([set("a", &photos_of(&document)[0], "rotation", json!(5))])).await;
    for step in ["trash", "deletion"] {
        let answer = editor.member.post(&format!("/manager/opus/{}/{step}", editor.work), &[]).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    }
    assert_eq!(operations(&server, &editor).await, "0");
}

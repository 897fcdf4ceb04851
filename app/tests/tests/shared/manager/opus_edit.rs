//! /manager/opus_list_edit, /manager/opus-document?id= and /manager/opus-doc-calendar?id=: the editor without a script, and
//! what its island asks for.

use reqwest::StatusCode;
use serde_json::{Value, json};

use support::{Caller, Server, between, jpeg, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    the_editor_is_whole_without_a_script,
    the_front_is_seen_on_its_whole_cover,
    without_a_work_the_newest_albums_are_shown,
    pages_come_apart_into_layers,
    a_large_library_comes_to_the_editor_by_parts,
    a_text_is_set_while_it_is_typed,
    what_was_found_names_its_place,
);

async fn an_album(member: &Caller) -> String {
    let photos = member.upload((0..6).map(|n| ("海边.jpg", jpeg(640, 480, n))).collect()).await;
    member.album("square-210", "海边的夏天", &photos).await
}

async fn data(member: &Caller, path: &str) -> Value {
    let answer = member.get(path).await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    let body: Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    body["data"].clone()
}

/// The document's first element of a kind inside the book.
async fn first(member: &Caller, work: &str, kind: &str) -> (String, Value) {
    let document = data(member, &format!("/works/document?workID={work}")).await["document"].clone();
    for page in document["pages"].as_array().unwrap() {
        if let Some(element) =
            page["elements"].as_array().unwrap().iter().find(|element| element["kind"] == kind)
        {
            return (page["id"].as_str().unwrap().to_owned(), element.clone());
        }
    }
    panic!("no {kind}: {document}");
}

async fn the_editor_is_whole_without_a_script(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = an_album(&member).await;
    let opened = member.page(&format!("/manager/opus/{work}")).await;
    assert!(opened.contains(&format!("href=\"/manager/opus_list_edit?id={work}\"")), "the work leads here");
    let addresses =
        [("/manager/opus_list_edit", 12), ("/manager/opus-document", 11), ("/manager/opus-doc-calendar", 13)];
    for (address, code) in addresses {
        let page = member.page(&format!("{address}?id={work}&page=3")).await;
        assert!(page.contains("<h1>编辑《海边的夏天》</h1>"));
        let props = between(&page, "data-name=\"editor\"", ">");
        assert!(props.contains(&format!("&quot;feditorType&quot;:{code},")), "{props}");
        // the pages that face each other, their forms, all pages, what was found
        for part in ["alt=\"第 2 页\"", "alt=\"第 3 页\"", "印前检查", "增减和移动书页", "改所有文字"]
        {
            assert!(page.contains(part), "{part}");
        }
        for form in
            [format!("/manager/opus/{work}/page/3\""), format!("/manager/opus/{work}/page/2/photos\"")]
        {
            assert!(page.contains(&form), "{form}");
        }
        assert!(page.contains(&format!("{address}?id={work}&amp;page=4\"")), "the next pages");
    }
    // an address from before pages were left out opens the last one
    let last = member.page(&format!("/manager/opus_list_edit?id={work}&page=900")).await;
    assert!(last.contains("<h1>编辑《海边的夏天》</h1>") && !last.contains("第 900 页"));
    for missing in ["?id=nothing-here", &format!("?id={work}&page=last")] {
        assert_eq!(
            member.get(&format!("/manager/opus_list_edit{missing}")).await.status(),
            StatusCode::NOT_FOUND
        );
    }
    member.post(&format!("/manager/opus/{work}/trash"), &[]).await;
    let answer = member.get(&format!("/manager/opus_list_edit?id={work}")).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
}

async fn without_a_work_the_newest_albums_are_shown(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let page = member.page("/manager/opus_list_edit").await;
    assert!(page.contains("还没有画册") && page.contains("href=\"/manager/make_ebook\""));
    let work = an_album(&member).await;
    let page = member.page("/manager/opus_list_edit").await;
    assert!(
        page.contains(&format!("href=\"/manager/opus_list_edit?id={work}\"")) && page.contains("海边的夏天")
    );
    // the other two stay the desks that they are
    assert!(member.page("/manager/opus-document").await.contains("<h1>文档</h1>"));
    assert!(member.page("/manager/opus-doc-calendar").await.contains("<h1>做台历</h1>"));
}

/// Back, spine and front as one sheet, as a binding makes them, drawn by the press.
async fn the_front_is_seen_on_its_whole_cover(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = an_album(&member).await;
    let address = format!("/manager/opus_list_edit?id={work}");
    let page = member.page(&format!("{address}&page=cover")).await;
    assert!(page.contains("整张封面，按“") && page.contains("alt=\"整张封面"));
    let props = between(&page, "data-name=\"editor\"", ">").replace("&quot;", "\"");
    let cover: Value = serde_json::from_str(&format!("{{{}}}", between(&props, "\"cover\":{", "}"))).unwrap();
    let (width, height) = (cover["width"].as_f64().unwrap(), cover["height"].as_f64().unwrap());
    // two fronts of 210 mm and what is around them
    assert!(width > 426.0 && height >= 216.0, "{cover}");
    let picture = async |revision: i64| {
        let answer = member.get(&format!("/manager/opus/{work}/cover/720?r={revision}")).await;
        assert_eq!(answer.status(), StatusCode::OK);
        answer.bytes().await.unwrap()
    };
    let before = picture(1).await;
    let seen = image::load_from_memory(&before).unwrap();
    let ratio = f64::from(seen.width()) / f64::from(seen.height());
    assert!((ratio / (width / height) - 1.0).abs() < 0.01, "{ratio} of {width} × {height}");
    // its words are on back and spine, too
    let title = [("revision", "1"), ("title", "山那边的冬天")];
    let texts = member.page(&format!("/manager/opus/{work}")).await;
    let field = format!("text-{}", between(&texts, "name=\"text-", "\""));
    let answer =
        member.post(&format!("/manager/opus/{work}/texts"), &[title[0], title[1], (&field, "")]).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    assert_ne!(before, picture(2).await);
    assert!(!member.page(&format!("{address}&page=2")).await.contains("整张封面，按“"));
    for wrong in ["721?r=1", "720?r=9", "720?r=x"] {
        let answer = member.get(&format!("/manager/opus/{work}/cover/{wrong}")).await;
        assert!(answer.status().is_client_error(), "{wrong}");
    }
}

async fn pages_come_apart_into_layers(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = an_album(&member).await;
    let (page, element) = first(&member, &work, "photo").await;
    let id = element["id"].as_str().unwrap();
    let layer = member.get(&format!("/manager/opus/{work}/layer/{id}/320?r=1")).await;
    assert_eq!(layer.status(), StatusCode::OK);
    assert_eq!(layer.headers()["content-type"], "image/webp");
    assert!(layer.headers()["cache-control"].to_str().unwrap().contains("immutable"));
    let bytes = layer.bytes().await.unwrap();
    assert!(bytes.windows(4).any(|part| part == b"ALPH" || part == b"VP8L"), "it has transparency");
    let backdrop = member.get(&format!("/manager/opus/{work}/backdrop/{page}/320?r=1")).await;
    assert_eq!(backdrop.status(), StatusCode::OK);
    for missing in [
        format!("layer/{id}/321?r=1"),
        format!("layer/{id}/320?r=9"),
        "layer/nobody/320?r=1".into(),
        "backdrop/nobody/320?r=1".into(),
    ] {
        let answer = member.get(&format!("/manager/opus/{work}/{missing}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{missing}");
    }
    let desk = data(&member, &format!("/works/desk?workID={work}")).await;
    let photos = desk["newest"]["photos"].as_array().unwrap();
    assert_eq!(desk["shown"].as_array().unwrap().len(), 6, "what the work shows");
    assert_eq!(
        (photos.len(), photos[0]["name"].as_str(), photos[0]["width"].as_u64()),
        (6, Some("海边.jpg"), Some(640))
    );
    assert_eq!(desk["looks"].as_array().unwrap().len(), 8);
}

async fn a_large_library_comes_to_the_editor_by_parts(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let work = an_album(&member).await;
    let members = server.members();
    // moments that many photos share, and names that hold what patterns are made of
    for n in 0..300 {
        let name = if n % 100 == 0 { format!("50%_山{n}.jpg") } else { format!("5001山{n}.jpg") };
        server
            .sql(&format!(
                "insert into photos (id, member_id, sha256, file_name, format, bytes, width, height, orientation, state,
                                     created_at)
                 select 'more-{n}-' || member_id, member_id, 'more-{n}', '{name}', format, 1, width, height, 1, 'ready', {}
                 from photos where id in (select min(id) from photos where member_id in {members} group by member_id)",
                1 + n / 70
            ))
            .await;
    }
    let ids = |part: &Value| -> Vec<String> {
        let photos = part["photos"].as_array().unwrap();
        photos.iter().map(|photo| photo["id"].as_str().unwrap().to_owned()).collect()
    };
    let desk = data(&member, &format!("/works/desk?workID={work}")).await;
    let mut seen = ids(&desk["newest"]);
    assert!(seen.len() < 200, "not the whole library at once: {}", seen.len());
    let mut is_further = desk["newest"]["isFurther"].as_bool().unwrap();
    while is_further {
        let part = data(&member, &format!("/works/photos?last={}", seen.last().unwrap())).await;
        seen.extend(ids(&part));
        is_further = part["isFurther"].as_bool().unwrap();
    }
    let all = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!((all, seen.len()), (306, 306), "each once");

    let found = data(&member, "/works/photos?search=50%25_").await;
    assert_eq!((ids(&found).len(), &found["isFurther"]), (3, &json!(false)));
    // another member's photo is no place in one's own library, and nobody sees another's
    let stranger = data(&other, &format!("/works/photos?last={}", seen[0])).await;
    assert!(ids(&stranger).is_empty());
    assert!(ids(&data(&other, "/works/photos").await).is_empty());
}

async fn a_text_is_set_while_it_is_typed(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = an_album(&member).await;
    let (page, _) = first(&member, &work, "photo").await;
    let ask = |text: &str, kind: &str| {
        let element = json!({ "kind": kind, "role": "body", "text": text, "frame": { "x": 20, "y": 20, "width": 40, "height": 12 } });
        let (member, work, page) = (&member, work.clone(), page.clone());
        async move {
            let fields = [("workID", work.as_str()), ("page", &page), ("element", &element.to_string())];
            let answer = member.post("/works/lines", &fields).await;
            let status = answer.status();
            (
                status,
                serde_json::from_slice::<Value>(&answer.bytes().await.unwrap()).unwrap()["data"]["data"]
                    .clone(),
            )
        }
    };
    let (status, set) = ask("风从海上来。", "text").await;
    assert_eq!((status, &set), (StatusCode::OK, &json!({ "lines": ["风从海上来。"], "overflows": false })));
    let (_, set) = ask(&"风从海上来。".repeat(12), "text").await;
    assert!(set["lines"].as_array().unwrap().len() > 4 && set["overflows"] == true);
    assert_eq!(ask("话", "photo").await.0, StatusCode::BAD_REQUEST);
    assert_eq!(ask(&"长".repeat(501), "text").await.0, StatusCode::BAD_REQUEST);
    // nothing was kept
    assert_eq!(data(&member, &format!("/works/document?workID={work}")).await["revision"], 1);
}

async fn what_was_found_names_its_place(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = an_album(&member).await;
    let (page, photo) = first(&member, &work, "photo").await;
    let frame = json!({ "x": 60, "y": 60, "width": 8, "height": 8 });
    let change = json!([{ "id": "small", "op": "set", "page": page, "element": photo["id"], "name": "frame", "value": frame }]);
    let fields = [("workID", work.as_str()), ("base", "1"), ("operations", &change.to_string())];
    assert_eq!(member.post("/works/edit", &fields).await.status(), StatusCode::OK);
    let found = data(&member, &format!("/works/findings?workID={work}")).await;
    let found = found["list"].as_array().unwrap();
    let small = found.iter().find(|finding| finding["element"] == photo["id"]).unwrap();
    assert_eq!(small["page"], page.as_str());
    assert!(["note", "warning", "serious"].contains(&small["severity"].as_str().unwrap()));
}

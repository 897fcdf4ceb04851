//! What a craft is drawn from: chosen in the form and in the call, kept, and seen wherever the line is.

use reqwest::StatusCode;
use serde_json::{Value, json};

use support::editor::{Editor, json_of};
use support::{Caller, Server, between, on_both_engines};

on_both_engines!(
    calls_that_do_not_know_of_it_leave_it_as_it_is;
    on_sqlite:
    an_ornament_is_seen_on_the_front_and_on_the_proof,
    what_a_craft_is_drawn_from_is_chosen_and_kept,
);

const FOIL: [(&str, &str); 1] = [("其他工艺", "烫金")];

async fn info(member: &Caller, line: &str) -> Value {
    let body = json_of(member.get(&format!("/cart/cartInfo?cartID={line}")).await).await;
    body["data"]["data"].clone()
}

/// The line's choice with some items put in, as codes of the steps that have items.
fn cnums(info: &Value, items: &[(&str, &str)]) -> Vec<(String, String)> {
    let steps = info["buzhou"].as_array().unwrap().iter();
    let shown = steps.filter(|step| step["IsShow"] == "Y" && step["items"][0].is_object());
    shown
        .map(|step| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let wanted = items.iter().find(|(name, _)| step["Name"] == *name);
            let found = wanted.and_then(|(_, item)| {
                step["items"].as_array().unwrap().iter().find(|known| known["Name"] == *item)
            });
            (
                format!("step-{}", text(&step["ID"])),
                found.map_or(text(&step["selCnum"]), |it| text(&it["Cnum"])),
            )
        })
        .collect()
}

fn form<'a>(chosen: &'a [(String, String)], artwork: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
    let steps = chosen.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    steps.chain([("quantity", "1"), ("remark", "")]).chain(artwork.map(|code| ("artwork", code))).collect()
}

async fn what_a_craft_is_drawn_from_is_chosen_and_kept(server: Server) {
    let editor = Editor::of(&server, "buyer@example.com").await;
    let member = &editor.member;
    let line = member.add_to_cart(&editor.work, "album-210").await;
    let address = format!("/manager/shopping/cart/{line}/options");
    // without a craft there is nothing to choose, and it is said what to do first
    let page = member.page(&address).await;
    assert!(!page.contains("name=\"artwork\"") && page.contains("选了烫金、局部UV或起鼓以后"));
    let plain = info(member, &line).await;
    assert_eq!(plain["artwork"]["step"]["selCnum"], "title");
    let (bare, foiled) = (cnums(&plain, &[]), cnums(&plain, &FOIL));
    let (craft, foil) = foiled.iter().find(|chosen| !bare.contains(chosen)).unwrap();
    let asked = member.page(&format!("{address}?{craft}={foil}&artwork=title-sprig")).await;
    assert!(asked.contains("value=\"title-sprig\" checked") && asked.contains("value=\"frame\""));

    for (wanted, reason) in [("star", "没有这种工艺图样"), ("title-", "没有这种工艺图样")] {
        let answer = member.post(&address, &form(&foiled, Some(wanted))).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text().await.unwrap().contains(reason));
    }
    let answer = member.post(&address, &form(&bare, Some("frame"))).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("边框不可选：没有选要做版的工艺"));
    let ringed = cnums(&plain, &[FOIL[0], ("装订方式", "铁圈装")]);
    let answer = member.post(&address, &form(&ringed, Some("title-corners"))).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("铁圈装的孔会打在角花上"));
    assert_eq!(info(member, &line).await["artwork"]["step"]["selCnum"], "title", "nothing was saved");

    // old forms say nothing of it
    assert_eq!(member.post(&address, &form(&foiled, None)).await.status(), StatusCode::SEE_OTHER);
    let titled = info(member, &line).await;
    assert_eq!(titled["artwork"]["step"]["selCnum"], "title");
    // the line of what was chosen, and not the dialog's items
    let spec = async |address: &str| between(&member.page(address).await, "class=\"spec\">", "</p>");
    assert!(!spec("/manager/shopping/cart").await.contains("书名"), "the title is usual");
    assert_eq!(
        member.post(&address, &form(&foiled, Some("title-sprig"))).await.status(),
        StatusCode::SEE_OTHER
    );
    let kept = info(member, &line).await;
    assert_eq!(kept["artwork"]["step"]["selCnum"], "title-sprig");
    assert_eq!(kept["totalPrice"], titled["totalPrice"], "it costs nothing");
    assert!(spec("/manager/shopping/cart").await.contains("书名和枝叶"));
    assert!(spec(&format!("/manager/shopping/order/{line}")).await.contains("书名和枝叶"));

    let order = member.order(&line).await;
    assert!(spec(&format!("/manager/order/{order}")).await.contains("书名和枝叶"));
    // and a reorder is of the same
    assert!(spec(&format!("/manager/order/{order}/reorder")).await.contains("书名和枝叶"));
}

async fn calls_that_do_not_know_of_it_leave_it_as_it_is(server: Server) {
    let editor = Editor::of(&server, "buyer@example.com").await;
    let member = &editor.member;
    let line = member.add_to_cart(&editor.work, "album-210").await;
    let known = info(member, &line).await;
    let joined = |items: &[(&str, &str)]| {
        let codes: Vec<String> = cnums(&known, items).into_iter().map(|(_, cnum)| cnum).collect();
        codes.join("|")
    };
    let (foiled, bare) = (joined(&FOIL), joined(&[]));
    let update = async |cnums: &str, artwork: Option<&str>| {
        let mut fields =
            vec![("CartID", line.as_str()), ("goodsID", "album-210"), ("count", "2"), ("cnums", cnums)];
        fields.extend(artwork.map(|code| ("artwork", code)));
        let answer = member.post("/shopping/updateCart", &fields).await;
        (answer.status(), answer.text().await.unwrap())
    };
    let kept = async || info(member, &line).await["artwork"]["step"]["selCnum"].clone();
    for wrong in ["star", "title title"] {
        let (status, said) = update(&foiled, Some(wrong)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{said}");
        assert!(said.contains("没有这种工艺图样"), "{said}");
    }
    assert_eq!(update(&bare, Some("frame")).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(update(&foiled, Some("double-frame")).await.0, StatusCode::OK);
    assert_eq!(update(&foiled, None).await.0, StatusCode::OK);
    assert_eq!(kept().await, "double-frame");
    // where it can't be any more, the craft goes back to the title
    assert_eq!(update(&bare, None).await.0, StatusCode::OK);
    assert_eq!(kept().await, "title");
}

async fn an_ornament_is_seen_on_the_front_and_on_the_proof(server: Server) {
    let editor = Editor::of(&server, "buyer@example.com").await;
    let member = &editor.member;
    let line = member.add_to_cart(&editor.work, "album-210").await;
    let known = info(member, &line).await;
    let foiled = cnums(&known, &FOIL);
    let codes: Vec<&str> = foiled.iter().map(|(_, cnum)| cnum.as_str()).collect();
    let front = known["frontPath"].as_str().unwrap();
    let mut pictures = Vec::new();
    for artwork in ["title", "frame", "title-frame"] {
        let address = format!("{front}&cnums={}&artwork={artwork}", codes.join("%7C"));
        let answer = member.get(&address).await;
        assert_eq!(answer.status(), StatusCode::OK);
        pictures.push(answer.bytes().await.unwrap());
    }
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
    assert_eq!(member.get(&format!("{front}&artwork=star")).await.status(), StatusCode::BAD_REQUEST);

    let address = format!("/manager/shopping/cart/{line}/options");
    assert_eq!(member.post(&address, &form(&foiled, Some("frame"))).await.status(), StatusCode::SEE_OTHER);
    let proof = format!("/manager/shopping/cart/{line}/proof");
    let page = member.page(&proof).await;
    assert!(page.contains("金色的边框是烫金") && page.contains("线条至少 0.2 毫米，间隙至少 0.3 毫米"));
    // what was confirmed is another book with another ornament
    let seen = [("revision", between(&page, "name=\"revision\" value=\"", "\""))];
    let mut confirmed: Vec<(&str, &str)> = seen.iter().map(|(name, value)| (*name, value.as_str())).collect();
    confirmed.extend([("seen", "y"), ("words", "y"), ("edges", "y")]);
    assert_eq!(member.post(&proof, &confirmed).await.status(), StatusCode::SEE_OTHER);
    assert!(member.page(&proof).await.contains("确认过这份样稿"));
    assert_eq!(member.post(&address, &form(&foiled, Some("frame"))).await.status(), StatusCode::SEE_OTHER);
    assert!(member.page(&proof).await.contains("确认过这份样稿"), "nothing changed");
    assert_eq!(member.post(&address, &form(&foiled, Some("sprig"))).await.status(), StatusCode::SEE_OTHER);
    assert!(!member.page(&proof).await.contains("确认过这份样稿"));

    // an ornament alone needs no words
    let (revision, document) = editor.document().await;
    let texts = document["cover"]["elements"].as_array().unwrap().iter().filter(|it| it["kind"] == "text");
    let removals: Vec<Value> = texts
        .map(|it| json!({ "id": it["id"], "op": "remove", "page": "cover", "element": it["id"] }))
        .collect();
    editor.make(revision, &json!(removals)).await;
    let answer = member.post(&address, &form(&foiled, Some("title-sprig"))).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("或者选一种纹样"));
    assert_eq!(member.post(&address, &form(&foiled, Some("sprig"))).await.status(), StatusCode::SEE_OTHER);
    assert!(member.order(&line).await.len() > 4);
}

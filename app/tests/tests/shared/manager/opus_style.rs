//! /manager/opus/{id}/style: the whole book in another style, seen before and taken back in one step.

use std::collections::BTreeSet;

use reqwest::StatusCode;
use serde_json::{Value, json};

use support::{Caller, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    a_book_becomes_fuller_and_is_taken_back,
    an_editor_takes_a_style_over_what_it_shows;
    on_sqlite:
    a_theme_is_seen_and_taken_with_one_press,
    chapters_and_days_come_from_the_photos_times,
    what_cannot_be_is_said,
);

/// Photos of four a day, as their names say.
async fn album(member: &Caller, count: usize) -> String {
    let names: Vec<String> =
        (0..count).map(|n| format!("IMG_202605{:02}_08{:02}00.jpg", 1 + n / 4, n)).collect();
    let photos = names.iter().enumerate().map(|(n, name)| {
        let (width, height) = [(800, 600), (600, 800), (700, 700)][n % 3];
        (name.as_str(), jpeg(width + n as u32, height, n as u8))
    });
    let photos = member.upload(photos.collect()).await;
    member.album("square-210", "海边的夏天", &photos).await
}

fn codes(page: &str) -> Vec<String> {
    between_all(page, "name=\"to\" value=\"", "\"")
}

async fn document(server: &Server, work: &str) -> serde_json::Value {
    let text = server.read(&format!("select document from works where id = '{work}'")).await;
    serde_json::from_str(&text).unwrap()
}

fn photos(document: &serde_json::Value) -> BTreeSet<String> {
    let pages = document["pages"].as_array().unwrap().iter();
    let elements = pages.flat_map(|page| page["elements"].as_array().unwrap());
    elements.filter_map(|element| element["photo"].as_str().map(str::to_owned)).collect()
}

async fn a_book_becomes_fuller_and_is_taken_back(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, 56).await;
    let base = format!("/manager/opus/{work}");
    let field = format!("text-{}", between(&member.page(&base).await, "name=\"text-", "\""));
    let fields = [("revision", "1"), ("title", "海边的夏天"), (field.as_str(), "写下的话")];
    location(&member.post(&format!("{base}/texts"), &fields).await);
    let before = document(&server, &work).await;
    assert!(member.page(&base).await.contains(&format!("href=\"{base}/style\"")));

    let page = member.page(&format!("{base}/style?part=density")).await;
    assert!(page.contains("换成密") && page.contains("现在这样"), "{page}");
    let dense = codes(&page).into_iter().find(|code| code.contains("dense")).unwrap();
    // as it would be, before it is
    let seen = between(&page, "/page/2/320?r=2&amp;book=lay-dense", "\"");
    let seen = member.get(&format!("{base}/page/2/320?r=2&book=lay-dense{seen}")).await;
    assert_eq!(seen.status(), StatusCode::OK);
    let seen = seen.bytes().await.unwrap();
    let answer = member.post(&format!("{base}/style"), &[("revision", "2"), ("to", &dense)]).await;
    assert_eq!(location(&answer), base);
    let now = member.get(&format!("{base}/page/2/320?r=3")).await.bytes().await.unwrap();
    assert_eq!(seen, now, "what was shown is what is made");
    let after = document(&server, &work).await;
    let length = |document: &serde_json::Value| document["pages"].as_array().unwrap().len();
    assert!(length(&after) < length(&before), "{} of {}", length(&after), length(&before));
    assert_eq!(photos(&after), photos(&before));
    assert!(after.to_string().contains("写下的话"));
    // one step back, exactly
    let page = member.page(&base).await;
    assert!(page.contains("整本已换好样式") && page.contains("撤销换样式"), "{page}");
    location(&member.post(&format!("{base}/revisions/2/restoration"), &[("revision", "3")]).await);
    assert_eq!(document(&server, &work).await, before);
    assert!(!member.page(&base).await.contains("撤销换样式"));
}

async fn read(answer: reqwest::Response) -> Value {
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

/// The same by the editor's calls: seen, taken over the newest revision alone, and gone back from by its number.
async fn an_editor_takes_a_style_over_what_it_shows(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, 56).await;
    let styles = async |part: &str| {
        let answer = member.get(&format!("/works/styles?workID={work}&part={part}")).await;
        assert_eq!(answer.status(), StatusCode::OK);
        read(answer).await["data"]["data"].clone()
    };
    let style = async |base: &str, to: &str| {
        let answer = member.post("/works/style", &[("workID", &*work), ("base", base), ("to", to)]).await;
        (answer.status(), read(answer).await)
    };
    let before = document(&server, &work).await;
    let densities = styles("density").await["styles"].as_array().unwrap().clone();
    let is_now = |style: &&Value| style["isNow"] == true;
    assert_eq!(densities.iter().filter(is_now).count(), 1, "{densities:?}");
    let dense = densities.iter().find(|style| style["name"] == "密").unwrap();
    let (code, pages) = (dense["code"].as_str().unwrap(), dense["pages"].as_u64().unwrap());
    assert_eq!(dense["shown"].as_array().unwrap().len(), 3, "{dense}");
    for left in dense["shown"].as_array().unwrap() {
        let page = left.as_u64().filter(|left| *left > 0).map_or("cover".to_owned(), |left| left.to_string());
        let seen = member.get(&format!("/manager/opus/{work}/page/{page}/320?r=1&book={code}")).await;
        assert_eq!(seen.status(), StatusCode::OK, "{left}");
    }
    let (status, made) = style("1", code).await;
    assert_eq!((status, &made["data"]["revision"]), (StatusCode::OK, &json!(2)));
    let after = document(&server, &work).await;
    assert_eq!(after["pages"].as_array().unwrap().len() as u64, pages);
    assert_eq!(photos(&after), photos(&before));
    // over what is no longer the newest nothing is done, and nothing is kept beside it
    let (status, refused) = style("1", "theme-night").await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(
        refused["msg"].as_str().or(refused["reason"].as_str()).is_some_and(|it| it.contains("在别处改过")),
        "{refused}"
    );
    for (base, to) in [("2", "theme-none"), ("2", ""), ("x", "theme-night"), ("", "")] {
        assert_eq!(style(base, to).await.0, StatusCode::BAD_REQUEST, "{base} {to}");
    }
    let kept = server
        .read(&format!(
            "select cast(count(*) as text) from work_revisions where work_id = '{work}' and revision < 0"
        ))
        .await;
    assert_eq!((document(&server, &work).await, &*kept), (after, "0"));
    location(
        &member.post(&format!("/manager/opus/{work}/revisions/1/restoration"), &[("revision", "2")]).await,
    );
    assert_eq!(document(&server, &work).await, before);
    // without times there are no days
    let blank = member.get(&format!("/works/styles?workID={work}&part=none")).await;
    assert_eq!(blank.status(), StatusCode::BAD_REQUEST);
}

async fn a_theme_is_seen_and_taken_with_one_press(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, 16).await;
    let base = format!("/manager/opus/{work}");
    // a page that had another one gets the book's, too
    let own = [("revision", "1"), ("layout", ""), ("theme", "letter"), ("ground", "paper")];
    let page = member.page(&format!("{base}/style")).await;
    let themes = codes(&page);
    assert!(themes.len() >= 5 && themes.iter().all(|code| code.starts_with("theme-")), "{themes:?}");
    let names: Vec<&str> = themes.iter().map(|code| &code["theme-".len()..]).collect();
    let own = own.map(|(name, value)| (name, if name == "theme" { names[0] } else { value }));
    location(&member.post(&format!("{base}/page/3"), &own).await);
    let plain = member.get(&format!("{base}/page/3/320?r=2")).await.bytes().await.unwrap();
    let seen = format!("{base}/page/3/320?r=2&book=theme-{}", names[1]);
    let seen = member.get(&seen).await.bytes().await.unwrap();
    assert_ne!(plain, seen);
    let to = format!("theme-{}", names[1]);
    location(&member.post(&format!("{base}/style"), &[("revision", "2"), ("to", &to)]).await);
    let after = document(&server, &work).await;
    assert_eq!(after["theme"], names[1]);
    assert!(after["pages"].as_array().unwrap().iter().all(|page| page["theme"].is_null()));
    assert_eq!(member.get(&format!("{base}/page/3/320?r=3")).await.bytes().await.unwrap(), seen);
}

async fn chapters_and_days_come_from_the_photos_times(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, 16).await;
    let base = format!("/manager/opus/{work}");
    let page = member.page(&format!("{base}/style?part=chapters")).await;
    let by_days = codes(&page).into_iter().find(|code| code.contains("-days-")).unwrap();
    location(&member.post(&format!("{base}/style"), &[("revision", "1"), ("to", &by_days)]).await);
    let named = document(&server, &work).await.to_string();
    assert!(named.contains("5月1日") && named.contains("5月4日"), "{named}");
    location(&member.post(&format!("{base}/style"), &[("revision", "2"), ("to", "dates-1")]).await);
    assert!(document(&server, &work).await.to_string().contains("2026年5月1日"));
    let page = member.page(&format!("{base}/style?part=dates")).await;
    assert_eq!(codes(&page), ["dates-0"], "the other one is as it is");
}

async fn what_cannot_be_is_said(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, 16).await;
    let style = format!("/manager/opus/{work}/style");
    for to in ["", "nonsense", "lay-dense-days-2", "lay-dense", "theme-", "dates-x"] {
        let answer = member.post(&style, &[("revision", "1"), ("to", to)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{to}");
        assert!(answer.text().await.unwrap().contains("请选择一种样式"), "{to}");
        let picture = member.get(&format!("/manager/opus/{work}/page/1/320?r=1&book={to}x")).await;
        assert_eq!(picture.status(), StatusCode::NOT_FOUND, "{to}");
    }
    // over a version that is not the newest any more, it is kept beside it
    location(&member.post(&style, &[("revision", "1"), ("to", "dates-1")]).await);
    let answer = member.post(&style, &[("revision", "1"), ("to", "lay-even-days-0")]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let other = server.member("other@example.com", "0").await;
    assert_eq!(other.get(&style).await.status(), StatusCode::NOT_FOUND);
    // photos that say no time
    let photos = other.upload((0..6).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let timeless = other.album("square-210", "无题", &photos).await;
    for part in ["chapters", "dates"] {
        let page = other.page(&format!("/manager/opus/{timeless}/style?part={part}")).await;
        assert!(page.contains("不能按日期分章") && codes(&page).is_empty(), "{page}");
    }
}

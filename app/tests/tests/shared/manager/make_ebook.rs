//! /manager/make_ebook: from photos to a book; what is said before it is made. And 换一换 on its spreads.

use reqwest::StatusCode;
use reqwest::multipart::Form;

use support::{
    Caller, Server, between, between_all, encoded, jpeg, location, on_both_engines, photo_form, tiles,
};

on_both_engines!(
    names_of_files_tell_the_time;
    on_sqlite:
    empty_pages_are_said_before_a_book_is_made_with_ways_out,
    photos_that_look_alike_are_shown_and_the_best_stays,
    a_book_without_a_title_is_called_by_its_days,
    whole_months_are_chosen,
    a_large_library_is_chosen_from_in_parts,
    a_spread_and_a_cover_are_laid_out_another_way,
    a_book_has_its_title_and_its_end_and_no_picture_twice,
);

/// The desk's form as its page sends it.
fn desk(photos: &[String], fields: &[(&'static str, &str)]) -> Form {
    let mut all =
        vec![("asks", "1"), ("format", "square-210"), ("theme", "calm"), ("density", "even"), ("dates", "1")];
    all.retain(|(name, _)| !fields.iter().any(|(other, _)| other == name));
    all.extend_from_slice(fields);
    let form = all.into_iter().fold(Form::new(), |form, (name, value)| form.text(name, value.to_owned()));
    photos.iter().fold(form, |form, id| form.text("photo", id.clone()))
}

async fn send(member: &Caller, form: Form) -> (StatusCode, String) {
    let answer = member.post_multipart("/manager/make_ebook", form).await;
    let status = answer.status();
    if status == StatusCode::SEE_OTHER {
        return (status, member.page(&location(&answer)).await);
    }
    (status, answer.text().await.unwrap())
}

/// Waits until it is known what the photos look like: when they have been scaled down.
async fn seen(server: &Server) {
    while server
        .read(&format!(
            "select cast(count(*) as text) from photos where look is null and member_id in {}",
            server.members()
        ))
        .await
        != "0"
    {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

/// A picture of its own: no two look alike.
fn scene(width: u32, height: u32, number: u32) -> Vec<u8> {
    let picture = tiles((width, height), (8, 8), |x, y| {
        let cell = (x + 8 * y + 64 * number + 1).wrapping_mul(0x9e37_79b1);
        let bright = (cell ^ (cell >> 15)).wrapping_mul(0x85eb_ca77) >> 24;
        [bright as u8, (bright / 2 + 40) as u8, 90]
    });
    encoded(&picture, image::ImageFormat::Jpeg)
}

async fn empty_pages_are_said_before_a_book_is_made_with_ways_out(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload((0..8).map(|n| ("照片.jpg", scene(2600, 1950, n))).collect()).await;
    seen(&server).await;
    let (status, page) = send(&member, desk(&photos, &[])).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let empty = between(&page, "现在 8 张会有 <strong class=\"num\">", " 页空白");
    let empty: usize = empty.parse().unwrap();
    assert!(empty > 0 && page.contains("张正好"), "{page}");
    assert_eq!(page.matches("name=\"photo\"").count(), 8, "the photos are there once");
    assert!(page.contains("name=\"way\" value=\"airy\""));
    let seen = between(&page, "name=\"seen\" value=\"", "\"");
    // as it is, once that was seen
    let (status, work) = send(&member, desk(&photos, &[("seen", &seen)])).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(work.matches("是空白页").count(), empty, "and said again on the work");
    // larger photos fill more of the pages; who presses has been told
    let (_, work) = send(&member, desk(&photos, &[("way", "airy"), ("asks", "")])).await;
    assert!(work.matches("是空白页").count() < empty, "{work}");
    // the script asks the same without sending anything twice
    let fields: Vec<(&str, &str)> = photos.iter().map(|id| ("photo", id.as_str())).collect();
    let part = member.post("/manager/make_ebook/ahead", &fields).await.text().await.unwrap();
    assert!(part.contains(&format!("页，其中 {empty} 页空白\"")) && !part.contains("<html"), "{part}");
    let other = server.member("other@example.com", "0").await;
    assert_eq!(other.post("/manager/make_ebook/ahead", &fields).await.text().await.unwrap(), "");
    // programs are asked nothing
    let (status, _) = send(&member, desk(&photos, &[("asks", "")])).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
}

async fn photos_that_look_alike_are_shown_and_the_best_stays(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let mut files: Vec<_> = (0..15).map(|n| ("照片.jpg", scene(900, 675, n))).collect();
    files.push(("大.jpg", scene(1800, 1350, 3)));
    let photos = member.upload(files).await;
    seen(&server).await;
    let (status, page) = send(&member, desk(&photos, &[])).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("很像的照片（1 组）"), "{page}");
    assert!(page.contains("15 张照片，"), "what stays is counted: {page}");
    let group = between(&page, "<ul class=\"alike\">", "</ul>");
    let ids = between_all(&group, "name=\"without\" value=\"", "\"");
    assert_eq!(ids.len(), 2);
    assert!(between(&group, "大.jpg", "</label>").contains("最清楚"), "the larger of two copies");
    assert_eq!(group.matches(" checked").count(), 1);
    let photos = member.library().await;
    let made = desk(
        &photos,
        &[("compared", &ids[0]), ("compared", &ids[1]), ("without", &ids[1]), ("title", "十五张")],
    );
    let (status, work) = send(&member, made).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{work}");
    let used = member.page(&format!("/manager/photo/{}", ids[1])).await;
    assert!(!used.contains("十五张"), "left out");
    assert!(member.page(&format!("/manager/photo/{}", ids[0])).await.contains("十五张"));
}

async fn a_book_without_a_title_is_called_by_its_days(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let name = |n: u32| format!("IMG_202605{:02}_093000.jpg", 1 + n / 8 * 2);
    let files: Vec<_> = (0..16).map(|n| (name(n), scene(640, 480, n))).collect();
    let photos =
        member.upload(files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect()).await;
    let (_, work) = send(&member, desk(&photos, &[("title", ""), ("asks", "")])).await;
    assert!(work.contains("<h1>2026年5月1日—3日</h1>"));
    let photos = member.upload(vec![("无名.jpg", scene(640, 480, 99))]).await;
    let (_, work) = send(&member, desk(&photos[photos.len() - 1..], &[("title", ""), ("asks", "")])).await;
    assert!(work.contains("<h1>未命名作品</h1>"));
}

async fn whole_months_are_chosen(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let files =
        [("IMG_20260501_093000.jpg", 1), ("IMG_20260502_093000.jpg", 2), ("IMG_20260601_093000.jpg", 3)];
    member.upload(files.iter().map(|(name, n)| (*name, scene(640, 480, *n))).collect()).await;
    let page = member.page("/manager/make_ebook").await;
    assert_eq!(between_all(&page, "name=\"month\" value=\"", "\""), ["2026 年 6 月", "2026 年 5 月"]);
    let (status, page) = send(&member, desk(&[], &[("month", "2026 年 5 月")])).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("现在 2 张照片，会有"), "{page}");
    let (status, page) = send(&member, desk(&[], &[("month", "2026 年 7 月")])).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("请选择照片"));
}

async fn a_large_library_is_chosen_from_in_parts(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let of_today = member.upload(vec![("IMG_20260601_093000.jpg", scene(640, 480, 1))]).await;
    seen(&server).await;
    // as many of the year before, one a day
    for n in 0..300_i64 {
        let taken = 1_735_700_000_000 + n * 86_400_000;
        server
            .sql(&format!(
                "insert into photos (id, member_id, sha256, file_name, format, bytes, width, height, orientation,
                                     taken_at, state, created_at)
                 select 'part-{n}', member_id, 'part-{n}', 'part', format, 1, width, height, 1, {taken}, 'ready', 1
                 from photos where id = '{}'",
                of_today[0]
            ))
            .await;
    }
    let shown = |page: &str| between_all(page, "name=\"photo\" value=\"", "\"");
    let page = member.page("/manager/make_ebook").await;
    let first = shown(&page);
    assert_eq!(first.len(), 240);
    assert!(page.contains("<span class=\"num\">301</span> 张"), "and it says how many there are");
    assert!(page.contains("2025 年 10 月<small class=\"hint num\"> 27 张，全选"), "{page}");
    assert!(page.contains("2025 年 3 月<small class=\"hint num\"> 全选"), "{page}");
    let next = between_all(&page, "name=\"turn\" value=\"", "\"");
    // what was chosen and typed comes along, and nothing is made
    for address in ["/manager/make_ebook", "/manager/opus-doc-calendar"] {
        let fields = [("turn", next[0].as_str()), ("title", "很多照片"), ("month", "2025 年 10 月")];
        let answer = member.post_multipart(address, desk(&of_today, &fields)).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let page = answer.text().await.unwrap();
        let second = shown(&page);
        assert_eq!(second.len(), 62, "the chosen one and the last 61");
        assert_eq!(second[0], of_today[0]);
        assert!(page.contains(&format!("value=\"{}\" checked", of_today[0])), "{page}");
        assert!(second[1..].iter().all(|id| !first.contains(id)));
        assert!(page.contains("value=\"很多照片\""));
        let is_of_month = page.contains("value=\"2025 年 10 月\" checked");
        assert_eq!(is_of_month, address == "/manager/make_ebook", "a month of another part stays chosen");
        assert_eq!(between_all(&page, "name=\"turn\" value=\"", "\""), ["newest"]);
    }
    assert!(!member.page("/manager/opus_list/all").await.contains("很多照片"), "nothing was made");
}

async fn names_of_files_tell_the_time(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let form = photo_form(vec![
        ("mmexport1700000000000.jpg", jpeg(640, 480, 1)),
        ("DSC_0001.jpg", jpeg(480, 640, 2)),
    ]);
    assert_eq!(member.post_multipart("/manager/photos", form).await.status(), StatusCode::SEE_OTHER);
    let [named, silent] = member.library().await.try_into().unwrap();
    let named = member.page(&format!("/manager/photo/{named}")).await;
    assert!(named.contains("2023-11-15 06:13") && named.contains("按文件名推算"));
    assert!(member.page(&format!("/manager/photo/{silent}")).await.contains("照片里没有记录"));
}

async fn a_spread_and_a_cover_are_laid_out_another_way(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload((0..24).map(|n| ("照片.jpg", scene(1300, 975, n))).collect()).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let base = format!("/manager/opus/{work}");
    let page = member.page(&format!("{base}/page/3")).await;
    assert!(
        page.contains("<h1>第 2–3 页</h1>") && page.contains("rel=\"next\"") && page.contains("rel=\"prev\"")
    );
    let ways = between_all(&page, "name=\"way\" value=\"", "\"");
    assert!(ways.len() >= 4, "{ways:?}");
    // as it would be
    let tried = member.get(&format!("{base}/page/2/320?r=1&way={}", ways[0])).await;
    assert_eq!(tried.status(), StatusCode::OK);
    let tried = tried.bytes().await.unwrap();
    assert_eq!(member.get(&format!("{base}/page/2/320?r=1&way=x")).await.status(), StatusCode::NOT_FOUND);
    let taken = member.post(&format!("{base}/page/3/spread"), &[("revision", "1"), ("way", &ways[0])]).await;
    assert_eq!(location(&taken), format!("{base}/page/3?saved=spread#ways"));
    let now = member.get(&format!("{base}/page/2/320?r=2")).await.bytes().await.unwrap();
    assert_eq!(now, tried, "what was shown is what it became");
    let refused = member.post(&format!("{base}/page/3/spread"), &[("revision", "2"), ("way", "x")]).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);

    let cover = member.page(&format!("{base}/page/cover")).await;
    let ways = between_all(&cover, "name=\"way\" value=\"", "\"");
    assert!(ways.contains(&"framed".to_owned()) && ways.contains(&"words".to_owned()), "{ways:?}");
    let taken =
        member.post(&format!("{base}/page/cover/spread"), &[("revision", "2"), ("way", "framed")]).await;
    assert_eq!(taken.status(), StatusCode::SEE_OTHER);
    let stale =
        member.post(&format!("{base}/page/cover/spread"), &[("revision", "2"), ("way", "words")]).await;
    assert_eq!(stale.status(), StatusCode::CONFLICT);
    let cover = member.page(&format!("{base}/page/cover")).await;
    assert!(
        !between_all(&cover, "name=\"way\" value=\"", "\"").contains(&"framed".to_owned()),
        "it is so now"
    );
}

async fn a_book_has_its_title_and_its_end_and_no_picture_twice(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload((0..40).map(|n| ("照片.jpg", scene(1300, 975, n))).collect()).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let text = server.read(&format!("select document from works where id = '{work}'")).await;
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let photos_of = |page: &serde_json::Value| -> Vec<String> {
        let elements = page["elements"].as_array().unwrap().iter();
        elements.filter_map(|element| element["photo"].as_str().map(str::to_owned)).collect()
    };
    let pages = document["pages"].as_array().unwrap();
    for end in [&pages[0], &pages[pages.len() - 1]] {
        assert!(end.to_string().contains("海边的夏天") && photos_of(end).is_empty(), "{end}");
    }
    // by pages: one over the fold is on two that are seen at once
    let mut seen: std::collections::BTreeMap<String, Vec<usize>> = Default::default();
    for (number, page) in pages.iter().enumerate() {
        for photo in photos_of(page) {
            seen.entry(photo).or_default().push(number);
        }
    }
    assert_eq!(seen.len(), 40, "every photo is in it");
    let is_once = |on: &Vec<usize>| match on[..] {
        [_] => true,
        [left, right] => left % 2 == 1 && right == left + 1,
        _ => false,
    };
    assert!(seen.values().all(is_once), "{seen:?}");
    for photo in photos_of(&document["cover"]) {
        assert!(seen[&photo][0] + 1 >= 12, "the cover's picture is seen again on page {:?}", seen[&photo]);
    }
}

//! Weak photos: what the making desks leave outside, say of it, and take back, without a script; and what becomes of them later.

use image::ImageFormat;
use pictures::{encoded, out_of_focus, scene, screen};
use reqwest::StatusCode;
use reqwest::multipart::Form;
use serde_json::Value;

use support::{Caller, Server, between_all, location, on_both_engines, wait};

on_both_engines!(
    weak_photos_stay_outside_and_are_taken_back,
    a_book_of_weak_photos_comes_out_and_says_so,
    a_photo_of_before_is_measured_by_a_job;
    on_sqlite:
    a_calendar_leaves_weak_photos_outside_too,
    what_was_taken_back_stays_small_in_another_style_and_in_another_way,
    programs_are_asked_nothing_and_nothing_is_left_out,
);

const MAKE: &str = "/manager/make_ebook";
const CALENDAR: &str = "/manager/opus-doc-calendar";
/// The shorter side of the pages, and the longest of a photo that is kept small, in mm.
const SMALL: f64 = 210.0 * 0.46;

fn sharp(seed: u64) -> (&'static str, Vec<u8>) {
    ("海边.jpg", encoded(&scene(2400, 1800, seed), ImageFormat::Jpeg))
}

fn blurred(seed: u64) -> (&'static str, Vec<u8>) {
    ("晃了.jpg", encoded(&out_of_focus(&scene(2400, 1800, seed), 0.008), ImageFormat::Jpeg))
}

fn screenshot(seed: u64) -> (&'static str, Vec<u8>) {
    ("IMG_0815.PNG", encoded(&screen((1080, 2400), seed, [245, 30]), ImageFormat::Png))
}

/// Uploads photos and waits until they were measured; their ids by their names.
async fn upload(server: &Server, member: &Caller, photos: Vec<(&str, Vec<u8>)>) -> Vec<(String, String)> {
    member.upload(photos).await;
    let unmeasured = "select cast(count(*) as text) from photos where quality is null and member_id in";
    wait::eventually(server, &format!("{unmeasured} {}", server.members()), "0").await;
    let mut named = Vec::new();
    for id in member.library().await {
        let name = server.read(&format!("select file_name from photos where id = '{id}'")).await;
        named.push((id, name));
    }
    named
}

fn ids(photos: &[(String, String)], name: &str) -> Vec<String> {
    photos.iter().filter(|(_, known)| known == name).map(|(id, _)| id.clone()).collect()
}

/// What a desk sends that was filled in.
async fn send(
    member: &Caller,
    desk: &str,
    photos: &[(String, String)],
    more: &[(&'static str, &str)],
) -> (StatusCode, String) {
    let fields: &[(&'static str, &str)] = match desk {
        MAKE => &[("format", "square-210"), ("theme", "calm"), ("density", "airy"), ("seen", "99")],
        _ => &[
            ("format", "desk-a5"),
            ("theme", "calm"),
            ("title", "山河岁月"),
            ("start", "2027-01"),
            ("months", "12"),
            ("pages", "together"),
            ("week_start", "monday"),
        ],
    };
    let fields = fields.iter().chain(more);
    let form = fields.fold(Form::new(), |form, (name, value)| form.text(*name, (*value).to_owned()));
    let form = photos.iter().fold(form, |form, (id, _)| form.text("photo", id.clone()));
    let answer = member.post_multipart(desk, form).await;
    match answer.status() {
        StatusCode::SEE_OTHER => (StatusCode::SEE_OTHER, location(&answer)),
        status => (status, answer.text().await.unwrap()),
    }
}

/// What the page says was seen, as fields of the next form.
fn told(page: &str, name: &'static str) -> Vec<(&'static str, String)> {
    let begin = format!("name=\"{name}\" value=\"");
    between_all(page, &begin, "\"").into_iter().map(|id| (name, id)).collect()
}

fn lent<'f>(fields: &'f [(&'static str, String)]) -> Vec<(&'static str, &'f str)> {
    [("asks", "1")].into_iter().chain(fields.iter().map(|(name, value)| (*name, value.as_str()))).collect()
}

async fn document(server: &Server, place: &str) -> Value {
    let work = place.strip_prefix("/manager/opus/").unwrap();
    let document = server.read(&format!("select document from works where id = '{work}'")).await;
    serde_json::from_str(&document).unwrap()
}

/// Every frame of a work with its photo, as the longer side in mm; the cover's first.
async fn frames(server: &Server, place: &str) -> Vec<(String, f64)> {
    let document = document(server, place).await;
    let pages = [&document["cover"]].into_iter().chain(document["pages"].as_array().unwrap());
    let elements = pages.flat_map(|page| page["elements"].as_array().unwrap());
    let side = |element: &Value, name: &str| element["frame"][name].as_f64().unwrap();
    let frame = |element: &Value| {
        let longer = side(element, "width").max(side(element, "height"));
        Some((element["photo"].as_str()?.to_owned(), longer))
    };
    elements.filter_map(frame).collect()
}

async fn weak_photos_stay_outside_and_are_taken_back(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let mut files: Vec<_> = (0..8).map(sharp).collect();
    files.extend([blurred(20), blurred(21), screenshot(3)]);
    let photos = upload(&server, &member, files).await;
    let (out_of_focus, screens) = (ids(&photos, "晃了.jpg"), ids(&photos, "IMG_0815.PNG"));

    // asked once, with a picture and a button for each and one for all
    let (status, page) = send(&member, MAKE, &photos, &[("asks", "1")]).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("有 3 张没有放进书里：2 张模糊，1 张是截屏"), "{page}");
    assert!(page.contains("有 3 张照片没有放进书里：请看一看再生成") && page.contains("全部放回"), "{page}");
    assert!(page.contains("8 张照片，"), "what is in the book is counted");
    let (looked, outside) = (told(&page, "looked"), told(&page, "outside"));
    assert_eq!((looked.len(), outside.len()), (3, 3));
    for id in out_of_focus.iter().chain(&screens) {
        assert!(page.contains(&format!("name=\"take_back\" value=\"{id}\"")), "{page}");
        assert!(page.contains(&format!("/manager/photo/{id}/320")));
    }

    // one is taken back by its button: nothing is made, nothing is forgotten
    let mut press = lent(&looked);
    press.push(("take_back", &out_of_focus[0]));
    let (status, page) = send(&member, MAKE, &photos, &press).await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        page.contains("有 2 张没有放进书里：1 张模糊，1 张是截屏") && page.contains("已放回 1 张"),
        "{page}"
    );
    let wanted = told(&page, "wanted");
    assert_eq!(wanted, [("wanted", out_of_focus[0].clone())]);
    assert_eq!(page.matches("name=\"photo\"").count(), 11, "all stay chosen");

    // the script asks the same
    let fields: Vec<(&str, &str)> = photos.iter().map(|(id, _)| ("photo", id.as_str())).collect();
    let asked: Vec<(&str, &str)> =
        fields.iter().copied().chain([("asks", "1"), ("take_back", out_of_focus[0].as_str())]).collect();
    let part = member.post("/manager/make_ebook/ahead", &asked).await.text().await.unwrap();
    assert!(part.contains("有 2 张没有放进书里") && told(&part, "wanted") == wanted, "{part}");

    // and is in the book, small, and not on its cover
    let fields: Vec<_> = looked.iter().cloned().chain(wanted).collect();
    let (status, place) = send(&member, MAKE, &photos, &lent(&fields)).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{place}");
    let shown = frames(&server, &place).await;
    let of = |id: &String| shown.iter().filter(|(photo, _)| photo == id).collect::<Vec<_>>();
    assert_eq!(of(&out_of_focus[0]).len(), 1, "on a page, and not on the cover: {shown:?}");
    assert!(of(&out_of_focus[0])[0].1 <= SMALL, "{shown:?}");
    assert!(of(&out_of_focus[1]).is_empty() && of(&screens[0]).is_empty());
    assert!(shown.iter().any(|(_, longer)| *longer > 200.0), "others are large");

    // all of them at once
    let all: Vec<_> = looked.iter().cloned().chain(outside).collect();
    let mut press = lent(&all);
    press.push(("take_back", "all"));
    let (status, page) = send(&member, MAKE, &photos, &press).await;
    assert!(
        status == StatusCode::OK && page.contains("已放回 3 张") && !page.contains("没有放进书里："),
        "{page}"
    );
    let fields: Vec<_> = looked.iter().cloned().chain(told(&page, "wanted")).collect();
    let (status, place) = send(&member, MAKE, &photos, &lent(&fields)).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let shown = frames(&server, &place).await;
    for id in out_of_focus.iter().chain(&screens) {
        assert!(shown.iter().any(|(photo, _)| photo == id), "{id} in {shown:?}");
    }
}

async fn a_book_of_weak_photos_comes_out_and_says_so(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let mut files: Vec<_> = (0..3).map(blurred).collect();
    files.extend((0..4).map(|seed| screenshot(seed + 30)));
    let photos = upload(&server, &member, files).await;
    let of = |name: &str| -> Vec<(String, String)> {
        photos.iter().filter(|(_, known)| known == name).cloned().collect()
    };

    // three photos, all blurred
    let all = of("晃了.jpg");
    let (status, page) = send(&member, MAKE, &all, &[("asks", "1")]).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("3 张模糊。去掉就剩得太少，所以都放进书里，只排成小图。"), "{page}");
    let (status, place) = send(&member, MAKE, &all, &lent(&told(&page, "looked"))).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{place}");
    let shown = frames(&server, &place).await;
    assert!(shown.len() >= 4 && shown.iter().all(|(_, longer)| *longer <= 210.0 * 0.75), "{shown:?}");
    assert!(shown[1..].iter().all(|(_, longer)| *longer <= SMALL), "{shown:?}");

    // all screens: that is what the book is about
    let all = of("IMG_0815.PNG");
    let (_, page) = send(&member, MAKE, &all, &[("asks", "1")]).await;
    assert!(page.contains("4 张是截屏：这本书主要就是它们，照常排版。"), "{page}");
    let (status, place) = send(&member, MAKE, &all, &lent(&told(&page, "looked"))).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{place}");
    let shown = frames(&server, &place).await;
    assert!(all.iter().all(|(id, _)| shown.iter().any(|(photo, _)| photo == id)));
    assert!(shown.iter().any(|(_, longer)| *longer > SMALL), "{shown:?}");
}

async fn a_photo_of_before_is_measured_by_a_job(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = upload(&server, &member, vec![blurred(1)]).await;
    let id = &photos[0].0;
    // as an older version left it, and the migration since
    server.sql(&format!("update photos set quality = null where id = '{id}'")).await;
    server.queue_of_photo("measure_photo", id).await;
    let count =
        format!("select cast(count(*) as text) from photos where id = '{id}' and quality like '%\"blur\":%'");
    wait::eventually(&server, &count, "1").await;
}

async fn a_calendar_leaves_weak_photos_outside_too(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let mut files: Vec<_> = (0..3).map(sharp).collect();
    files.push(blurred(20));
    let photos = upload(&server, &member, files).await;
    let weak = ids(&photos, "晃了.jpg").remove(0);
    let (status, page) = send(&member, CALENDAR, &photos, &[("asks", "1")]).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("有 1 张没有放进书里：1 张模糊"), "{page}");
    let looked = told(&page, "looked");
    let (status, place) = send(&member, CALENDAR, &photos, &lent(&looked)).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{place}");
    let shown = frames(&server, &place).await;
    assert!(shown.len() == 13 && shown.iter().all(|(photo, _)| *photo != weak), "{shown:?}");
    // taken back it has a month, and does not fill its place
    let mut press = lent(&looked);
    press.push(("take_back", &weak));
    let (status, page) = send(&member, CALENDAR, &photos, &press).await;
    assert!(status == StatusCode::OK && page.contains("已放回 1 张"), "{page}");
    let fields: Vec<_> = looked.iter().cloned().chain(told(&page, "wanted")).collect();
    let (status, place) = send(&member, CALENDAR, &photos, &lent(&fields)).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{place}");
    let shown = frames(&server, &place).await;
    assert!(shown[0].0 != weak, "not on the cover");
    let small: Vec<f64> =
        shown.iter().filter(|(photo, _)| *photo == weak).map(|(_, longer)| *longer).collect();
    assert!(!small.is_empty() && small.iter().all(|longer| *longer <= 148.0 * 0.46), "{shown:?}");
}

async fn what_was_taken_back_stays_small_in_another_style_and_in_another_way(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let mut files: Vec<_> = (0..9).map(sharp).collect();
    files.push(blurred(20));
    let photos = upload(&server, &member, files).await;
    let weak = ids(&photos, "晃了.jpg").remove(0);
    let fields = [("looked", weak.clone()), ("wanted", weak.clone())];
    let (status, place) = send(&member, MAKE, &photos, &lent(&fields)).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{place}");
    for to in ["lay-dense-none-0", "lay-airy-none-0"] {
        let page = member.page(&format!("{place}/style?part=density")).await;
        let revision = between_all(&page, "name=\"revision\" value=\"", "\"").remove(0);
        let answer = member.post(&format!("{place}/style"), &[("revision", &revision), ("to", to)]).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        assert_small(&server, &place, &weak, to).await;
    }
    let pages = document(&server, &place).await["pages"].as_array().unwrap().clone();
    let page = 1 + pages.iter().position(|page| page.to_string().contains(&weak)).unwrap();
    let ways =
        between_all(&member.page(&format!("{place}/page/{page}")).await, "name=\"way\" value=\"", "\"");
    assert!(ways.len() >= 2, "{ways:?}");
    for way in ways {
        let shown = member.page(&format!("{place}/page/{page}")).await;
        let revision = between_all(&shown, "name=\"revision\" value=\"", "\"").remove(0);
        let fields = [("revision", &*revision), ("way", &*way)];
        let answer = member.post(&format!("{place}/page/{page}/spread"), &fields).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{way}");
        assert_small(&server, &place, &weak, &way).await;
    }
}

/// A weak photo stands in a book once, small.
async fn assert_small(server: &Server, place: &str, weak: &str, after: &str) {
    let shown = frames(server, place).await;
    let small: Vec<f64> =
        shown.iter().filter(|(photo, _)| photo == weak).map(|(_, longer)| *longer).collect();
    assert!(small.len() == 1 && small[0] <= SMALL, "{after}: {shown:?}");
}

async fn programs_are_asked_nothing_and_nothing_is_left_out(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let mut files: Vec<_> = (0..4).map(sharp).collect();
    files.extend([blurred(20), screenshot(3)]);
    let photos = upload(&server, &member, files).await;
    let (status, place) = send(&member, MAKE, &photos, &[]).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{place}");
    let shown = frames(&server, &place).await;
    assert!(photos.iter().all(|(id, _)| shown.iter().any(|(photo, _)| photo == id)), "{shown:?}");
}

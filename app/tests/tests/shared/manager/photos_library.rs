//! /manager/photos as a library, /manager/photo/{id} and /manager/photos/removal.

use image::ImageFormat;
use reqwest::StatusCode;

use support::library::remove;
use support::{Server, encoded, jpeg, location, on_both_engines, quarters};

on_both_engines!(
    photos_stand_under_the_month_of_their_capture;
    on_sqlite:
    a_photo_says_what_the_camera_noted,
    what_a_work_or_an_order_shows_stays,
    what_only_an_older_version_shows_stays,
    a_clock_that_was_read_otherwise_is_read_again,
    a_large_library_has_pages,
);

/// A JPEG that says when it was taken and with what.
fn dated_jpeg(seed: u8, time: &str, model: &str) -> Vec<u8> {
    let plain = encoded(&quarters(320, 240, seed.wrapping_mul(16)), ImageFormat::Jpeg);
    let mut tiff = vec![b'I', b'I', 42, 0, 8, 0, 0, 0, 2, 0];
    let entry = |tag: u16, kind: u16, count: usize, value: u32| {
        let mut entry = [tag.to_le_bytes(), kind.to_le_bytes()].concat();
        entry.extend(u32::try_from(count).unwrap().to_le_bytes());
        entry.extend(value.to_le_bytes());
        entry
    };
    // the first directory ends at 38, the second one, of one entry, at 56
    tiff.extend(entry(0x0110, 2, model.len() + 1, 56));
    tiff.extend(entry(0x8769, 4, 1, 38));
    tiff.extend([0; 4]);
    tiff.extend([1, 0]);
    tiff.extend(entry(0x9003, 2, time.len() + 1, 56 + u32::try_from(model.len()).unwrap() + 1));
    tiff.extend([0; 4]);
    tiff.extend(model.bytes().chain([0]).chain(time.bytes()).chain([0]));
    let exif = [&b"Exif\0\0"[..], &tiff].concat();
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&plain[..2], &[0xff, 0xe1], &length, &exif, &plain[2..]].concat()
}

async fn photos_stand_under_the_month_of_their_capture(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    member
        .upload(vec![
            ("五月.jpg", dated_jpeg(1, "2024:05:31 23:50:00", "X100")),
            ("无.jpg", jpeg(300, 200, 2)),
            ("六月.jpg", dated_jpeg(3, "2024:06:01 00:10:00", "X100")),
            ("早五月.jpg", dated_jpeg(4, "2024:05:01 00:00:00", "X100")),
        ])
        .await;
    let page = member.page("/manager/photos").await;
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text} in {page}"));
    let order = [
        "2024 年 6 月</h2>",
        ">六月.jpg<",
        "2024 年 5 月</h2>",
        ">五月.jpg<",
        ">早五月.jpg<",
        "没有拍摄时间</h2>",
        ">无.jpg<",
    ];
    assert!(order.map(at).is_sorted(), "{page}");
    assert!(page.contains("共 <span class=\"num\">4</span> 张"), "{page}");
    assert!(page.contains("5 GB"));
}

async fn a_photo_says_what_the_camera_noted(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let id =
        member.upload(vec![("<b>.jpg", dated_jpeg(1, "2024:05:01 12:30:59", "X100<i>"))]).await.remove(0);
    let page = member.page(&format!("/manager/photo/{id}")).await;
    for fact in ["2024-05-01 12:30", "X100&lt;i&gt;", "320 × 240", "JPEG", "3 × 2 厘米以内", "&lt;b&gt;.jpg"]
    {
        assert!(page.contains(fact), "no {fact} in {page}");
    }
    assert!(!page.contains("<b>") && !page.contains("X100<i>"));
}

async fn a_clock_that_was_read_otherwise_is_read_again(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let id = member.upload(vec![("一.jpg", dated_jpeg(1, "2024:05:01 12:30:59", "X100"))]).await.remove(0);
    let taken = format!("select cast(taken_at as text) from photos where id = '{id}'");
    let right = server.read(&taken).await;
    // as an older version left it, and the migration since
    server.sql(&format!("update photos set taken_at = taken_at + 21600000 where id = '{id}'")).await;
    server.queue_of_photo("read_clock", &id).await;
    support::wait::eventually(&server, &taken, &right).await;
}

async fn a_large_library_has_pages(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    member.upload(vec![("一.jpg", jpeg(300, 200, 1))]).await;
    // moments that many photos share, and none
    for n in 0..500 {
        let taken = if n % 5 == 0 { "null".to_owned() } else { (n / 7 * 1000).to_string() };
        server
            .sql(&format!(
                "insert into photos (id, member_id, sha256, file_name, format, bytes, width, height, orientation,
                                     taken_at, state, created_at)
                 select 'copy-{n}', member_id, 'copy-{n}', 'copy', format, 1, width, height, 1, {taken}, 'ready', 1
                 from photos where file_name = '一.jpg' and member_id in {}",
                server.members()
            ))
            .await;
    }
    let mut seen = Vec::new();
    let mut address = "/manager/photos".to_owned();
    for pages in 1.. {
        let page = member.page(&address).await;
        seen.extend(support::between_all(&page, "name=\"photo\" value=\"", "\""));
        let Some((before, _)) = page.split_once("\" rel=\"next\"") else {
            assert_eq!(pages, 3);
            break;
        };
        address = before.rsplit_once("href=\"").unwrap().1.to_owned();
    }
    assert_eq!(seen.len(), 501);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 501, "no photo stands on two pages");
    assert_eq!(member.get("/manager/photos?after=x").await.status(), StatusCode::OK);
}

async fn what_a_work_or_an_order_shows_stays(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let line = member.cart_with_album().await;
    let used = member.library().await;
    let free = {
        member.upload(vec![("闲着.jpg", jpeg(320, 200, 9))]).await;
        member.library().await.into_iter().find(|id| !used.contains(id)).unwrap()
    };
    let answer = remove(&member, &[&used[0], &free]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("1 张已删除，1 张没有删除"), "{page}");
    assert!(page.contains("照片.jpg：正用在作品《海边的夏天》里"), "{page}");
    let left = member.library().await;
    assert!(left.contains(&used[0]) && !left.contains(&free));
    assert!(member.page(&format!("/manager/photo/{}", used[0])).await.contains("所以不能删除"));

    let order = member.order(&line).await;
    server.sql(&format!("delete from cart_lines where member_id in {}", server.members())).await;
    server
        .sql(&format!(
            "delete from work_revisions where work_id in (select id from works where member_id in {})",
            server.members()
        ))
        .await;
    server.sql(&format!("delete from works where member_id in {}", server.members())).await;
    let page = remove(&member, &[&used[0]]).await.text().await.unwrap();
    assert!(page.contains(&format!("正用在订单 {order}里")), "{page}");

    // nobody else can take them away, and nothing chosen is said
    for (caller, ids) in [(&other, &[&*used[0], &free][..]), (&member, &[]), (&member, &["x", "../y"])] {
        let answer = remove(caller, ids).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text().await.unwrap().contains("请先选中要删除的照片"));
    }
    assert_eq!(member.library().await, left);
}

async fn what_only_an_older_version_shows_stays(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    // one more than there are months: it is on the cover alone
    member.upload((0..13).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let photos = member.library().await;
    let fields = [
        ("format", "desk-a5"),
        ("theme", "calm"),
        ("title", "山河岁月"),
        ("start", "2027-01"),
        ("months", "12"),
    ];
    let fields = fields.into_iter().chain([("pages", "together"), ("week_start", "monday")]);
    let fields = fields.chain(photos.iter().map(|id| ("photo", id.as_str())));
    let form =
        fields.fold(reqwest::multipart::Form::new(), |form, (name, value)| form.text(name, value.to_owned()));
    let place = location(&member.post_multipart("/manager/opus-doc-calendar", form).await);
    let setting = place.replace("/opus/", "/opus_setting/");
    let page = member.page(&setting).await;
    let choices = support::between_all(&page, "name=\"cover\" value=\"", "\"");
    let other = choices.iter().find(|id| !page.contains(&format!("value=\"{id}\" checked"))).unwrap();
    let form = [("revision", "1"), ("title", "山河岁月"), ("cover", other)];
    assert_eq!(member.post(&setting, &form).await.status(), StatusCode::SEE_OTHER);
    let page =
        remove(&member, &photos.iter().map(String::as_str).collect::<Vec<_>>()).await.text().await.unwrap();
    assert!(page.contains("照片.jpg：正用在作品《山河岁月》的旧版本里"), "{page}");
    assert_eq!(member.library().await, photos, "all of them stay");
}

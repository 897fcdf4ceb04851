//! /manager/opus-doc-calendar and /manager/opus/{id}/calendar.

use image::GenericImageView;
use reqwest::multipart::{Form, Part};
use reqwest::{Response, StatusCode};

use support::{Caller, Server, between, between_all, jpeg, location, on_both_engines};

const DESK: &str = "/manager/opus-doc-calendar";

on_both_engines!(
    what_is_wrong_is_said_and_everything_comes_back;
    on_sqlite:
    a_calendar_is_its_owners,
    photos_become_a_calendar_that_can_be_ordered,
    months_and_anniversaries_change_later_and_captions_stay,
    a_calendar_changes_its_size_among_calendars,
    a_calendar_travels_whole,
);

/// What is sent by a desk that was filled in, with changes.
async fn send(member: &Caller, photos: &[String], changes: &[(&'static str, &str)]) -> Response {
    let mut fields = vec![
        ("format", "desk-a5"),
        ("theme", "calm"),
        ("title", "山河岁月"),
        ("start", "2027-01"),
        ("months", "12"),
        ("pages", "together"),
        ("week_start", "monday"),
        ("anniversaries", "3-15 妈妈生日\n农历八月初八 外婆生日"),
    ];
    for (name, value) in changes {
        fields.retain(|(known, _)| known != name);
        fields.push((name, value));
    }
    let form = fields.into_iter().fold(Form::new(), |form, (name, value)| form.text(name, value.to_owned()));
    let form = photos.iter().fold(form, |form, id| form.text("photo", id.clone()));
    member.post_multipart(DESK, form).await
}

async fn photos(member: &Caller) -> Vec<String> {
    let sizes = [(640, 480), (480, 640), (600, 600)];
    let photos = sizes.iter().enumerate().map(|(n, (w, h))| ("照片.jpg", jpeg(*w, *h, n as u8))).collect();
    member.upload(photos).await
}

/// A calendar's id.
async fn made(member: &Caller, changes: &[(&'static str, &str)]) -> String {
    let photos = photos(member).await;
    let place = location(&send(member, &photos, changes).await);
    place.strip_prefix("/manager/opus/").expect("a work").to_owned()
}

async fn picture(member: &Caller, work: &str, page: &str, revision: u32) -> Vec<u8> {
    let answer = member.get(&format!("/manager/opus/{work}/page/{page}/320?r={revision}")).await;
    assert_eq!(answer.status(), StatusCode::OK, "{page}");
    answer.bytes().await.unwrap().to_vec()
}

async fn photos_become_a_calendar_that_can_be_ordered(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let desk = member.page(DESK).await;
    assert!(desk.contains("做台历") && desk.contains("从哪个月开始") && desk.contains("休、班"));
    let work = made(&member, &[]).await;
    let page = member.page(&format!("/manager/opus/{work}")).await;
    assert!(page.contains("210 × 148 mm") && page.contains("改月份与纪念日"));
    // it hangs on rings: its cover is no sheet around a back
    let editor = member.page(&format!("/manager/opus-doc-calendar?id={work}&page=cover")).await;
    assert!(editor.contains("&quot;cover&quot;:null") && !editor.contains("整张封面"));
    let sheet = member.get(&format!("/manager/opus/{work}/cover/720?r=1")).await;
    assert_eq!(sheet.status(), StatusCode::NOT_FOUND);
    assert_eq!(between_all(&page, "alt=\"第 ", " 页\"").len(), 14, "a year, twelve months, the next year");
    let shown = image::load_from_memory(&picture(&member, &work, "2", 1).await).unwrap();
    assert_eq!(shown.dimensions(), (320, 226));
    assert!(member.page("/manager/opus_list/calendar").await.contains("山河岁月"));
    // goods of its size are calendars, and it goes into the cart as one
    let goods = member.page(&format!("/manager/add_shopping/{work}")).await;
    assert_eq!(between_all(&goods, "name=\"goods\" value=\"", "\""), ["calendar-a5"]);
    let line = member.add_to_cart(&work, "calendar-a5").await;
    assert!(member.page(&format!("/manager/shopping/cart/{line}/options")).await.contains("铁圈装"));
    let proof = member.page(&format!("/manager/shopping/cart/{line}/proof")).await;
    assert!(!proof.contains("离书脊"), "its rings are at the top");
    // the larger ones, with photos on pages of their own
    for (format, goods) in [
        ("wall-a3", "calendar-wall-a3"),
        ("wall-300", "calendar-wall-300"),
        ("desk-254", "calendar-desk-254"),
    ] {
        let work =
            made(&member, &[("format", format), ("pages", "facing"), ("theme", "classic"), ("months", "13")])
                .await;
        let page = member.page(&format!("/manager/opus/{work}")).await;
        assert_eq!(between_all(&page, "alt=\"第 ", " 页\"").len(), 28, "{format}");
        picture(&member, &work, "3", 1).await;
        member.add_to_cart(&work, goods).await;
    }
}

async fn what_is_wrong_is_said_and_everything_comes_back(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = photos(&member).await;
    let typed = "\n3-15 妈妈生日\n13-40 生日\n八月十五 团圆";
    let changes = [("format", "wall-a3"), ("week_start", "sunday"), ("anniversaries", typed)];
    let answer = send(&member, &photos, &changes).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(
        page.contains("第 3 行“13-40 生日”：没有 13 月 40 日。") && page.contains("第 4 行“八月十五 团圆”"),
        "{page}"
    );
    assert!(page.contains("13-40 生日\n八月十五 团圆") && page.contains(r#"value="山河岁月""#));
    for chosen in ["wall-a3", "sunday", "2027-01"] {
        let field = between(&page, &format!("value=\"{chosen}\""), ">");
        assert!(field.contains("checked") || field.contains("selected"), "{chosen}: {field}");
    }
    assert_eq!(page.matches(" checked aria-label").count(), photos.len(), "the photos stay chosen");
    for (field, value, complaint) in [
        ("format", "square-210", "请选择开本"),
        ("start", "2027-13", "请选择从哪个月开始"),
        ("start", "9999-01", "请选择从哪个月开始"),
        ("months", "99", "请选择做几个月"),
        ("week_start", "friday", "请选择一周从哪天开始"),
        ("theme", "../../x", "请选择风格"),
        ("title", "", "请输入标题"),
    ] {
        let answer = send(&member, &photos, &[(field, value)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        assert!(answer.text().await.unwrap().contains(complaint), "{field}");
    }
    assert!(send(&member, &[], &[]).await.text().await.unwrap().contains("请选择照片"));
    let many = member.upload((10..22).map(|n| ("照片.jpg", jpeg(64, 48, n))).collect()).await;
    let answer = send(&member, &many, &[]).await.text().await.unwrap();
    assert!(answer.contains("最多放得下 13 张"), "{answer}");
}

async fn months_and_anniversaries_change_later_and_captions_stay(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = made(&member, &[]).await;
    let base = format!("/manager/opus/{work}");
    let texts = [("revision", "1"), ("title", "山河岁月"), ("text-1-3", "外婆院子里的石榴树")];
    location(&member.post(&format!("{base}/texts"), &texts).await);
    let form = member.page(&format!("{base}/calendar")).await;
    assert!(form.contains("3-15 妈妈生日\n农历八月初八 外婆生日"));
    assert!(between(&form, "value=\"2027-01\"", ">").contains("selected"));

    let fields = [
        ("revision", "2"),
        ("start", "2026-09"),
        ("week_start", "sunday"),
        ("anniversaries", "10-6 小满生日"),
    ];
    let wrong = [fields[0], fields[1], fields[2], ("anniversaries", "十月六日 小满")];
    let answer = member.post(&format!("{base}/calendar"), &wrong).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("第 1 行“十月六日 小满”"));
    let answer = member.post(&format!("{base}/calendar"), &fields).await;
    assert_eq!(location(&answer), format!("{base}?saved=months"));
    let page = member.page(&base).await;
    assert!(page.contains("外婆院子里的石榴树") && page.contains("第 3 版"));
    assert_ne!(picture(&member, &work, "2", 2).await, picture(&member, &work, "2", 3).await);
    let comparison = member.page(&format!("{base}/comparison?before=2&after=3")).await;
    assert!(comparison.contains("月历不同"));
    assert!(member.page(&format!("{base}/revisions")).await.contains("改月份与纪念日"));
    // over a version that is not the newest any more
    let late = member.post(&format!("{base}/calendar"), &fields[..3]).await;
    assert_eq!(late.status(), StatusCode::CONFLICT);
    assert!(member.page(&base).await.contains("有改动还没有并进来"));
}

async fn a_calendar_changes_its_size_among_calendars(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = made(&member, &[]).await;
    let base = format!("/manager/opus/{work}");
    let page = member.page(&format!("{base}/format")).await;
    assert_eq!(between_all(&page, "/format?to=", "\""), ["desk-254", "wall-300", "wall-a3"]);
    assert!(member.page(&format!("{base}/format?to=wall-a3")).await.contains("297 × 420 mm"));
    let answer = member.post(&format!("{base}/format"), &[("revision", "1"), ("to", "a4-portrait")]).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    location(&member.post(&format!("{base}/format"), &[("revision", "1"), ("to", "wall-a3")]).await);
    let page = member.page(&base).await;
    assert!(page.contains("297 × 420 mm"));
    assert_eq!(between_all(&page, "alt=\"第 ", " 页\"").len(), 14);
    // another photo on the cover leaves the year and the title
    let setting = format!("/manager/opus_setting/{work}");
    let covers = between_all(&member.page(&setting).await, "name=\"cover\" value=\"", "\"");
    let before = picture(&member, &work, "cover", 2).await;
    let mut changed = 0;
    for cover in &covers {
        let revision = between(&member.page(&setting).await, "name=\"revision\" value=\"", "\"");
        let fields = [("revision", &*revision), ("title", "山河岁月"), ("cover", &**cover)];
        location(&member.post(&setting, &fields).await);
        let revision = between(&member.page(&setting).await, "name=\"revision\" value=\"", "\"");
        changed += usize::from(picture(&member, &work, "cover", revision.parse().unwrap()).await != before);
    }
    assert_eq!((covers.len(), changed), (3, 2));
}

async fn a_calendar_travels_whole(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = made(&member, &[("format", "wall-300")]).await;
    let archive = member.get(&format!("/manager/opus/{work}/export")).await.bytes().await.unwrap().to_vec();
    let other = server.member("other@example.com", "0").await;
    let id = between(&other.page("/manager/opus_import").await, "name=\"work\" value=\"", "\"");
    let part = Part::bytes(archive).file_name("台历.bindery.zip");
    let form = Form::new().text("work", id.clone()).part("archive", part);
    location(&other.post_multipart("/manager/opus_import", form).await);
    assert_eq!(picture(&other, &id, "4", 1).await, picture(&member, &work, "4", 1).await);
    assert!(other.page(&format!("/manager/opus/{id}/calendar")).await.contains("农历八月初八 外婆生日"));
    assert!(other.page("/manager/opus_list/calendar").await.contains("山河岁月"));
}

async fn a_calendar_is_its_owners(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let work = made(&owner, &[]).await;
    let address = format!("/manager/opus/{work}/calendar");
    assert_eq!(other.get(&address).await.status(), StatusCode::NOT_FOUND);
    let fields = [("revision", "1"), ("start", "2026-09"), ("week_start", "sunday"), ("anniversaries", "")];
    assert_eq!(other.post(&address, &fields).await.status(), StatusCode::NOT_FOUND);
    // somebody else's photos are none
    let mine = owner.library().await;
    let answer = send(&other, &mine, &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // an album has no months
    let photos = owner.library().await;
    let album = owner.album("square-210", "画册", &photos).await;
    assert_eq!(owner.get(&format!("/manager/opus/{album}/calendar")).await.status(), StatusCode::NOT_FOUND);
}

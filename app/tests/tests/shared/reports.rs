//! Small files that people's programs choke on, sent as a person sends them; they lie beside the checkout, in `../shared/reports`.
//! Each stands for a kind, which has tests of its own.

use support::{Server, documents, on_both_engines, publications, repository};

on_both_engines!(; on_sqlite: photos_are_seen_as_they_are, texts_are_read_as_they_are, pdfs_are_opened, a_newspaper_is_read_article_by_article);

/// A file, or nothing where there are none.
fn sample(name: &str) -> Option<Vec<u8>> {
    let file = repository("../shared/reports").join(name);
    let bytes = std::fs::read(&file).ok();
    if bytes.is_none() {
        eprintln!("skipped: there is no {}", file.display());
    }
    bytes
}

async fn photos_are_seen_as_they_are(server: Server) {
    let names = ["tz_paris_dslr", "tz_paris_phone", "noeoi", "only_datetime", "ycck_adobe2", "cmyk_adobe0"];
    let files: Option<Vec<_>> = names.iter().map(|name| sample(&format!("photos/{name}.jpg"))).collect();
    let Some(files) = files else { return };
    let member = server.member("maker@example.com", "0").await;
    assert_eq!(member.upload(names.into_iter().zip(files).collect()).await.len(), names.len());
    let of_member = server.members();
    let id = async |name: &str| {
        server
            .read(&format!("select id from photos where member_id in {of_member} and file_name = '{name}'"))
            .await
    };
    // what a clock showed is kept as if it were China's
    let times = format!(
        "select string_agg(line, '\n') from (select file_name || ' ' || ((taken_at - 1777564800000) / 60000) || ' ' \
         || coalesce(taken_offset, -9999) as line from photos where member_id in {} and file_name like 'tz%' order by taken_at) as lines",
        server.members()
    );
    assert_eq!(server.read(&times).await, "tz_paris_phone 1230 120\ntz_paris_dslr 1240 -9999");
    let page = member.page(&format!("/manager/photo/{}", id("only_datetime").await)).await;
    assert!(page.contains("2019"), "its last change is its time: {page}");
    let ycck = documents::picture(&member, &format!("/manager/photo/{}/320", id("ycck_adobe2").await)).await;
    let cmyk = documents::picture(&member, &format!("/manager/photo/{}/320", id("cmyk_adobe0").await)).await;
    assert_eq!(ycck.dimensions(), cmyk.dimensions());
    let apart: u64 = ycck.iter().zip(cmyk.iter()).map(|(one, other)| u64::from(one.abs_diff(*other))).sum();
    assert!(apart <= 3 * ycck.len() as u64, "the same picture in both codings: {apart} of {}", ycck.len());
}

async fn texts_are_read_as_they_are(server: Server) {
    let names = ["emph", "html", "foot", "search", "invisible"];
    let files: Option<Vec<_>> = names.iter().map(|name| sample(&format!("md/{name}.md"))).collect();
    let Some(files) = files else { return };
    let member = server.member("maker@example.com", "0").await;
    let expected: [(&[&str], &[&str]); 5] = [
        (&["重点。后面的文字紧跟着。", "《红楼梦》里的话"], &["*"]),
        (
            &[
                "居中的重要文字不能丢",
                "紧跟着的一段也在同一块里",
                "列表二也不能丢",
                "段落标签里的文字",
                "最后一段。",
            ],
            &["<div", "<p>"],
        ),
        (&["这是第一个脚注的内容。", "见Smith2020年的著作，第12页。", "后面的正文。"], &["[^"]),
        (&["İstanbul", "Straße"], &[]),
        (&["exam", "引文"], &["\u{2028}"]),
    ];
    for ((name, file), (kept, gone)) in names.into_iter().zip(files).zip(expected) {
        let fields = [("title", name), ("format", "a5-portrait")];
        let address = documents::made(&member, &fields, Some((&format!("{name}.md"), file))).await;
        let work = address.rsplit('/').next().unwrap().to_owned();
        let settings = [("pdf", "1"), ("epub", "1")];
        assert_eq!(member.share_as(&work, &settings).await.status(), reqwest::StatusCode::SEE_OTHER);
        let pdf = member.get(&format!("/read/{work}/book.pdf")).await.bytes().await.unwrap();
        let words: String =
            documents::words_of(&pdf).chars().filter(|c| !c.is_whitespace() && *c != '\u{200b}').collect();
        for part in kept {
            assert!(words.contains(part), "{name}: {part} in {words}");
        }
        for part in gone {
            assert!(!words.contains(part), "{name}: no {part} in {words}");
        }
        if name == "search" {
            // reading a page has its words read
            for number in 1..=4 {
                member.get(&format!("/read/{work}/{number}")).await;
            }
            for asked in ["İSTANBUL", "istanbul", "CAFÉ", "STRASSE", "零宽", "softhyphen", "がき"] {
                let found = member.page(&format!("/read/{work}?q={asked}")).await;
                assert!(found.contains("class=\"found\""), "{asked}: {found}");
            }
        }
    }
}

async fn pdfs_are_opened(server: Server) {
    let names = ["tou_ffff", "garbage_head", "says_encrypt", "outline", "ycck_decode"];
    let files: Option<Vec<_>> = names.iter().map(|name| sample(&format!("pdf/{name}.pdf"))).collect();
    let Some(files) = files else { return };
    let member = server.member("maker@example.com", "0").await;
    for (name, file) in names.into_iter().zip(files) {
        let address =
            documents::made(&member, &[("title", name)], Some((&format!("{name}.pdf"), file))).await;
        let work = address.rsplit('/').next().unwrap().to_owned();
        member.share(&work).await;
        let page = member.page(&format!("/read/{work}")).await;
        assert!(!page.contains('\u{ffff}'), "{name}");
        if name == "outline" {
            for chapter in ["第一章 名字", "第二章 小端", "第三章 UTF8", "第五章 国标", "quoted"]
            {
                assert!(page.contains(chapter), "{chapter} in {page}");
            }
        }
    }
}

async fn a_newspaper_is_read_article_by_article(server: Server) {
    let Some(file) = sample("pdf/hang.pdf") else { return };
    let maker = publications::editor(&server).await;
    let title = publications::title(&maker, "epaper", "linjiang", &[]).await;
    let issue = publications::issue(&maker, "epaper", &title, "2026-11-25", file.clone()).await;
    assert_eq!(
        maker.post(&format!("/manager/epaper_issue/{issue}/proposals"), &[]).await.status(),
        reqwest::StatusCode::SEE_OTHER
    );
    publications::set(&maker, "epaper", &issue, "publish").await;
    let visitor = server.visitor();
    let page = visitor.page("/epaper/linjiang/2026-11-25/1").await;
    for title in ["老粮站里读新书", "下雨天敢开窗了", "沿江半马本周日鸣枪", "第三百六十五天还有人来", "简讯"]
    {
        assert!(page.contains(title), "{title} in {page}");
    }
    let lead = visitor.page("/epaper/linjiang/2026-11-25/a/1").await;
    for part in [
        "的新身份向市民开放，首日接待读者三千二百余人。",
        "我们请考古所来看过，决定原样留下，上面盖一层玻璃。",
    ] {
        assert!(lead.contains(part), "{part} in {lead}");
    }
    // readers of the same file find what goes on in the next line
    let work = documents::made(
        &maker,
        &[("title", "临江晚报"), ("format", "a4-portrait")],
        Some(("hang.pdf", file)),
    )
    .await;
    let work = work.rsplit('/').next().unwrap().to_owned();
    maker.share(&work).await;
    visitor.page(&format!("/read/{work}/1")).await;
    let found = visitor.page(&format!("/read/{work}?q=市民从书房出门，步行十五分钟")).await;
    assert!(found.contains("class=\"found\""), "{found}");
}

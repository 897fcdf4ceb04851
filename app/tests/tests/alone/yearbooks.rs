//! A year book from its roster to print files: one order, in which every copy differs; and messages to who has not sent a page.

use std::path::Path;
use std::process::Command;

use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};

use support::wait::eventually;
use support::{Caller, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    a_roster_becomes_one_order_of_copies_that_differ;
    on_sqlite:
    who_has_sent_nothing_is_asked_and_reminded,
);

/// A new book with a roster; its page.
async fn year_book(owner: &Caller, roster: &str) -> String {
    let key = between(&owner.page("/manager/yearbook/new").await, "name=\"book\" value=\"", "\"");
    let until = (time::OffsetDateTime::now_utc() + time::Duration::days(10)).date().to_string();
    let fields = [
        ("book", &*key),
        ("title", "我们的三年"),
        ("author", "青山小学"),
        ("until", &*until),
        ("greeting", "一人一页"),
    ];
    let place = location(&owner.post("/manager/yearbook/new", &fields).await);
    let own = place.strip_suffix("?done=made").unwrap().to_owned();
    let answer = owner.post_multipart(&own, Form::new().text("names", roster.to_owned())).await;
    assert_eq!(location(&answer), format!("{own}?added={}&known=0", roster.lines().count()));
    own
}

/// The paths of all links, in the roster's order.
async fn links(owner: &Caller, own: &str) -> Vec<String> {
    let table = owner.get(&format!("{own}/links.csv")).await.text().await.unwrap();
    between_all(&table, "/y/", ",").into_iter().map(|code| format!("/y/{code}")).collect()
}

async fn send(visitor: &Caller, link: &str, words: &str, photos: &[(&'static str, u8)]) {
    let form = Form::new().text("motto", "天高任鸟飞").text("words", words.to_owned());
    let with = |form: Form, (name, seed): &(&'static str, u8)| {
        form.part(*name, Part::bytes(jpeg(900, 1200, *seed)).file_name("photo.jpg"))
    };
    let answer = visitor.post_multipart(link, photos.iter().fold(form, with)).await;
    assert_eq!(location(&answer), format!("{link}?done=1"));
}

/// The words of each page of a file, without spaces.
fn pages_of(file: &Path) -> Vec<String> {
    let output = Command::new("pdftotext").args([file.as_os_str(), "-".as_ref()]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let page = |page: &str| page.chars().filter(|c| !c.is_whitespace()).collect();
    text.trim_end_matches('\u{c}').split('\u{c}').map(page).collect()
}

async fn a_roster_becomes_one_order_of_copies_that_differ(server: Server) {
    const LONG: &str = "阿卜杜热合曼·买买提江·吐尔逊娜依·古丽加玛丽·艾合买提江";
    let owner = server.member("teacher@example.com", "3000").await;
    let own = year_book(&owner, &format!("张伟,二班,0701\n张伟,二班,0702\n{LONG},一班\n李娜,一班")).await;
    let links = links(&owner, &own).await;
    let visitor = server.visitor();
    send(&visitor, &links[0], "从前的日子都很好", &[("portrait", 1), ("own", 2)]).await;
    send(&visitor, &links[2], "", &[("portrait", 3)]).await;
    let page = owner.page(&format!("{own}/book")).await;
    assert!(page.contains("2 位还没交：张伟、李娜"), "{page}");
    // one who wants no copy stands in the book all the same
    let person = between_all(&owner.page(&own).await, &format!("href=\"{own}/person/"), "\"");
    let nadia = format!("{own}/person/{}", person[3]);
    owner.post(&nadia, &[("name", "李娜"), ("group", "一班"), ("contact", ""), ("until", "")]).await;
    let wanted = [("format", "square-210"), ("theme", "calm"), ("share", "half"), ("spare", "1")];
    let place = location(&owner.post(&format!("{own}/book"), &wanted).await);
    assert_eq!(place, format!("{own}/book?done=1#copies"));
    let page = owner.page(&format!("{own}/book")).await;
    assert!(page.contains("一套 4 本"), "{page}");
    let work = between(&page, "/manager/add_shopping/", "\"");
    each_copy_can_be_looked_at(&owner, &own, &work, LONG).await;

    // a latecomer after the book was made is said, and stands in the next version of the same work
    let late = owner.post_multipart(&own, Form::new().text("names", "王芳,一班\n李娜,一班")).await;
    assert_eq!(location(&late), format!("{own}?added=1&known=1"));
    assert!(owner.page(&format!("{own}/book")).await.contains("1 位不在这一版里：王芳"));
    owner.post(&format!("{own}/book"), &wanted).await;
    let page = owner.page(&format!("{own}/book")).await;
    assert!(page.contains("一套 5 本") && page.contains(&work), "{page}");

    // one order of all of them, and of nothing in between
    let line = owner.add_to_cart(&work, "album-210").await;
    let count = |count: &'static str| {
        let (owner, line) = (&owner, &line);
        async move { owner.post(&format!("/manager/shopping/cart/{line}/quantity"), &[("quantity", count)]).await }
    };
    assert_eq!(count("4").await.status(), StatusCode::SEE_OTHER);
    let fields = owner.order_form(&line).await;
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let answer = owner.post(&format!("/manager/shopping/order/{line}"), &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("一套 5 本：数量请填 5"));
    count("5").await;
    let order = owner.order(&line).await;
    assert_eq!(
        owner.post("/manager/shopping/pay", &[("order", &order)]).await.status(),
        StatusCode::SEE_OTHER
    );
    some_copies_alone_are_ordered(&server, &owner, &own, &work).await;
    // what is ordered does not follow the roster any more
    owner.post(&format!("{own}/deletion"), &[]).await;
    assert_eq!(visitor.get(&links[0]).await.status(), StatusCode::NOT_FOUND);

    let folder = server.folder.path().join("export");
    let output = server.run(&["order", "export", &order, folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = ["张伟", "张伟", LONG, "王芳", "班级留存"];
    let covers = pages_of(&folder.join("1-cover.pdf"));
    assert_eq!(covers.len(), 5);
    for (cover, name) in covers.iter().zip(names) {
        assert!(cover.contains(name) && cover.contains("我们的三年"), "{cover}");
    }
    let ticket: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("ticket.json")).unwrap()).unwrap();
    let line = &ticket["lines"][0];
    let each = line["pages"].as_u64().unwrap() as usize;
    let inner = pages_of(&folder.join("1-inner.pdf"));
    assert_eq!(inner.len(), 5 * each);
    for (copy, name) in names.iter().enumerate() {
        let pages = &inner[copy * each..(copy + 1) * each];
        assert_eq!(pages[2].contains(name), copy < 4, "{}", pages[2]);
        // the rest is the same in all, with everybody in it
        assert_eq!(pages[3..], inner[3..each]);
        assert!(pages[3..].concat().contains("从前的日子都很好") && pages[3..].concat().contains("李娜"));
    }
    assert_eq!(line["copies"], 5);
    assert_eq!(line["special"], serde_json::json!(["每本不同"]));
    let sequence = line["run"]["sequence"].as_array().unwrap();
    assert_eq!(
        sequence.iter().map(|copy| copy["name"].as_str().unwrap()).collect::<Vec<_>>(),
        [&names[..4], &[""]].concat()
    );
    assert_eq!(sequence[1]["pages"]["inner"], serde_json::json!([each + 1, 2 * each]));
    let read = pages_of(&folder.join("ticket.pdf")).concat();
    for said in ["每本不同", "5本", "王芳", "（不写名字）"] {
        assert!(read.contains(said), "{said}: {read}");
    }
}

/// What is looked at before an order: copy after copy, with what is found in each, as pictures and as a file.
async fn each_copy_can_be_looked_at(owner: &Caller, own: &str, work: &str, long: &str) {
    let page = owner.page(&format!("{own}/proof")).await;
    let keys = between_all(&page, "<option value=\"", "\"");
    assert_eq!(keys.len(), 4, "{page}");
    assert!(page.contains("第 1 本，共 4 本") && page.contains("3　"), "{page}");
    let page = owner.page(&format!("{own}/proof?copy={}", keys[2])).await;
    assert!(page.contains("第 3 本，共 4 本") && page.contains(&format!("<h1>{long}")), "{page}");
    // its own pages and its cover are pictures of its own, the rest are those of all
    let pictures = between_all(&page, "src=\"/manager/opus/", "\"");
    let of_copy = |picture: &&String| picture.contains(&format!("copy={}", keys[2]));
    assert_eq!(pictures.iter().filter(of_copy).count(), 3, "{pictures:?}");
    let picture = async |page: &str, copy: &str| {
        let answer = owner.get(&format!("/manager/opus/{work}/page/{page}/320?r=1&copy={copy}")).await;
        assert_eq!(answer.status(), StatusCode::OK);
        answer.bytes().await.unwrap()
    };
    assert!(picture("cover", &keys[0]).await != picture("cover", &keys[2]).await);
    assert!(picture("3", &keys[0]).await != picture("3", &keys[2]).await);
    assert!(picture("4", &keys[0]).await == picture("4", &keys[2]).await);
    let file =
        owner.get(&format!("/manager/opus/{work}/proof.pdf?copy={}", keys[2])).await.bytes().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("proof.pdf"), file).unwrap();
    let pages = pages_of(&folder.path().join("proof.pdf"));
    assert!(pages[0].contains(long) && pages[3].contains(long), "{pages:?}");
    for path in [format!("/manager/opus/{work}/proof.pdf"), format!("/manager/opus/{work}/page/3/320")] {
        assert_eq!(owner.get(&format!("{path}?copy=nobody")).await.status(), StatusCode::NOT_FOUND);
    }
    // the photos that were sent are small: one is said of each, and leads to the one whose it is
    let page = owner.page(&format!("/manager/opus/{work}")).await;
    let person = between_all(&owner.page(own).await, &format!("href=\"{own}/person/"), "\"");
    assert!(page.contains("这 2 本的第 2 页") || page.contains("那本的第 2 页"), "{page}");
    let leads = format!("/manager/yearbook/person/{}", person[0]);
    assert!(page.contains(&leads), "{page}");
    assert_eq!(location(&owner.get(&leads).await), format!("{own}/person/{}", person[0]));
}

/// A latecomer and a damaged copy: two of five, and nothing else, from the form to the files.
async fn some_copies_alone_are_ordered(server: &Server, owner: &Caller, own: &str, work: &str) {
    let some = format!("{own}/some");
    let page = owner.page(&some).await;
    let keys = between_all(&page, "name=\"copy\" value=\"", "\"");
    assert!(keys.len() == 5 && page.matches("没有人像</span>").count() == 2, "{page}");
    let line = between(&page, "name=\"line\" value=\"", "\"");
    let ask = async |copies: &[&str], goods: &str| {
        let copies = copies.iter().map(|copy| ("copy", *copy));
        let fields: Vec<_> = [("line", line.as_str()), ("goods", goods)].into_iter().chain(copies).collect();
        owner.post(&some, &fields).await
    };
    for (copies, goods, said) in [
        (&[][..], "album-210", "请至少选一本"),
        (&[&*keys[0], "nobody"][..], "album-210", "已经不在这一版里"),
        (&[&*keys[3]][..], "album-a4", "请选择印刷商品"),
    ] {
        let answer = ask(copies, goods).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let page = answer.text().await.unwrap();
        assert!(page.contains(said), "{said}: {page}");
        // what was chosen comes back
        assert_eq!(page.contains(&format!("value=\"{}\" checked", keys[3])), copies == [&*keys[3]], "{page}");
    }
    let chosen = [&*keys[3], &*keys[0]];
    assert_eq!(location(&ask(&chosen, "album-210").await), format!("/manager/shopping/cart/{line}/options"));
    let page = owner.page("/manager/shopping/cart").await;
    assert!(page.contains("每本不同，一套 2 本：") && page.contains("王芳"), "{page}");
    let proof = owner.page(&format!("/manager/shopping/cart/{line}/proof")).await;
    assert_eq!(between_all(&proof, "<option value=\"", "\"").len(), 2);
    let order = owner.order(&line).await;
    owner.post("/manager/shopping/pay", &[("order", &order)]).await;
    let folder = server.folder.path().join("some");
    let output = server.run(&["order", "export", &order, folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ticket: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("ticket.json")).unwrap()).unwrap();
    let line = &ticket["lines"][0];
    let names: Vec<_> =
        line["run"]["sequence"].as_array().unwrap().iter().map(|copy| copy["name"].clone()).collect();
    assert_eq!((names, &line["copies"]), (vec!["张伟".into(), "王芳".into()], &serde_json::json!(2)));
    let covers = pages_of(&folder.join("1-cover.pdf"));
    assert_eq!(covers.len(), 2);
    assert!(covers[0].contains("张伟") && covers[1].contains("王芳"), "{covers:?}");
    let inner = pages_of(&folder.join("1-inner.pdf"));
    assert_eq!(inner.len(), 2 * line["pages"].as_u64().unwrap() as usize);
    // somebody who is not in the newest version any more can't be ordered of it
    let page = owner.page(&some).await;
    let line = between(&page, "name=\"line\" value=\"", "\"");
    owner.post(&some, &[("line", &line), ("goods", "album-210"), ("copy", &keys[3])]).await;
    let person = between_all(&owner.page(own).await, &format!("href=\"{own}/person/"), "\"");
    owner.post(&format!("{own}/person/{}/removal", person.last().unwrap()), &[]).await;
    let wanted = [("format", "square-210"), ("theme", "calm"), ("share", "half"), ("spare", "1")];
    owner.post(&format!("{own}/book"), &wanted).await;
    let refused = owner.get(&format!("/manager/shopping/order/{line}")).await;
    assert_eq!(refused.status(), StatusCode::CONFLICT);
    assert!(refused.text().await.unwrap().contains("王芳不在《我们的三年》的新一版里"));
    assert!(owner.page(&format!("/manager/opus/{work}")).await.contains("我们的三年"));
}

async fn who_has_sent_nothing_is_asked_and_reminded(mut server: Server) {
    server.set("BINDERY_PUBLIC_URL", "https://books.example");
    server.restart();
    let owner = server.member("teacher@example.com", "0").await;
    let own =
        year_book(&owner, "张伟,二班,zhang@example.com\n李娜,二班,li@example.com\n王芳,二班,0703").await;
    let links = links(&owner, &own).await;
    send(&server.visitor(), &links[1], "", &[]).await;
    let asked = |count: usize| format!("{own}?asked={count}");
    assert_eq!(location(&owner.post(&format!("{own}/messages"), &[]).await), asked(1));
    let outbox = server.outbox();
    assert!(outbox.contains(&format!("https://books.example{}", links[0])), "{outbox}");
    // nobody is asked twice a day, and who has sent something never
    assert_eq!(location(&owner.post(&format!("{own}/messages"), &[]).await), asked(0));
    assert!(!server.outbox().contains("li@example.com"));
    // the job of three days before the last one
    server.sql("update yearbook_people set asked_at = 1").await;
    server.sql("update jobs set run_at = 0, turn = 0 where kind = 'remind_yearbook'").await;
    let asked = "select cast(count(*) as text) from yearbook_people where asked_at > 1";
    eventually(&server, asked, "1").await;
    assert!(server.outbox().contains("还没有收到您的一页"));
}

//! /manager/yearbook and /y/{code}: a roster, and what each on it sends by a link of its own.

use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};

use support::{Caller, PASSWORD, Server, between, between_all, day, jpeg, location, on_both_engines};

on_both_engines!(
    what_somebody_sends_is_its_own_and_takes_its_owners_room;
    on_sqlite:
    a_roster_is_taken_whole_or_not_at_all,
    a_link_that_ended_says_why_and_a_guessed_one_nothing,
    a_closed_account_leaves_nothing_of_its_rosters,
);

/// A new book: its page.
async fn book(owner: &Caller) -> String {
    let key = between(&owner.page("/manager/yearbook/new").await, "name=\"book\" value=\"", "\"");
    let last = day(20);
    let fields = [
        ("book", &*key),
        ("title", "我们的三年"),
        ("author", ""),
        ("until", &*last),
        ("greeting", "一人一页"),
    ];
    let place = location(&owner.post("/manager/yearbook/new", &fields).await);
    place.strip_suffix("?done=made").unwrap_or_else(|| panic!("went to {place}")).to_owned()
}

async fn add(owner: &Caller, own: &str, names: &str) -> reqwest::Response {
    owner.post_multipart(own, Form::new().text("names", names.to_owned())).await
}

async fn links(owner: &Caller, own: &str) -> Vec<String> {
    let table = owner.get(&format!("{own}/links.csv")).await.text().await.unwrap();
    between_all(&table, "/y/", ",").into_iter().map(|code| format!("/y/{code}")).collect()
}

fn words(motto: &str, words: &str) -> Form {
    Form::new().text("motto", motto.to_owned()).text("words", words.to_owned())
}

fn photo(form: Form, field: &'static str, bytes: Vec<u8>) -> Form {
    form.part(field, Part::bytes(bytes).file_name("我.jpg"))
}

async fn what_somebody_sends_is_its_own_and_takes_its_owners_room(server: Server) {
    let owner = server.member("teacher@example.com", "0").await;
    let own = book(&owner).await;
    assert_eq!(
        location(&add(&owner, &own, "张伟,二班,0701\n张伟,二班,0702").await),
        format!("{own}?added=2&known=0")
    );
    let links = links(&owner, &own).await;
    let visitor = server.visitor();
    let page = visitor.page(&links[0]).await;
    assert!(page.contains("我们的三年") && page.contains("二班 张伟") && page.contains("noindex"), "{page}");
    // nothing at all is not handed in
    let nothing = visitor.post_multipart(&links[0], words("", " ")).await;
    assert_eq!(nothing.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(nothing.text().await.unwrap().contains("还什么都没有交"));
    assert!(owner.page(&own).await.contains("交了 0 位"), "nobody is counted");
    let first = jpeg(300, 400, 1);
    let form = photo(words("海阔凭鱼跃", "都好"), "portrait", first.clone());
    assert_eq!(location(&visitor.post_multipart(&links[0], form).await), format!("{}?done=1", links[0]));
    let page = visitor.page(&links[0]).await;
    assert!(page.contains("海阔凭鱼跃") && page.contains("/photo/portrait"), "{page}");
    assert_eq!(
        visitor.get(&format!("{}/photo/portrait", links[0])).await.headers()["content-type"],
        "image/webp"
    );
    // as it is set: its own pages alone
    for which in ["left", "right", "place"] {
        assert!(page.contains(&format!("{}/page/{which}", links[0])), "{which}: {page}");
        let picture = visitor.get(&format!("{}/page/{which}", links[0])).await;
        assert_eq!(picture.headers()["content-type"], "image/webp");
    }
    let nothing_yet = visitor.get(&format!("{}/page/place", links[1])).await;
    assert_eq!(nothing_yet.status(), StatusCode::NOT_FOUND);
    assert!(!visitor.page(&links[1]).await.contains("/page/"));
    // the one of the same name sees nothing of it
    assert!(!visitor.page(&links[1]).await.contains("海阔凭鱼跃"));
    assert_eq!(visitor.get(&format!("{}/photo/portrait", links[1])).await.status(), StatusCode::NOT_FOUND);
    // a portrait is a photo of the owner's that the book shows, until another one comes in its place
    let before = owner.library().await;
    assert_eq!(before.len(), 1);
    let kept = owner.post("/manager/photos/removal", &[("photo", &before[0])]).await.text().await.unwrap();
    assert!(kept.contains("毕业册《我们的三年》"), "{kept}");
    let form = photo(words("海阔凭鱼跃", "都好"), "portrait", jpeg(300, 400, 2));
    visitor.post_multipart(&links[0], form).await;
    let after = owner.library().await;
    assert!(after.len() == 1 && after != before, "{after:?}");
    // what is wrong with one part takes nothing of the others, and comes back
    let form = photo(words(&"长".repeat(31), "还有话说"), "own", b"no photo".to_vec());
    let answer = visitor.post_multipart(&links[0], photo(form, "portrait", first)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(
        page.contains("还有话说") && page.contains("own-error") && page.contains("motto-error"),
        "{page}"
    );
    assert!(owner.library().await != after, "the portrait was taken");
    // where its owner has no room, words are taken all the same
    server
        .sql(&format!("update photos set bytes = {} where member_id in {}", 5_i64 << 30, server.members()))
        .await;
    let answer =
        visitor.post_multipart(&links[1], photo(words("", "只有话"), "own", jpeg(300, 400, 3))).await;
    assert_eq!(answer.status(), StatusCode::INSUFFICIENT_STORAGE);
    assert!(visitor.page(&links[1]).await.contains("只有话"));
    let other = server.member("other@example.com", "0").await;
    for path in [own.clone(), format!("{own}/book"), format!("{own}/links.csv")] {
        assert_eq!(other.get(&path).await.status(), StatusCode::NOT_FOUND);
    }
}

async fn a_roster_is_taken_whole_or_not_at_all(server: Server) {
    let owner = server.member("teacher@example.com", "0").await;
    for (until, said) in
        [(day(-1), "已经过去了"), ("明天".to_owned(), "请填写日期"), (day(900), "最多提前一年")]
    {
        let fields = [("title", "我们的三年"), ("author", ""), ("until", &*until), ("greeting", "")];
        let answer = owner.post("/manager/yearbook/new", &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let page = answer.text().await.unwrap();
        assert!(page.contains(said) && page.contains("value=\"我们的三年\""), "{page}");
    }
    let own = book(&owner).await;
    let answer = add(&owner, &own, "张伟,二班\n李娜,二班\n张伟,二班\n王芳,二班,wang@").await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("第 3 行和第 1 行都是二班 张伟") && page.contains("第 4 行的邮箱"), "{page}");
    assert!(page.contains("王芳,二班,wang@") && !page.contains("/person/"), "{page}");
    // as a spreadsheet in China writes it: GB 18030
    let gb = b"\xd0\xd5\xc3\xfb,\xb0\xe0\xbc\xb6\r\n\xd5\xc5\xce\xb0,\xb6\xfe\xb0\xe0\r\n".to_vec();
    let form = Form::new().text("names", "").part("file", Part::bytes(gb).file_name("名单.csv"));
    assert_eq!(location(&owner.post_multipart(&own, form).await), format!("{own}?added=1&known=0"));
    assert!(owner.page(&own).await.contains(">张伟</a>"));
    let empty = owner.post_multipart(&own, Form::new().text("names", "")).await;
    assert!(empty.text().await.unwrap().contains("请填写名单"));
}

async fn a_link_that_ended_says_why_and_a_guessed_one_nothing(server: Server) {
    let owner = server.member("teacher@example.com", "0").await;
    let own = book(&owner).await;
    add(&owner, &own, "张伟,二班\n李娜,二班").await;
    let links = links(&owner, &own).await;
    let visitor = server.visitor();
    visitor.post_multipart(&links[0], words("海阔凭鱼跃", "")).await;
    let guessed = visitor.get("/y/ABCD-EFGH-JKLM-NPQR").await;
    assert_eq!(guessed.status(), StatusCode::NOT_FOUND);
    assert!(guessed.text().await.unwrap().contains("这个地址不对"));
    assert_eq!(
        visitor.post_multipart("/y/ABCD-EFGH-JKLM-NPQR", words("", "")).await.status(),
        StatusCode::NOT_FOUND
    );
    // the last day is over: what came is still shown, and nothing more is taken, but from who has more time
    server.sql(&format!("update yearbooks set until_at = 1 where member_id in {}", server.members())).await;
    let page = visitor.page(&links[0]).await;
    assert!(
        page.contains("最后一天已经过了") && page.contains("海阔凭鱼跃") && !page.contains("<form"),
        "{page}"
    );
    assert_eq!(visitor.post_multipart(&links[0], words("别的", "")).await.status(), StatusCode::GONE);
    let person = between_all(&owner.page(&own).await, &format!("href=\"{own}/person/"), "\"");
    let late = format!("{own}/person/{}", person[1]);
    let more = |until: String| async move {
        let fields =
            [("name", "李娜"), ("group", "二班"), ("contact", ""), ("copy", "1"), ("until", &*until)];
        owner.post(&late, &fields).await
    };
    let past = more.clone()(day(-2)).await;
    assert!(past.text().await.unwrap().contains("已经过去了"));
    assert_eq!(more(day(2)).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(visitor.post_multipart(&links[1], words("来晚了", "")).await.status(), StatusCode::SEE_OTHER);
}

async fn a_closed_account_leaves_nothing_of_its_rosters(server: Server) {
    let owner = server.member("teacher@example.com", "0").await;
    let own = book(&owner).await;
    add(&owner, &own, "张伟,二班").await;
    let links = links(&owner, &own).await;
    let visitor = server.visitor();
    visitor.post_multipart(&links[0], photo(words("", ""), "portrait", jpeg(300, 400, 1))).await;
    // a link that was taken back says so, and another one leads to what came by it
    let person = between(&owner.page(&own).await, &format!("href=\"{own}/person/"), "\"");
    let link = format!("{own}/person/{person}/link");
    owner.post(&link, &[("act", "withdraw")]).await;
    let gone = visitor.get(&links[0]).await;
    assert_eq!(gone.status(), StatusCode::GONE);
    let page = gone.text().await.unwrap();
    assert!(page.contains("已经收回") && !page.contains("张伟"), "{page}");
    assert_eq!(visitor.post_multipart(&links[0], words("", "")).await.status(), StatusCode::GONE);
    for path in ["photo/portrait", "page/place"] {
        assert_eq!(visitor.get(&format!("{}/{path}", links[0])).await.status(), StatusCode::GONE);
    }
    owner.post(&link, &[("act", "anew")]).await;
    let anew = self::links(&owner, &own).await.remove(0);
    assert!(anew != links[0] && visitor.page(&anew).await.contains("/photo/portrait"));
    assert_eq!(visitor.get(&links[0]).await.status(), StatusCode::NOT_FOUND);
    // from the moment on in which the account is closed, whenever a job comes to its rows
    for (closed_at, expected) in [("1", StatusCode::NOT_FOUND), ("null", StatusCode::OK)] {
        let sql = format!("update members set closed_at = {closed_at} where id in {}", server.members());
        server.sql(&sql).await;
        assert_eq!(visitor.get(&anew).await.status(), expected);
    }
    let closed = owner.post("/manager/userInfo/closing", &[("word", "注销"), ("current", PASSWORD)]).await;
    assert!(closed.status().is_redirection(), "{}", closed.status());
    assert_eq!(visitor.get(&anew).await.status(), StatusCode::NOT_FOUND);
    let count =
        format!("select cast(count(*) as text) from yearbook_people where member_id in {}", server.members());
    support::wait::eventually(&server, &count, "0").await;
}

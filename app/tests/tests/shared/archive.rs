//! What was printed before becomes issues, many files at once.

use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};

use support::publications::{editor, paper, title};
use support::wait::until;
use support::{Caller, Server, between, on_both_engines};

on_both_engines!(an_archive_becomes_issues; on_sqlite: what_is_wrong_with_a_file_is_said_of_it);

fn files(names: &[&str], fields: &[(&'static str, &'static str)]) -> Form {
    let form = fields.iter().fold(Form::new(), |form, (name, value)| form.text(*name, *value));
    names
        .iter()
        .fold(form, |form, name| form.part("file", Part::bytes(paper()).file_name((*name).to_owned())))
}

/// What is said of each file, in order.
async fn sent(maker: &Caller, page: &str, form: Form) -> (StatusCode, Vec<String>) {
    let answer = maker.post_multipart(page, form).await;
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    let list = between(&text, "data-outcomes=\"\"", "</ol>");
    (status, support::between_all(&list, "</strong> ", "</li>"))
}

async fn an_archive_becomes_issues(server: Server) {
    let maker = editor(&server).await;
    let address = "archive-a";
    let id = title(&maker, "epaper", address, &[]).await;
    let page = format!("/manager/epaper/{id}/archive");
    assert!(maker.page(&format!("/manager/epaper/{id}")).await.contains(&format!("href=\"{page}\"")));
    let wishes = [("publish", "1"), ("accept", "1")];
    let names = ["20240103 第3期 总第70期.pdf", "2024-01-01.pdf", "2999-01-01.pdf"];
    let (status, said) = sent(&maker, &page, files(&names, &wishes)).await;
    assert_eq!(status, StatusCode::OK, "{said:?}");
    // in the order of their days, as they are counted
    assert!(said[0].contains("2024-01-01 第 1 期，2 个版，已经发布"), "{said:?}");
    assert!(said[1].contains("2024-01-03 第 3 期，2 个版，已经发布"), "{said:?}");
    assert!(
        said[2].contains("2999-01-01") && said[2].contains("草稿"),
        "what is to come comes out by itself: {said:?}"
    );

    let visitor = server.visitor();
    let home = format!("/epaper/{address}");
    let article = format!("{home}/2024-01-03/a/1");
    until("its articles are taken", async || visitor.get(&article).await.status() == StatusCode::OK).await;
    assert!(visitor.page(&article).await.contains("Trees along the river"));
    let feed = visitor.page(&format!("{home}/feed.atom")).await;
    assert!(
        feed.contains("<published>2024-01-03T06:00:00+08:00")
            || feed.contains("<published>2024-01-02T22:00:00Z"),
        "{feed}"
    );
    assert_eq!(feed.matches("<entry>").count(), 2);
    let total = format!(
        "select cast(total as text) from issues where publication_id = '{id}' and day = '2024-01-03'"
    );
    assert_eq!(server.read(&total).await, "70");
    let told = format!(
        "select cast(count(*) as text) from jobs where kind = 'tell_readers_of_issue' and payload like '%{id}%'"
    );
    assert_eq!(server.read(&told).await, "0", "nobody is told of what is old");

    // the same once more makes nothing, and what is new is made
    let again = ["2024-01-01.pdf", "2024-01-03 要闻.pdf", "2024-01-02.pdf"];
    let (status, said) = sent(&maker, &page, files(&again, &[])).await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        said[0].contains("2024-01-01 已经有一期了，没有再建") && said[2].contains("已经有一期了"),
        "{said:?}"
    );
    assert!(said[1].contains("2024-01-02") && said[1].contains("草稿"), "{said:?}");
    let count = format!("select cast(count(*) as text) from issues where publication_id = '{id}'");
    assert_eq!(server.read(&count).await, "4");
    assert_eq!(visitor.get(&format!("{home}/2024-01-02/1")).await.status(), StatusCode::NOT_FOUND, "a draft");
}

async fn what_is_wrong_with_a_file_is_said_of_it(server: Server) {
    let maker = editor(&server).await;
    let id = title(&maker, "magazine", "archive-b", &[]).await;
    let page = format!("/manager/magazine/{id}/archive");
    let broken = Part::bytes(b"no PDF at all".to_vec()).file_name("2024-03-01.pdf");
    let form = files(&["春天.pdf", "2024-02-30.pdf", "2024-02-01.pdf"], &[]).part("file", broken);
    let answer = maker.post_multipart(&page, form).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let text = answer.text().await.unwrap();
    assert!(between(&text, "id=\"errors\"", "</div>").contains("有 3 个文件没有收下"), "{text}");
    let list = between(&text, "data-outcomes=\"\"", "</ol>");
    assert_eq!(list.matches("文件名里要有一个日期").count(), 2, "{list}");
    assert!(
        list.contains("<strong>2024-03-01.pdf</strong>") && list.matches("class=\"refused\"").count() == 3,
        "{list}"
    );
    assert!(list.contains("2024-02-01 第 1 期"), "what is right was made: {list}");
    // what was chosen about them is chosen still
    assert!(!text.contains("name=\"publish\" value=\"1\" checked"), "{text}");

    let (status, _) = sent(&maker, &page, Form::new().text("publish", "1")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let names: Vec<String> = (1..=21).map(|day| format!("2024-05-{day:02}.pdf")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let answer = maker.post_multipart(&page, files(&names, &[])).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert!(answer.text().await.unwrap().contains("一次最多 20 个文件"));
    let other = server.member_of("other@example.com", "0", "超级会员").await;
    assert_eq!(other.get(&page).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(
        other.post_multipart(&page, files(&["2024-06-01.pdf"], &[])).await.status(),
        StatusCode::NOT_FOUND
    );
}

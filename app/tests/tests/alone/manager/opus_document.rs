//! /manager/opus-document: books made of PDFs and of texts.

use std::path::PathBuf;

use reqwest::StatusCode;

use support::documents::{a5, is_red, made, picture, send, words_of};
use support::wait::carried_out;
use support::{Engine, Server, between, location, on_both_engines};

on_both_engines!(
    a_pdf_whose_bytes_are_gone_is_mended_by_sending_it_again;
    on_sqlite:
    an_order_keeps_its_document_and_a_backup_holds_it,
    a_pdf_goes_with_the_last_work_that_shows_it,
);

/// Where the PDF lies of a server that has only one.
async fn original(server: &Server) -> PathBuf {
    let file = server.read("select sha256 from pdf_files").await;
    server.folder.path().join("storage/originals").join(&file[..2]).join(&file)
}

async fn a_pdf_whose_bytes_are_gone_is_mended_by_sending_it_again(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let pdf = a5(&["x"]);
    made(&member, &[("title", "先")], Some(("a.pdf", pdf.clone()))).await;
    let original = original(&server).await;
    std::fs::remove_file(&original).unwrap();
    let file = server.read("select sha256 from pdf_files").await;
    let kept = [("title", "后"), ("kept", file.as_str()), ("kept_name", "a.pdf")];
    let answer = send(&member, &kept, None).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("请重新选择文件") && !page.contains("已收到"), "{page}");
    made(&member, &[("title", "后")], Some(("a.pdf", pdf.clone()))).await;
    assert_eq!(std::fs::read(&original).unwrap(), pdf);
    made(&member, &kept, None).await;
}

async fn a_pdf_goes_with_the_last_work_that_shows_it(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = made(&member, &[("title", "去留")], Some(("a.pdf", a5(&["x"])))).await;
    let copied = location(&member.post(&format!("{work}/copy"), &[("copy", "shown-once")]).await);
    let copy = &*format!("/manager/opus/{}", copied.split_once("copied=").unwrap().1);
    let file = server.read("select sha256 from pdf_files").await;
    let folder = server.folder.path().join("storage");
    let original = original(&server).await;
    let drawn = folder.join("derivatives").join(&file[..2]).join(format!("{file}-p1.webp"));
    for (gone, stays) in [(work.as_str(), true), (copy, false)] {
        location(&member.post(&format!("{gone}/trash"), &[]).await);
        location(&member.post(&format!("{gone}/deletion"), &[]).await);
        // a day later
        server.sql("update pdf_files set created_at = 0").await;
        // its bytes go by a job of their own
        carried_out(&server, &["forget_pdf", "forget_original"]).await;
        assert_eq!((original.exists(), drawn.exists()), (stays, stays), "{gone}");
    }
    assert_eq!(server.read("select cast(count(*) as text) from pdf_files").await, "0");
}

async fn an_order_keeps_its_document_and_a_backup_holds_it(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let work = made(&member, &[("title", "付印")], Some(("a.pdf", a5(&["Page one", "Page two"])))).await;
    let line = member.add_to_cart(work.rsplit('/').next().unwrap(), "booklet-a5").await;
    assert!(member.page(&format!("/manager/shopping/cart/{line}/proof")).await.contains("没有嵌入字体"));
    let order = member.order(&line).await;
    location(&member.post("/manager/shopping/pay", &[("order", &order)]).await);
    // the work goes for good, the order's PDF stays
    location(&member.post(&format!("{work}/trash"), &[]).await);
    location(&member.post(&format!("{work}/deletion"), &[]).await);
    server.sql("update pdf_files set created_at = 0").await;
    server.sql("update jobs set run_at = 0 where kind = 'forget_pdf'").await;
    let backup = server.folder.path().join("backup");
    assert!(server.run(&["backup", backup.to_str().unwrap()]).status.success());
    let other = Server::start(Engine::Sqlite).await.unwrap();
    assert!(other.run(&["restore", backup.to_str().unwrap()]).status.success());
    for server in [&server, &other] {
        let folder = server.folder.path().join("export");
        let output = server.run(&["order", "export", &order, folder.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // the first and the last page of what is folded are printed with its cover
        let part = |name: &str| words_of(&std::fs::read(folder.join(name)).unwrap());
        let words = part("1-inner.pdf") + &part("1-cover.pdf");
        assert!(words.contains("Page one") && words.contains("Page two"), "{words}");
        let report = std::fs::read_to_string(folder.join("1-preflight.json")).unwrap();
        assert!(report.contains("loose-font") && report.contains("blank-end"), "{report}");
    }
    // its pictures are drawn again there
    let after = other.visitor();
    after.sign_in("buyer@example.com", support::PASSWORD).await;
    let page = after.page(&format!("/manager/order/{order}")).await;
    let shown = between(&page, &format!("/manager/order/{order}/line/"), "/page/");
    assert!(is_red(&picture(&after, &format!("/manager/order/{order}/line/{shown}/page/1/320")).await));
}

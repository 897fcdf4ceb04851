//! /manager/opus-document: books made of PDFs and of texts.

use std::io::{Cursor, Write};
use std::process::Command;

use lopdf::dictionary;
use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};

use support::documents::unpacked;
use support::documents::{a5, inner_pictures, is_red, made, picture, send, words_of};
use support::pdfs::Pdf;
use support::{Caller, Engine, Server, between, jpeg, location, on_both_engines};

on_both_engines!(
    archives_without_one_text_are_refused;
    on_sqlite:
    a_file_or_a_text_is_taken_not_both,
    a_pdf_that_is_here_takes_no_more_room,
    a_pdf_becomes_a_book_whose_words_stay_words,
    a_text_becomes_a_book_with_contents,
    a_text_brings_its_pictures,
    a_heading_that_is_not_the_title_stays_in_the_text,
    what_can_not_be_taken_is_refused_with_the_reason,
    a_form_that_was_changed_is_another_work,
    pages_of_other_sizes_are_scaled_and_named,
    a_protected_pdf_is_printed_as_its_maker_allows,
    a_pdf_that_was_taken_need_not_be_sent_again,
);

/// The words of a work's inner pages as they go to print.
async fn inner_words(member: &Caller, work: &str) -> String {
    let archive = member.get(&format!("{work}/export")).await.bytes().await.unwrap();
    words_of(&unpacked(&archive, "print/inner.pdf"))
}

async fn a_pdf_becomes_a_book_whose_words_stay_words(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let pdf = a5(&["First page", "Second page", "Third page"]);
    let work = made(&member, &[("title", "年度报告")], Some(("报告.pdf", pdf.clone()))).await;
    let page = member.page(&work).await;
    assert!(page.contains("<h1>年度报告</h1>") && page.contains("148 × 210 mm"));
    assert!(page.contains("报告.pdf") && page.contains("最后有 7 张空白页"), "{page}");
    assert!(member.page("/manager/opus_list/document").await.contains("年度报告"));
    assert!(is_red(&picture(&member, &format!("{work}/page/2/320")).await));
    assert!(!is_red(&picture(&member, &format!("{work}/page/cover/320")).await), "words stand on the cover");
    assert!(!is_red(&picture(&member, &format!("{work}/page/10/320")).await), "an empty page");
    assert_eq!(member.get(&format!("{work}/proof.pdf")).await.status(), StatusCode::OK);

    let other = server.member("other@example.com", "0").await;
    assert_eq!(other.get(&work).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(other.get(&format!("{work}/page/1/320")).await.status(), StatusCode::NOT_FOUND);

    let archive = member.get(&format!("{work}/export")).await.bytes().await.unwrap();
    let words = words_of(&unpacked(&archive, "print/inner.pdf"));
    assert!(["First page", "Second page", "Third page"].iter().all(|page| words.contains(page)), "{words}");
    // on another host the same book comes out of it
    let there = Server::start(Engine::Sqlite).await.unwrap();
    let guest = there.member("guest@example.com", "0").await;
    let copy = imported(&guest, &archive).await;
    for place in ["cover", "1", "3"] {
        let (here, there) = (format!("{work}/page/{place}/320"), format!("{copy}/page/{place}/320"));
        assert_eq!(picture(&member, &here).await, picture(&guest, &there).await, "{place}");
    }
    let again = guest.get(&format!("{copy}/export")).await.bytes().await.unwrap();
    let name = there.read("select sha256 from pdf_files").await;
    assert_eq!(unpacked(&again, &format!("originals/{name}.pdf")), pdf);

    // the first page on the cover
    let work = made(&member, &[("cover", "first"), ("title", "")], Some(("封面.pdf", pdf))).await;
    assert!(member.page(&work).await.contains("<h1>封面</h1>"), "called by its file's name");
    assert!(is_red(&picture(&member, &format!("{work}/page/cover/320")).await));
}

/// Takes a work's archive in and answers the new work's address.
async fn imported(member: &Caller, archive: &[u8]) -> String {
    let id = between(&member.page("/manager/opus_import").await, "name=\"work\" value=\"", "\"");
    let part = Part::bytes(archive.to_vec()).file_name("书.zip");
    let form = Form::new().text("work", id).part("archive", part);
    location(&member.post_multipart("/manager/opus_import", form).await)
}

/// A ZIP file of these files.
fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

async fn a_text_brings_its_pictures(server: Server) {
    let member = server.member("writer@example.com", "0").await;
    let text =
        "# 山中笔记\n\n到了山顶。![山顶](图/a%20b.jpg)\n\n![缺的](x.png) ![坏的](图/坏.jpg)\n\n下山。\n";
    let picture = jpeg(1200, 800, 1);
    let files = [
        ("书/笔记.md", text.as_bytes()),
        ("书/图/a b.jpg", picture.as_slice()),
        ("书/图/坏.jpg", b"no picture"),
        ("书/图/没有用到.jpg", b"nobody looks at it"),
        ("__MACOSX/书/._笔记.md", b"\0\0"),
    ];
    let work = made(&member, &[], Some(("书.zip", zipped(&files)))).await;
    let page = member.page(&work).await;
    assert!(page.contains("<h1>山中笔记</h1>") && page.contains("2 张图片没有排进来"), "{page}");
    assert!(page.contains("图片“坏.jpg”没有排进来"), "{page}");
    assert_eq!(inner_pictures(&member, &work).await, 1);
    assert!(inner_words(&member, &work).await.contains("山顶"), "its words stand below it");
    assert_eq!(
        server
            .read(&format!(
                "select cast(count(*) as text) from photos where member_id in {}",
                server.members()
            ))
            .await,
        "1",
        "it is in the library"
    );
    // set on another page, it is there again
    location(&member.post(&format!("{work}/format"), &[("revision", "1"), ("to", "a4-portrait")]).await);
    assert_eq!(inner_pictures(&member, &work).await, 1);
    // who reads it as an EPUB has it, too
    let id = work.rsplit('/').next().unwrap();
    assert_eq!(member.share_as(id, &[("epub", "1")]).await.status(), StatusCode::SEE_OTHER);
    let book = server.visitor().get(&format!("/read/{id}/book.epub")).await.bytes().await.unwrap();
    assert!(unpacked(&book, "EPUB/picture-001.jpg").starts_with(b"\xff\xd8"));

    // on another host its pictures come with it, and are there when it is set anew
    let archive = member.get(&format!("{work}/export")).await.bytes().await.unwrap();
    let there = Server::start(Engine::Sqlite).await.unwrap();
    let guest = there.member("guest@example.com", "0").await;
    let copy = imported(&guest, &archive).await;
    location(&guest.post(&format!("{copy}/format"), &[("revision", "1"), ("to", "a5-portrait")]).await);
    assert_eq!(inner_pictures(&guest, &copy).await, 1);

    // something else was wrong with the form: nothing has to be chosen again
    let refused = send(&member, &[("title", &"长".repeat(200))], Some(("书.zip", zipped(&files)))).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let refused = refused.text().await.unwrap();
    let kept = between(&refused, "name=\"pictures\" value=\"", "\"").replace("&quot;", "\"");
    assert!(refused.contains("到了山顶。") && kept.contains("a%20b.jpg"), "{refused}");
    assert!(refused.contains("图片“坏.jpg”没有排进来"), "why is said at once: {refused}");
    let again = made(&member, &[("text", text), ("markup", "markdown"), ("pictures", &kept)], None).await;
    assert_eq!(inner_pictures(&member, &again).await, 1);
    assert!(member.page(&again).await.contains("图片“坏.jpg”没有排进来"));
    // and somebody else's photos are nobody's
    let stranger = server.member("stranger@example.com", "0").await;
    let work = made(&stranger, &[("text", text), ("markup", "markdown"), ("pictures", &kept)], None).await;
    assert_eq!(inner_pictures(&stranger, &work).await, 0);
}

async fn archives_without_one_text_are_refused(server: Server) {
    let member = server.member("writer@example.com", "0").await;
    let two = zipped(&[("a.md", b"# a"), ("b.md", b"# b")]);
    let none = zipped(&[("a.jpg", b"x")]);
    let empty = zipped(&[("a.md", b"  ")]);
    let mut cut = zipped(&[("a.md", b"# a")]);
    cut.truncate(cut.len() - 5);
    for (bytes, said) in [
        (two, "2 份文字（a.md、b.md …）"),
        (none, "没有 .md 或 .txt 文件"),
        (empty, "a.md 里面没有文字"),
        (cut, "打不开，或者已经损坏"),
        (b"PK".to_vec(), "打不开，或者已经损坏"),
    ] {
        let answer = send(&member, &[], Some(("书.zip", bytes))).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{said}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(said), "{said}: {page}");
    }
    assert_eq!(
        server
            .read(&format!(
                "select cast(count(*) as text) from works where member_id in {}",
                server.members()
            ))
            .await,
        "0"
    );
}

async fn a_text_becomes_a_book_with_contents(server: Server) {
    let member = server.member("writer@example.com", "0").await;
    let text = "# 山中笔记\n\n## 进山\n\n走了 *很久*。\n\n## 下山\n\n又走了很久。\n\n## 回家\n\n到了。![图](x.png)\n";
    let work = made(&member, &[], Some(("笔记.md", text.as_bytes().to_vec()))).await;
    let page = member.page(&work).await;
    assert!(page.contains("<h1>山中笔记</h1>") && page.contains("1 张图片没有排进来"), "{page}");
    let words = inner_words(&member, &work).await;
    assert!(
        ["山中笔记", "林知夏", "目录", "进山", "又走了很久"].iter().all(|part| words.contains(part)),
        "{words}"
    );
    // who reads it finds its chapters in the contents
    let id = work.strip_prefix("/manager/opus/").unwrap();
    member.share(id).await;
    let cover = server.visitor().page(&format!("/read/{id}")).await;
    let contents = between(&cover, "<nav id=\"contents\"", "</nav>");
    for chapter in ["进山", "下山", "回家"] {
        assert!(contents.contains(&format!("<span>{chapter}</span>")), "{contents}");
    }

    // another page size: the text is set again, the title page keeps its words
    let revision = [("revision", "1"), ("title", "山中新记"), ("author", "林知夏")];
    location(&member.post(&format!("{work}/texts"), &revision).await);
    assert_eq!(member.get(&format!("{work}/format?to=a4-portrait")).await.status(), StatusCode::OK);
    location(&member.post(&format!("{work}/format"), &[("revision", "2"), ("to", "a4-portrait")]).await);
    assert!(member.page(&work).await.contains("210 × 297 mm"));
    let words = inner_words(&member, &work).await;
    assert!(words.contains("山中新记") && words.contains("又走了很久"), "{words}");
    assert!(!words.contains("山中笔记"), "it was the title: {words}");
    assert_eq!(
        server
            .read(&format!(
                "select cast(count(*) as text) from pdf_files where member_id in {}",
                server.members()
            ))
            .await,
        "2",
        "set anew, not scaled"
    );

    // another style: likewise
    let before = picture(&member, &format!("{work}/page/4/320")).await;
    let id = work.rsplit('/').next().unwrap();
    let settings = [("revision", "3"), ("title", "山中新记"), ("author", "林知夏"), ("theme", "classic")];
    location(&member.post(&format!("/manager/opus_setting/{id}"), &settings).await);
    assert_ne!(picture(&member, &format!("{work}/page/4/320")).await, before, "a text page looks otherwise");
    let words = inner_words(&member, &work).await;
    assert!(words.contains("山中新记") && words.contains("又走了很久"), "{words}");
    assert_eq!(
        server
            .read(&format!(
                "select cast(count(*) as text) from pdf_files where member_id in {}",
                server.members()
            ))
            .await,
        "3"
    );

    // pasted
    let pasted = "第一章 开头\n他来了。\n第二章 中间\n她也来了。\n第三章 结尾\n大家都来了。";
    let fields = [
        ("text", pasted),
        ("markup", "plain"),
        ("title", "来"),
        ("format", "square-210"),
        ("theme", "classic"),
    ];
    let work = made(&member, &fields, None).await;
    assert!(member.page(&work).await.contains("粘贴的文字"));
}

async fn a_heading_that_is_not_the_title_stays_in_the_text(server: Server) {
    let member = server.member("writer@example.com", "0").await;
    let text = "# 山中笔记\n\n走了很久。\n".as_bytes();
    let work = made(&member, &[("title", "夏天的书")], Some(("笔记.md", text.to_vec()))).await;
    let words = inner_words(&member, &work).await;
    assert!(words.contains("夏天的书") && words.contains("山中笔记"), "{words}");
    // whatever the book is called later, its text is set as it was first
    let fields = [("revision", "1"), ("title", "山中笔记"), ("author", "林知夏")];
    location(&member.post(&format!("{work}/texts"), &fields).await);
    location(&member.post(&format!("{work}/format"), &[("revision", "2"), ("to", "a4-portrait")]).await);
    let words = inner_words(&member, &work).await;
    assert_eq!(words.matches("山中笔记").count(), 2, "the title page and the text: {words}");

    // no title is as long as this heading
    let long = "山".repeat(61);
    let text = format!("# {long}\n\n走了很久。\n").into_bytes();
    let work = made(&member, &[], Some(("长.md", text))).await;
    assert!(member.page(&work).await.contains(&format!("<h1>{}</h1>", "山".repeat(60))));
    let mountains = inner_words(&member, &work).await.matches('山').count();
    assert!(mountains > 60, "the title page and the text have {mountains}");
}

fn encrypted(pdf: &[u8], how: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("a.pdf"), folder.path().join("b.pdf"));
    std::fs::write(&from, pdf).unwrap();
    let command = [&["--encrypt"], how, &["--"]].concat();
    assert!(Command::new("qpdf").args(command).args([&from, &to]).status().unwrap().success());
    std::fs::read(&to).unwrap()
}

async fn a_protected_pdf_is_printed_as_its_maker_allows(server: Server) {
    let member = server.member_of("maker@example.com", "0", "超级会员").await;
    let plain = a5(&["lighthouse keeper", "second harbour"]);
    for (how, title) in
        [(&["", "owner", "256"][..], "放行"), (&["", "owner", "256", "--extract=n"], "不许抄")]
    {
        let is_copied = how.len() == 3;
        // a mail has put its head before it
        let pdf = [b"Content-Type: application/pdf\r\n\r\n", &*encrypted(&plain, how)].concat();
        let address = made(&member, &[("title", title)], Some(("报告.pdf", pdf))).await;
        assert_eq!(member.page(&address).await.contains("不许复制文字"), !is_copied, "{title}");
        let words = inner_words(&member, &address).await;
        assert!(words.contains("lighthouse keeper") && words.contains("second harbour"), "{title}: {words}");
        let work = address.rsplit('/').next().unwrap();
        let fields = [("pdf", "1"), ("epub", "1")];
        assert_eq!(member.share_as(work, &fields).await.status(), StatusCode::SEE_OTHER);
        let visitor = server.visitor();
        let read = visitor.page(&format!("/read/{work}/1")).await;
        assert_eq!(read.contains("lighthouse keeper"), is_copied, "{title}");
        let taken = visitor.get(&format!("/read/{work}/book.pdf")).await.bytes().await.unwrap();
        assert_eq!(words_of(&taken).contains("lighthouse keeper"), is_copied, "{title}");
        let taken = visitor.get(&format!("/read/{work}/book.epub")).await.bytes().await.unwrap();
        let mut book = zip::ZipArchive::new(Cursor::new(taken)).unwrap();
        let mut written = String::new();
        for index in 0..book.len() {
            let mut entry = book.by_index(index).unwrap();
            if entry.name().unwrap().ends_with("html") {
                std::io::Read::read_to_string(&mut entry, &mut written).unwrap();
            }
        }
        assert_eq!(written.contains("lighthouse keeper"), is_copied, "{title}");
    }
}

async fn what_can_not_be_taken_is_refused_with_the_reason(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let long = (0..700).fold(Pdf::new(), |pdf, _| pdf.page(148.0, 210.0, "x")).bytes();
    let large = Pdf::new().page(300.0, 300.0, "x").bytes();
    let half = a5(&["x"]);
    let cases: [(&str, Vec<u8>, &str); 8] = [
        ("a.pdf", encrypted(&a5(&["x"]), &["secret", "secret", "256"]), "要密码才能打开"),
        ("a.pdf", encrypted(&a5(&["x"]), &["", "owner", "256", "--print=none"]), "不许打印"),
        ("a.pdf", half[..half.len() / 2].to_vec(), "已损坏或没有传完整"),
        ("a.docx", b"PK\x03\x04".to_vec(), "不是 PDF"),
        ("a.pdf", long, "这本书有 700 页，148 × 210 mm 的开本最多能装订 600 页"),
        ("a.pdf", large, "PDF 的页面是 300 × 300 mm，不是可以印的开本"),
        ("a.txt", vec![0, 1, 2, 0xff], "编码认不出来"),
        ("a.md", b"![x](y)".to_vec(), "没有文字"),
    ];
    for (name, bytes, sentence) in cases {
        let answer = send(&member, &[("title", "写好的书名")], Some((name, bytes))).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{sentence}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(sentence), "{sentence}: {}", between(&page, "id=\"errors\"", "</div>"));
        assert!(page.contains("value=\"写好的书名\""), "what was typed stays");
    }
    let answer = send(&member, &[], None).await;
    assert!(answer.text().await.unwrap().contains("请选择 PDF 或文字文件"));
    let answer = send(&member, &[("text", "一篇"), ("theme", "nope"), ("format", "nope")], None).await;
    let page = answer.text().await.unwrap();
    assert!(page.contains("请选择风格") && page.contains("请选择开本") && page.contains("一篇</textarea>"));
    assert_eq!(
        server
            .read(&format!(
                "select cast(count(*) as text) from works where member_id in {}",
                server.members()
            ))
            .await,
        "0"
    );
}

async fn a_pdf_that_was_taken_need_not_be_sent_again(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let answer = send(&member, &[("title", &"长".repeat(61))], Some(("报告.pdf", a5(&["x"])))).await;
    let page = answer.text().await.unwrap();
    assert!(page.contains("书名最多 60 个字") && page.contains("已收到 报告.pdf"));
    let kept = between(&page, "name=\"kept\" value=\"", "\"");
    let fields = [("title", "短"), ("kept", kept.as_str()), ("kept_name", "报告.pdf")];
    // it is nobody else's
    let other = server.member("other@example.com", "0").await;
    assert_eq!(send(&other, &fields, None).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    server.sql(&format!("update pdf_files set created_at = 0 where member_id in {}", server.members())).await;
    let work = made(&member, &fields, None).await;
    assert!(is_red(&picture(&member, &format!("{work}/page/1/320")).await));
    let renewed = "select cast(count(*) as text) from pdf_files where created_at > 0 and member_id in";
    assert_eq!(server.read(&format!("{renewed} {}", server.members())).await, "1", "its day begins anew");
    // the same form once more is the same work
    let id = work.rsplit('/').next().unwrap();
    let again = [("title", "短"), ("kept", kept.as_str()), ("work", id)];
    assert_eq!(made(&member, &again, None).await, work);
    assert_eq!(
        server
            .read(&format!(
                "select cast(count(*) as text) from works where member_id in {}",
                server.members()
            ))
            .await,
        "1"
    );
}

async fn a_form_that_was_changed_is_another_work(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let fields = [("title", "笔记"), ("format", "a5-portrait"), ("text", "# 第一章\n\n写错的字。")];
    let first = made(&member, &fields, None).await;
    let id = first.rsplit('/').next().unwrap();
    let same = [fields[0], fields[1], fields[2], ("work", id)];
    assert_eq!(made(&member, &same, None).await, first, "sent again, it is the same work");
    // back in the browser, the words corrected
    let corrected = [fields[0], fields[1], ("text", "# 第一章\n\n改好的字。"), ("work", id)];
    let second = made(&member, &corrected, None).await;
    assert_ne!(second, first);
    assert!(inner_words(&member, &second).await.contains("改好的字"));
    assert!(inner_words(&member, &first).await.contains("写错的字"));
}

async fn a_file_or_a_text_is_taken_not_both(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let answer = send(&member, &[("text", "写了很久的一篇")], Some(("报告.pdf", a5(&["x"])))).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("文件和文字只能选一样") && page.contains("写了很久的一篇</textarea>"), "{page}");
}

async fn a_pdf_that_is_here_takes_no_more_room(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let pdf = a5(&["x"]);
    made(&member, &[], Some(("报告.pdf", pdf.clone()))).await;
    server
        .sql(&format!("update pdf_files set bytes = 5368709120 where member_id in {}", server.members()))
        .await;
    let answer = send(&member, &[], Some(("另一份.pdf", a5(&["y"])))).await;
    assert!(answer.text().await.unwrap().contains("素材空间不足"));
    made(&member, &[], Some(("报告.pdf", pdf))).await;
}

async fn pages_of_other_sizes_are_scaled_and_named(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let turned = dictionary! { "Rotate" => 90 };
    let pdf = Pdf::new()
        .page(148.0, 210.0, "fits")
        .page(154.0, 216.0, "fits with its bleed")
        .page_with(210.0, 148.0, "fits when turned", turned)
        .page(210.0, 148.0, "lies")
        .page(105.0, 148.0, "small");
    let work = made(&member, &[("title", "杂")], Some(("杂.pdf", pdf.bytes()))).await;
    let page = member.page(&work).await;
    assert!(page.contains("的第 4–5 页来自另一种大小或形状的 PDF 页面"), "{page}");
    assert!(page.contains("没有嵌入字体 Helvetica"));
    // one that was made of them all is scaled when the book is
    location(&member.post(&format!("{work}/format"), &[("revision", "1"), ("to", "square-210")]).await);
    assert!(member.page(&work).await.contains("的第 1–5 页来自另一种"));
    location(&member.post(&format!("{work}/revisions/1/restoration"), &[("revision", "2")]).await);
    assert!(member.page(&work).await.contains("148 × 210 mm"));
}

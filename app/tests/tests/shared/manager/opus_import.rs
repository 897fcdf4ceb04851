//! /manager/opus/{id}/export and /manager/opus_import: a whole work as one file.

use std::io::{Cursor, Write};

use reqwest::StatusCode;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use support::archives::{
    album, assert_nothing_made, assert_refused, export, files, fresh, import, packed, send,
};
use support::{Engine, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    what_is_exported_again_is_the_same_work;
    on_sqlite:
    an_archive_that_breaks_off_leaves_nothing,
    an_import_is_one_work_however_often_it_is_sent,
    an_archive_that_swells_is_refused,
    a_work_goes_to_another_host_whole,
    a_book_for_layflat_goods_is_made_sold_and_comes_back,
    archives_that_are_damaged_or_foreign_are_refused,
    an_archive_in_the_form_for_large_ones_is_taken,
    an_archive_packed_by_another_program_is_taken,
);

async fn a_work_goes_to_another_host_whole(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let base = format!("/manager/opus/{work}");
    let field = format!("text-{}", between(&member.page(&base).await, "name=\"text-", "\""));
    let fields =
        [("revision", "1"), ("title", "海边的夏天"), ("author", "林知夏"), (field.as_str(), "写下的话")];
    location(&member.post(&format!("{base}/texts"), &fields).await);
    let archive = export(&member, &work).await;
    let names: Vec<String> = files(&archive).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 6, "{names:?}");
    for name in ["print/cover.pdf", "print/inner.pdf", "work.json"] {
        assert!(names.iter().any(|known| known == name), "{names:?}");
    }
    let there = Server::start(Engine::Sqlite).await.unwrap();
    let guest = there.member("guest@example.com", "0").await;
    let copy = import(&guest, archive).await;
    let page = guest.page(&format!("/manager/opus/{copy}")).await;
    assert!(page.contains("<h1>海边的夏天</h1>") && page.contains("林知夏") && page.contains("写下的话"));
    assert!(guest.page(&format!("/manager/opus/{copy}/revisions")).await.contains("导入"));
    assert_eq!(guest.library().await.len(), 3);
    for place in ["cover", "1", "2"] {
        let here = member.get(&format!("{base}/page/{place}/320")).await.bytes().await.unwrap();
        let there = guest.get(&format!("/manager/opus/{copy}/page/{place}/320")).await.bytes().await.unwrap();
        assert_eq!(here, there, "{place}: the same book");
    }
}

async fn a_book_for_layflat_goods_is_made_sold_and_comes_back(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photos = member.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 427, n))).collect()).await;
    let work = member.album("landscape-280", "山水长卷", &photos).await;
    assert!(member.page(&format!("/manager/opus/{work}")).await.contains("280 × 210 mm"));
    let line = member.add_to_cart(&work, "layflat-280").await;
    assert!(member.page(&format!("/manager/shopping/cart/{line}/options")).await.contains("对裱精装"));
    let copy = import(&member, export(&member, &work).await).await;
    assert!(member.page(&format!("/manager/opus/{copy}")).await.contains("280 × 210 mm"));
}

async fn what_is_exported_again_is_the_same_work(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let archive = export(&member, &work).await;
    let copy = import(&member, archive.clone()).await;
    assert_eq!(member.library().await.len(), 3, "photos with the same bytes are one photo");
    // here the photos have their ids already, so the document is the same, byte by byte
    assert_eq!(files(&export(&member, &copy).await).last(), files(&archive).last());
    let other = server.member("other@example.com", "0").await;
    assert_eq!(other.get(&format!("/manager/opus/{copy}/export")).await.status(), StatusCode::NOT_FOUND);
}

async fn an_archive_packed_by_another_program_is_taken(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let mut kept = files(&export(&member, &work).await);
    kept.retain(|(name, _)| !name.starts_with("print/"));
    kept.push(("../../etc/passwd".to_owned(), b"x".to_vec()));
    import(&member, packed(&kept, CompressionMethod::Deflated)).await;
    assert!(!server.folder.path().join("etc").exists());
}

/// What becomes of a file of an archive: its name and its bytes.
type Change<'a> = &'a dyn Fn(&str, &[u8]) -> Option<Vec<u8>>;

async fn archives_that_are_damaged_or_foreign_are_refused(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let archive = export(&member, &work).await;
    let good = files(&archive);
    let with = |change: Change| {
        let files: Vec<_> =
            good.iter().filter_map(|(name, bytes)| Some((name.clone(), change(name, bytes)?))).collect();
        packed(&files, CompressionMethod::Stored)
    };
    let json = |from: &str, to: &str| {
        with(&|name, bytes| {
            let text = (name == "work.json").then(|| String::from_utf8(bytes.to_vec()).unwrap());
            Some(text.map_or_else(|| bytes.to_vec(), |text| text.replacen(from, to, 1).into_bytes()))
        })
    };
    let damaged = "这个文件不是书坊导出的作品，或者已经损坏";
    let mut comment = archive.clone();
    let length = comment.len();
    comment[length - 2] = 1;
    comment.push(b'x');
    for (what, archive, reason) in [
        ("nothing", Vec::new(), "请选择导出的作品文件"),
        ("a photo", jpeg(64, 64, 1), damaged),
        ("half of it", archive[..archive.len() / 2].to_vec(), damaged),
        ("a comment", comment, damaged),
        ("no document", with(&|name, bytes| (name != "work.json").then(|| bytes.to_vec())), damaged),
        ("another format", json("\"format\": 1", "\"format\": 2"), "版本 2 的格式"),
        ("another kind", json("\"kind\": \"album\"", "\"kind\": \"scroll\""), damaged),
        ("another theme", json("\"theme\": \"calm\"", "\"theme\": \"loud\""), "风格这里还没有"),
        ("no title", json("\"title\": \"海边的夏天\"", "\"title\": \"\""), damaged),
        ("a huge page", json("\"width\": 210.0", "\"width\": 99999.0"), "开本这里还没有"),
        ("a way out", json("\"sha256\": \"", "\"sha256\": \"../"), "缺少照片"),
        ("a photo less", with(&|name, bytes| (!name.ends_with(".jpg")).then(|| bytes.to_vec())), "缺少照片"),
        (
            "another photo",
            with(&|name, bytes| Some(if name.ends_with(".jpg") { jpeg(64, 64, 9) } else { bytes.to_vec() })),
            "已经损坏",
        ),
    ] {
        assert_refused(&member, archive, what, reason).await;
    }
    assert_nothing_made(&member).await;
    assert_eq!(member.library().await.len(), 3);
    assert_eq!(send(&member, "no id!", archive).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

/// The same files as a program writes them that expects more than 4 GB.
fn packed_for_more(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.set_raw_zip64_extensible_data_sector(Box::default());
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    for (name, bytes) in files {
        zip.start_file(name.as_str(), stored).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

async fn an_archive_in_the_form_for_large_ones_is_taken(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let archive = packed_for_more(&files(&export(&member, &work).await));
    // the record, its locator, and the end that every ZIP file has
    let ends = archive.len() - 98;
    assert!(archive[ends..].starts_with(b"PK\x06\x06") && archive[ends + 56..].starts_with(b"PK\x06\x07"));
    import(&member, archive.clone()).await;

    let with = |places: &[usize], bytes: &[u8]| {
        let mut archive = archive.clone();
        for place in places {
            archive[ends + place..][..bytes.len()].copy_from_slice(bytes);
        }
        archive
    };
    let most = [0xff; 8];
    for (what, archive) in [
        ("no record", with(&[0], b"PK\x05\x06")),
        ("a record of another length", with(&[4], &most)),
        ("another disk", with(&[16], &[1])),
        ("fewer entries on this disk", with(&[24], &[1])),
        ("no entries", with(&[24, 32], &[0; 8])),
        ("more entries than fit in the list", with(&[24, 32], &9_000u64.to_le_bytes())),
        ("entries without end", with(&[24, 32], &most)),
        ("a list without end", with(&[40], &most)),
        ("a list that starts nowhere", with(&[48], &most)),
        ("a list that starts elsewhere", with(&[48], &[0; 8])),
        ("no locator", with(&[56], b"PK\x05\x06")),
        ("a locator to another disk", with(&[60], &[1])),
        ("a locator to nowhere", with(&[64], &most)),
        ("a locator to the beginning", with(&[64], &[0; 8])),
        ("many disks", with(&[72], &[2])),
        ("the end alone", archive[ends..].to_vec()),
        ("a part of it", archive[ends + 1..].to_vec()),
        ("no end", archive[..archive.len() - 22].to_vec()),
    ] {
        let answer = send(&member, &fresh(&member).await, archive).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{what}");
        assert!(answer.text().await.unwrap().contains("或者已经损坏"), "{what}");
    }
}

async fn an_archive_that_breaks_off_leaves_nothing(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let headers = [("content-type", "multipart/form-data; boundary=edge")];
    let part = |name: &str| {
        format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"a.zip\"\r\n\r\nPK")
    };
    let address = "/manager/opus_import";
    let answer = member.try_send("POST", address, &headers, part("archive").into_bytes()).await.unwrap();
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let page = answer.text().await.unwrap();
    assert!(page.contains("作品文件没有传完，什么都没有导入"), "{page}");
    // an id is short
    let long = format!("{}{}\r\n--edge--\r\n", part("work"), "x".repeat(100_000));
    let answer = member.try_send("POST", address, &headers, long.into_bytes()).await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("表单不完整"));
}

async fn an_archive_that_swells_is_refused(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let mut swollen = files(&export(&member, &work).await);
    for (name, bytes) in &mut swollen {
        if name.ends_with(".jpg") {
            *bytes = vec![0; 101 << 20];
        }
    }
    let archive = packed(&swollen, CompressionMethod::Deflated);
    assert!(archive.len() < 8 << 20, "{} bytes", archive.len());
    let answer = send(&member, &fresh(&member).await, archive).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("太大，放不进您的素材空间"));
    let document = swollen.iter_mut().find(|(name, _)| name == "work.json").unwrap();
    document.1 = vec![b' '; 64 << 20];
    swollen.retain(|(name, _)| name == "work.json");
    let answer = send(&member, &fresh(&member).await, packed(&swollen, CompressionMethod::Deflated)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // more entries than any book needs
    let many: Vec<_> = (0..10_001).map(|n| (n.to_string(), Vec::new())).collect();
    let answer = send(&member, &fresh(&member).await, packed(&many, CompressionMethod::Stored)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

async fn an_import_is_one_work_however_often_it_is_sent(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let archive = export(&member, &work).await;
    let id = fresh(&member).await;
    for _ in 0..2 {
        let answer = send(&member, &id, archive.clone()).await;
        assert_eq!(location(&answer), format!("/manager/opus/{id}"));
    }
    let shelf = member.page("/manager/opus_list/all").await;
    assert_eq!(between_all(&shelf, "href=\"/manager/opus_setting/", "\"").len(), 2);
}

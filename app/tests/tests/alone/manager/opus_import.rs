//! /manager/opus/{id}/export and /manager/opus_import: a whole work as one file.

use serde_json::{Value, json};
use zip::CompressionMethod;

use support::archives::{album, assert_nothing_made, assert_refused, export, files, import, packed};
use support::{Server, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    pages_that_no_book_here_has_are_refused,
);

async fn pages_that_no_book_here_has_are_refused(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member).await;
    let good = files(&export(&member, &work).await);
    let with = |change: &dyn Fn(&mut Value)| {
        let changed: Vec<_> = good
            .iter()
            .map(|(name, bytes)| {
                if name != "work.json" {
                    return (name.clone(), bytes.clone());
                }
                let mut work: Value = serde_json::from_slice(bytes).unwrap();
                change(&mut work["document"]);
                (name.clone(), serde_json::to_vec(&work).unwrap())
            })
            .collect();
        packed(&changed, CompressionMethod::Stored)
    };
    let copies = |element: usize, count: usize| {
        with(&move |document| {
            let elements = document["cover"]["elements"].as_array_mut().unwrap();
            elements.extend(vec![elements[element].clone(); count]);
        })
    };
    let moved = |side: &'static str, mm: f64| {
        with(&move |document| document["cover"]["elements"][0]["frame"][side] = json!(mm))
    };
    // small photos stand small
    let over_all = |photo: &Value| {
        let mut photo = photo.clone();
        photo["frame"] = json!({"x": -3.0, "y": -3.0, "width": 216.0, "height": 216.0});
        photo
    };
    for (what, archive, reason) in [
        (
            "a page of another size",
            with(&|document| document["trim"]["width"] = json!(211.0)),
            "开本这里还没有",
        ),
        ("a photo as wide as a street", moved("width", 9_999.0), "封面：放得离页面太远"),
        ("a photo that is no wider than nothing", moved("width", 1e-300), "封面：位置和大小须是数字"),
        ("a photo as a hair", moved("height", 0.9), "封面：位置和大小须是数字"),
        ("a photo turned inside out", moved("width", -50.0), "封面：位置和大小须是数字"),
        ("a photo beside the page", moved("x", -400.0), "封面：放得离页面太远"),
        (
            "a photo thirty times over itself",
            with(&|document| {
                let huge = over_all(&document["cover"]["elements"][0]);
                document["cover"]["elements"].as_array_mut().unwrap().extend(vec![huge; 30]);
            }),
            "封面：照片在一页上叠得太多",
        ),
        ("more texts than a page has", copies(1, 200), "封面：一页最多放 200 件东西"),
        (
            "an inner page",
            with(&|document| {
                let huge = over_all(&document["cover"]["elements"][0]);
                document["pages"][1]["elements"] = json!(vec![huge; 61]);
            }),
            "第 2 页：照片在一页上叠得太多",
        ),
    ] {
        assert_refused(&member, archive, what, reason).await;
    }
    // a small file that would keep the machine busy: two thousand pages of ten long texts
    let words = with(&|document| {
        let text = json!({"kind": "text", "role": "body", "text": "字".repeat(500),
            "frame": {"x": 20.0, "y": 20.0, "width": 100.0, "height": 100.0}});
        document["pages"] = json!(vec![json!({"elements": vec![text; 10]}); 994]);
    });
    let began = std::time::Instant::now();
    assert_refused(&member, words, "too many words", "作品里的文字超过了 20 万字").await;
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    assert!(server.peak_memory() < 600, "{} MB", server.peak_memory());
    assert_nothing_made(&member).await;
    // what only stands twice is no reason
    import(&member, copies(0, 1)).await;
}

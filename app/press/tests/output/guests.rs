//! The card for a table: one page of A6 with its words and a code that can be read, as poppler draws it.

use std::process::Command;

use press::{GuestCard, Press};

#[test]
fn a_card_for_guests_says_it_all_on_one_page_of_a6() {
    for title in ["小雨和老王的婚礼", &"名字很长的聚会".repeat(5)] {
        let card = GuestCard {
            title,
            line: "扫一扫，把您拍的照片发给我们，我们要做一本书",
            address: "https://books.example/g/ABCD-EFGH-JKLM-NPQR",
            short_address: "books.example/g/ABCD-EFGH-JKLM-NPQR",
        };
        let pdf = Press::new().guest_card(&card).expect("a card");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("guests.pdf");
        std::fs::write(&file, pdf).expect("written");
        let text = Command::new("pdftotext").arg(&file).arg("-").output().expect("poppler");
        let text: String = String::from_utf8_lossy(&text.stdout).split_whitespace().collect();
        for said in [title, "扫一扫", "不用注册", "books.example/g/ABCD-EFGH-JKLM-NPQR"] {
            assert!(text.contains(said), "no {said} in {text}");
        }
        let facts = Command::new("pdfinfo").arg(&file).output().expect("pdfinfo");
        let facts = String::from_utf8_lossy(&facts.stdout);
        assert!(facts.lines().any(|line| line.starts_with("Pages:") && line.ends_with(" 1")), "{facts}");
        // 105 × 148 mm
        assert!(facts.contains("297.638 x 419.528 pts"), "{facts}");
    }
}

//! The card of a gift: one page of half a sheet, with all that is said and the code, as poppler reads it.

use std::path::Path;
use std::process::Command;

use crate::codes::scanned;
use press::{GiftCard, Press};

fn read(file: &Path) -> (String, String) {
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).arg(file).arg("-").output().expect("poppler");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let facts = Command::new("pdfinfo").arg(file).output().expect("pdfinfo");
    (run("pdftotext", &["-layout"]), String::from_utf8_lossy(&facts.stdout).into_owned())
}

#[test]
fn a_gifts_card_says_it_all_on_one_page() {
    let long = "愿你每天都有好文章读，也有读它的闲工夫。".repeat(10);
    for (title, words) in [
        ("《西湖晚报·包年》", "新年好！\n慢慢看，保重。"),
        ("《一份名字很长的报纸与它的增刊合在一起的套餐全年》", &long),
    ] {
        let card = GiftCard {
            title,
            term: "12 个月，从收下的那天起算",
            receiver: "爷爷",
            giver: "小雨",
            words,
            code: "ABCD-EFGH-JKLM-NPQR",
            address: "https://books.example/gift/ABCD-EFGH-JKLM-NPQR",
            invitation: "扫码收下；或打开 books.example，登录后在“书房”输入兑换码",
        };
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("gift.pdf");
        std::fs::write(&file, Press::new().gift_card(&card).expect("a card")).expect("written");
        let (text, facts) = read(&file);
        for said in ["ABCD-EFGH-JKLM-NPQR", "爷爷：", "—— 小雨", "从收下的那天起算"] {
            assert!(text.contains(said), "no {said} in {text}");
        }
        let plain: String = text.split_whitespace().collect();
        assert!(words.lines().all(|line| plain.contains(&line[..line.len().min(30)])), "{text}");
        assert!(facts.lines().any(|line| line.starts_with("Pages:") && line.ends_with(" 1")), "{facts}");
        // 210 × 148 mm
        assert!(facts.contains("595.276 x 419.528 pts"), "{facts}");
        // off the printed card, as a camera held near sees it: 300 dpi
        let drawn =
            Command::new("pdftoppm").args(["-r", "300", "-gray", "-png", "-singlefile"]).arg(&file).output();
        let picture =
            image::load_from_memory(&drawn.expect("poppler").stdout).expect("a picture").into_luma8();
        assert_eq!(scanned(picture), [card.address]);
    }
}

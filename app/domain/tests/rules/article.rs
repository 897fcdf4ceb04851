//! Paragraphs and tables of a text.

use domain::article::{Part, parts};
use proptest::prelude::*;

#[test]
fn lines_with_tabs_are_tables() {
    let text = "　　第一段。\n\n\t段首的制表符\n又一段。\n车次\t开\t到\nG1\t9:00\t\nD2\t\t18:30\n一句\t话里的\n\n完。";
    assert_eq!(
        parts(text),
        [
            Part::Paragraph("第一段。"),
            Part::Paragraph("段首的制表符"),
            Part::Paragraph("又一段。"),
            Part::Table(vec![
                vec!["车次", "开", "到"],
                vec!["G1", "9:00", ""],
                vec!["D2", "", "18:30"],
                vec!["一句", "话里的", ""],
            ]),
            Part::Paragraph("完。"),
        ]
    );
    assert_eq!(parts("一句\t话"), [Part::Paragraph("一句\t话")]);
    assert_eq!(parts("甲\t乙\t\n丙\t丁\t"), [Part::Table(vec![vec!["甲", "乙"], vec!["丙", "丁"]])]);
    // the first cell of a table may be empty
    assert_eq!(
        parts("\t开\t到\nG1\t9\t10"),
        [Part::Table(vec![vec!["", "开", "到"], vec!["G1", "9", "10"]])]
    );
    // a row of one cell is one, too; paragraphs that begin with a tab are none
    assert_eq!(
        parts("甲\t1\n小计\t\n\t2"),
        [Part::Table(vec![vec!["甲", "1"], vec!["小计", ""], vec!["", "2"]])]
    );
    assert_eq!(parts("\t一段。\n\t二段。"), [Part::Paragraph("一段。"), Part::Paragraph("二段。")]);
    assert!(parts(" \n\t\n").is_empty());
}

proptest! {
    #[test]
    fn nothing_is_lost(text in "([a-z \t\n]|。){0,60}") {
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let mut said = String::new();
        for part in parts(&text) {
            match part {
                Part::Paragraph(line) => said.push_str(line),
                Part::Table(rows) => {
                    prop_assert!(rows.len() > 1 && rows.iter().all(|row| row.len() == rows[0].len()));
                    rows.iter().flatten().for_each(|cell| said.push_str(cell));
                }
            }
        }
        prop_assert_eq!(letters(&said), letters(&text));
    }
}

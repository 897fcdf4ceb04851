//! PDFs that break the standard where every reader forgives it.

use std::path::Path;

use crate::common::pdfs::Pdf;
use crate::common::run;
use crate::documents::{A5, Shelf, print};
use crate::encrypted::written;
use domain::manuscript::CoverChoice;
use lopdf::{Dictionary, Object, Stream, StringFormat, dictionary};
use press::pdf::{PdfFacts, PdfRefusal, inspect, text};

pub fn sample(name: &str) -> Option<Vec<u8>> {
    let file = Path::new(env!("BINDERY_CHECKOUT")).join("../shared/reports/pdf").join(name);
    let bytes = std::fs::read(&file).ok();
    if bytes.is_none() {
        println!("skipped: there is no {}", file.display());
    }
    bytes
}

/// The words that a book of a file is printed with, where it is one that qpdf finds nothing wrong with.
fn printed_words(bytes: Vec<u8>) -> String {
    let shelf = Shelf::default().with('a', bytes);
    let printed = print(&shelf.book('a', A5, CoverChoice::Words), &shelf);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, printed).unwrap();
    run("qpdf", &["--check"], &file);
    let said = std::process::Command::new("pdftotext").arg(&file).arg("-").output().expect("pdftotext");
    String::from_utf8_lossy(&said.stdout).into_owned()
}

/// The file with its offsets counted from so many bytes before its header.
fn counted_from(bytes: &[u8], before: usize) -> Vec<u8> {
    let at = bytes.windows(6).rposition(|part| part == b"\nxref\n").expect("a table");
    let table = std::str::from_utf8(&bytes[at..]).expect("a table");
    let mut lines: Vec<String> = table.split('\n').map(str::to_owned).collect();
    let moved = |digits: &str| digits.parse::<usize>().expect("an offset") + before;
    for line in &mut lines {
        if line.trim_end().ends_with(" n") {
            *line = format!("{:010}{}", moved(&line[..10]), &line[10..]);
        }
    }
    let start = lines.iter().position(|line| line == "startxref").expect("the table's offset") + 1;
    lines[start] = moved(&lines[start]).to_string();
    [&bytes[..at], lines.join("\n").as_bytes()].concat()
}

#[test]
fn what_stands_before_and_behind_a_file_is_passed_over() {
    let plain = Pdf::new().page(148.0, 210.0, "First words").page(148.0, 210.0, "Second words").bytes();
    let plain = written(&plain, &["--object-streams=disable"]);
    let plain = plain.strip_suffix(b"\n").expect("a last line");
    let facts = inspect(plain).unwrap();
    let mail = b"Content-Type: application/pdf\r\nX-Spam: no\r\n\r\n".as_slice();
    let unfinished = plain.strip_suffix(b"%%EOF").expect("the last line");
    let cases: [(&str, Vec<u8>); 8] = [
        ("a mark", [b"\xef\xbb\xbf", plain].concat()),
        ("headers", [mail, plain].concat()),
        ("a whole head", [&[b'\n'; 1019], plain].concat()),
        ("counted from there", [mail, &counted_from(plain, mail.len())].concat()),
        ("zeros", [plain, &[0; 5000]].concat()),
        ("lines", [plain, &b"\r\n \r\n".repeat(600)].concat()),
        ("both", [mail, plain, &[0; 2000]].concat()),
        ("no last line", unfinished.to_vec()),
    ];
    for (name, bytes) in cases {
        assert_eq!(inspect(&bytes).as_ref(), Ok(&facts), "{name}");
        assert_eq!(text(&bytes, 2).unwrap().text.plain().trim(), "Second words", "{name}");
        let words = printed_words(bytes);
        assert!(words.contains("First words") && words.contains("Second words"), "{name}: {words}");
    }
    assert_eq!(inspect(&[&[b'\n'; 1020], plain].concat()), Err(PdfRefusal::NoPdf));
    assert_eq!(inspect(&[&plain[..plain.len() / 2], &[0; 5000]].concat()), Err(PdfRefusal::Broken));
}

#[test]
fn a_file_that_only_speaks_of_encryption_is_opened() {
    let mut pdf = Pdf::new().page(148.0, 210.0, "/Encrypt 5 0 R");
    let info = dictionary! { "Title" => Object::string_literal("trailer << /Encrypt 5 0 R >>") };
    let info = pdf.document.add_object(info);
    pdf.document.trailer.set("Info", info);
    let facts: PdfFacts = inspect(&pdf.bytes()).unwrap();
    assert!(!facts.forbids_copying && !facts.is_coarse);
}

#[test]
fn chapters_are_readable_in_every_encoding() {
    let titles: [(&[u8], &str); 5] = [
        (b"\xfe\xff\x7b\x2c\x4e\x00\x7a\xe0", "第一章"),
        (b"\xff\xfe\x2c\x7b\x8c\x4e\xe0\x7a", "第二章"),
        (b"\xef\xbb\xbf\xe7\xac\xac\xe4\xb8\x89\xe7\xab\xa0", "第三章"),
        (b"\xb5\xda\xcb\xc4\xd5\xc2", "第四章"),
        (b"\x8dFive\x8e\x09\x84 \xfe\xff", "“Five” — þÿ"),
    ];
    let mut pdf = Pdf::new().page(148.0, 210.0, "One");
    let outlines = pdf.document.new_object_id();
    let ids: Vec<_> = titles.iter().map(|_| pdf.document.new_object_id()).collect();
    for (index, (bytes, _)) in titles.iter().enumerate() {
        let mut entry = dictionary! {
            "Title" => Object::String(bytes.to_vec(), StringFormat::Hexadecimal),
            "Parent" => outlines,
            "Dest" => vec![0.into(), "Fit".into()],
        };
        if let Some(next) = ids.get(index + 1) {
            entry.set("Next", *next);
        }
        pdf.document.set_object(ids[index], entry);
    }
    let (first, last) = (ids[0], ids[ids.len() - 1]);
    pdf.document.set_object(outlines, dictionary! { "First" => first, "Last" => last, "Count" => 5 });
    let mut file = lopdf::Document::load_mem(&pdf.bytes()).unwrap();
    file.catalog_mut().unwrap().set("Outlines", outlines);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    let expected: Vec<_> = titles.iter().map(|(_, title)| (1, (*title).to_owned())).collect();
    assert_eq!(inspect(&bytes).unwrap().chapters, expected);
}

/// A page that writes `words` in a font whose ToUnicode says what its `X` stands for, in UTF-16.
fn with_x(words: &str, stands_for: &str) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let map = format!(
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange \
         1 beginbfrange <20> <57> <0020> endbfrange 1 beginbfchar <58> <{stands_for}> endbfchar endcmap"
    );
    let map = pdf.document.add_object(Stream::new(Dictionary::new(), map.into_bytes()));
    let font = dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "ToUnicode" => map
    };
    let content = format!("BT /F1 24 Tf 100 400 Td ({words}) Tj ET");
    let content = pdf.document.add_object(Stream::new(Dictionary::new(), content.into_bytes()));
    let resources = dictionary! { "Font" => dictionary! { "F1" => font } };
    pdf.add(148.0, 210.0, content, dictionary! { "Resources" => resources }).bytes()
}

#[test]
fn glyphs_that_say_no_character_are_silent() {
    for (stands_for, expected, unread) in [
        ("FFFF", "HEADLINE", 1),
        ("FFFE", "HEADLINE", 1),
        ("FDD0", "HEADLINE", 1),
        ("FFFD", "HEADLINE", 1),
        ("FEFF", "HEADLINE", 0),
        ("FFFF0041FFFE", "HEADALINE", 0),
        // programs write spaces like this
        ("0003", "HEAD LINE", 0),
        ("0009", "HEAD LINE", 0),
        ("00A0", "HEAD LINE", 0),
        ("4E2D", "HEAD中LINE", 0),
    ] {
        let sheet = text(&with_x("HEADXLINE", stands_for), 1).unwrap();
        assert_eq!((sheet.text.plain().trim(), sheet.unread), (expected, unread), "{stands_for}");
        let [block] = &*sheet.text.blocks else { panic!("{stands_for}: {:?}", sheet.text) };
        let line = &block.lines[0];
        assert_eq!(line.edges.len(), line.text.chars().count() + 1, "{stands_for}");
    }
    assert_eq!(text(&with_x("XXX", "FFFF"), 1).unwrap().text.blocks, []);
}

#[test]
fn files_that_people_sent_are_opened() {
    for (name, pages) in [("garbage_head.pdf", 4), ("says_encrypt.pdf", 4), ("ycck_decode.pdf", 4)] {
        let Some(bytes) = sample(name) else { return };
        assert_eq!(inspect(&bytes).unwrap().sheets.len(), pages, "{name}");
        printed_words(bytes);
    }
    let Some(outline) = sample("outline.pdf") else { return };
    let chapters = inspect(&outline).unwrap().chapters;
    let names: Vec<&str> = chapters.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["第一章 名字", "第二章 小端", "第三章 UTF8", "“ﬁquotedﬂ– Chapter •", "第五章 国标"]);
    let Some(unsaid) = sample("tou_ffff.pdf") else { return };
    let sheet = text(&unsaid, 1).unwrap();
    assert!(sheet.text.plain().contains("HEDLINE BD"), "{}", sheet.text.plain());
    assert_eq!(sheet.unread, 2);
}

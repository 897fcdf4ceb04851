//! Faults in what stands on the pages of PDFs: pictures, fonts, forms, colours, contents.

use crate::common::raw::{Raw, SQUARES};
use crate::common::{jpeg, quadrants};
use crate::faulty::{Fate, fate, taken, with};
use lopdf::{Dictionary, Stream};
use press::pdf::inspect;

fn picture(dict: &str, data: &[u8]) -> Vec<u8> {
    with(|raw| {
        raw.picture(dict, data);
    })
}

fn flate(data: &[u8]) -> Vec<u8> {
    let mut stream = Stream::new(Dictionary::new(), data.to_vec());
    stream.compress().unwrap();
    assert!(stream.dict.has(b"Filter"), "it is no smaller");
    stream.content
}

#[test]
fn pictures_with_faults_are_shown_as_far_as_they_go() {
    let grey = "/Width 64/Height 64/ColorSpace/DeviceGray/BitsPerComponent 8";
    let rgb = "/Width 64/Height 64/ColorSpace/DeviceRGB/BitsPerComponent 8";
    let ramp: Vec<u8> = (0..64 * 64).map(|at| (at / 16) as u8).collect();
    let colours: Vec<u8> = ramp.iter().flat_map(|grey| [*grey, 255 - grey, 128]).collect();
    let deep: Vec<u8> = ramp.iter().flat_map(|grey| [*grey, 77]).collect();
    let nibbles: Vec<u8> = (0..64).flat_map(|row| [(row / 4) * 0x11; 32]).collect();
    let photo = jpeg(&quadrants(512, 512));
    let mut wrong_length = Raw::default();
    wrong_length.picture(&format!("{grey}/Filter/FlateDecode"), &flate(&ramp));
    let packed = flate(&ramp);
    wrong_length.set(5, {
        let head = format!("<</Type/XObject/Subtype/Image{grey}/Filter/FlateDecode/Length 7>>\nstream\n");
        [head.as_bytes(), &packed, b"\nendstream"].concat()
    });
    taken(&[
        ("sixteen bits", picture(&grey.replace("Component 8", "Component 16"), &deep)),
        ("too few bytes", picture(grey, &ramp[..2048])),
        ("too many bytes", picture(grey, &[ramp.as_slice(), &[9; 500]].concat())),
        ("a wrong length", wrong_length.bytes()),
        (
            "a deflated end that is missing",
            picture(&format!("{grey}/Filter/FlateDecode"), &packed[..packed.len() - 6]),
        ),
        (
            "a JPEG without its end",
            picture(
                "/Width 512/Height 512/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode",
                &photo[..photo.len() - 2],
            ),
        ),
        (
            "filters in a row",
            picture(&format!("{grey}/Filter[/ASCIIHexDecode/FlateDecode]"), &{
                let hex: String = packed.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{hex}>").into_bytes()
            }),
        ),
        ("inverted", picture(&format!("{rgb}/Decode[1 0 1 0 1 0]"), &colours)),
        ("four bits", picture("/Width 64/Height 64/ColorSpace/DeviceGray/BitsPerComponent 4", &nibbles)),
        (
            "a mask",
            picture("/Width 64/Height 64/ImageMask true", &[0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0].repeat(64)),
        ),
        ("left out by colour", picture(&format!("{grey}/Mask[0 100]"), &ramp)),
        (
            "a predictor",
            picture(&format!("{grey}/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 64>>"), &{
                let rows: Vec<u8> = ramp.chunks(64).flat_map(|row| [&[0_u8], row].concat()).collect();
                flate(&rows)
            }),
        ),
        (
            "a predictor for one filter of two",
            picture(
                &format!(
                    "{grey}/Filter[/ASCIIHexDecode/FlateDecode]/DecodeParms[null<</Predictor 12/Columns 64>>]"
                ),
                &{
                    let rows: Vec<u8> = ramp.chunks(64).flat_map(|row| [&[0_u8], row].concat()).collect();
                    let hex: String = flate(&rows).iter().map(|byte| format!("{byte:02x}")).collect();
                    format!("{hex}>").into_bytes()
                },
            ),
        ),
        (
            "a mask of another size",
            with(|raw| {
                raw.picture(&format!("{rgb}/SMask 6 0 R"), &colours);
                raw.stream(
                    6,
                    "/Type/XObject/Subtype/Image/Width 32/Height 32/ColorSpace/DeviceGray/BitsPerComponent 8",
                    &[160; 1024],
                );
            }),
        ),
        ("no pixels", picture("/Width 0/Height 0/ColorSpace/DeviceGray/BitsPerComponent 8", &[])),
        (
            "a profile that is none",
            with(|raw| {
                raw.picture("/Width 64/Height 64/ColorSpace[/ICCBased 6 0 R]/BitsPerComponent 8", &colours);
                raw.stream(6, "/N 3/Alternate/DeviceRGB", b"this is no profile");
            }),
        ),
    ]);
    // programs differ in what they make of a table that ends early, so it does not when it is printed
    let table = |table: &str| {
        let dict = "/Width 64/Height 64/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 255";
        picture(&format!("{dict}<{table}>]"), &[1; 4096])
    };
    let whole = table(&format!("ff0000 00ff00 {}", "0".repeat(6 * 254)));
    assert_eq!(fate("a short table", &table("ff0000 00ff00"), Some(&whole)), Fate::Taken);
}

#[test]
fn contents_with_faults_are_read_as_others_read_them() {
    let content = |content: &str| {
        with(|raw| {
            raw.content(content);
        })
    };
    let many = "q ".repeat(100_000);
    taken(&[
        (
            "nothing named",
            content(&format!("{SQUARES} /Nix Do /Gs9 gs /Cs9 cs 1 scn BT /F9 12 Tf (x) Tj ET")),
        ),
        ("too few ends", content(&format!("q q q 1 0 0 1 5 5 cm {SQUARES}"))),
        ("very many begins", content(&format!("{many}{SQUARES}"))),
        ("an unknown operator", content(&format!("12 34 frobnicate {SQUARES} BX 1 2 zorch EX"))),
        ("a string without end", content(&format!("{SQUARES} BT (never ending"))),
        (
            "numbers that are odd",
            content("0.8 .1 +0.1 rg 20 20 120. 120 re f --5 0 m 0.1 0.2 0.8 rg 280 400 120 170 re f"),
        ),
        (
            "in two halves",
            with(|raw| {
                raw.page("/MediaBox[0 0 420 595]/Contents[4 0 R 6 0 R]");
                raw.stream(4, "", b"0.8 0.1 0.1 rg 20 20 120 120 re f 0.1 0.2");
                raw.stream(6, "", b"0.8 rg 280 400 120 170 re f");
            }),
        ),
        (
            "a part that is missing",
            with(|raw| {
                raw.page("/MediaBox[0 0 420 595]");
                raw.set(3, "<</Type/Page/Parent 2 0 R/Contents[9 0 R 4 0 R null]/MediaBox[0 0 420 595]>>");
            }),
        ),
        (
            "no content",
            with(|raw| {
                raw.set(3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 595]>>");
            }),
        ),
        (
            "resources of its parent",
            with(|raw| {
                raw.set(2, "<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</ExtGState<</G<</ca 0.4>>>>>>>>");
                raw.content(&format!("/G gs {SQUARES}"));
            }),
        ),
        (
            "a form that is not closed",
            with(|raw| {
                raw.content(&format!("/X Do {SQUARES}")).resources("/XObject<</X 5 0 R>>");
                raw.stream(
                    5,
                    "/Type/XObject/Subtype/Form/BBox[0 0 420 595]",
                    b"q q 0 1 0 rg 200 200 50 50 re f q 2 0 0 2 0 0 cm",
                );
            }),
        ),
    ]);
}

#[test]
fn what_shows_itself_ends() {
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 420 595]/Resources<</XObject<</X 5 0 R/Y 6 0 R>>>>";
    taken(&[
        (
            "a form in itself",
            with(|raw| {
                raw.content(&format!("{SQUARES} /X Do")).resources("/XObject<</X 5 0 R>>");
                raw.stream(5, form, b"0 1 0 rg 200 200 50 50 re f /X Do");
            }),
        ),
        (
            "two forms in each other",
            with(|raw| {
                raw.content(&format!("{SQUARES} /X Do")).resources("/XObject<</X 5 0 R>>");
                raw.stream(5, form, b"0 1 0 rg 200 200 50 50 re f /Y Do").stream(6, form, b"/X Do");
            }),
        ),
    ]);
    // what is drawn by calling itself may end its program, which the sandbox takes for a page that can't be drawn; none goes on
    for (name, file) in [
        (
            "a mask of itself",
            with(|raw| {
                raw.picture(
                    "/Width 9/Height 9/ColorSpace/DeviceRGB/BitsPerComponent 8/SMask 5 0 R",
                    &[99; 243],
                );
            }),
        ),
        (
            "a pattern of itself",
            with(|raw| {
                raw.content(&format!("{SQUARES} /Pattern cs /P scn 150 200 100 100 re f"))
                    .resources("/Pattern<</P 5 0 R>>");
                raw.stream(5, "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 20 20]/XStep 20/YStep 20/Resources<</Pattern<</P 5 0 R>>>>", b"0 1 0 rg 0 0 10 10 re f /Pattern cs /P scn 10 10 5 5 re f");
            }),
        ),
        (
            "a mask of itself",
            with(|raw| {
                raw.content(&format!("{SQUARES} /G gs 0 1 0 rg 150 200 100 100 re f"))
                    .resources("/ExtGState<</G 6 0 R>>");
                raw.set(6, "<</Type/ExtGState/SMask<</S/Luminosity/G 5 0 R>>>>");
                raw.stream(5, "/Type/XObject/Subtype/Form/BBox[0 0 420 595]/Group<</S/Transparency/CS/DeviceGray>>/Resources<</ExtGState<</G 6 0 R>>>>", b"/G gs 1 g 0 0 420 595 re f");
            }),
        ),
        (
            "a glyph of itself",
            with(|raw| {
                raw.content(&format!("{SQUARES} BT /F 40 Tf 150 250 Td (a) Tj ET"))
                    .resources("/Font<</F 5 0 R>>");
                raw.set(5, "<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a 6 0 R>>/Encoding<</Type/Encoding/Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1000]/Resources<</Font<</F 5 0 R>>>>>>");
                raw.stream(6, "", b"1000 0 d0 0 0 500 500 re f BT /F 1 Tf (a) Tj ET");
            }),
        ),
    ] {
        assert!(inspect(&file).is_ok(), "{name}");
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("file.pdf");
        std::fs::write(&place, &file).unwrap();
        let ended = std::process::Command::new("timeout")
            .args(["120".as_ref(), std::env::current_exe().unwrap().as_os_str()])
            .args(["--exact", "faulty_pages::one_file_by_itself", "--ignored"])
            .env("BINDERY_FILE", &place)
            .output()
            .unwrap();
        println!("{name}: {}", ended.status);
        assert_ne!(ended.status.code(), Some(124), "{name} goes on");
    }
}

#[test]
#[ignore = "a program of its own for the test before"]
fn one_file_by_itself() {
    let Some(place) = std::env::var_os("BINDERY_FILE") else { return };
    println!("{:?}", fate("by itself", &std::fs::read(place).unwrap(), None));
}

#[test]
fn ends_without_a_beginning_are_passed_over() {
    // poppler shows nothing behind them
    let plain = with(|_| {});
    for ends in ["Q Q Q", "q Q Q 0 g Q"] {
        let file = with(|raw| {
            raw.content(&format!("{ends} {SQUARES} Q Q"));
        });
        assert_eq!(fate(ends, &file, Some(&plain)), Fate::Taken, "{ends}");
    }
}

#[test]
fn transparency_is_shown_as_others_show_it() {
    let group = |group: &'static str, mode: &'static str| {
        with(move |raw| {
            raw.content(&format!("{SQUARES} /G gs /X Do"))
                .resources(&format!("/XObject<</X 5 0 R>>/ExtGState<</G<</BM/{mode}/ca 0.7>>>>"));
            raw.stream(
                5,
                &format!("/Type/XObject/Subtype/Form/BBox[0 0 420 595]/Group<</S/Transparency{group}>>"),
                b"0.9 0.8 0.2 rg 60 60 250 400 re f 0.2 0.7 0.4 rg 100 100 250 400 re f",
            );
        })
    };
    taken(&[
        ("a group without a space", group("", "Normal")),
        ("one by itself", group("/I true/CS/DeviceRGB", "Multiply")),
        ("one that knocks out", group("/K true/I true", "Normal")),
        ("a mode that nobody knows", group("", "Sparkle")),
        ("screen", group("/CS/DeviceRGB", "Screen")),
        (
            "a page that is a group",
            with(|raw| {
                raw.page("/MediaBox[0 0 420 595]/Group<</S/Transparency>>/Resources<</ExtGState<</G<</ca 0.5>>>>>>");
                raw.content(&format!("{SQUARES} /G gs 0 0.6 0 rg 60 60 300 400 re f"));
            }),
        ),
        (
            "a mask by light, with ground and curve",
            with(|raw| {
                raw.content(&format!("{SQUARES} /G gs 0 0.6 0 rg 60 60 300 450 re f"))
                    .resources("/ExtGState<</G<</SMask<</S/Luminosity/G 5 0 R/BC[0.5]>>>>>>");
                raw.stream(
                    5,
                    "/Type/XObject/Subtype/Form/BBox[100 100 300 400]/Group<</S/Transparency/CS/DeviceGray>>",
                    b"1 g 120 120 100 200 re f",
                );
            }),
        ),
        (
            "a mask by opacity",
            with(|raw| {
                raw.content(&format!("{SQUARES} /G gs 0 0.6 0 rg 60 60 300 450 re f"))
                    .resources("/ExtGState<</G<</SMask<</S/Alpha/G 5 0 R>>>>>>");
                raw.stream(
                    5,
                    "/Type/XObject/Subtype/Form/BBox[0 0 420 595]/Group<</S/Transparency>>",
                    b"0.5 g 120 120 200 200 re f",
                );
            }),
        ),
    ]);
}

#[test]
fn fonts_with_faults_are_drawn_or_replaced() {
    let font = |font: &'static str| {
        with(move |raw| {
            raw.content(&format!("{SQUARES} BT /F 40 Tf 60 300 Td (Words here) Tj ET"))
                .resources("/Font<</F 5 0 R>>");
            raw.set(5, font);
            raw.set(6, "<</Type/FontDescriptor/FontName/Broken/Flags 32/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80/FontFile2 7 0 R>>");
            raw.stream(7, "/Length1 20", b"\0\x01\0\0this is no font!");
        })
    };
    for (name, file) in [
        (
            "a program that is none",
            font(
                "<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Broken/FirstChar 32/LastChar 33/Widths[300 300]/FontDescriptor 6 0 R/Encoding/WinAnsiEncoding>>",
            ),
        ),
        (
            "no descendants",
            font("<</Type/Font/Subtype/Type0/BaseFont/Nothing/Encoding/Identity-H/DescendantFonts[]>>"),
        ),
        ("no kind", font("<</Type/Font/BaseFont/Helvetica>>")),
        ("an unknown encoding", font("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/Wobble>>")),
    ] {
        let facts = inspect(&file).unwrap();
        assert_eq!(fate(name, &file, None), Fate::Taken, "{name}: {:?}", facts.loose_pages);
    }
}

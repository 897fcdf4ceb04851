//! Documents from before elements could be turned, framed and coloured print byte for byte as they did.
//!
//! What is expected was written by the press as it was then. Another version of Typst, of a font or of a theme is a reason to
//! note new numbers, after a look at the pages; a new property of documents is none.

use crate::common::*;
use domain::document::Document;
use press::{Part, Press, PrintStandard, themes};
use typst::utils::hash128;

/// A document as it was stored: without a version, without ids.
const STORED: &str = include_str!("unchanged/album.json");

fn library() -> Library {
    Library::default().jpeg("land", &landscape(900, 600), 6).jpeg("quarters", &quadrants(600, 600), 1)
}

fn printed(standard: PrintStandard, part: Part, document: &Document) -> u128 {
    let mut pdf = Vec::new();
    Press::following(standard).print(document, part, &library(), MADE_AT, &mut pdf).expect("a print file");
    hash128(&pdf)
}

/// Inner pages and cover as PDF/X-4 and X-1a, and the proof.
fn prints(document: &Document) -> [u128; 5] {
    [
        printed(PrintStandard::X4, Part::Inner, document),
        printed(PrintStandard::X4, plain_cover(document, 8.0), document),
        printed(PrintStandard::X1a, Part::Inner, document),
        printed(PrintStandard::X1a, plain_cover(document, 8.0), document),
        hash128(&Press::new().proof_pdf(document, None, &library()).expect("a proof")),
    ]
}

/// What [`prints`] answered for each theme.
const PRINTS: [(&str, [u128; 5]); 8] = [
    (
        "calm",
        [
            0x09e90f61_8d782f7c_f236b1ad_ac16857a,
            0x1acae2e9_01711422_6ad56e48_fd936510,
            0x8dc536df_60b428b0_8e9690d7_0500498d,
            0xe055168d_5f499ebb_8a54929d_14ea3c4d,
            0x0b66963a_12a14c6c_659f6d31_78d4d1ea,
        ],
    ),
    (
        "classic",
        [
            0x8c268493_fc1176d0_a9172c98_61f47d31,
            0xb375add7_ef0bebf5_d733c83d_59dc483c,
            0x4b202416_7ede6f7d_91fc7b1e_a9610b16,
            0x5163fa3f_5da7b5e9_bb39dc43_cedae72c,
            0x9343914f_a78b113e_5fea40b2_33097d16,
        ],
    ),
    (
        "journal",
        [
            0x7e84fbf5_8894f8af_8687765c_9ca75929,
            0x9e9e4cd1_9f421842_1b7f8358_57c95a50,
            0x94e47dbb_53ee8e60_a924fe1b_2a08ce81,
            0x397fe348_ed483c91_e5b3b968_0300afb3,
            0x2893d6f0_907ac779_a59629d6_b7b30056,
        ],
    ),
    (
        "cream",
        [
            0xef9852cd_742cdfb6_9c9cf8b3_03b3f5d7,
            0x4bb1a253_dab66018_11c0008e_fc624e40,
            0x6d18543a_c247d034_211164d3_da8cf3a3,
            0xc199aae3_490fbc1d_0311d624_f2ea2528,
            0x9df21e77_7f929a9f_df5063f4_3bf68036,
        ],
    ),
    (
        "festive",
        [
            0x163c4fe7_6d9f4596_5213cad5_9620d0a4,
            0x01981657_661d450e_4d13487f_86d447a1,
            0x14c206b5_1dbf2fe5_46440d7a_9557d553,
            0x166ea21a_8ae8fc73_30a89ef8_bdec1fa5,
            0x0365d381_38771b0b_e9b04a7a_b6be43cb,
        ],
    ),
    (
        "night",
        [
            0x747cb4e9_82b1262f_7600590a_63271bf1,
            0xc8e0e65a_58269631_45cad37c_ac783fdb,
            0x0157425e_ec837ec7_fffee658_5539439e,
            0x0ae7ae3c_95f96046_1bbf853e_08efbda3,
            0xdabd592f_25e674e3_e7f7bb47_9c22b075,
        ],
    ),
    (
        "magazine",
        [
            0x774cd39c_0b9330b0_d912ce73_ca8166de,
            0x060af149_529a999c_2c8b7d77_4ba079bc,
            0xbe3590c1_ebf9f941_044abaa3_17554e28,
            0xe5a5986f_c9d096d4_8fdd15ce_6b4c80f1,
            0x7b32bba9_c820fcbf_96d6abd4_cf630b7a,
        ],
    ),
    (
        "gallery",
        [
            0xa7a26d0a_bb2d7ab3_34e17091_3faecd63,
            0x70069f7f_41adbd2c_89ec702f_03b994e4,
            0xaead83fd_5183a2bb_1066f38b_f640782a,
            0xc911bf9a_713d956c_54aba1a6_d01f2e3f,
            0xffd5fc11_8af95af8_1cf85ef6_4094a986,
        ],
    ),
];

#[test]
fn stored_documents_print_as_they_did() {
    let found: Vec<_> = themes()
        .iter()
        .map(|theme| {
            let mut document: Document = serde_json::from_str(STORED).expect("a document");
            theme.name.clone_into(&mut document.theme);
            (theme.name, prints(&document))
        })
        .collect();
    assert_eq!(found, PRINTS, "{found:#034x?}");
}

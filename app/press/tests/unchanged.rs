//! Documents from before elements could be turned, framed and coloured print byte for byte as they did.
//!
//! What is expected was written by the press as it was then. Another version of Typst, of a font or of a theme is a reason to
//! note new numbers, after a look at the pages; a new property of documents is none.

mod common;

use common::*;
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
const PRINTS: [(&str, [u128; 5]); 6] = [
    (
        "calm",
        [
            0x85f302df_c53dbe2a_f3df1dc5_756736fd,
            0xf61f59b9_45137e04_04f3f1d8_8805ee18,
            0x57d326be_8bf32707_5080e9e7_a0953f53,
            0xff452c79_b64fbd88_1cbb54dc_291b0d85,
            0x0b66963a_12a14c6c_659f6d31_78d4d1ea,
        ],
    ),
    (
        "classic",
        [
            0xacd58041_4686da36_69bca498_5a850133,
            0x746f9111_801dd13c_d6f6d9b0_72d44c2e,
            0xa3c1a07f_46f86d81_dbca97b7_0abdd01b,
            0x0b7f724c_cb851c1c_2efebcae_bc9681e8,
            0x9343914f_a78b113e_5fea40b2_33097d16,
        ],
    ),
    (
        "journal",
        [
            0x320e43d0_34f799d4_b29bf630_f14acf51,
            0x9dbc32a3_e1674069_0988289e_f5ef9127,
            0xcee4924d_11b98065_160fc57d_2b97fb7b,
            0x835d0efd_27badb4d_c408e66d_a7d97364,
            0x2893d6f0_907ac779_a59629d6_b7b30056,
        ],
    ),
    (
        "cream",
        [
            0xa3e7a9d2_78ee7cd6_3bcd110a_b2755dd0,
            0x9a35aa88_cf474760_3de57881_b160899a,
            0xdf563478_2a37039f_51674f14_36a806c3,
            0x111da22e_8bd1ce9f_0629e574_8189d8c8,
            0x9df21e77_7f929a9f_df5063f4_3bf68036,
        ],
    ),
    (
        "festive",
        [
            0x3455c165_08549841_255a3b5a_580f4e84,
            0xbf426dea_9fc5bff6_68085e9e_6f193a23,
            0x2c6a325a_270a2b01_b3cab907_23d3b34a,
            0xa5d65a3e_d75fe621_e9d60c2d_a7d6826c,
            0x0365d381_38771b0b_e9b04a7a_b6be43cb,
        ],
    ),
    (
        "night",
        [
            0xb19431f4_bdddb316_188987a6_5e127d43,
            0xd97cbbea_b42d6556_e717aca8_e3754ec7,
            0xf5be75a7_dffa2418_83dbd9c7_055e6e43,
            0xf8468c26_f4ad24ae_4bada9d5_33256925,
            0xdabd592f_25e674e3_e7f7bb47_9c22b075,
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

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
const PRINTS: [(&str, [u128; 5]); 6] = [
    (
        "calm",
        [
            0x696a884d_8ec664ed_bff67b8e_76c12e2b,
            0x72f3f1e5_552b10ae_ede4e7b0_df81fe6c,
            0x57d326be_8bf32707_5080e9e7_a0953f53,
            0xff452c79_b64fbd88_1cbb54dc_291b0d85,
            0x0b66963a_12a14c6c_659f6d31_78d4d1ea,
        ],
    ),
    (
        "classic",
        [
            0xaf9ecb74_44b68afa_3f794880_6ceca7d3,
            0x6f000b59_585c53aa_096464f0_a7892ef3,
            0xa3c1a07f_46f86d81_dbca97b7_0abdd01b,
            0x0b7f724c_cb851c1c_2efebcae_bc9681e8,
            0x9343914f_a78b113e_5fea40b2_33097d16,
        ],
    ),
    (
        "journal",
        [
            0xb87bf3cd_75b5723c_d3702f8a_9d85157f,
            0x35d0377c_71551f5d_9a6d2b57_c7474b85,
            0xcee4924d_11b98065_160fc57d_2b97fb7b,
            0x835d0efd_27badb4d_c408e66d_a7d97364,
            0x2893d6f0_907ac779_a59629d6_b7b30056,
        ],
    ),
    (
        "cream",
        [
            0x6df7f708_12f744aa_578ea1fd_0ae9965d,
            0x12679dc0_694d4177_f27c3e12_f6b822ea,
            0xdf563478_2a37039f_51674f14_36a806c3,
            0x111da22e_8bd1ce9f_0629e574_8189d8c8,
            0x9df21e77_7f929a9f_df5063f4_3bf68036,
        ],
    ),
    (
        "festive",
        [
            0xcc5edcb3_3bcf0082_e2aeaaad_ccb710f4,
            0x2bc419f7_1b0842ac_0b7c974f_8cd37e07,
            0x2c6a325a_270a2b01_b3cab907_23d3b34a,
            0xa5d65a3e_d75fe621_e9d60c2d_a7d6826c,
            0x0365d381_38771b0b_e9b04a7a_b6be43cb,
        ],
    ),
    (
        "night",
        [
            0x10252a6b_57af28e1_ec1d0775_da23882e,
            0xd8572e3c_39cfa16c_aef910e8_f265b5f8,
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

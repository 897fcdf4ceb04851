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
            0x32789638_d9bb3ae7_4e6703b3_a5ed614a,
            0xe6f081f2_08588f1d_e9a70176_bab1197a,
            0xe3fc9df7_beb731c2_a4a21667_668273c0,
            0x2214f012_d508b100_6d73f8ef_fdf8c535,
            0x791c8a37_b8af451f_07b882a1_45afd55d,
        ],
    ),
    (
        "classic",
        [
            0x99c92fb6_ce198832_650542aa_13ebcf6f,
            0xba61871c_e8d97fa9_ba977ab1_29f3f35b,
            0x2216cc13_26d244e4_4593f6ad_a96d27e6,
            0x950cbb39_c61c4065_25c251b8_08bfbae7,
            0x3fc4c026_b068658a_5927d0cb_5d6a35ee,
        ],
    ),
    (
        "journal",
        [
            0x3706a889_4b6dc591_4fe8ba6a_12f2eb4b,
            0x901a1c05_02de5abd_d07e88fd_40b57c4c,
            0xac46acca_3279b207_53316934_15db8d63,
            0x3e23aa5c_1a250d18_e2e04bc2_6054e087,
            0xe1dbbd30_5c9c1124_0995ffbd_2c23fdf6,
        ],
    ),
    (
        "cream",
        [
            0xb0ab9bc7_a6b62982_6b3d2562_10254d97,
            0x4f80696d_2e5f0cdd_c88983f6_58506224,
            0x5ba59028_b8bfb18d_c26f4765_c04f3b32,
            0x0fcc77e5_d8dbde13_34300297_92768590,
            0x46c9d0a2_10c1b32d_4ca917c8_5fef3e64,
        ],
    ),
    (
        "festive",
        [
            0x7962f659_cd31f389_a99104b0_cd1ee6de,
            0xe7f2d508_46845358_e8c36e7c_d396226b,
            0x9c86acf9_4eb524bf_f07e84e2_1df31a53,
            0xb8e80973_65ef52bf_7fe62490_de67f877,
            0x8e2237c6_4a37a9b6_6720b8ef_6c31cac2,
        ],
    ),
    (
        "night",
        [
            0xaa5408c2_8c969d93_b673ac99_2fb25994,
            0x638d6254_e2d7364a_104e38ca_31d667f2,
            0x42d7bfb9_ebdd44ff_3bfc7c73_b6cf6a5d,
            0xad6ec3e3_13ab4bd9_efcee894_374b0b11,
            0xd63cc9c8_8322d851_c552c5b8_78ad652e,
        ],
    ),
    (
        "magazine",
        [
            0xd0439fd0_a1a05bae_52852f33_9580928d,
            0x6e79ebb4_2ef46724_d48b7b2a_1b3df160,
            0xd8cf10fd_a8a213fb_a1cea89f_79432177,
            0x2f9d91a6_e70f3fd6_b405d201_33448cfd,
            0xfe9b2168_ae5f2f08_4fba0af8_bab0c1bf,
        ],
    ),
    (
        "gallery",
        [
            0x94d7c95d_0f3db6c3_f6fca772_816ec0cb,
            0xac5c78fe_d967cc25_f6cfcc03_9f2b195c,
            0x160579fd_c09e7acb_8110edc3_c3a4c255,
            0x5b4156eb_18cd1d93_acffc22f_a53ebec8,
            0x15f3f458_40ee4b60_8c683994_9c2317d4,
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

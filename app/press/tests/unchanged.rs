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
            0x6185f225_7ca98a88_cf890924_9330d6bb,
            0x0dbdc6d1_314e6a38_6293bdcb_030f3c7d,
            0x431a04de_0e34eb49_fc99a8d3_54bbde50,
            0x804a1421_86a3b9b0_ac778b4b_b2e1a006,
            0x5abe23ee_409746d3_ea900811_0727c8ec,
        ],
    ),
    (
        "classic",
        [
            0x1a8ddc9b_58b98b0c_ffcb0d98_d739fe97,
            0x12ab19cb_dd91e5dd_ab2c8dff_06cce8f7,
            0x1216f4a0_03e77ed9_806d8ee1_fa6c39dd,
            0xc2734bcf_1ffc86e0_7cf304bd_c44af6d6,
            0x3be794ed_6f37fed7_444444d8_db9bf9f3,
        ],
    ),
    (
        "journal",
        [
            0x96d05e53_29630367_856ec2b5_c6691948,
            0x08bb367c_dc44a75c_77520374_3cf3c3c9,
            0x36946d69_f5eee322_62e90e8b_408ddaf2,
            0x6437d7ff_6916a822_c0097c2d_e192042f,
            0x5423103a_b7c0cdf6_be9c8a6b_556e0ec1,
        ],
    ),
    (
        "cream",
        [
            0x87fc9164_4e12db3d_594339a2_25701b37,
            0x8eceb541_5fdb26fa_48ab716c_87e65fff,
            0xb5416c68_3b446b18_2ee584c4_17098aa6,
            0x77baf59c_02be3f9d_c3035e2e_a69a6361,
            0xf2bfb85d_bc535723_4b60f496_e5cf4dab,
        ],
    ),
    (
        "festive",
        [
            0x3f677006_24d21eb4_7984ae9c_27743043,
            0xc48c3569_f15aec6b_94090bee_0abc1136,
            0x6671c41f_379edbe8_3e6f45f7_b409fb25,
            0x0bc8a4f8_78691908_6c798efa_241b49bc,
            0xb68b9127_3f47083f_53006e0c_60da6498,
        ],
    ),
    (
        "night",
        [
            0xe2e0e9c8_d5c4918a_b9b56f51_77cd31c2,
            0x1c442939_90a6a8cd_6e741bfd_68210d4c,
            0xe4f7e819_d1909ff0_faeb5192_c876df04,
            0x9501bf1b_ce0b1b0d_212833e0_abdc46aa,
            0x33e2ca3f_79d58cc2_16815867_ff3aa4e3,
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

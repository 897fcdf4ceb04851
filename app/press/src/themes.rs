//! The themes a document can name. Each is one file under `themes/`, which only describes typography and
//! colours (`look.typ` says what there is to describe); `press.typ` places what the document says.

use domain::document::Ground;
use domain::layout::{
    ALBUM, BLEED, CINEMA, ChapterStyle, Composition, CoverStyle, GALLERY, MAGAZINE, MOSAIC, QUIET, SCRAPS,
    Style,
};
use serde::Serialize;

/// A theme as a member chooses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Theme {
    /// What a document's `theme` says.
    pub name: &'static str,
    /// What members read.
    pub title: &'static str,
    /// What it looks like, for members.
    pub hint: &'static str,
    /// The background that a new book's cover has.
    #[serde(skip)]
    pub cover: Ground,
    /// How its covers and chapters are composed.
    #[serde(skip)]
    pub style: Style,
}

const fn theme(
    name: &'static str,
    title: &'static str,
    hint: &'static str,
    (cover, front): (Ground, CoverStyle),
    (chapter, top): (Ground, u8),
    composition: &'static Composition,
) -> Theme {
    let chapter = ChapterStyle { ground: chapter, top };
    let style = Style { cover: front, chapter, composition };
    Theme { name, title, hint, cover, style }
}

static THEMES: [Theme; 8] = [
    theme(
        "calm",
        "素简",
        "黑体，大量留白，一页常常只放一张",
        (Ground::Paper, CoverStyle::Split),
        (Ground::Paper, 34),
        &QUIET,
    ),
    theme(
        "classic",
        "雅宋",
        "宋体居中，照片排成匀称的格子，像一本老相册",
        (Ground::Paper, CoverStyle::Framed),
        (Ground::Tint, 40),
        &ALBUM,
    ),
    theme(
        "journal",
        "手账",
        "点阵纸，照片带白边，一条一条贴上去",
        (Ground::Tint, CoverStyle::Collage),
        (Ground::Tint, 18),
        &SCRAPS,
    ),
    theme(
        "cream",
        "奶油",
        "柔和底色，圆角小图拼成马赛克，适合宝宝",
        (Ground::Tint, CoverStyle::Label),
        (Ground::Deep, 40),
        &MOSAIC,
    ),
    theme(
        "festive",
        "喜庆",
        "红与金，毛笔标题，照片铺满纸边，婚礼、生日、春节",
        (Ground::Deep, CoverStyle::Words),
        (Ground::Deep, 38),
        &BLEED,
    ),
    theme(
        "night",
        "夜幕",
        "深色底，宽银幕一样的长条，适合风光",
        (Ground::Deep, CoverStyle::Strip),
        (Ground::Deep, 72),
        &CINEMA,
    ),
    theme(
        "magazine",
        "杂志",
        "粗黑标题，页眉有题目和日期，照片分栏",
        (Ground::Paper, CoverStyle::Strip),
        (Ground::Paper, 30),
        &MAGAZINE,
    ),
    theme(
        "gallery",
        "画廊",
        "白墙、卡纸边、宽宽的留白，一张是一张",
        (Ground::Paper, CoverStyle::Framed),
        (Ground::Paper, 44),
        &GALLERY,
    ),
];

/// All themes, the one for a new document first.
pub fn themes() -> &'static [Theme] {
    &THEMES
}

/// The file that sets pages with frames.
pub(crate) const BOOK: &str = "/book.typ";
/// The file that sets a running text.
pub(crate) const TEXT: &str = "/text.typ";

/// The file that sets what is shown where a work is shared.
pub(crate) const SHARE: &str = "/share.typ";

/// The file that sets a job ticket.
pub(crate) const TICKET: &str = "/ticket.typ";

/// The files that set what goes with a parcel.
pub(crate) const LABEL: &str = "/label.typ";
pub(crate) const SLIP: &str = "/slip.typ";

/// The file that sets a statement.
pub(crate) const STATEMENT: &str = "/statement.typ";

/// The file that sets business cards.
pub(crate) const CARD: &str = "/card.typ";

/// The file that sets the card of a gift.
pub(crate) const GIFT: &str = "/gift.typ";
pub(crate) const GUESTS: &str = "/guests.typ";

/// The file that sets one thing of a page by itself.
pub(crate) const LAYER: &str = "/layer.typ";
/// The file that says what the looks are.
pub(crate) const FACTS: &str = "/facts.typ";

/// The Typst files.
pub(crate) const SOURCES: [(&str, &str); 27] = [
    (BOOK, include_str!("../themes/book.typ")),
    (LAYER, include_str!("../themes/layer.typ")),
    (FACTS, include_str!("../themes/facts.typ")),
    (TEXT, include_str!("../themes/text.typ")),
    (SHARE, include_str!("../themes/share.typ")),
    (CARD, include_str!("../themes/card.typ")),
    (GIFT, include_str!("../themes/gift.typ")),
    (GUESTS, include_str!("../themes/guests.typ")),
    (TICKET, include_str!("../themes/ticket.typ")),
    (LABEL, include_str!("../themes/label.typ")),
    (SLIP, include_str!("../themes/slip.typ")),
    (STATEMENT, include_str!("../themes/statement.typ")),
    ("/code.typ", include_str!("../themes/code.typ")),
    ("/looks.typ", include_str!("../themes/looks.typ")),
    ("/ornament.typ", include_str!("../themes/ornament.typ")),
    ("/emoji.typ", include_str!("../themes/emoji.typ")),
    ("/month.typ", include_str!("../themes/month.typ")),
    ("/press.typ", include_str!("../themes/press.typ")),
    ("/look.typ", include_str!("../themes/look.typ")),
    ("/calm.typ", include_str!("../themes/calm.typ")),
    ("/classic.typ", include_str!("../themes/classic.typ")),
    ("/cream.typ", include_str!("../themes/cream.typ")),
    ("/festive.typ", include_str!("../themes/festive.typ")),
    ("/gallery.typ", include_str!("../themes/gallery.typ")),
    ("/journal.typ", include_str!("../themes/journal.typ")),
    ("/magazine.typ", include_str!("../themes/magazine.typ")),
    ("/night.typ", include_str!("../themes/night.typ")),
];

/// Whether a document may name the theme.
pub(crate) fn is_known(name: &str) -> bool {
    THEMES.iter().any(|theme| theme.name == name)
}

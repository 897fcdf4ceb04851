//! Typesetting: a document becomes pictures of its pages, print files and a list of what to look at before
//! printing. This crate knows no database and no web, and asks no clock: the same document and the same photos
//! give the same bytes.
//!
//! All results come from the same Typst source, `themes/*.typ`, so that line breaks and crops are the same on
//! the screen and on paper. For the screen, photos are small derivatives. For print, the book is typeset with
//! tiny stand-ins, which are replaced by the original files while the PDF is written out.

mod card;
mod code;
mod cover;
mod drawn;
pub mod epub;
mod error;
mod fonts;
mod gift;
mod guests;
mod jpeg;
pub mod manuscript;
pub mod media;
mod month;
mod parcel;
pub mod pdf;
mod placeholder;
mod preflight;
mod print;
mod proof;
mod reading;
mod screen;
mod share;
mod sheet;
pub mod specimen;
mod statement;
mod themes;
mod ticket;
mod world;

use std::io::Write;
use std::sync::LazyLock;

use domain::binding::CoverSheet;
use domain::document::Document;
use domain::ids::{ElementId, FileDigest, PhotoId};
use domain::reading::{Line, PageText};
use sha2::{Digest, Sha256};

pub use card::BusinessCard;
pub use cover::spine_refusal;
pub use error::PressError;
pub use gift::GiftCard;
pub use guests::GuestCard;
pub use parcel::{Label, LabelSize, Slip};
pub use preflight::{Finding, FindingCode, FoundCopy, Making, Seen, Severity};
pub use print::{
    Breach, Original, Originals, OutputCondition, Part, PrintReport, PrintStandard, RULES, Rule, breaches,
};
pub use reading::{PictureFormat, ReadingPicture};
pub use screen::{Dress, Grounds, LAYER_MARGIN_MM, Look, PageRef, Proxies, Role, Stroke};
pub use share::{Poster, ShareCover};
pub use statement::Statement;
pub use themes::{Theme, themes};
pub use ticket::{Ticket, TicketSection};

/// The press. It costs nothing to make and to clone; fonts are parsed once, when they are first needed.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Press {
    standard: PrintStandard,
    condition: Option<&'static OutputCondition>,
}

/// Offset on coated paper.
static COATED: LazyLock<OutputCondition> = LazyLock::new(OutputCondition::default);

impl Press {
    /// A press whose print files are PDF/X-4.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives back what is kept for the next page and the next photo, some 200 MB, unless there was one since this was last
    /// called. The next one takes a moment longer.
    pub fn rest(&self) {
        world::rest();
        photo::rest();
    }

    /// A press whose print files follow a standard.
    pub fn following(standard: PrintStandard) -> Self {
        Self { standard, ..Self::default() }
    }

    /// The same for a certain shop's press.
    #[must_use]
    pub fn printed_on(self, condition: &'static OutputCondition) -> Self {
        Self { condition: Some(condition), ..self }
    }

    /// The shop's press; offset on coated paper where nothing is said.
    pub fn condition(&self) -> &'static OutputCondition {
        self.condition.unwrap_or(&COATED)
    }

    /// What its print files follow.
    pub fn standard(&self) -> PrintStandard {
        self.standard
    }

    /// The key of how it prints: another one where the same document would become another file.
    pub fn printing_key(&self) -> [u8; 32] {
        let mut hasher = Sha256::new_with_prefix(print::REVISION);
        hasher.update(self.standard.name());
        self.condition().add_to(&mut hasher);
        hasher.finalize().into()
    }

    /// A picture of one trimmed page, WebP, `width_px` pixels wide (16 to 4096). Only that page is typeset.
    ///
    /// # Errors
    /// The document is impossible, its theme or the page does not exist.
    pub fn page_picture(
        &self,
        document: &Document,
        page: PageRef,
        proxies: &dyn Proxies,
        width_px: u32,
    ) -> Result<Vec<u8>, PressError> {
        screen::page_picture(document, page, proxies, width_px)
    }

    /// A picture of one element by itself with transparency, WebP, as fine as a picture of its page that is `page_width`
    /// pixels wide; nothing where there is no such element. It stands upright, and the picture reaches
    /// [`LAYER_MARGIN_MM`] past its frame; of a text a page's height more below, for what does not fit.
    ///
    /// # Errors
    /// The document is impossible, or its theme does not exist.
    pub fn element_picture(
        &self,
        document: &Document,
        element: &ElementId,
        proxies: &dyn Proxies,
        page_width: u32,
    ) -> Result<Option<Vec<u8>>, PressError> {
        screen::element_picture(document, element, proxies, page_width)
    }

    /// The lines of a text as they are set, in mm on its page, as if it stood upright; nothing where there is no such
    /// element.
    ///
    /// # Errors
    /// The document is impossible, or its theme does not exist.
    pub fn element_lines(
        &self,
        document: &Document,
        element: &ElementId,
    ) -> Result<Option<Vec<Line>>, PressError> {
        screen::element_lines(document, element)
    }

    /// What the themes look like, for drafts that others draw.
    ///
    /// # Errors
    /// A fault in a theme.
    pub fn looks(&self) -> Result<Vec<Look>, PressError> {
        screen::looks()
    }

    /// Pictures of one trimmed page for readers, one for each of `widths` (16 to 4096 pixels), in their order: each in the
    /// format that shows the page in the fewest bytes. What a width gives does not depend on the others.
    ///
    /// # Errors
    /// The document is impossible, its theme or the page does not exist.
    pub fn reading_pictures(
        &self,
        document: &Document,
        page: PageRef,
        proxies: &dyn Proxies,
        widths: &[u32],
    ) -> Result<Vec<ReadingPicture>, PressError> {
        reading::pictures(document, page, proxies, widths)
    }

    /// The words of one page in reading order, with the place of each line on the trimmed page. Those of a PDF's page that it
    /// shows are not among them: [`pdf::text`] reads them, and [`domain::reading::SheetText::placed`] puts them where they
    /// stand.
    ///
    /// # Errors
    /// The document is impossible, its theme or the page does not exist.
    pub fn reading_text(&self, document: &Document, page: PageRef) -> Result<PageText, PressError> {
        reading::page_text(document, page)
    }

    /// What a messenger shows beside a link: 1200 × 630 pixels, JPEG.
    ///
    /// # Errors
    /// The cover can't be drawn or read.
    pub fn share_card(&self, cover: ShareCover, title: &str, author: &str) -> Result<Vec<u8>, PressError> {
        share::card(cover, title, author)
    }

    /// The small picture that weixin shows: 300 × 300 pixels, JPEG, at most 20 KB.
    ///
    /// # Errors
    /// The cover can't be drawn or read.
    pub fn share_icon(&self, cover: ShareCover) -> Result<Vec<u8>, PressError> {
        share::icon(cover)
    }

    /// A poster to save and to send: 1080 × 1920 pixels, JPEG.
    ///
    /// # Errors
    /// The cover can't be drawn or read; the address is too long for a QR code.
    pub fn share_poster(&self, cover: ShareCover, poster: &Poster) -> Result<Vec<u8>, PressError> {
        share::poster(cover, poster)
    }

    /// The card of a gift as a PDF, half a sheet of A4 with its code.
    ///
    /// # Errors
    /// The address makes no QR code.
    pub fn gift_card(&self, card: &GiftCard) -> Result<Vec<u8>, PressError> {
        gift::pdf(card)
    }

    /// A card for a table as a PDF, A6, whose code leads guests to where they send their photos.
    ///
    /// # Errors
    /// The address makes no QR code.
    pub fn guest_card(&self, card: &GuestCard) -> Result<Vec<u8>, PressError> {
        guests::pdf(card)
    }

    /// A business card for the print shop, as a PDF: front and back, 90 × 54 mm, with 3 mm of bleed.
    ///
    /// # Errors
    /// Its look does not exist; its picture can't be read; the address is too long for a QR code.
    pub fn business_card(&self, card: &BusinessCard) -> Result<Vec<u8>, PressError> {
        card::pdf(card)
    }

    /// A face as a JPEG, which every phone reads.
    ///
    /// # Errors
    /// The picture can't be read.
    pub fn face(&self, picture: &[u8]) -> Result<Vec<u8>, PressError> {
        card::face(picture)
    }

    /// A PDF to look at before ordering: the cover and all pages, small photos, with the bleed, a line where the knife goes,
    /// and a dashed one around the safe area. With the sheet of its cover, that is shown whole, with its folds and its
    /// turn-in; else its front alone.
    ///
    /// # Errors
    /// The document is impossible, or its theme does not exist.
    pub fn proof_pdf(
        &self,
        document: &Document,
        cover: Option<&CoverSheet>,
        proxies: &dyn Proxies,
    ) -> Result<Vec<u8>, PressError> {
        proof::proof(document, cover, proxies)
    }

    /// A picture of the open cover from outside, WebP, `width_px` pixels wide: back, spine, front and what is around them,
    /// with lines where it is cut, folded and safe.
    ///
    /// # Errors
    /// The document is impossible, or its theme does not exist.
    pub fn cover_picture(
        &self,
        document: &Document,
        cover: &CoverSheet,
        proxies: &dyn Proxies,
        width_px: u32,
    ) -> Result<Vec<u8>, PressError> {
        cover::picture(document, cover, proxies, width_px.clamp(screen::MIN_WIDTH, screen::MAX_WIDTH))
    }

    /// A picture of the spine and the front of a finished book, side by side, WebP, about `width_px` pixels wide
    /// ([`CoverSheet::standing_mm`]); of leaves the front alone.
    ///
    /// # Errors
    /// The document is impossible, or its theme does not exist.
    pub fn standing_picture(
        &self,
        document: &Document,
        cover: &CoverSheet,
        proxies: &dyn Proxies,
        width_px: u32,
    ) -> Result<Vec<u8>, PressError> {
        cover::standing(document, cover, proxies, width_px.clamp(screen::MIN_WIDTH, screen::MAX_WIDTH))
    }

    /// A picture of a finished book's front, WebP, about `width_px` pixels wide: foil is gold, varnish gleams, what is raised
    /// has light and shadow, and cloth is cloth.
    ///
    /// # Errors
    /// The document is impossible, or its theme does not exist.
    pub fn front_picture(
        &self,
        document: &Document,
        cover: &CoverSheet,
        proxies: &dyn Proxies,
        width_px: u32,
    ) -> Result<Vec<u8>, PressError> {
        cover::front(document, cover, proxies, width_px.clamp(screen::MIN_WIDTH, screen::MAX_WIDTH))
    }

    /// The same of its back; of leaves, which have none, the front.
    ///
    /// # Errors
    /// The document is impossible, or its theme does not exist.
    pub fn back_picture(
        &self,
        document: &Document,
        cover: &CoverSheet,
        proxies: &dyn Proxies,
        width_px: u32,
    ) -> Result<Vec<u8>, PressError> {
        cover::back(document, cover, proxies, width_px.clamp(screen::MIN_WIDTH, screen::MAX_WIDTH))
    }

    /// Job tickets as one PDF that a human reads, each from a page of its own on.
    ///
    /// # Errors
    /// Their words can't be typeset, or a picture is none.
    pub fn tickets_pdf(&self, tickets: &[Ticket]) -> Result<Vec<u8>, PressError> {
        ticket::pdf(tickets)
    }

    /// Labels of parcels as one PDF, a page each.
    ///
    /// # Errors
    /// Their words can't be typeset.
    pub fn labels_pdf(&self, labels: &[Label], size: LabelSize) -> Result<Vec<u8>, PressError> {
        parcel::labels(labels, size)
    }

    /// Packing slips as one PDF, each from a page of its own on.
    ///
    /// # Errors
    /// Their words can't be typeset.
    pub fn slips_pdf(&self, slips: &[Slip]) -> Result<Vec<u8>, PressError> {
        parcel::slips(slips)
    }

    /// A month's statement as a PDF.
    ///
    /// # Errors
    /// Its words can't be typeset.
    pub fn statement_pdf(&self, statement: &Statement) -> Result<Vec<u8>, PressError> {
        statement::pdf(statement)
    }

    /// A PDF to read on a screen: the cover's front and all pages as they are after the knife, photos fine enough for a
    /// large screen.
    ///
    /// # Errors
    /// The document is impossible, or its theme does not exist.
    pub fn reading_pdf(&self, document: &Document, proxies: &dyn Proxies) -> Result<Vec<u8>, PressError> {
        proof::book(document, proxies)
    }

    /// Writes one of a book's print files, as PDF/X-4 with the original photos. `made_at` is the date the file carries,
    /// in milliseconds since 1970.
    ///
    /// # Errors
    /// [`PressError::MissingOriginals`] before anything is written; a photo that cannot be read or a full disk
    /// in the middle of it.
    pub fn print(
        &self,
        document: &Document,
        part: Part,
        originals: &dyn Originals,
        made_at: i64,
        out: &mut dyn Write,
    ) -> Result<PrintReport, PressError> {
        let condition = self.condition();
        print::print(self.standard, condition, document, part, originals, made_at, out)
    }

    /// What is to be known of a PDF that a document shows: of the file, and of what stands on its pages where they are shown.
    /// `undrawable` of them could not be drawn.
    pub fn pdf_findings(
        &self,
        document: &Document,
        file: &FileDigest,
        facts: &pdf::PdfFacts,
        undrawable: u32,
    ) -> Vec<Finding> {
        let condition = self.condition();
        let mut findings = facts.findings(undrawable, &condition.spots);
        if self.standard == PrintStandard::X1a && !facts.is_plain && !facts.is_coarse {
            findings.push(Finding {
                page: None,
                element: None,
                severity: Severity::Note,
                code: FindingCode::DrawnPages,
                message: "PDF 的页面会按 400 dpi 印成图：印厂要的标准 PDF/X-1a 不接受原样的页面。".to_owned(),
                copies: Vec::new(),
            });
        }
        findings.extend(preflight::inside(document, file, facts, condition.total_ink));
        findings
    }

    /// What of [`Self::preflight`] concerns what is put on the cover besides ink: for whoever chooses it, and no slower for a
    /// thick book.
    ///
    /// # Errors
    /// The cover cannot be typeset.
    pub fn artwork_findings(&self, document: &Document, making: Making) -> Result<Vec<Finding>, PressError> {
        preflight::of_artwork(document, making)
    }

    /// What a member or the print shop should look at before printing: the whole book, then the pages in their order,
    /// the cover first. Without goods and choice, the rules of the binding are left out.
    /// `seen` is what is known of a photo's picture.
    ///
    /// It is asked now and then whether anybody still waits for the answer.
    ///
    /// # Errors
    /// The document cannot be typeset at all; [`PressError::Abandoned`] when nobody waits any more.
    pub fn preflight(
        &self,
        document: &Document,
        making: Option<Making>,
        describe: &dyn Fn(&PhotoId) -> Option<Original>,
        seen: &dyn Fn(&PhotoId) -> Seen,
        is_awaited: &dyn Fn() -> bool,
    ) -> Result<Vec<Finding>, PressError> {
        preflight::preflight(document, making, describe, seen, is_awaited)
    }
}

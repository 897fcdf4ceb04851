//! What preflight says: which rule, how much it matters, where, and in which copies.

use domain::ids::YearBookPersonId;
use serde::{Deserialize, Serialize};

use crate::screen::PageRef;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// The print may disappoint.
    Warning,
    /// The print will disappoint, or cannot be made.
    Serious,
}

/// What was found: the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingCode {
    /// A photo prints coarser than one could wish ([`domain::resolution`]).
    LowResolution,
    /// A photo prints visibly coarse.
    VeryLowResolution,
    /// A photo's original is not there yet.
    MissingOriginal,
    /// A photo's pixels can't be decoded.
    DamagedPhoto,
    /// A photo ends at the trim and does not reach into the bleed.
    ShortBleed,
    /// A photo ends less than 3 mm inside the trim: the knife's tolerance makes the white border uneven.
    NarrowMargin,
    /// A photo is shown wider or higher than it is.
    Stretched,
    /// Less than a quarter of a photo is shown.
    HeavyCrop,
    /// A photo that is blurred itself is shown large.
    BlurredPhoto,
    /// A frame's edge or the knife runs through a face.
    CutFace,
    /// A face lies in the fold.
    FaceInFold,
    /// A photo is under 15 mm wide or high.
    TinyPhoto,
    /// A photo lies wholly under another one.
    HiddenPhoto,
    /// A photo is there twice on what one sees at once.
    RepeatedPhoto,
    /// Something lies wholly outside the page.
    OutsidePage,
    /// None of the pages that a copy has of its own shows a photo.
    MissingPortrait,
    /// A text is longer than its frame.
    TextOverflow,
    /// A text frame without text, or how many pages have such.
    EmptyFrame,
    /// A text comes closer than 5 mm to the trim.
    OutsideSafeArea,
    /// A text comes so close to the spine that it disappears in the fold.
    NearFold,
    /// A text has characters that no font of the press has.
    MissingGlyph,
    /// Two texts lie on each other.
    OverlappingTexts,
    /// A photo lies on a text.
    HiddenText,
    /// A text stands on a photo.
    TextOnPhoto,
    /// A text's colour is close to its page's.
    LowContrast,
    /// A text under 5 pt.
    TinyText,
    /// The squares of a QR code are printed too small to be told apart.
    TinyCode,
    /// Something lies on a QR code, or the knife runs through it.
    CoveredCode,
    /// A line under 0.25 pt: a plate may not hold it.
    Hairline,
    /// A colour asks for more ink than the press can lay.
    TooMuchInk,
    /// White that overprints, and so is not there in print.
    LostWhite,
    /// An inner page on which nothing is printed.
    BlankPage,
    /// How many inner pages nothing is printed on.
    BlankPages,
    /// Empty pages at the end of a book of ready pages.
    BlankEnd,
    /// Pages of a PDF have another size or shape than the book.
    ScaledPage,
    /// Pages of a PDF whose pictures and colours end at the trim.
    PdfWithoutBleed,
    /// A PDF uses fonts that it does not hold.
    LooseFont,
    /// A PDF has layers that can be switched off.
    Layers,
    /// A PDF has notes, stamps or fields, which are not printed.
    Annotations,
    /// A PDF's maker forbids some of what is done with other ones.
    Permissions,
    /// Pages of a PDF are printed as pictures of what is seen.
    DrawnPages,
    /// Pages of a PDF have colours that would be a plate of their own.
    SpotColour,
    /// Pages of a PDF have more on them than is looked at.
    PartlyChecked,
    /// Pages of a PDF could not be drawn for the screen.
    UndrawablePage,
    /// A cover with neither photo nor text.
    BlankCover,
    /// The title does not stand on the cover.
    UntitledCover,
    /// The book's page is not the goods' page.
    WrongSize,
    /// What was chosen can't be made with this number of pages, or not together.
    UnfitChoice,
    /// There is nothing on the cover for the plate of what is put on besides ink.
    NoArtwork,
    /// Words are too small for the plate that they stand on, or have lines or gaps that it does not hold.
    FineArtwork,
    /// An ornament comes too near to words.
    CrowdedArtwork,
    /// A cover of cloth with nothing on it.
    BareCloth,
    /// The spine is too narrow for words.
    NarrowSpine,
    /// The title is too long to be read on the spine.
    LongSpineTitle,
}

/// Something to look at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The page it is on: `"cover"` or `{"inner": 0}`; null where it is the whole book.
    pub page: Option<PageRef>,
    /// Which of the page's elements, counted from 0, the lowest first; null where it is the whole page.
    pub element: Option<usize>,
    pub severity: Severity,
    pub code: FindingCode,
    /// One plain Chinese sentence for the member.
    pub message: String,
    /// The copies of a run that it concerns, in whose own pages or names it is; it has neither page nor element then. None where it
    /// is in what all copies have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<FoundCopy>,
}

/// A copy of a run in which something was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundCopy {
    /// Its place in the run, from 1.
    pub number: usize,
    pub name: String,
    /// Who it is for, where a year book says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<YearBookPersonId>,
}

impl Finding {
    /// Whether the member is to decide before it pays, as the print will disappoint. What can't be printed at all is no decision.
    pub fn is_to_be_decided(&self) -> bool {
        match self.code {
            FindingCode::MissingOriginal | FindingCode::DamagedPhoto => false,
            _ => self.severity == Severity::Serious,
        }
    }
}

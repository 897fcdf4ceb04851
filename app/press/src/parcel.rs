//! What goes with a parcel: the label on it and the packing slip in it.

use code128::Code128;
use serde::Serialize;
use typst_pdf::PdfStandards;

use crate::code::{self, Rows};
use crate::error::PressError;
use crate::themes::{LABEL, SLIP};
use crate::world::{compile, write_pdf};

/// How large a label is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelSize {
    /// 105 × 148 mm: half of a sheet of A5, for an office's printer.
    A6,
    /// 100 × 150 mm: the roll of carriers' thermal printers.
    Roll,
}

impl LabelSize {
    pub const ALL: [Self; 2] = [Self::Roll, Self::A6];

    /// As addresses name it.
    pub fn code(self) -> &'static str {
        match self {
            Self::A6 => "a6",
            Self::Roll => "100x150",
        }
    }

    /// As people do.
    pub fn name(self) -> &'static str {
        match self {
            Self::A6 => "A6",
            Self::Roll => "100 × 150",
        }
    }

    /// Width and height in mm.
    pub fn mm(self) -> (f64, f64) {
        match self {
            Self::A6 => (105.0, 148.0),
            Self::Roll => (100.0, 150.0),
        }
    }
}

/// What a label says.
#[derive(Debug, Clone, Serialize)]
pub struct Label {
    /// The order's number.
    pub order: String,
    /// What its QR code says.
    pub code: String,
    pub receiver: String,
    pub phone: String,
    /// Province and city, large: how carriers sort.
    pub region: String,
    pub address: String,
    /// Who sends, a line each; may be nothing.
    pub sender: Vec<String>,
    /// Which of the order's parcels it is, in words.
    pub parcel: String,
    pub carrier: String,
    /// The number of the waybill; empty before there is one.
    pub tracking: String,
    /// What is in it, a line each.
    pub contents: Vec<String>,
}

/// What a packing slip says.
#[derive(Debug, Clone, Serialize)]
pub struct Slip {
    pub title: String,
    /// What its QR code says.
    pub code: String,
    /// Labels and values.
    pub head: Vec<(String, String)>,
    /// What is in the parcel: a title, what it is, how many copies.
    pub rows: Vec<(String, String, String)>,
    /// Sentences.
    pub notes: Vec<String>,
}

/// The dark bars of a code for scanners of one line, in modules.
#[derive(Serialize)]
struct Bars {
    /// All of it, with the quiet zones.
    width: usize,
    /// Where each begins and how wide it is.
    bars: Vec<(u32, u8)>,
}

/// The code of a number. (ISO/IEC 15417) None of a text that no scanner would type.
fn bars(text: &str) -> Option<Bars> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let code = Code128::encode(text.as_bytes());
    let bars = code.bar_coordinates().map(|bar| (bar.x, bar.width)).collect();
    Some(Bars { width: code.len(), bars })
}

#[derive(Serialize)]
struct Labels<'a> {
    width: f64,
    height: f64,
    labels: Vec<Printed<'a>>,
}

#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    label: &'a Label,
    rows: Rows,
    bars: Option<Bars>,
}

impl<'a> Printed<'a> {
    fn of(label: &'a Label) -> Result<Self, PressError> {
        Ok(Self { label, rows: code::rows(&label.code)?, bars: bars(&label.tracking) })
    }
}

pub(crate) fn labels(labels: &[Label], size: LabelSize) -> Result<Vec<u8>, PressError> {
    let labels = labels.iter().map(Printed::of).collect::<Result<_, _>>()?;
    let (width, height) = size.mm();
    let document = Labels { width, height, labels };
    write_pdf(&compile(LABEL, &document, Vec::new())?, PdfStandards::default())
}

#[derive(Serialize)]
struct Sheet<'a> {
    #[serde(flatten)]
    slip: &'a Slip,
    code_rows: Rows,
}

impl<'a> Sheet<'a> {
    fn of(slip: &'a Slip) -> Result<Self, PressError> {
        Ok(Self { slip, code_rows: code::rows(&slip.code)? })
    }
}

pub(crate) fn slips(slips: &[Slip]) -> Result<Vec<u8>, PressError> {
    let sheets = slips.iter().map(Sheet::of).collect::<Result<Vec<_>, _>>()?;
    write_pdf(&compile(SLIP, &sheets, Vec::new())?, PdfStandards::default())
}

//! What print files follow: of goods, of whoever prints them, and of the house. Who says more of what is printed goes before.
//!
//! Goods say it in their files (`supplier`, `[print]`), suppliers in the file of `BINDERY_SUPPLIERS`.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A standard for print files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PrintStandard {
    /// PDF/X-4 (ISO 15930-7): photos as they were taken, each with its colour profile, of which the shop's own software makes
    /// inks; black words and greys are black ink already.
    #[default]
    #[serde(rename = "pdfx-4")]
    X4,
    /// PDF/X-1a:2003 (ISO 15930-4), for shops that insist: everything is four inks already, nothing is transparent.
    #[serde(rename = "pdfx-1a")]
    X1a,
}

impl FromStr for PrintStandard {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "pdfx-4" => Ok(Self::X4),
            "pdfx-1a" => Ok(Self::X1a),
            _ => Err(format!("{name:?} is neither pdfx-4 nor pdfx-1a")),
        }
    }
}

impl PrintStandard {
    /// As files name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::X4 => "PDF/X-4",
            Self::X1a => "PDF/X-1a:2003",
        }
    }
}

/// What somebody says of print files; what is left out is said by whoever comes next ([`PrintSettings::over`]).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrintSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard: Option<PrintStandard>,
    /// The press's ICC profile, by its name in the file of suppliers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The most ink that the press lays in one place, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ink: Option<u32>,
    /// Spot colours that are printed with inks of their own, by their names in members' PDFs; others are said in the four inks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spots: Option<Vec<String>>,
}

/// What a press may lay in one place, in percent: newsprint takes less than 250, and four full inks are 400.
pub const TOTAL_INK: std::ops::RangeInclusive<u32> = 150..=400;
/// Printing units that a press has for spot colours: ten in all.
const MOST_SPOTS: usize = 6;
/// Plates that have a meaning already: those of the four inks, all of them, none (ISO 32000-1, 8.6.6.4), and the house's own.
const TAKEN: [&str; 10] =
    ["Cyan", "Magenta", "Yellow", "Black", "All", "None", "刀线", "烫金", "局部UV", "起鼓"];

impl PrintSettings {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// These, and what they leave out as `below` says it.
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        Self {
            standard: self.standard.or(below.standard),
            profile: self.profile.clone().or_else(|| below.profile.clone()),
            total_ink: self.total_ink.or(below.total_ink),
            spots: self.spots.clone().or_else(|| below.spots.clone()),
        }
    }

    /// What can't be so, in words for whoever keeps them.
    pub fn problem(&self) -> Option<String> {
        if self.profile.as_ref().is_some_and(|name| name.trim().is_empty()) {
            return Some("印刷设置的 profile 不能为空".to_owned());
        }
        // what another press lays must not be taken for what this one does
        if self.profile.is_some() && self.total_ink.is_none() {
            return Some("印刷设置写了 profile，也要写 total_ink（这台机器最多的总墨量，百分比）".to_owned());
        }
        if self.total_ink.is_some_and(|percent| !TOTAL_INK.contains(&percent)) {
            let (least, most) = (TOTAL_INK.start(), TOTAL_INK.end());
            return Some(format!("印刷设置的 total_ink 须为 {least} 到 {most}（百分比）"));
        }
        let spots = self.spots.as_deref().unwrap_or_default();
        if spots.len() > MOST_SPOTS {
            return Some(format!("印刷设置的 spots 至多 {MOST_SPOTS} 个专色"));
        }
        if spots.iter().any(|name| name.trim() != name || name.is_empty()) {
            return Some("印刷设置的 spots 里，专色名称不能为空，前后也不能有空格".to_owned());
        }
        let taken = spots.iter().enumerate().find(|(index, name)| {
            TAKEN.contains(&name.as_str()) || spots.iter().take(*index).any(|other| other == *name)
        });
        if let Some((_, name)) = taken {
            return Some(format!("印刷设置的 spots 里，“{name}”写了两次，或者本来就有这块版"));
        }
        // there pages of PDFs are printed as pictures
        if self.standard == Some(PrintStandard::X1a) && !spots.is_empty() {
            return Some(
                "印刷设置的 standard 是 pdfx-1a，PDF 的页面会印成四色图，不能另有 spots（专色）".to_owned(),
            );
        }
        None
    }
}

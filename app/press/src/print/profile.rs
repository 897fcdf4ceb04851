//! The colour profiles of print files.

use std::borrow::Cow;

use lopdf::{Dictionary, Object, Stream, dictionary, text_string};
use moxcms::{CmsError, ColorProfile, DataColorSpace, ProfileClass};
use photo::COATED;
use sha2::{Digest, Sha256};

use crate::print::inks::Inks;

/// The press that files are made for: what its inks mean, and what it can lay on paper.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputCondition {
    icc: Cow<'static, [u8]>,
    identifier: String,
    description: String,
    /// The most ink on one place: 3.2 is 320 %.
    pub total_ink: f64,
    /// Black words smaller than this print over what is under them, in pt; lines, from a tenth of it.
    pub overprint_below_pt: f64,
    /// Spot colours that are printed as such, by their names; others are said in the four inks.
    pub spots: Vec<String>,
}

/// What a press is called that stands in no registry.
const CUSTOM: &str = "Custom";
/// What a sheet-fed press lays on coated paper without setting off (ISO 12647-2); the profile of this crate was made with it.
const TOTAL_INK: f64 = 3.2;
/// Larger letters would show what is under them.
const OVERPRINT_BELOW_PT: f64 = 24.0;

impl Default for OutputCondition {
    /// Offset on coated paper, as Chinese and European shops print most.
    fn default() -> Self {
        Self {
            icc: Cow::Borrowed(COATED),
            identifier: "FOGRA39".to_owned(),
            description: "Offset, ISO 12647-2:2004/Amd 1, coated paper".to_owned(),
            total_ink: TOTAL_INK,
            overprint_below_pt: OVERPRINT_BELOW_PT,
            spots: Vec::new(),
        }
    }
}

impl OutputCondition {
    /// A press by its ICC profile.
    ///
    /// # Errors
    /// It is no output profile of four inks.
    pub fn of_profile(icc: Vec<u8>) -> Result<Self, String> {
        let profile =
            ColorProfile::new_from_slice(&icc).map_err(|error| format!("no ICC profile: {error}"))?;
        if profile.profile_class != ProfileClass::OutputDevice || profile.color_space != DataColorSpace::Cmyk
        {
            return Err("no output profile of four inks (CMYK)".to_owned());
        }
        let known = Self { icc: Cow::Owned(icc), ..Self::default() };
        // without a table from colours to inks nothing can be separated
        Inks::new(&known).map_err(|error| format!("an ICC profile that mixes no inks: {error}"))?;
        let description = description_of(&known.icc).unwrap_or_else(|| "the shop's own profile".to_owned());
        Ok(Self { identifier: CUSTOM.to_owned(), description, ..known })
    }

    /// What it is called: the registry's name, or what its profile says of itself.
    pub fn name(&self) -> &str {
        if self.identifier == CUSTOM { &self.description } else { &self.identifier }
    }

    /// The same press with the same profile, which stays where it is.
    #[must_use]
    pub fn sharing_profile(&'static self) -> Self {
        Self {
            icc: Cow::Borrowed(&self.icc),
            identifier: self.identifier.clone(),
            description: self.description.clone(),
            spots: self.spots.clone(),
            ..*self
        }
    }

    /// The profile of its inks: a file of the International Color Consortium (ICC.1).
    pub fn icc(&self) -> &[u8] {
        &self.icc
    }

    /// All that it says, for a key of what is printed for it.
    pub(crate) fn add_to(&self, hasher: &mut Sha256) {
        let Self { icc, identifier, description, total_ink, overprint_below_pt, spots } = self;
        let named: [&[u8]; 3] = [icc, identifier.as_bytes(), description.as_bytes()];
        for part in named.into_iter().chain(spots.iter().map(String::as_bytes)) {
            hasher.update(part.len().to_be_bytes());
            hasher.update(part);
        }
        for number in [total_ink, overprint_below_pt] {
            hasher.update(number.to_be_bytes());
        }
    }

    /// Its profile as an object.
    pub(super) fn profile(&self) -> Stream {
        Stream::new(dictionary! { "N" => 4, "Alternate" => "DeviceCMYK" }, self.icc.to_vec())
    }

    /// The output intent of a file, with its profile as an object. Only what stands in the ICC's registry names it.
    /// (ISO 32000-1, table 365)
    pub(super) fn output_intent(&self, profile: Object) -> Dictionary {
        let mut intent = dictionary! {
            "Type" => "OutputIntent",
            "S" => "GTS_PDFX",
            "OutputConditionIdentifier" => text_string(&self.identifier),
            "OutputCondition" => text_string(&self.description),
            "Info" => text_string(&self.description),
            "DestOutputProfile" => profile,
        };
        if self.identifier != CUSTOM {
            intent.set("RegistryName", Object::string_literal("http://www.color.org"));
        }
        intent
    }
}

/// What a profile calls itself, in ASCII. (ICC.1:2010, 9.2.41; ICC.1:2001-04, 6.5.17)
fn description_of(icc: &[u8]) -> Option<String> {
    let number = |at: usize| -> Option<usize> {
        let bytes = icc.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_be_bytes(bytes) as usize)
    };
    let mut entries = (0..number(128)?.min(200)).map(|index| 132 + 12 * index);
    let entry = entries.find(|at| icc.get(*at..at + 4).is_some_and(|name| name == b"desc"))?;
    let (at, size) = (number(entry + 4)?, number(entry + 8)?);
    let tag = icc.get(at..at.checked_add(size)?)?;
    let text: String = if tag.starts_with(b"desc") {
        let length = u32::from_be_bytes(tag.get(8..12)?.try_into().ok()?) as usize;
        String::from_utf8_lossy(tag.get(12..12 + length)?).into_owned()
    } else {
        // a text in languages, two bytes a character; the first will do
        let (length, from) = (tag.get(20..24)?, tag.get(24..28)?);
        let length = u32::from_be_bytes(length.try_into().ok()?) as usize;
        let from = u32::from_be_bytes(from.try_into().ok()?) as usize;
        let units = tag.get(from..from.checked_add(length)?)?.chunks_exact(2);
        String::from_utf16_lossy(
            &units.map(|unit| u16::from_be_bytes([unit[0], unit[1]])).collect::<Vec<_>>(),
        )
    };
    let text: String = text.chars().filter(|c| !c.is_control()).take(120).collect();
    Some(text).filter(|text| !text.trim().is_empty())
}

/// The profile of numbers that say nothing of what they mean: sRGB.
pub(super) fn srgb_profile() -> Result<Stream, CmsError> {
    rgb_stream(&ColorProfile::new_srgb())
}

/// The newest version of profiles that PDF/X-4 takes: ICC.1:2004-10, which ISO 15930-7 names as ISO 15076-1:2005.
const NEWEST: [u8; 2] = [4, 0x20];

/// Whether these bytes are a profile of a version that PDF/X does not know. (ICC.1:2010, 7.2.4 and 7.2.9)
pub(crate) fn is_too_new(icc: &[u8]) -> bool {
    icc.get(36..40) == Some(b"acsp".as_slice()) && icc.get(8..10).is_some_and(|version| version > &NEWEST[..])
}

/// Says of a profile of a later version 4 that it is one of 4.2. What came since are tags that a reader of 4.2 passes over,
/// so its colours stay what they were; its fingerprint is no longer true, and is taken out. (ICC.1:2010, 7.2.18)
pub(crate) fn lower_version(icc: &mut [u8]) -> bool {
    let lowers = is_too_new(icc) && icc.get(8) == Some(&NEWEST[0]);
    if lowers {
        if let Some(version) = icc.get_mut(8..12) {
            version.copy_from_slice(&[NEWEST[0], NEWEST[1], 0, 0]);
        }
        if let Some(fingerprint) = icc.get_mut(84..100) {
            fingerprint.fill(0);
        }
    }
    lowers
}

fn rgb_stream(profile: &ColorProfile) -> Result<Stream, CmsError> {
    let mut icc = profile.encode()?;
    lower_version(&mut icc);
    // Bytes 24 to 35 are the date of making (ICC.1:2010, 7.2.8), which would differ from run to run.
    if let Some(date) = icc.get_mut(24..36) {
        date.copy_from_slice(&[0x07, 0xe8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
    }
    Ok(Stream::new(dictionary! { "N" => 3, "Alternate" => "DeviceRGB" }, icc))
}

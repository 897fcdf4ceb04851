//! What a colour of somebody's PDF means for paper: whether it is paper's white, and how much ink it asks for.

use hayro_syntax::object::stream::ImageDecodeParams;
use hayro_syntax::object::{Array, Name, Number, Object, Stream};
use hayro_syntax::page::Resources;

/// A component that differs less says the same.
const NEAR: f64 = 0.005;
/// One pixel in so many may have more ink than is said of a picture: they are noise.
const NOISE: usize = 1_000;

/// What the numbers of a colour are (ISO 32000-1, 8.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Grey,
    /// Red, green and blue.
    Light,
    /// The press's four inks.
    Inks,
    /// Four inks with a profile.
    ProfiledInks,
    /// Inks with names of their own.
    Spots,
    /// Every ink at once: marks.
    All,
    /// Patterns, indices, Lab.
    Other,
}

/// A colour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tone {
    pub space: Space,
    /// 3.2 is 320 %; 0 where nobody says.
    pub ink: f64,
    pub is_white: bool,
}

impl Tone {
    pub const BLACK: Self = Self { space: Space::Grey, ink: 0.0, is_white: false };
    pub const UNKNOWN: Self = Self { space: Space::Other, ink: 0.0, is_white: false };

    pub fn of(space: Space, parts: &[f64]) -> Self {
        let sum: f64 = parts.iter().map(|part| part.clamp(0.0, 1.0)).sum();
        let ink = match space {
            Space::Inks | Space::ProfiledInks => sum,
            Space::All => 4.0 * sum,
            Space::Grey | Space::Light | Space::Spots | Space::Other => 0.0,
        };
        let is_white = !parts.is_empty()
            && match space {
                Space::Grey | Space::Light => parts.iter().all(|part| *part > 1.0 - NEAR),
                Space::Inks | Space::ProfiledInks | Space::Spots | Space::All => sum < NEAR,
                Space::Other => false,
            };
        Self { space, ink, is_white }
    }

    /// The colour that a space begins with: black, or all of a spot colour (ISO 32000-1, 8.6.5.1).
    pub fn first(space: Space) -> Self {
        match space {
            Space::Inks | Space::ProfiledInks => Self::of(space, &[0.0, 0.0, 0.0, 1.0]),
            Space::All => Self::of(space, &[1.0]),
            Space::Grey | Space::Light | Space::Spots | Space::Other => Self { space, ..Self::BLACK },
        }
    }

    /// Another colour of the same space.
    pub fn with(self, parts: &[Number]) -> Self {
        let parts: Vec<f64> = parts.iter().map(Number::as_f64).collect();
        Self::of(self.space, &parts)
    }
}

/// The space that a name stands for where these resources are.
pub(super) fn space_of(name: &Name, resources: &Resources) -> Space {
    match resources.get_color_space(name) {
        Some(it) => described(&it),
        None => device(name).unwrap_or(Space::Other),
    }
}

fn device(name: &Name) -> Option<Space> {
    match name.as_ref() {
        b"DeviceGray" | b"G" | b"CalGray" => Some(Space::Grey),
        b"DeviceRGB" | b"RGB" | b"CalRGB" => Some(Space::Light),
        b"DeviceCMYK" | b"CMYK" => Some(Space::Inks),
        _ => None,
    }
}

fn described(space: &Object) -> Space {
    let parts = match space {
        Object::Name(name) => return device(name).unwrap_or(Space::Other),
        Object::Array(parts) => parts,
        _ => return Space::Other,
    };
    let mut parts = parts.flex_iter();
    let Some(kind) = parts.next::<Name>() else { return Space::Other };
    match kind.as_ref() {
        b"ICCBased" => match parts.next::<Stream>().and_then(|it| it.dict().get::<u32>("N")) {
            Some(1) => Space::Grey,
            Some(3) => Space::Light,
            Some(4) => Space::ProfiledInks,
            _ => Space::Other,
        },
        b"Separation" if parts.next::<Name>().is_some_and(|name| name.as_ref() == b"All") => Space::All,
        b"Separation" | b"DeviceN" => Space::Spots,
        _ => device(&kind).unwrap_or(Space::Other),
    }
}

/// The most ink of a picture whose pixels are inks; nothing of others.
pub(super) fn most_ink(image: &Stream, resources: &Resources, (width, height): (u32, u32)) -> Option<f32> {
    let dict = image.dict();
    let space = dict.get::<Object>("ColorSpace").or_else(|| dict.get::<Object>("CS"))?;
    let space = match &space {
        Object::Name(name) => space_of(name, resources),
        other => described(other),
    };
    let bits = dict.get::<u8>("BitsPerComponent").or_else(|| dict.get::<u8>("BPC"))?;
    // other filters are of other pictures, or could be made to take long
    let filters: Vec<Name> = match dict.get::<Object>("Filter").or_else(|| dict.get::<Object>("F")) {
        Some(Object::Name(name)) => vec![name],
        Some(Object::Array(names)) => names.iter::<Name>().collect(),
        _ => Vec::new(),
    };
    let is_plain = |name: &Name| matches!(name.as_ref(), b"FlateDecode" | b"Fl" | b"DCTDecode" | b"DCT");
    if !matches!(space, Space::Inks | Space::ProfiledInks) || bits != 8 || !filters.iter().all(is_plain) {
        return None;
    }
    let how = ImageDecodeParams {
        bpc: Some(8),
        num_components: Some(4),
        width,
        height,
        ..ImageDecodeParams::default()
    };
    let decoded = image.decoded_image(&how).ok()?;
    let is_inverted = dict.get::<Array>("Decode").or_else(|| dict.get::<Array>("D"));
    let is_inverted = is_inverted.and_then(|it| it.iter::<f32>().next()).is_some_and(|first| first > 0.5);
    // how many pixels have so much ink, in parts of 255
    let mut counted = [0_usize; 4 * 255 + 1];
    let pixels = decoded.data.chunks_exact(4);
    let allowed = pixels.len() / NOISE;
    for pixel in pixels {
        let sum: usize = pixel.iter().map(|part| usize::from(*part)).sum();
        counted[if is_inverted { 4 * 255 - sum } else { sum }] += 1;
    }
    let mut above = 0;
    for (sum, count) in counted.iter().enumerate().rev() {
        above += count;
        if above > allowed {
            return Some(sum as f32 / 255.0);
        }
    }
    None
}

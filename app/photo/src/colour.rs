//! Colours: from whatever a photo's profile says to sRGB, which every screen understands.

use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::decode::{Channels, Pixels};

/// Sheet-fed offset on coated paper by ISO 12647-2. The profile was made from the characterization data FOGRA39L.
pub const COATED: &[u8] = include_bytes!("coated.icc");

/// [`to_srgb_with`] the inks of offset on coated paper: for what is no photo in inks.
pub fn to_srgb(pixels: Pixels) -> Pixels {
    to_srgb_with(pixels, COATED)
}

/// Pixels in sRGB, three bytes each. A profile that is damaged or belongs to other channels counts as none;
/// without a profile grey and RGB are taken for sRGB, and inks for those of the press that they are printed with, whose
/// profile is `inks`.
pub fn to_srgb_with(pixels: Pixels, inks: &[u8]) -> Pixels {
    let own = pixels.profile.as_deref().and_then(|profile| by_profile(&pixels, profile));
    let converted = own.or_else(|| match pixels.channels {
        Channels::Cmyk => by_profile(&pixels, inks),
        Channels::Grey | Channels::Rgb => None,
    });
    let data = converted.unwrap_or_else(|| match pixels.channels {
        Channels::Rgb => pixels.data,
        Channels::Grey => pixels.data.iter().flat_map(|&grey| [grey; 3]).collect(),
        // never so: a press's profile was read before it was taken for one
        Channels::Cmyk => vec![255; pixels.data.len() / 4 * 3],
    });
    Pixels { channels: Channels::Rgb, data, profile: None, ..pixels }
}

fn by_profile(pixels: &Pixels, profile: &[u8]) -> Option<Vec<u8>> {
    let profile = ColorProfile::new_from_slice(profile).ok()?;
    // Four channels of ink travel in the layout of four channels.
    let (space, layout, count) = match pixels.channels {
        Channels::Grey => (DataColorSpace::Gray, Layout::Gray, 1),
        Channels::Rgb => (DataColorSpace::Rgb, Layout::Rgb, 3),
        Channels::Cmyk => (DataColorSpace::Cmyk, Layout::Rgba, 4),
    };
    if profile.color_space != space {
        return None;
    }
    let srgb = ColorProfile::new_srgb();
    let transform =
        profile.create_transform_8bit(layout, &srgb, Layout::Rgb, TransformOptions::default()).ok()?;
    let mut converted = vec![0; pixels.data.len() / count * 3];
    transform.transform(&pixels.data, &mut converted).ok()?;
    Some(converted)
}

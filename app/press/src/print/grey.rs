//! Grey photos in black ink alone: as much of it as looks like the grey that the screen shows.
//!
//! Shops' programs take grey for so much black ink, others for light, and half as much ink is not half as dark: so the ink is
//! said.

use lopdf::{Object, StringFormat};
use photo::{Channels, Pixels, to_srgb};

use crate::error::PressError;
use crate::print::inks::Inks;
use crate::print::profile::OutputCondition;

/// Black ink alone is not the darkest that a press has: from so many times as light as it on greys are what they are on the
/// screen, and what is darker shares what is left.
const KNEE: f32 = 1.25;

/// How the greys of photos become black ink on a press.
pub(super) struct Blacks {
    /// What each amount of black ink looks like in sRGB, from none to full: it only gets darker.
    seen: [u8; 256],
    /// What the screen's greys are on the press, as far as black ink goes.
    meant: [u8; 256],
}

impl Blacks {
    /// # Errors
    /// The press's profile mixes no inks.
    pub fn of(condition: &OutputCondition) -> Result<Self, PressError> {
        let Inks { lifted, blacks, .. } = Inks::new(condition)?;
        // a profile may be noisy
        let mut darkest = 255;
        let seen = blacks.map(|seen| {
            darkest = seen.min(darkest);
            darkest
        });
        let (blackest, least) = (f32::from(darkest), f32::from(lifted[0]));
        let knee = KNEE * blackest;
        let meant = lifted.map(|grey| match f32::from(grey) {
            light if light >= knee => grey,
            dark => (blackest + (knee - blackest) * (dark - least) / (knee - least).max(1.0)).round() as u8,
        });
        Ok(Self { seen, meant })
    }

    /// The space of a photo's numbers: how much ink each of them is. (ISO 32000-1, 8.6.6.3)
    pub fn space(&self, profile: Option<&[u8]>) -> Object {
        let inks = self.table(profile).into_iter().flat_map(|black| [0, 0, 0, black]).collect();
        let table = Object::String(inks, StringFormat::Hexadecimal);
        Object::Array(vec!["Indexed".into(), "DeviceCMYK".into(), 255.into(), table])
    }

    /// The black ink of each number of a photo.
    fn table(&self, profile: Option<&[u8]>) -> Vec<u8> {
        let greys = Pixels {
            width: 256,
            height: 1,
            channels: Channels::Grey,
            data: (0..=255).collect(),
            profile: profile.map(<[u8]>::to_vec),
        };
        let shown = to_srgb(greys).data;
        let meant = |shown: u8| self.meant[usize::from(shown)];
        shown.chunks_exact(3).map(|grey| self.black_of(meant(grey[1]))).collect()
    }

    /// The amount of black ink that looks most like a grey of sRGB.
    fn black_of(&self, grey: u8) -> u8 {
        (0..=255).min_by_key(|black: &u8| self.seen[usize::from(*black)].abs_diff(grey)).unwrap_or(255)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_light_is_never_more_ink() {
        let table = Blacks::of(&OutputCondition::default()).unwrap().table(None);
        assert_eq!((table.len(), table[0], table[255]), (256, 255, 0));
        assert!(table.is_sorted_by(|darker, lighter| darker >= lighter));
        // sRGB's middle grey has 53.6 L*, which 60 to 65 % of black ink have (FOGRA39L)
        assert!((150..=168).contains(&table[128]), "{}", table[128]);
    }
}

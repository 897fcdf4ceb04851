//! Pictures that stand in a text.

use std::collections::BTreeMap;

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use photo::{Pixels, read_derivative, to_srgb};

/// What can't be told from the picture that came.
const QUALITY: u8 = 88;

/// The pictures that a text shows, each once, found by the addresses in it.
#[derive(Debug, Clone, Default)]
pub struct Pictures {
    all: Vec<Picture>,
    by_address: BTreeMap<String, usize>,
}

impl Pictures {
    /// Adds one that the text shows under these addresses.
    pub fn add(&mut self, addresses: impl IntoIterator<Item = String>, picture: Picture) {
        let index = self.all.len();
        self.all.push(picture);
        self.by_address.extend(addresses.into_iter().map(|address| (address, index)));
    }

    pub(crate) fn find(&self, address: &str) -> Option<usize> {
        self.by_address.get(address).copied()
    }

    pub(crate) fn all(&self) -> &[Picture] {
        &self.all
    }
}

/// A picture of a text, upright, as a JPEG in sRGB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub jpeg: Vec<u8>,
    /// In pixels.
    pub width: u32,
    pub height: u32,
}

impl Picture {
    /// Of a derivative of a photo; nothing where it can't be read.
    pub fn of_derivative(file: &[u8]) -> Option<Self> {
        let Pixels { width, height, data, .. } = to_srgb(read_derivative(file)?);
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, QUALITY)
            .encode(&data, width, height, ExtendedColorType::Rgb8)
            .ok()?;
        Some(Self { jpeg, width, height })
    }
}

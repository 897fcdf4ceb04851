//! In the place of [`heif`](super) where the program was built without it: nothing is recognised as HEIF then, so nobody asks.

use std::io::{BufRead, Seek};

use super::decode::Pixels;
use super::probe::Header;
use super::{PhotoFormat, PhotoInfo, PhotoRefusal};

pub(super) fn header(_: &mut (impl BufRead + Seek), _: PhotoFormat) -> Result<Header, PhotoRefusal> {
    Err(PhotoRefusal::Heic)
}

pub(super) fn check_whole(_: &[u8]) -> Result<(), PhotoRefusal> {
    Err(PhotoRefusal::Heic)
}

pub(super) fn decode(_: &[u8], _: &PhotoInfo) -> Result<Pixels, PhotoRefusal> {
    Err(PhotoRefusal::Heic)
}

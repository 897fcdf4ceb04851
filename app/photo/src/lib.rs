//! Members' photos: what a file is, and the pictures made from it for the screen.
//!
//! [`probe`] reads headers only and decides within milliseconds whether a file is a photo this house accepts;
//! [`derive`] decodes it once and makes the served sizes: upright, sRGB, WebP, without any metadata. The original
//! stays as it is; storing and serving are others' work. Nothing here trusts a file's name, its claimed type or
//! its claimed size.

#[cfg(feature = "heif")]
mod avif;
mod bins;
mod cities;
mod colour;
mod decode;
mod derive;
mod exif;
mod faces;
#[cfg(feature = "heif")]
mod heif;
#[cfg(not(feature = "heif"))]
#[path = "without_heif.rs"]
mod heif;
mod jpeg;
mod look;
mod png;
mod probe;
mod quality;
mod strips;
mod subject;
mod transform;
mod webp;

pub use cities::Position;
pub use colour::{COATED, to_srgb, to_srgb_with};
pub use decode::{Channels, JpegStrips, Pixels, check_whole, decode, is_in_strips, memory, read_derivative};
pub use derive::{Derivative, Derivatives, LONG_SIDES, Reduced, derive, reduce, rest, square};
pub use faces::{Detector, NoDetector, detector, faces_of};
pub use fast_image_resize::Resizer;
pub use jpeg::{inks_jpeg, progressive_jpeg, write_inks_jpeg};
pub use probe::{camera, probe, recognise};
pub use quality::quality_of;
pub use transform::{Part, resize, turn};
pub use webp::{encode, encode_layer};

use serde::{Deserialize, Serialize};

/// The most pixels of a photo that are decoded (product page, section 3, "Photos").
pub const MAX_PIXELS: u64 = 60_000_000;
/// The most pixels of a JPEG in one sequential scan of one or three colours, which is decoded at a part of its size beyond
/// [`MAX_PIXELS`].
pub const MAX_SCALED_PIXELS: u64 = 200_000_000;
/// The most pixels on one side.
pub const MAX_SIDE: u32 = 30_000;

/// The kinds of files that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PhotoFormat {
    Jpeg,
    Png,
    WebP,
    /// HEIF whose pictures are coded by HEVC.
    Heic,
    /// HEIF whose pictures are coded by AV1.
    Avif,
}

impl PhotoFormat {
    /// The media type, for `Content-Type`.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
            Self::Heic => "image/heic",
            Self::Avif => "image/avif",
        }
    }

    /// The usual ending of a file's name, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::WebP => "webp",
            Self::Heic => "heic",
            Self::Avif => "avif",
        }
    }

    /// The format that has this [`Self::extension`].
    pub fn of_extension(extension: &str) -> Option<Self> {
        let all = [Self::Jpeg, Self::Png, Self::WebP, Self::Heic, Self::Avif];
        all.into_iter().find(|format| format.extension() == extension)
    }

    /// Whether it is decoded like a film, by code that is large and young: where strangers' files are, in the sandbox.
    pub fn is_heif(self) -> bool {
        matches!(self, Self::Heic | Self::Avif)
    }
}

/// What a photo's headers say, without the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhotoInfo {
    pub format: PhotoFormat,
    /// The upright photo's width in pixels.
    pub width: u32,
    /// The upright photo's height in pixels.
    pub height: u32,
    /// How the stored pixels are turned to stand upright: 1 to 8 as in EXIF, 1 when the file doesn't say.
    pub orientation: u8,
    /// What the clock on the wall showed when the photo was taken, in epoch milliseconds as if it were China's: photos of
    /// one day are of one day, wherever that was.
    pub taken_at: Option<i64>,
    /// How far that clock was ahead of UTC, in minutes, where the file tells it, or satellites that saw the camera.
    pub taken_offset: Option<i16>,
    /// The same clock when the file was last changed, where it says so: worth less than its name.
    pub changed_at: Option<i64>,
    /// Where satellites saw the camera.
    pub position: Option<Position>,
}

impl PhotoInfo {
    /// The city that it was taken in or near, as Chinese readers call it.
    pub fn city(&self) -> Option<&'static str> {
        self.position.and_then(Position::city)
    }

    /// Width and height as they are stored, before turning.
    pub fn stored_size(&self) -> (u32, u32) {
        if turns_sideways(self.orientation) { (self.height, self.width) } else { (self.width, self.height) }
    }

    /// Refuses what is past the limits, of which `most` is that of the pixels.
    fn check_size(&self, most: u64) -> Result<(), PhotoRefusal> {
        let (width, height) = (self.width, self.height);
        if width == 0 || height == 0 {
            return Err(PhotoRefusal::Damaged);
        }
        let pixels = u64::from(width) * u64::from(height);
        if pixels > most || width > MAX_SIDE || height > MAX_SIDE {
            return Err(PhotoRefusal::TooLarge { width, height });
        }
        Ok(())
    }
}

/// Whether an orientation exchanges width and height.
fn turns_sideways(orientation: u8) -> bool {
    (5..=8).contains(&orientation)
}

/// Why a file is refused. Each text can be shown to a member.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PhotoRefusal {
    /// Nothing that is known here.
    #[error("这个文件不是照片：请选择 JPEG、PNG、WebP、HEIC 或 AVIF 格式的照片")]
    NotAPhoto,
    /// Another known kind of file, by its common name.
    #[error("不支持 {0} 文件：请换成 JPEG、PNG、WebP、HEIC 或 AVIF 格式的照片")]
    OtherKind(&'static str),
    /// A photo as newer phones store it, where whoever runs the program does not take those.
    #[error("这里不收 HEIC 和 AVIF 照片：请在手机相机设置里选择“兼容性最佳”，或把照片导出为 JPEG 后再上传")]
    Heic,
    /// Its brightness is for bright screens (ITU-R BT.2100): neither paper nor other screens have it.
    #[error("这是一张 HDR 照片（PQ 或 HLG），印不出它的亮部：请在手机或电脑上导出为普通（SDR）照片后再上传")]
    Hdr,
    /// A film, or a WebP with several pictures.
    #[error("不支持动图：请换成一张静止的照片")]
    Animated,
    /// Past [`MAX_PIXELS`] or [`MAX_SIDE`]. The size is the upright one, in pixels.
    #[error(
        "照片太大：{width} × {height} 像素（约 {} 万像素），最多 6000 万像素（普通 JPEG 2 亿），每边不超过 30000 像素",
        (u64::from(*width) * u64::from(*height)).div_ceil(10_000)
    )]
    TooLarge { width: u32, height: u32 },
    /// The data breaks off or contradicts itself.
    #[error("照片文件已损坏或不完整：请检查后重新上传")]
    Damaged,
    /// A variant that practically nothing writes: lossless, arithmetic or 12-bit JPEG.
    #[error("这张照片的编码方式很少见，无法打开：请用看图软件另存为普通 JPEG 后再上传")]
    UnusualCoding,
    /// The bytes could not be read: the storage's fault, not the photo's. Trying again may help.
    #[error("读取照片时出错，请稍后再试")]
    Unreadable,
}

impl From<std::io::Error> for PhotoRefusal {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Self::Damaged,
            _ => Self::Unreadable,
        }
    }
}

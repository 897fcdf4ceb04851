//! Where faces are in a picture.
//!
//! The detector is YuNet (Wu et al., Machine Intelligence Research 2023), a network of 320 KB that finds faces from ten pixels
//! on; `rten` runs it. What it sees is a decoded picture of a fixed size, so a stranger's file reaches neither of them.

use std::panic::AssertUnwindSafe;
use std::sync::LazyLock;

use domain::document::Crop;
use domain::faces::{Face, MOST_FACES};
use fast_image_resize::Resizer;
use rten::{Model, ModelOptions, Value, op_registry};

use super::decode::{Channels, Pixels, read_derivative};
use super::transform::resize;

/// The network as its authors exported it: Apache-2.0, see `app/photo/models/README.md`.
const MODEL: &[u8] = include_bytes!("../models/yunet.onnx");
/// The long side of the picture that it is shown, in pixels.
const LONG_SIDE: u32 = 640;
/// Distances of the points that it looks from, in pixels of that picture. Its sides are multiples of the largest.
const STRIDES: [usize; 3] = [8, 16, 32];
/// The confidence from which on something is a face. Of those below it many are none.
const LEAST_CONFIDENCE: f32 = 0.6;
/// Two that share so much of what they cover together are one face.
const SAME: f64 = 0.3;

/// Finds faces. One serves any number of threads.
pub struct Detector {
    model: Model,
}

/// Why a file is no detector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model of faces can't be used: {0}")]
pub struct NoDetector(String);

/// The faces of a derivative that was made before; nothing where it is no picture, or the network fails.
pub fn faces_of(detector: &Detector, derivative: &[u8]) -> Option<Vec<Face>> {
    detector.faces(&mut Resizer::new(), &read_derivative(derivative)?)
}

static DETECTOR: LazyLock<Result<Detector, NoDetector>> = LazyLock::new(|| {
    let found = Detector::new(MODEL.to_vec());
    // once: every photo is looked at without it
    if let Err(reason) = &found {
        tracing::warn!(%reason, "Faces are not looked for");
    }
    found
});

/// The detector that is built in, or why there is none.
///
/// # Errors
/// [`NoDetector`]
pub fn detector() -> Result<&'static Detector, NoDetector> {
    DETECTOR.as_ref().map_err(Clone::clone)
}

impl Detector {
    /// The detector of a YuNet file in the ONNX format.
    ///
    /// # Errors
    /// [`NoDetector`] where it is another file or a broken one.
    pub fn new(model: Vec<u8>) -> Result<Self, NoDetector> {
        // what no picture needs is not part of the program
        let operators = op_registry!(
            Add, Concat, Conv, Gather, MaxPool, Relu, Reshape, Resize, Shape, Sigmoid, Transpose, Unsqueeze
        );
        let load =
            || ModelOptions::with_ops(operators).load(model).map_err(|error| NoDetector(error.to_string()));
        let model = std::panic::catch_unwind(AssertUnwindSafe(load))
            .unwrap_or_else(|_| Err(NoDetector("it is broken".to_owned())))?;
        if model.input_ids().len() != 1
            || OUTPUTS.iter().flatten().any(|name| model.find_node(name).is_none())
        {
            return Err(NoDetector("it is another network".to_owned()));
        }
        Ok(Self { model })
    }

    /// The faces of an upright picture in sRGB, the surest first; nothing where the network fails.
    pub(super) fn faces(&self, resizer: &mut Resizer, picture: &Pixels) -> Option<Vec<Face>> {
        let found = AssertUnwindSafe(|| self.looked_for(resizer, picture));
        std::panic::catch_unwind(found).ok().flatten()
    }

    fn looked_for(&self, resizer: &mut Resizer, picture: &Pixels) -> Option<Vec<Face>> {
        let scale = f64::from(LONG_SIDE) / f64::from(picture.width.max(picture.height));
        let side = |length: u32| ((f64::from(length) * scale).round() as u32).clamp(1, LONG_SIDE);
        let (width, height) = (side(picture.width), side(picture.height));
        let shown = resize(resizer, picture, None, width, height).ok()?;
        let input = Input::of(&shown)?;
        let columns = input.width;
        let outputs = self.run(input)?;
        let mut found: Vec<Face> = Vec::new();
        for (stride, [class, object, bounds]) in STRIDES.into_iter().zip(&outputs) {
            let across = columns / stride;
            for (index, (class, object)) in class.iter().zip(object).enumerate() {
                let confidence = (class.clamp(0.0, 1.0) * object.clamp(0.0, 1.0)).sqrt();
                if confidence < LEAST_CONFIDENCE {
                    continue;
                }
                let [x, y, w, h] = *bounds.get(index * 4..index * 4 + 4)?.first_chunk()?;
                let at = |place: usize, offset: f32| f64::from((place as f32 + offset) * stride as f32);
                let (x, y) = (at(index % across, x), at(index / across, y));
                let (w, h) = (f64::from(w.exp() * stride as f32), f64::from(h.exp() * stride as f32));
                if let Some(area) = part(x - w / 2.0, y - h / 2.0, w, h, f64::from(width), f64::from(height))
                {
                    found.push(Face { area, confidence: f64::from((confidence * 1000.0).round() / 1000.0) });
                }
            }
        }
        Some(distinct(found))
    }

    /// What the network says of each distance: class and object for each point, and the box's middle and size.
    fn run(&self, input: Input) -> Option<[[Vec<f32>; 3]; 3]> {
        let shape = [1, 3, input.height, input.width];
        let value = Value::from_shape(shape, input.data).ok()?;
        let outputs: Vec<_> =
            OUTPUTS.iter().flatten().filter_map(|name| self.model.find_node(name)).collect();
        let input = *self.model.input_ids().first()?;
        let values = self.model.run(vec![(input, value.into())], &outputs, None).ok()?;
        let mut values =
            values.into_iter().map(|value| value.into_shape_vec::<f32, 3>().ok().map(|(_, data)| data));
        let mut next = || values.next().flatten();
        let mut one = || Some([next()?, next()?, next()?]);
        Some([one()?, one()?, one()?])
    }
}

/// What the network answers at each of [`STRIDES`]: whether there is a face, whether there is anything, and its box.
const OUTPUTS: [[&str; 3]; 3] =
    [["cls_8", "obj_8", "bbox_8"], ["cls_16", "obj_16", "bbox_16"], ["cls_32", "obj_32", "bbox_32"]];

/// A picture as the network takes it: planes of blue, green and red, 0 to 255, black beyond the picture's right and lower
/// edge up to a multiple of the largest stride.
struct Input {
    width: usize,
    height: usize,
    data: Vec<f32>,
}

impl Input {
    fn of(picture: &Pixels) -> Option<Self> {
        let (across, down) = (picture.width as usize, picture.height as usize);
        let [_, _, stride] = STRIDES;
        let (width, height) = (across.next_multiple_of(stride), down.next_multiple_of(stride));
        let mut data = vec![0.0; 3 * width * height];
        let channels = match picture.channels {
            Channels::Grey => 1,
            Channels::Rgb => 3,
            Channels::Cmyk => return None,
        };
        for (y, row) in picture.data.chunks_exact(across * channels).take(down).enumerate() {
            for (x, pixel) in row.chunks_exact(channels).enumerate() {
                for plane in 0..3 {
                    let channel = if channels == 3 { 2 - plane } else { 0 };
                    data[(plane * height + y) * width + x] = f32::from(pixel[channel]);
                }
            }
        }
        Some(Self { width, height, data })
    }
}

/// A box in pixels as a part of a picture; nothing where it lies outside.
fn part(x: f64, y: f64, width: f64, height: f64, across: f64, down: f64) -> Option<Crop> {
    let span = |from: f64, size: f64, length: f64| {
        let (start, end) = ((from / length).clamp(0.0, 1.0), ((from + size) / length).clamp(0.0, 1.0));
        // a ten thousandth is half a pixel of what is looked at on a screen
        let round = |value: f64| (value * 10_000.0).round() / 10_000.0;
        (end - start > 1e-3).then(|| (round(start), round(end - start)))
    };
    let ((x, width), (y, height)) = (span(x, width, across)?, span(y, height, down)?);
    Some(Crop { x, y, width, height })
}

/// One face for each place where several were found, the surest first (non-maximum suppression).
fn distinct(mut found: Vec<Face>) -> Vec<Face> {
    found.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
    let mut kept: Vec<Face> = Vec::new();
    for face in found {
        if kept.len() < MOST_FACES && kept.iter().all(|known| shared(&known.area, &face.area) < SAME) {
            kept.push(face);
        }
    }
    kept
}

/// What two parts have in common, as a share of what they cover together.
fn shared(one: &Crop, other: &Crop) -> f64 {
    let overlap = |from: f64, size: f64, start: f64, length: f64| {
        ((from + size).min(start + length) - from.max(start)).max(0.0)
    };
    let both =
        overlap(one.x, one.width, other.x, other.width) * overlap(one.y, one.height, other.y, other.height);
    both / (one.area() + other.area() - both).max(1e-12)
}

//! The colour profiles of print files.

use lopdf::{Stream, dictionary};
use moxcms::{
    CmsError, ColorProfile, LutMultidimensionalType, LutStore, LutWarehouse, Matrix3d, ProfileClass,
    ToneReprCurve, Vector3d,
};

/// Sheet-fed offset on coated paper by ISO 12647-2. The profile was made from the characterization data FOGRA39L.
pub(super) const COATED: &[u8] = include_bytes!("coated.icc");

/// What inks without a profile mean.
pub(super) fn coated_profile() -> Stream {
    Stream::new(dictionary! { "N" => 4, "Alternate" => "DeviceCMYK" }, COATED.to_vec())
}

/// The profile of numbers that say nothing of what they mean: sRGB.
pub(super) fn srgb_profile() -> Result<Stream, CmsError> {
    rgb_stream(&ColorProfile::new_srgb())
}

/// sRGB as a printing condition. PDF/X wants an output profile, which must have tables for each intent (ICC.1:2010, 8.5);
/// these hold sRGB's own curve and matrix, so that a colour comes out as it went in.
pub(super) fn srgb_condition() -> Result<Stream, CmsError> {
    let mut profile = ColorProfile::new_srgb();
    let to_xyz = profile.rgb_to_xyz_matrix();
    let white = profile.white_point;
    let white = [white.x, white.y, white.z];
    let colorimetric = Tables { matrix: to_xyz, black: [0.0; 3] };
    // What is perceived ends at the black of the reference medium, not at none at all (ICC.1:2010, D.1).
    let light = 1.0 - REFERENCE_BLACK;
    let perceptual = Tables {
        matrix: Matrix3d { v: to_xyz.v.map(|row| row.map(|part| part * light)) },
        black: white.map(|part| part * REFERENCE_BLACK),
    };

    profile.profile_class = ProfileClass::OutputDevice;
    profile.media_white_point = Some(profile.white_point);
    profile.chromatic_adaptation = None;
    for curve in [&mut profile.red_trc, &mut profile.green_trc, &mut profile.blue_trc] {
        *curve = None;
    }
    for colorant in [&mut profile.red_colorant, &mut profile.green_colorant, &mut profile.blue_colorant] {
        *colorant = Default::default();
    }
    profile.cicp = None;
    profile.lut_a_to_b_colorimetric = Some(colorimetric.to_xyz());
    profile.lut_b_to_a_colorimetric = Some(colorimetric.to_rgb());
    profile.lut_a_to_b_perceptual = Some(perceptual.to_xyz());
    profile.lut_b_to_a_perceptual = Some(perceptual.to_rgb());
    profile.lut_a_to_b_saturation = Some(perceptual.to_xyz());
    profile.lut_b_to_a_saturation = Some(perceptual.to_rgb());
    profile.gamut = Some(colorimetric.gamut());
    rgb_stream(&profile)
}

fn rgb_stream(profile: &ColorProfile) -> Result<Stream, CmsError> {
    let mut icc = profile.encode()?;
    // Bytes 24 to 35 are the date of making (ICC.1:2010, 7.2.8), which would differ from run to run.
    if let Some(date) = icc.get_mut(24..36) {
        date.copy_from_slice(&[0x07, 0xe8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
    }
    Ok(Stream::new(dictionary! { "N" => 3, "Alternate" => "DeviceRGB" }, icc))
}

/// The reference medium's black, as a part of its white. (ICC.1:2010, 6.3.3 and annex D)
const REFERENCE_BLACK: f64 = 0.003_473_1;
/// What 1 in a table is in XYZ. (ICC.1:2010, 6.3.4.2)
const FULL_XYZ: f64 = 1.0 + 32_767.0 / 32_768.0;
/// sRGB's curve and its inverse, as `parametricCurveType` has them: g a b c d e f. (IEC 61966-2-1; ICC.1:2010, 10.16)
const CURVE: [f32; 5] = [2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.040_45];
/// a is 1.055 to the power of 2.4.
const INVERSE: [f32; 7] = [1.0 / 2.4, 1.137_119, 0.0, 12.92, 0.003_130_8, -0.055, 0.0];

/// Linear RGB as XYZ, and back.
struct Tables {
    matrix: Matrix3d,
    black: [f64; 3],
}

impl Tables {
    fn to_xyz(&self) -> LutWarehouse {
        LutWarehouse::Multidimensional(table(
            ToneReprCurve::Parametric(CURVE.to_vec()),
            self.matrix.v.map(|row| row.map(|part| part / FULL_XYZ)),
            self.black.map(|part| part / FULL_XYZ),
        ))
    }

    fn to_rgb(&self) -> LutWarehouse {
        let (matrix, bias) = self.inverse();
        LutWarehouse::Multidimensional(table(ToneReprCurve::Parametric(INVERSE.to_vec()), matrix, bias))
    }

    /// From what a table of XYZ holds to linear RGB.
    fn inverse(&self) -> ([[f64; 3]; 3], [f64; 3]) {
        let inverse = self.matrix.inverse().v;
        let bias =
            inverse.map(|row| -row.iter().zip(self.black).map(|(part, black)| part * black).sum::<f64>());
        (inverse.map(|row| row.map(|part| part * FULL_XYZ)), bias)
    }

    /// 0 for colours that there are, more for others: each channel of linear RGB, halved around the middle, is looked
    /// up by itself, and one that is out of range is enough.
    fn gamut(&self) -> LutWarehouse {
        let (matrix, bias) = self.inverse();
        let matrix = matrix.map(|row| row.map(|part| part / 2.0));
        let bias = bias.map(|part| part / 2.0 + 0.25);
        // a quarter on each side is out of range; black and white themselves, a step further, are not
        let outside = (0..=256_u16).map(|step| if (63..=193).contains(&step) { 0 } else { u16::MAX });
        let mut grid_points = [0; 16];
        grid_points[..3].fill(2);
        LutWarehouse::Multidimensional(LutMultidimensionalType {
            num_output_channels: 1,
            grid_points,
            clut: Some(LutStore::Store8(vec![0, 255, 255, 255, 255, 255, 255, 255])),
            a_curves: vec![ToneReprCurve::Parametric(vec![1.0])],
            ..table(ToneReprCurve::Lut(outside.collect()), matrix, bias)
        })
    }
}

/// A table with a curve for each of three channels and a matrix. (ICC.1:2010, 10.10 and 10.11)
fn table(curve: ToneReprCurve, matrix: [[f64; 3]; 3], bias: [f64; 3]) -> LutMultidimensionalType {
    LutMultidimensionalType {
        num_input_channels: 3,
        num_output_channels: 3,
        grid_points: [0; 16],
        clut: None,
        a_curves: Vec::new(),
        b_curves: vec![ToneReprCurve::Parametric(vec![1.0]); 3],
        m_curves: vec![curve; 3],
        matrix: Matrix3d { v: matrix },
        bias: Vector3d { v: bias },
    }
}

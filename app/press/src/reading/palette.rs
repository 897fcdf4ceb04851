//! Pictures of few colours: letters on paper need sixteen, where WebP codes the grain around each stroke.

use png::{BitDepth, ColorType, Compression, Encoder, Filter};

/// How many colours are tried, and the bits of each pixel then.
const SIZES: [(usize, BitDepth); 3] = [(16, BitDepth::Four), (32, BitDepth::Eight), (64, BitDepth::Eight)];
/// Pixels of the colours that stand for all others before trying is worth it, of a hundred. Photos have fewer.
const MOSTLY: usize = 90;
/// How far a colour may be from what it stands for, in steps of 255: less than the grain that WebP leaves.
const FAR: u8 = 12;
/// Pixels of a thousand that may be farther.
const FEW: usize = 2;

type Colour = [u8; 3];

/// A PNG with a palette; nothing where it would not look the same.
pub(super) fn png(rgb: &[u8], width: u32, height: u32) -> Option<Vec<u8>> {
    let (pixels, _) = rgb.as_chunks::<3>();
    if !is_mostly_of_few(pixels) {
        return None;
    }
    let shades = Shades::of(pixels);
    SIZES.into_iter().find_map(|(size, depth)| {
        let (colours, places) = shades.cut(size, pixels);
        is_near(pixels, &colours, &places).then(|| written(&colours, &places, width, height, depth)).flatten()
    })
}

/// Whether a few colours, each with its neighbours, make up the picture.
fn is_mostly_of_few(pixels: &[Colour]) -> bool {
    let mut counts = vec![0_usize; 1 << 12];
    for pixel in pixels {
        let [red, green, blue] = pixel.map(|value| usize::from(value >> 4));
        counts[red << 8 | green << 4 | blue] += 1;
    }
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let few = counts.iter().take(SIZES[0].0).sum::<usize>();
    few * 100 >= pixels.len() * MOSTLY
}

/// A picture's colours, those that differ by less than eight as one.
struct Shades {
    /// How many pixels have each, and the sum of their values.
    shades: Vec<(usize, [f64; 3])>,
    /// The place of each among them.
    places: Vec<u16>,
}

impl Shades {
    const COUNT: usize = 1 << 15;

    fn number([red, green, blue]: Colour) -> usize {
        usize::from(red >> 3) << 10 | usize::from(green >> 3) << 5 | usize::from(blue >> 3)
    }

    fn of(pixels: &[Colour]) -> Self {
        let mut all = vec![(0_usize, [0.0; 3]); Self::COUNT];
        for pixel in pixels {
            let (count, sum) = &mut all[Self::number(*pixel)];
            *count += 1;
            for (sum, value) in sum.iter_mut().zip(pixel) {
                *sum += f64::from(*value);
            }
        }
        let mut places = vec![0; Self::COUNT];
        let mut shades = Vec::new();
        for (number, shade) in all.into_iter().enumerate().filter(|(_, (count, _))| *count > 0) {
            places[number] = shades.len() as u16;
            shades.push(shade);
        }
        Self { shades, places }
    }

    /// A palette of at most `size` colours, and each pixel's place in it: the box of colours that lie farthest apart is cut
    /// in two, again and again.
    fn cut(&self, size: usize, pixels: &[Colour]) -> (Vec<Colour>, Vec<u8>) {
        let mut boxes = vec![self.boxed((0..self.shades.len()).collect())];
        while boxes.len() < size {
            let widest =
                (0..boxes.len()).max_by(|one, other| boxes[*one].spread.total_cmp(&boxes[*other].spread));
            let Some(widest) = widest.filter(|widest| boxes[*widest].spread > 0.0) else { break };
            let Box { shades, axis, middle, .. } = boxes.swap_remove(widest);
            let (low, high) = shades.into_iter().partition(|shade| self.mean(*shade)[axis] <= middle);
            boxes.push(self.boxed(low));
            boxes.push(self.boxed(high));
        }
        let mut place_of = vec![0_u8; self.shades.len()];
        for (place, one) in boxes.iter().enumerate() {
            for shade in &one.shades {
                place_of[*shade] = place as u8;
            }
        }
        let places: Vec<u8> =
            pixels.iter().map(|pixel| place_of[usize::from(self.places[Self::number(*pixel)])]).collect();
        let means = boxes.iter().map(|one| one.mean.map(|value| value.round() as u8)).collect();
        (commonest(means, pixels, &places), places)
    }

    fn mean(&self, shade: usize) -> [f64; 3] {
        let (count, sum) = self.shades[shade];
        sum.map(|sum| sum / count as f64)
    }

    fn boxed(&self, shades: Vec<usize>) -> Box {
        let all: usize = shades.iter().map(|shade| self.shades[*shade].0).sum();
        let sum = |axis: usize| shades.iter().map(|shade| self.shades[*shade].1[axis]).sum::<f64>();
        let mean = [sum(0), sum(1), sum(2)].map(|sum| sum / all.max(1) as f64);
        let apart = |axis: usize| -> f64 {
            let far =
                |shade: &usize| (self.mean(*shade)[axis] - mean[axis]).powi(2) * self.shades[*shade].0 as f64;
            shades.iter().map(far).sum()
        };
        let spreads = [apart(0), apart(1), apart(2)];
        let axis = (0..3).max_by(|one, other| spreads[*one].total_cmp(&spreads[*other])).unwrap_or(0);
        let is_one = shades.len() < 2;
        Box { axis, middle: mean[axis], mean, spread: if is_one { 0.0 } else { spreads[axis] }, shades }
    }
}

/// Colours that one of the palette stands for.
struct Box {
    shades: Vec<usize>,
    mean: [f64; 3],
    /// The channel in which they lie farthest apart, where it is cut, and how far that is.
    axis: usize,
    middle: f64,
    spread: f64,
}

/// The mean of what a colour stands for is a little off the paper; what more than half of it is, is the paper.
fn commonest(mut colours: Vec<Colour>, pixels: &[Colour], places: &[u8]) -> Vec<Colour> {
    // a colour that more than half have is left when pixels of two colours go in pairs (the vote of Boyer and Moore)
    let mut left = vec![([0; 3], 0_usize); colours.len()];
    for (pixel, place) in pixels.iter().zip(places) {
        let (colour, count) = &mut left[usize::from(*place)];
        if colour == pixel {
            *count += 1;
        } else if *count > 0 {
            *count -= 1;
        } else {
            (*colour, *count) = (*pixel, 1);
        }
    }
    let mut counts = vec![(0_usize, 0_usize); colours.len()];
    for (pixel, place) in pixels.iter().zip(places) {
        let place = usize::from(*place);
        counts[place].0 += usize::from(left[place].0 == *pixel);
        counts[place].1 += 1;
    }
    for ((colour, (exact, _)), (count, all)) in colours.iter_mut().zip(left).zip(counts) {
        if count * 2 > all {
            *colour = exact;
        }
    }
    colours
}

fn is_near(pixels: &[Colour], colours: &[Colour], places: &[u8]) -> bool {
    let far = pixels.iter().zip(places).filter(|(pixel, place)| {
        let colour = colours[usize::from(**place)];
        pixel.iter().zip(colour).any(|(one, other)| one.abs_diff(other) > FAR)
    });
    far.count() * 1000 <= pixels.len() * FEW
}

fn written(colours: &[Colour], places: &[u8], width: u32, height: u32, depth: BitDepth) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(depth);
    encoder.set_palette(colours.concat());
    encoder.set_compression(Compression::High);
    // neighbours in a palette are no neighbours in colour
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header().ok()?;
    if depth == BitDepth::Four {
        let rows = places.chunks_exact(width as usize);
        let packed: Vec<u8> = rows
            .flat_map(|row| row.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)))
            .collect();
        writer.write_image_data(&packed).ok()?;
    } else {
        writer.write_image_data(places).ok()?;
    }
    writer.finish().ok()?;
    Some(file)
}

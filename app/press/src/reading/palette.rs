//! Pictures of few colours: letters on paper need sixteen, where WebP codes the grain around each stroke.

use png::{BitDepth, ColorType, Compression, Encoder, Filter};
use rustc_hash::FxHashMap;

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
///
/// All is decided of the picture's colours, of which letters on paper have a few hundred: only what is written goes through the
/// pixels again, run by run.
pub(super) fn png(rgb: &[u8], width: u32, height: u32) -> Option<Vec<u8>> {
    let (pixels, _) = rgb.as_chunks::<3>();
    if !is_mostly_of_few(pixels) {
        return None;
    }
    let shades = Shades::of(pixels);
    SIZES.into_iter().find_map(|(size, depth)| {
        let palette = shades.cut(size);
        shades.are_near(&palette).then(|| written(pixels, &shades, &palette, width, height, depth)).flatten()
    })
}

/// Pixels of one colour beside each other, as their colour and their number.
fn runs(pixels: &[Colour]) -> impl Iterator<Item = (Colour, usize)> {
    pixels.chunk_by(PartialEq::eq).map(|run| (run[0], run.len()))
}

/// Whether a few colours, each with its neighbours, make up the picture.
fn is_mostly_of_few(pixels: &[Colour]) -> bool {
    let mut counts = vec![0_usize; 1 << 12];
    for (colour, count) in runs(pixels) {
        let [red, green, blue] = colour.map(|value| usize::from(value >> 4));
        counts[red << 8 | green << 4 | blue] += count;
    }
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let few = counts.iter().take(SIZES[0].0).sum::<usize>();
    few * 100 >= pixels.len() * MOSTLY
}

/// A picture's colours, those that differ by less than eight as one shade.
struct Shades {
    /// How many pixels have each, and the sum of their values.
    shades: Vec<(usize, [f64; 3])>,
    /// The place of each among them.
    places: Vec<u16>,
    /// Each single colour, and how many pixels have it.
    colours: Vec<(Colour, usize)>,
}

/// Colours, and which of them each shade becomes.
struct Palette {
    colours: Vec<Colour>,
    place_of: Vec<u8>,
}

impl Shades {
    const COUNT: usize = 1 << 15;

    fn number([red, green, blue]: Colour) -> usize {
        usize::from(red >> 3) << 10 | usize::from(green >> 3) << 5 | usize::from(blue >> 3)
    }

    fn of(pixels: &[Colour]) -> Self {
        let mut colours = FxHashMap::<Colour, usize>::default();
        for (colour, count) in runs(pixels) {
            *colours.entry(colour).or_default() += count;
        }
        let mut all = vec![(0_usize, [0.0; 3]); Self::COUNT];
        for (colour, count) in &colours {
            let (pixels, sum) = &mut all[Self::number(*colour)];
            *pixels += count;
            for (sum, value) in sum.iter_mut().zip(colour) {
                *sum += f64::from(*value) * *count as f64;
            }
        }
        let mut places = vec![0; Self::COUNT];
        let mut shades = Vec::new();
        for (number, shade) in all.into_iter().enumerate().filter(|(_, (count, _))| *count > 0) {
            places[number] = shades.len() as u16;
            shades.push(shade);
        }
        Self { shades, places, colours: colours.into_iter().collect() }
    }

    /// A colour's place in a palette.
    fn place(&self, palette: &Palette, colour: Colour) -> u8 {
        palette.place_of[usize::from(self.places[Self::number(colour)])]
    }

    /// A palette of at most `size` colours: the box of colours that lie farthest apart is cut in two, again and again.
    fn cut(&self, size: usize) -> Palette {
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
        let colours = boxes.iter().map(|one| one.mean.map(|value| value.round() as u8)).collect();
        let mut palette = Palette { colours, place_of };
        self.take_commonest(&mut palette);
        palette
    }

    /// The mean of what a colour stands for is a little off the paper; what more than half of it is, is the paper.
    fn take_commonest(&self, palette: &mut Palette) {
        let mut pixels = vec![0_usize; palette.colours.len()];
        for (colour, count) in &self.colours {
            pixels[usize::from(self.place(palette, *colour))] += count;
        }
        for (colour, count) in &self.colours {
            let place = usize::from(self.place(palette, *colour));
            if count * 2 > pixels[place] {
                palette.colours[place] = *colour;
            }
        }
    }

    /// Whether hardly a pixel is far from what stands for it.
    fn are_near(&self, palette: &Palette) -> bool {
        let is_far = |colour: Colour| {
            let other = palette.colours[usize::from(self.place(palette, colour))];
            colour.iter().zip(other).any(|(one, other)| one.abs_diff(other) > FAR)
        };
        let of = |wanted: &dyn Fn(Colour) -> bool| -> usize {
            self.colours.iter().filter(|(colour, _)| wanted(*colour)).map(|(_, count)| count).sum()
        };
        of(&is_far) * 1000 <= of(&|_| true) * FEW
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

fn written(
    pixels: &[Colour],
    shades: &Shades,
    palette: &Palette,
    width: u32,
    height: u32,
    depth: BitDepth,
) -> Option<Vec<u8>> {
    let mut places = Vec::with_capacity(pixels.len());
    for (colour, count) in runs(pixels) {
        places.resize(places.len() + count, shades.place(palette, colour));
    }
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(depth);
    encoder.set_palette(palette.colours.concat());
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
        writer.write_image_data(&places).ok()?;
    }
    writer.finish().ok()?;
    Some(file)
}

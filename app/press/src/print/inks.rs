//! From screens' colours to the press's four inks: all of them for shops that want them ready (PDF/X-1a); else black, greys
//! and paper, which nobody but the designer can tell from colours.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};
use moxcms::{ColorProfile, Layout, RenderingIntent, TransformExecutor, TransformOptions};

use crate::error::PressError;
use crate::print::objects::{self, dictionary_mut, inner, is_form, is_named};
use crate::print::profile::OutputCondition;

/// Mixes inks by the press's profile.
pub(super) struct Inks {
    mixer: Arc<dyn TransformExecutor<u8> + Send + Sync>,
    /// The screen's values, brought between the darkest that the press has and paper.
    pub lifted: [u8; 256],
    /// What each amount of black ink alone looks like, as a value of sRGB, from none to full.
    pub blacks: [u8; 256],
    /// The most ink that the press can lay on one place: 3.2 is 320 %.
    most: f32,
    /// Black text smaller than this prints over what is under it, in pt.
    overprint_below: f32,
}

/// What a colour is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Characters of this height in tenths of a pt.
    Text(u32),
    /// A stroke.
    Line,
    Area,
}

/// Text under this height is small, in tenths of a pt: no eye sees its colour, every eye sees its edge.
const SMALL: u32 = 120;
/// Channels that differ less mean grey, where they colour words or lines.
const GREY: f32 = 0.04;
/// How dark black ink is on paper, as a screen's grey: that and everything under it is full.
const BLACKEST: f32 = 0.13;
/// From this black on, words and lines are full black: a halftone would fray their edges.
const FULL_FROM: f32 = 0.88;
/// A paper's tone is light, and no screen's white: what is under these is not seen in print, or comes and goes.
const LIGHT: f32 = 0.8;
const LEAST_CHROMA: f32 = 0.03;
const LEAST_INK: f32 = 0.03;
/// Ink under this is left out beside a stronger one.
const FAINT: f32 = 0.015;

/// Pixels that are mixed at once.
const PIECE: usize = 1 << 14;

/// Black point compensation (ISO 18619): light in proportion between what is darkest on the press, a value of sRGB, and white,
/// so that shadows keep their steps instead of ending in one black.
fn lifted(darkest: u8) -> [u8; 256] {
    let linear = |value: f32| {
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let curve = |light: f32| {
        if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
    };
    let least = linear(f32::from(darkest) / 255.0);
    std::array::from_fn(|value| {
        let light = linear(value as f32 / 255.0);
        (255.0 * curve(least + (1.0 - least) * light)).round() as u8
    })
}

impl Inks {
    pub fn new(condition: &OutputCondition) -> Result<Self, PressError> {
        let press = ColorProfile::new_from_slice(condition.icc())?;
        let options = TransformOptions {
            rendering_intent: RenderingIntent::RelativeColorimetric,
            ..Default::default()
        };
        let srgb = ColorProfile::new_srgb();
        // four inks travel in the layout of four channels
        let mixer = srgb.create_transform_8bit(Layout::Rgb, &press, Layout::Rgba, options)?;
        let seen = press.create_transform_8bit(Layout::Rgba, &srgb, Layout::Rgb, options)?;
        let (mut black, mut darkest) = ([0; 4], [0; 3]);
        mixer.transform(&[0; 3], &mut black)?;
        seen.transform(&black, &mut darkest)?;
        let ramp: Vec<u8> = (0..=255).flat_map(|black| [0, 0, 0, black]).collect();
        let mut shown = [0; 3 * 256];
        seen.transform(&ramp, &mut shown)?;
        Ok(Self {
            mixer,
            lifted: lifted(darkest[1]),
            // green says most of how light it is
            blacks: std::array::from_fn(|black| shown[3 * black + 1]),
            most: condition.total_ink as f32,
            overprint_below: condition.overprint_below_pt as f32,
        })
    }

    /// sRGB pixels, three bytes each, as inks, four bytes each; 0 is none.
    pub fn mix(&self, rgb: &[u8]) -> Result<Vec<u8>, PressError> {
        let mut inks = vec![0; rgb.len() / 3 * 4];
        let mut lifted = Vec::with_capacity(3 * PIECE);
        for (rgb, inks) in rgb.chunks(3 * PIECE).zip(inks.chunks_mut(4 * PIECE)) {
            lifted.clear();
            lifted.extend(rgb.iter().map(|value| self.lifted[usize::from(*value)]));
            self.mixer.transform(&lifted, inks)?;
        }
        let most = (self.most * 255.0) as u16;
        for pixel in inks.chunks_exact_mut(4) {
            let sum: u16 = pixel.iter().map(|ink| u16::from(*ink)).sum();
            if sum > most {
                let black = u16::from(pixel[3]);
                let coloured = (sum - black).max(1);
                let room = most.saturating_sub(black);
                for ink in &mut pixel[..3] {
                    *ink = (u32::from(*ink) * u32::from(room) / u32::from(coloured)) as u8;
                }
            }
        }
        Ok(inks)
    }

    /// One colour, 0 to 1, where it has to be said in inks whatever the standard: words and lines that mean black or grey are
    /// black ink alone, small words have no more than three inks, and a paper's tone is strong enough for a press or none.
    fn plain(&self, [red, green, blue]: [f32; 3], of: Use) -> Result<Option<[f32; 4]>, PressError> {
        let (least, most) = (red.min(green).min(blue), red.max(green).max(blue));
        if of != Use::Area && most - least <= GREY {
            let grey = 0.299 * red + 0.587 * green + 0.114 * blue;
            let black = ((1.0 - grey) / (1.0 - BLACKEST)).clamp(0.0, 1.0);
            return Ok(Some([0.0, 0.0, 0.0, if black >= FULL_FROM { 1.0 } else { black }]));
        }
        if most == least {
            return Ok(Some([0.0, 0.0, 0.0, 1.0 - red]));
        }
        if least >= LIGHT {
            let inks = [1.0 - red, 1.0 - green, 1.0 - blue];
            let is_seen = most - least >= LEAST_CHROMA && inks.iter().any(|ink| *ink >= LEAST_INK);
            let [cyan, magenta, yellow] = inks.map(|ink| if is_seen && ink >= FAINT { ink } else { 0.0 });
            return Ok(Some([cyan, magenta, yellow, 0.0]));
        }
        match of {
            Use::Text(height) if height < SMALL => {
                // the grey that three inks have in common becomes black
                let [cyan, magenta, yellow, black] = self.mixed([red, green, blue])?;
                let common = cyan.min(magenta).min(yellow);
                let black = (black + common).min(1.0);
                Ok(Some([cyan - common, magenta - common, yellow - common, black]))
            }
            _ => Ok(None),
        }
    }

    fn mixed(&self, rgb: [f32; 3]) -> Result<[f32; 4], PressError> {
        let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
        let inks = self.mix(&rgb.map(byte))?;
        Ok([0, 1, 2, 3].map(|ink| f32::from(inks[ink]) / 255.0))
    }

    /// Says the colours of typeset pages in inks as far as a press wants it said here: for files whose other colours have
    /// profiles. What members' own pages are made of is left alone.
    ///
    /// # Errors
    /// The pages can't be taken apart.
    pub fn blacken(&self, pdf: &mut Document, has_files: bool) -> Result<(), PressError> {
        let mut painted: Vec<(ObjectId, Dictionary)> = Vec::new();
        let mut states = Vec::new();
        let mut shown = BTreeSet::new();
        for page in pdf.get_pages().into_values() {
            let dict = pdf.get_dictionary(page)?;
            let resources = inner(pdf, dict, b"Resources")?;
            painted.extend(contents(dict).into_iter().map(|content| (content, resources.clone())));
            states.push(page);
            shown.insert(page);
            if let Ok((_, forms)) = resources.get(b"XObject").and_then(|named| pdf.dereference(named)) {
                shown.extend(forms.as_dict()?.iter().filter_map(|(_, form)| form.as_reference().ok()));
            }
            if let Ok((_, patterns)) = resources.get(b"Pattern").and_then(|named| pdf.dereference(named)) {
                for (_, pattern) in patterns.as_dict()? {
                    let Ok(id) = pattern.as_reference() else { continue };
                    if let Ok(stream) = pdf.get_object(id)?.as_stream()
                        && !painted.iter().any(|(other, _)| *other == id)
                    {
                        painted.push((id, inner(pdf, &stream.dict, b"Resources")?));
                        states.push(id);
                    }
                }
            }
        }
        if !has_files {
            for (id, object) in &pdf.objects {
                if let Ok(stream) = object.as_stream()
                    && is_form(object)
                {
                    painted.push((*id, inner(pdf, &stream.dict, b"Resources")?));
                    states.push(*id);
                }
            }
        }
        self.rewrite_all(pdf, &painted, false)?;
        add_states(pdf, &states)?;
        // what is transparent in members' pages is mixed in inks: black stays black
        for id in shown {
            let Some(dict) = pdf.get_object_mut(id).ok().and_then(dictionary_mut) else { continue };
            if let Ok(group) = dict.get_mut(b"Group").and_then(Object::as_dict_mut) {
                group.set("CS", "DeviceCMYK");
            }
        }
        Ok(())
    }

    fn rewrite_all(
        &self,
        pdf: &mut Document,
        painted: &[(ObjectId, Dictionary)],
        every_colour: bool,
    ) -> Result<(), PressError> {
        for (id, resources) in painted {
            let named = Named { spaces: spaces(pdf, resources)?, drawn: drawn_fonts(pdf, resources)? };
            let stream = pdf.get_object(*id)?.as_stream()?;
            let content = self.rewritten(&stream.get_plain_content()?, &named, every_colour)?;
            let stream = pdf.get_object_mut(*id)?.as_stream_mut()?;
            stream.dict.remove(b"Filter");
            stream.dict.remove(b"DecodeParms");
            stream.set_content(content);
            stream.compress()?;
        }
        Ok(())
    }

    /// Says every colour of a typeset document in inks: of its pages, of the forms and patterns in them.
    ///
    /// # Errors
    /// Something is transparent, or painted in a way that has no inks here. The themes do neither.
    pub fn separate(&self, pdf: &mut Document) -> Result<(), PressError> {
        if !pdf.objects.values().filter_map(objects::dictionary).all(is_opaque) {
            return Err(PressError::Pdf("something is transparent".to_owned()));
        }
        let mut painted: Vec<(ObjectId, Dictionary)> = Vec::new();
        let mut states = Vec::new();
        for page in pdf.get_pages().into_values() {
            let dict = pdf.get_dictionary(page)?;
            let resources = inner(pdf, dict, b"Resources")?;
            painted.extend(contents(dict).into_iter().map(|content| (content, resources.clone())));
            states.push(page);
        }
        for (id, object) in &pdf.objects {
            if let Ok(stream) = object.as_stream()
                && (is_form(object) || stream.dict.has(b"PatternType"))
            {
                painted.push((*id, inner(pdf, &stream.dict, b"Resources")?));
                states.push(*id);
            }
        }
        self.rewrite_all(pdf, &painted, true)?;
        add_states(pdf, &states)?;
        for dict in pdf.objects.values_mut().filter_map(dictionary_mut) {
            if is_named(dict, b"Type", b"Page") || is_named(dict, b"Subtype", b"Form") {
                // it only says how transparent things would be mixed
                dict.remove(b"Group");
            }
            if is_named(dict, b"Subtype", b"Image") {
                // its pixels are written later, in inks
                dict.set("ColorSpace", "DeviceCMYK");
            } else {
                dict.remove(b"ColorSpace");
            }
            if let Ok(resources) = dict.get_mut(b"Resources").and_then(Object::as_dict_mut) {
                // what still has a name is a pattern, which needs no space of its own
                resources.remove(b"ColorSpace");
            }
        }
        pdf.prune_objects();
        Ok(())
    }

    /// Content with its colours said in inks: all of them, or those that [`Self::plain`] knows.
    fn rewritten(&self, content: &[u8], named: &Named, every_colour: bool) -> Result<Vec<u8>, PressError> {
        let mut now = Painting::default();
        let mut kept = Vec::new();
        let mut is_in_path = false;
        let mut operations = Vec::new();
        for operation in Content::decode(content)?.operations {
            let stroke = usize::from(operation.operator.chars().next().is_some_and(char::is_uppercase));
            let operands = &operation.operands;
            match operation.operator.as_str() {
                "q" => kept.push(now.clone()),
                "Q" => now = kept.pop().unwrap_or(now),
                "cs" | "CS" => {
                    let name = operands.first().and_then(|name| name.as_name().ok()).unwrap_or_default();
                    now.space[stroke] = match name {
                        b"DeviceRGB" => Space::Rgb,
                        b"DeviceGray" => Space::Grey,
                        name => named.spaces.get(name).copied().unwrap_or(Space::Other),
                    };
                    // a new space begins with black
                    now.colour[stroke] = Colour::of(now.space[stroke], [0.0; 3]);
                    now.said[stroke] = None;
                    if matches!(now.colour[stroke], Colour::Rgb(..)) {
                        now.named[stroke] = Some(operation);
                        continue;
                    }
                }
                "sc" | "SC" | "scn" | "SCN" => match rgb(now.space[stroke], operands) {
                    Some(colour) => {
                        now.colour[stroke] = Colour::Rgb(colour, Some(operation));
                        continue;
                    }
                    None => (now.colour[stroke], now.said[stroke]) = (Colour::Said, None),
                },
                "rg" | "RG" | "g" | "G" => {
                    let space =
                        if operation.operator.eq_ignore_ascii_case("g") { Space::Grey } else { Space::Rgb };
                    if let Some(colour) = rgb(space, operands) {
                        now.space[stroke] = space;
                        now.named[stroke] = None;
                        now.colour[stroke] = Colour::Rgb(colour, Some(operation));
                        continue;
                    }
                }
                "k" | "K" => (now.colour[stroke], now.said[stroke]) = (Colour::Said, None),
                "sh" | "BI" if every_colour => {
                    return Err(PressError::Pdf("a painting without inks".to_owned()));
                }
                "cm" => now.scale *= scale_of(operands),
                "w" => now.width = operands.first().and_then(|width| width.as_float().ok()).unwrap_or(1.0),
                "Tf" => {
                    now.size = operands.get(1).and_then(|size| size.as_float().ok()).unwrap_or(0.0);
                    now.is_drawn = operands
                        .first()
                        .and_then(|font| font.as_name().ok())
                        .is_some_and(|font| named.drawn.contains(font));
                }
                "BT" => now.text_scale = 1.0,
                "Tm" => now.text_scale = scale_of(operands),
                // a colour can't be said inside of a path
                "m" | "re" if !is_in_path => {
                    is_in_path = true;
                    self.say(0, Use::Area, every_colour, &mut now, &mut operations)?;
                    self.say(1, Use::Line, every_colour, &mut now, &mut operations)?;
                    let is_fine = now.width * now.scale * 10.0 < self.overprint_below;
                    let over = if is_fine && now.is_black(1) { Over::Lines } else { Over::Nothing };
                    now.print_over(over, &mut operations);
                }
                "f" | "F" | "f*" | "S" | "s" | "B" | "B*" | "b" | "b*" | "n" => is_in_path = false,
                "Tj" | "TJ" | "'" | "\"" => {
                    let size = now.size * now.text_scale * now.scale;
                    self.say(0, Use::Text((size * 10.0) as u32), every_colour, &mut now, &mut operations)?;
                    let is_small = size < self.overprint_below;
                    // a drawing's own colours lie over each other
                    let is_over = is_small && now.is_black(0) && !now.is_drawn;
                    let over = if is_over { Over::Words } else { Over::Nothing };
                    now.print_over(over, &mut operations);
                }
                "Do" => self.say(0, Use::Area, every_colour, &mut now, &mut operations)?,
                _ => {}
            }
            operations.push(operation);
        }
        Ok(Content { operations }.encode()?)
    }

    /// Says the colour before something is painted with it, where it was not said so already.
    fn say(
        &self,
        stroke: usize,
        of: Use,
        every_colour: bool,
        now: &mut Painting,
        operations: &mut Vec<Operation>,
    ) -> Result<(), PressError> {
        let Colour::Rgb(rgb, original) = now.colour[stroke].clone() else { return Ok(()) };
        let inks = match self.plain(rgb, of)? {
            None if every_colour => Some(self.mixed(rgb)?),
            inks => inks,
        };
        let said = match inks {
            Some(inks) => Said::Inks(inks.map(|ink| (ink * 1000.0).round() as u16)),
            None => Said::Rgb(rgb.map(f32::to_bits)),
        };
        if now.said[stroke] == Some(said) {
            return Ok(());
        }
        now.said[stroke] = Some(said);
        match inks {
            Some(_) => {
                let Said::Inks(inks) = said else { return Ok(()) };
                let inks = inks.map(|ink| Object::Real(f32::from(ink) / 1000.0)).to_vec();
                operations.push(Operation::new(["k", "K"][stroke], inks));
            }
            None => {
                operations.extend(now.named[stroke].clone());
                operations.extend(original);
            }
        }
        Ok(())
    }
}

/// What is known of the state of a content while it is read: filling first, then stroking.
#[derive(Debug, Clone)]
struct Painting {
    space: [Space; 2],
    /// The operation that named the space, to say it again.
    named: [Option<Operation>; 2],
    colour: [Colour; 2],
    said: [Option<Said>; 2],
    over: Over,
    size: f32,
    /// The font is one of drawings with colours of their own.
    is_drawn: bool,
    text_scale: f32,
    scale: f32,
    width: f32,
}

impl Default for Painting {
    fn default() -> Self {
        Self {
            space: [Space::Grey; 2],
            named: [None, None],
            // content begins with black (ISO 32000-1, table 52)
            colour: [Colour::Rgb([0.0; 3], None), Colour::Rgb([0.0; 3], None)],
            said: [None; 2],
            over: Over::Nothing,
            size: 0.0,
            is_drawn: false,
            text_scale: 1.0,
            scale: 1.0,
            width: 1.0,
        }
    }
}

impl Painting {
    fn is_black(&self, stroke: usize) -> bool {
        self.said[stroke] == Some(Said::Inks([0, 0, 0, 1000]))
    }

    fn print_over(&mut self, over: Over, operations: &mut Vec<Operation>) {
        if self.over != over {
            self.over = over;
            operations.push(Operation::new("gs", vec![over.name().into()]));
        }
    }
}

/// A colour that is to be said when something is painted with it, and how it was said.
#[derive(Debug, Clone)]
enum Colour {
    Rgb([f32; 3], Option<Operation>),
    /// In inks already, or as a pattern.
    Said,
}

impl Colour {
    fn of(space: Space, rgb: [f32; 3]) -> Self {
        if space == Space::Other { Self::Said } else { Self::Rgb(rgb, None) }
    }
}

/// How a colour was said last; inks in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Inks([u16; 4]),
    Rgb([u32; 3]),
}

/// What is printed over what is under it, without a hole in that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    Nothing,
    Words,
    Lines,
}

impl Over {
    const ALL: [Self; 3] = [Self::Nothing, Self::Words, Self::Lines];

    /// The name of its graphics state.
    fn name(self) -> &'static str {
        match self {
            Self::Nothing => "BinderyKnock",
            Self::Words => "BinderyWords",
            Self::Lines => "BinderyLines",
        }
    }

    /// (ISO 32000-1, 8.6.7)
    fn state(self) -> Dictionary {
        dictionary! {
            "Type" => "ExtGState",
            "OP" => self == Self::Lines,
            "op" => self == Self::Words,
            "OPM" => 1,
        }
    }
}

/// Gives pages and forms the graphics states that their contents name now.
fn add_states(pdf: &mut Document, of: &[ObjectId]) -> Result<(), PressError> {
    let states = Over::ALL.map(|over| (over.name(), pdf.add_object(over.state())));
    for id in of {
        let dict = dictionary_of(pdf, *id)?;
        let mut resources = inner(pdf, dict, b"Resources")?;
        let mut named = inner(pdf, &resources, b"ExtGState")?;
        for (name, state) in states {
            named.set(name, state);
        }
        resources.set("ExtGState", named);
        if let Some(dict) = pdf.get_object_mut(*id).ok().and_then(dictionary_mut) {
            dict.set("Resources", resources);
        }
    }
    Ok(())
}

fn dictionary_of(pdf: &Document, id: ObjectId) -> Result<&Dictionary, PressError> {
    let object = pdf.get_object(id)?;
    objects::dictionary(object).ok_or_else(|| PressError::Pdf("a page is no dictionary".to_owned()))
}

/// How much larger a matrix makes things.
fn scale_of(operands: &[Object]) -> f32 {
    let numbers: Vec<f32> = operands.iter().filter_map(|number| number.as_float().ok()).collect();
    match numbers.as_slice() {
        [a, b, c, d, ..] => (a * d - b * c).abs().sqrt(),
        _ => 1.0,
    }
}

/// What the numbers of a colour mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Space {
    Rgb,
    Grey,
    /// Inks already, or a pattern, which is rewritten by itself.
    Other,
}

fn rgb(space: Space, operands: &[Object]) -> Option<[f32; 3]> {
    let numbers: Vec<f32> = operands.iter().map(Object::as_float).collect::<Result<_, _>>().ok()?;
    match (space, numbers.as_slice()) {
        (Space::Rgb, &[red, green, blue]) => Some([red, green, blue]),
        (Space::Grey, &[grey]) => Some([grey; 3]),
        _ => None,
    }
}

/// A graphics state that lets nothing shine through (ISO 15930-4, 6.13).
pub(super) fn is_opaque(state: &Dictionary) -> bool {
    let whole = |key: &[u8]| state.get(key).and_then(Object::as_float).map_or(true, |value| value >= 1.0);
    let absent = |key: &[u8], name: &[u8]| !state.has(key) || is_named(state, key, name);
    whole(b"ca") && whole(b"CA") && absent(b"SMask", b"None") && absent(b"BM", b"Normal")
}

fn contents(page: &Dictionary) -> Vec<ObjectId> {
    match page.get(b"Contents") {
        Ok(Object::Reference(id)) => vec![*id],
        Ok(Object::Array(parts)) => parts.iter().filter_map(|part| part.as_reference().ok()).collect(),
        _ => Vec::new(),
    }
}

/// What the names in a content mean.
struct Named {
    spaces: BTreeMap<Vec<u8>, Space>,
    /// Fonts of drawings (Type 3).
    drawn: BTreeSet<Vec<u8>>,
}

fn drawn_fonts(pdf: &Document, resources: &Dictionary) -> Result<BTreeSet<Vec<u8>>, PressError> {
    let Ok(fonts) = resources.get(b"Font") else { return Ok(BTreeSet::new()) };
    let (_, fonts) = pdf.dereference(fonts)?;
    let is_drawn = |font: &Object| {
        let font = pdf.dereference(font).ok().and_then(|(_, font)| font.as_dict().ok());
        font.is_some_and(|font| is_named(font, b"Subtype", b"Type3"))
    };
    let drawn = fonts.as_dict()?.iter().filter(|(_, font)| is_drawn(font));
    Ok(drawn.map(|(name, _)| name.clone()).collect())
}

/// The named spaces of resources.
fn spaces(pdf: &Document, resources: &Dictionary) -> Result<BTreeMap<Vec<u8>, Space>, PressError> {
    let Ok(named) = resources.get(b"ColorSpace") else { return Ok(BTreeMap::new()) };
    let (_, named) = pdf.dereference(named)?;
    let mut spaces = BTreeMap::new();
    for (name, space) in named.as_dict()? {
        let (_, space) = pdf.dereference(space)?;
        spaces.insert(name.clone(), meaning(pdf, space)?);
    }
    Ok(spaces)
}

fn meaning(pdf: &Document, space: &Object) -> Result<Space, PressError> {
    let channels = match space {
        Object::Name(name) if name == b"DeviceRGB" => 3,
        Object::Name(name) if name == b"DeviceGray" => 1,
        Object::Array(parts) => match parts.as_slice() {
            [Object::Name(kind), profile, ..] if kind == b"ICCBased" => {
                pdf.dereference(profile)?.1.as_stream()?.dict.get(b"N")?.as_i64()?
            }
            [Object::Name(kind), ..] if kind == b"CalRGB" => 3,
            [Object::Name(kind), ..] if kind == b"CalGray" => 1,
            _ => 0,
        },
        _ => 0,
    };
    Ok(match channels {
        3 => Space::Rgb,
        1 => Space::Grey,
        _ => Space::Other,
    })
}

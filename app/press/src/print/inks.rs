//! From screens' colours to the press's four inks, for shops that want them ready (PDF/X-1a).

use std::collections::BTreeMap;
use std::sync::Arc;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, ObjectId};
use moxcms::{ColorProfile, Layout, RenderingIntent, TransformExecutor, TransformOptions};

use crate::error::PressError;
use crate::print::objects::{dictionary, dictionary_mut, is_form, is_named};
use crate::print::profile::COATED;

/// Mixes inks by the press's profile.
pub(super) struct Inks(Arc<dyn TransformExecutor<u8> + Send + Sync>);

impl Inks {
    pub fn new() -> Result<Self, PressError> {
        let press = ColorProfile::new_from_slice(COATED)?;
        let options =
            TransformOptions { rendering_intent: RenderingIntent::Perceptual, ..Default::default() };
        // four inks travel in the layout of four channels
        Ok(Self(ColorProfile::new_srgb().create_transform_8bit(
            Layout::Rgb,
            &press,
            Layout::Rgba,
            options,
        )?))
    }

    /// sRGB pixels, three bytes each, as inks, four bytes each; 0 is none.
    pub fn mix(&self, rgb: &[u8]) -> Result<Vec<u8>, PressError> {
        let mut inks = vec![0; rgb.len() / 3 * 4];
        self.0.transform(rgb, &mut inks)?;
        Ok(inks)
    }

    /// One colour of a text or an area, 0 to 1. Greys are black ink alone: four inks never meet exactly enough for a
    /// small character's edge.
    fn of(&self, [red, green, blue]: [f32; 3]) -> Result<[f32; 4], PressError> {
        if red == green && green == blue {
            return Ok([0.0, 0.0, 0.0, 1.0 - red]);
        }
        let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
        let inks = self.mix(&[red, green, blue].map(byte))?;
        Ok([0, 1, 2, 3].map(|ink| f32::from(inks[ink]) / 255.0))
    }

    /// Says every colour of a typeset document in inks: of its pages, of the forms and patterns in them.
    ///
    /// # Errors
    /// Something is transparent, or painted in a way that has no inks here. The themes do neither.
    pub fn separate(&self, pdf: &mut Document) -> Result<(), PressError> {
        if !pdf.objects.values().filter_map(dictionary).all(is_opaque) {
            return Err(PressError::Pdf("something is transparent".to_owned()));
        }
        let mut painted: Vec<(ObjectId, Dictionary)> = Vec::new();
        for page in pdf.get_pages().into_values() {
            let page = pdf.get_dictionary(page)?;
            let resources = resources(pdf, page)?;
            painted.extend(contents(page).into_iter().map(|content| (content, resources.clone())));
        }
        for (id, object) in &pdf.objects {
            if let Ok(stream) = object.as_stream()
                && (is_form(object) || stream.dict.has(b"PatternType"))
            {
                painted.push((*id, resources(pdf, &stream.dict)?));
            }
        }
        for (id, resources) in &painted {
            let spaces = spaces(pdf, resources)?;
            let stream = pdf.get_object(*id)?.as_stream()?;
            let content = self.rewritten(&stream.get_plain_content()?, &spaces)?;
            let stream = pdf.get_object_mut(*id)?.as_stream_mut()?;
            stream.dict.remove(b"Filter");
            stream.dict.remove(b"DecodeParms");
            stream.set_content(content);
            stream.compress()?;
        }
        for dict in pdf.objects.values_mut().filter_map(dictionary_mut) {
            if is_named(dict, b"Type", b"Page") {
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

    fn rewritten(&self, content: &[u8], spaces: &BTreeMap<Vec<u8>, Space>) -> Result<Vec<u8>, PressError> {
        let mut now = [Space::Other; 2];
        let mut kept = Vec::new();
        let mut operations = Vec::new();
        for operation in Content::decode(content)?.operations {
            let stroke = usize::from(operation.operator.chars().next().is_some_and(char::is_uppercase));
            let colour = match operation.operator.as_str() {
                "q" => {
                    kept.push(now);
                    None
                }
                "Q" => {
                    now = kept.pop().unwrap_or(now);
                    None
                }
                "cs" | "CS" => {
                    let name =
                        operation.operands.first().and_then(|name| name.as_name().ok()).unwrap_or_default();
                    now[stroke] = match name {
                        b"DeviceRGB" => Space::Rgb,
                        b"DeviceGray" => Space::Grey,
                        name => spaces.get(name).copied().unwrap_or(Space::Other),
                    };
                    match now[stroke] {
                        Space::Other => None,
                        // a new space begins with black
                        _ => Some([0.0; 3]),
                    }
                }
                "sc" | "SC" | "scn" | "SCN" => rgb(now[stroke], &operation.operands),
                "rg" | "RG" => rgb(Space::Rgb, &operation.operands),
                "g" | "G" => rgb(Space::Grey, &operation.operands),
                "sh" | "BI" => return Err(PressError::Pdf("a painting without inks".to_owned())),
                _ => None,
            };
            operations.push(match colour {
                None => operation,
                Some(colour) => Operation::new(
                    ["k", "K"][stroke],
                    self.of(colour)?
                        .iter()
                        .map(|ink| Object::Real((ink * 1000.0).round() / 1000.0))
                        .collect(),
                ),
            });
        }
        Ok(Content { operations }.encode()?)
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
fn is_opaque(state: &Dictionary) -> bool {
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

fn resources(pdf: &Document, of: &Dictionary) -> Result<Dictionary, PressError> {
    match of.get(b"Resources") {
        Ok(Object::Reference(id)) => Ok(pdf.get_dictionary(*id)?.clone()),
        Ok(Object::Dictionary(dict)) => Ok(dict.clone()),
        _ => Ok(Dictionary::new()),
    }
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

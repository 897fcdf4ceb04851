//! A space of spot colours, and what its alternate makes of them. (ISO 32000-1, 8.6.6.4 and 8.6.6.5)

use hayro::hayro_interpret::Function;
use hayro_syntax::Pdf;
use hayro_syntax::object::{Object as Read, ObjectIdentifier};
use lopdf::{Dictionary, Document, Object, ObjectId, dictionary};

use super::Unsaid;

/// The objects that a function is made of, at most: it may be stitched of others.
const MOST_PARTS: usize = 1_000;

/// A space of spot colours that its alternate can say.
#[derive(Debug)]
pub(super) struct Tinted {
    /// How many tints a colour has.
    pub tints: usize,
    pub alternate: Object,
    /// From where to where each component of the alternate goes.
    pub ranges: Vec<[f32; 2]>,
    transform: Function,
}

impl Tinted {
    /// Of the parts that follow the names in a space's array.
    pub fn of(pdf: &Document, tints: usize, alternate: &Object, transform: &Object) -> Result<Self, Unsaid> {
        let ranges = ranges(pdf, alternate).ok_or(Unsaid)?;
        let transform = function(pdf, transform).ok_or(Unsaid)?;
        Ok(Self { tints, alternate: alternate.clone(), ranges, transform })
    }

    /// A colour of the alternate.
    pub fn colour(&self, tints: &[f32]) -> Result<Vec<f32>, Unsaid> {
        let tints = tints.iter().map(|tint| tint.clamp(0.0, 1.0));
        let colour = self.transform.eval(tints.collect()).filter(|it| it.len() == self.ranges.len());
        let colour = colour.filter(|it| it.iter().all(|value| value.is_finite())).ok_or(Unsaid)?;
        Ok(colour.iter().zip(&self.ranges).map(|(value, [least, most])| value.clamp(*least, *most)).collect())
    }

    /// The same as a picture's bytes: each component from its least to its most.
    pub fn bytes(&self, tints: &[f32]) -> Result<Vec<u8>, Unsaid> {
        Ok(self.parts(&self.colour(tints)?, 255.0).map(|part| part as u8).collect())
    }

    /// Components between their least, 0, and their most.
    pub fn parts<'a>(&'a self, colour: &'a [f32], most: f32) -> impl Iterator<Item = f32> + 'a {
        let parts = colour.iter().zip(&self.ranges);
        parts.map(move |(value, [from, to])| ((value - from) / (to - from) * most).round())
    }
}

/// From where to where the components of a space go that needs no other one; nothing of others.
fn ranges(pdf: &Document, space: &Object) -> Option<Vec<[f32; 2]>> {
    const LIGHT: [f32; 2] = [0.0, 1.0];
    let (_, space) = pdf.dereference(space).ok()?;
    let (kind, described) = match space {
        Object::Name(name) => (name.as_slice(), None),
        Object::Array(parts) => (pdf.dereference(parts.first()?).ok()?.1.as_name().ok()?, parts.get(1)),
        _ => return None,
    };
    let described = described.and_then(|it| pdf.dereference(it).ok()).map(|(_, it)| it);
    Some(match kind {
        b"DeviceGray" | b"CalGray" => vec![LIGHT],
        b"DeviceRGB" | b"CalRGB" => vec![LIGHT; 3],
        b"DeviceCMYK" => vec![LIGHT; 4],
        b"ICCBased" => match described?.as_stream().ok()?.dict.get(b"N").ok()?.as_i64().ok()? {
            1 => vec![LIGHT],
            3 => vec![LIGHT; 3],
            4 => vec![LIGHT; 4],
            _ => return None,
        },
        b"Lab" => {
            let chroma = numbers(pdf, described?.as_dict().ok()?, b"Range");
            let [a, b] = match chroma.as_deref() {
                Some(&[a0, a1, b0, b1]) if a0 < a1 && b0 < b1 => [[a0, a1], [b0, b1]],
                _ => [[-100.0, 100.0]; 2],
            };
            vec![[0.0, 100.0], a, b]
        }
        _ => return None,
    })
}

/// The numbers under a key.
pub(super) fn numbers(pdf: &Document, dict: &Dictionary, key: &[u8]) -> Option<Vec<f32>> {
    let (_, found) = pdf.dereference(dict.get(key).ok()?).ok()?;
    found.as_array().ok()?.iter().map(|it| pdf.dereference(it).ok()?.1.as_float().ok()).collect()
}

/// A function of a file, read by the library that draws its pages: from a file of its own.
pub(super) fn function(pdf: &Document, function: &Object) -> Option<Function> {
    let mut alone = Document::with_version("1.7");
    alone.max_id = pdf.max_id;
    let id: ObjectId = match function {
        Object::Reference(id) => *id,
        inline => alone.add_object(inline.clone()),
    };
    let mut waiting = vec![function];
    while let Some(object) = waiting.pop() {
        match object {
            Object::Reference(id) if !alone.objects.contains_key(id) => {
                let found = pdf.get_object(*id).ok()?;
                if alone.objects.len() > MOST_PARTS {
                    return None;
                }
                alone.objects.insert(*id, found.clone());
                waiting.push(found);
            }
            Object::Array(parts) => waiting.extend(parts),
            Object::Dictionary(dict) => waiting.extend(dict.iter().map(|(_, it)| it)),
            Object::Stream(stream) => waiting.extend(stream.dict.iter().map(|(_, it)| it)),
            _ => {}
        }
    }
    let pages = dictionary! { "Type" => "Pages", "Kids" => Vec::<Object>::new(), "Count" => 0 };
    let pages = alone.add_object(pages);
    let catalog = alone.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    alone.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    alone.save_to(&mut bytes).ok()?;
    let alone = Pdf::new(bytes).ok()?;
    let id = ObjectIdentifier::new(i32::try_from(id.0).ok()?, i32::from(id.1));
    Function::new(&alone.xref().get::<Read>(id)?)
}

//! Pictures and gradients in spot colours, in the alternate of these.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use lopdf::{Dictionary, Document, Object, Stream, StringFormat, dictionary};

use super::Unsaid;
use super::tint::{Tinted, function, numbers};

/// Samples of a picture in several inks, at most.
const MOST_SAMPLES: usize = 256 << 20;
/// Steps in which a gradient's colours are said: a tenth of a millimetre across an A3 sheet.
const STEPS: u16 = 4_096;

/// A picture. Where it has one ink its bytes stay, and a table says what each of them is.
pub(super) fn picture(pdf: &Document, stream: &Stream, spots: &Tinted) -> Result<Stream, Unsaid> {
    let dict = &stream.dict;
    let bits = dict.get(b"BitsPerComponent").and_then(Object::as_i64).map_err(|_| Unsaid)?;
    let is_matted = dict.get(b"SMask").and_then(|mask| pdf.dereference(mask)).is_ok_and(|(_, mask)| {
        // its colours stand in the picture's space
        mask.as_stream().is_ok_and(|mask| mask.dict.has(b"Matte"))
    });
    let filters = stream.filters().unwrap_or_default();
    if is_matted || filters.contains(&b"JPXDecode".as_slice()) {
        return Err(Unsaid);
    }
    let decode = numbers(pdf, dict, b"Decode").unwrap_or_else(|| [0.0, 1.0].repeat(spots.tints));
    if decode.len() != 2 * spots.tints {
        return Err(Unsaid);
    }
    let mut said = stream.clone();
    said.dict.remove(b"Decode");
    match (spots.tints, bits) {
        (1, 1 | 2 | 4 | 8) => {
            let most = (1_u16 << bits) - 1;
            let tint = |value: u16| decode[0] + f32::from(value) / f32::from(most) * (decode[1] - decode[0]);
            let mut table = Vec::new();
            for value in 0..=most {
                table.extend(spots.bytes(&[tint(value)])?);
            }
            said.dict.set("ColorSpace", indexed(spots, i64::from(most), table));
        }
        (2..=8, 8) => {
            let whole = stream.get_plain_content_with_limit(MOST_SAMPLES).map_err(|_| Unsaid)?;
            let mut known: HashMap<u64, Vec<u8>> = HashMap::new();
            let mut bytes = Vec::with_capacity(whole.len() / spots.tints * spots.ranges.len());
            for samples in whole.chunks_exact(spots.tints) {
                let key = samples.iter().fold(0, |key, sample| key << 8 | u64::from(*sample));
                let said = match known.entry(key) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        let tints = samples.iter().zip(decode.chunks_exact(2)).map(|(sample, range)| {
                            range[0] + f32::from(*sample) / 255.0 * (range[1] - range[0])
                        });
                        new.insert(spots.bytes(&tints.collect::<Vec<_>>())?)
                    }
                };
                bytes.extend(&*said);
            }
            // which of its colours are left out, if any, is said in its own inks
            if dict.get(b"Mask").is_ok_and(|mask| mask.as_array().is_ok()) {
                return Err(Unsaid);
            }
            said.dict.set("ColorSpace", spots.alternate.clone());
            said.set_plain_content(bytes);
            said.compress().map_err(|_| Unsaid)?;
        }
        _ => return Err(Unsaid),
    }
    Ok(said)
}

/// A table of colours in the alternate.
pub(super) fn indexed(spots: &Tinted, last: i64, table: Vec<u8>) -> Object {
    let table = Object::String(table, StringFormat::Hexadecimal);
    Object::Array(vec!["Indexed".into(), spots.alternate.clone(), last.into(), table])
}

/// What is changed in a gradient, and the function of its colours that has to be added, sampled.
pub(super) fn gradient(
    pdf: &Document,
    dict: &Dictionary,
    spots: &Tinted,
) -> Result<(Dictionary, Stream), Unsaid> {
    let kind = dict.get(b"ShadingType").and_then(Object::as_i64).map_err(|_| Unsaid)?;
    let functions = match pdf.dereference(dict.get(b"Function").map_err(|_| Unsaid)?) {
        Ok((_, Object::Array(functions))) => functions.iter().collect(),
        _ => dict.get(b"Function").into_iter().collect::<Vec<_>>(),
    };
    let functions: Option<Vec<_>> = functions.into_iter().map(|it| function(pdf, it)).collect();
    let functions = functions.ok_or(Unsaid)?;
    let [from, to] = match kind {
        2 | 3 => match numbers(pdf, dict, b"Domain").as_deref() {
            Some(&[from, to]) => [from, to],
            _ => [0.0, 1.0],
        },
        // a mesh says its parameter last
        4..=7 => match numbers(pdf, dict, b"Decode").as_deref() {
            Some(&[.., from, to]) => [from, to],
            _ => return Err(Unsaid),
        },
        _ => return Err(Unsaid),
    };
    let mut samples = Vec::new();
    for step in 0..STEPS {
        let at = from + (to - from) * f32::from(step) / f32::from(STEPS - 1);
        let mut tints = Vec::new();
        for function in &functions {
            tints.extend(function.eval(std::iter::once(at).collect()).ok_or(Unsaid)?);
        }
        if tints.len() != spots.tints {
            return Err(Unsaid);
        }
        let colour = spots.colour(&tints)?;
        samples.extend(spots.parts(&colour, 65_535.0).flat_map(|part| (part as u16).to_be_bytes()));
    }
    let range: Vec<Object> = spots.ranges.iter().flatten().map(|it| Object::Real(*it)).collect();
    let mut sampled = Stream::new(
        dictionary! {
            "FunctionType" => 0,
            "Domain" => vec![Object::Real(from), Object::Real(to)],
            "Range" => range,
            "Size" => vec![i64::from(STEPS).into()],
            "BitsPerSample" => 16,
        },
        samples,
    );
    sampled.compress().map_err(|_| Unsaid)?;
    let mut said = dict.clone();
    said.set("ColorSpace", spots.alternate.clone());
    if let Some(tints) = numbers(pdf, dict, b"Background") {
        let colour = spots.colour(&tints)?;
        said.set("Background", colour.into_iter().map(Object::Real).collect::<Vec<_>>());
    }
    Ok((said, sampled))
}

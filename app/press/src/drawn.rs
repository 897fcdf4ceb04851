//! Fonts of drawings (Type 3) that Typst makes of emoji in colour.

use domain::document::Emoji;
use lopdf::{Dictionary, Document, Object, Stream, dictionary};

use crate::error::PressError;

/// What Typst calls the font.
const NAME: &[u8] = b"TwemojiMozilla";
/// Units of its em, and how wide an `m` is in it: 0.6 em.
const M_WIDTH: i64 = 512 * 6 / 10;

/// A PDF whose words other programs read in their order: as it is, where its emoji have no colours.
pub(crate) fn readable(pdf: Vec<u8>, emoji: Emoji) -> Result<Vec<u8>, PressError> {
    if emoji.is_plain() {
        return Ok(pdf);
    }
    let mut read = Document::load_mem(&pdf)?;
    if !name_m(&mut read) {
        return Ok(pdf);
    }
    // they are made anew
    read.objects.retain(|_, object| {
        !object.as_stream().is_ok_and(|stream| matches!(stream.dict.get_type(), Ok(b"ObjStm" | b"XRef")))
    });
    let mut written = Vec::with_capacity(pdf.len());
    read.save_modern(&mut written)?;
    Ok(written)
}

/// Gives fonts of emoji an empty `m`, and says whether there are any. Poppler takes its width for what the size of such a
/// font means, and without one for two and a half times as large, so that their words would be a line of their own.
pub(crate) fn name_m(pdf: &mut Document) -> bool {
    let is_emoji = |font: &Dictionary| {
        let is = |key: &[u8], name: &[u8]| font.get(key).and_then(Object::as_name).is_ok_and(|it| it == name);
        is(b"Subtype", b"Type3") && is(b"Name", NAME) && font.get(b"Widths").is_ok_and(has_room)
    };
    let fonts = pdf.objects.iter().filter(|(_, object)| object.as_dict().is_ok_and(is_emoji));
    let fonts: Vec<_> = fonts.map(|(id, _)| *id).collect();
    for id in &fonts {
        let drawn = pdf.add_object(Stream::new(dictionary! {}, format!("{M_WIDTH} 0 d0").into_bytes()));
        let Ok(font) = pdf.get_object_mut(*id).and_then(Object::as_dict_mut) else { continue };
        let last = font.get(b"LastChar").and_then(Object::as_i64).unwrap_or_default();
        let is_named = part(font, b"CharProcs").is_some_and(|drawings| {
            let is_new = !drawings.has(b"m");
            drawings.set("m", drawn);
            is_new
        });
        if !is_named {
            continue;
        }
        if let Some(names) = part(font, b"Encoding")
            && let Ok(names) = names.get_mut(b"Differences").and_then(Object::as_array_mut)
        {
            names.push("m".into());
        }
        if let Ok(widths) = font.get_mut(b"Widths").and_then(Object::as_array_mut) {
            widths.push(M_WIDTH.into());
        }
        font.set("LastChar", last + 1);
    }
    !fonts.is_empty()
}

/// A font has 256 codes.
fn has_room(widths: &Object) -> bool {
    widths.as_array().is_ok_and(|widths| widths.len() < 256)
}

fn part<'f>(font: &'f mut Dictionary, key: &[u8]) -> Option<&'f mut Dictionary> {
    font.get_mut(key).ok()?.as_dict_mut().ok()
}

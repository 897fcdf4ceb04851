//! What is asked of a PDF's objects in several places.

use lopdf::{Dictionary, Document, Object};

use crate::error::PressError;

/// What an object says of itself: a dictionary, or that of a stream.
pub(super) fn dictionary(object: &Object) -> Option<&Dictionary> {
    match object {
        Object::Dictionary(dict) => Some(dict),
        Object::Stream(stream) => Some(&stream.dict),
        _ => None,
    }
}

/// The same, to change it.
pub(super) fn dictionary_mut(object: &mut Object) -> Option<&mut Dictionary> {
    match object {
        Object::Dictionary(dict) => Some(dict),
        Object::Stream(stream) => Some(&mut stream.dict),
        _ => None,
    }
}

/// Whether a key has this name, such as `Subtype` the name `Image`.
pub(super) fn is_named(dict: &Dictionary, key: &[u8], name: &[u8]) -> bool {
    dict.get(key).and_then(Object::as_name).is_ok_and(|found| found == name)
}

/// Whether an object is a part of a page with resources of its own: somebody's PDF, or a page on a sheet.
pub(super) fn is_form(object: &Object) -> bool {
    object.as_stream().is_ok_and(|stream| is_named(&stream.dict, b"Subtype", b"Form"))
}

/// The dictionary under a key, as resources stand in a page and spaces in resources; copied, since others may share it, and
/// empty where there is none.
pub(super) fn inner(pdf: &Document, dict: &Dictionary, key: &[u8]) -> Result<Dictionary, PressError> {
    Ok(match dict.get(key) {
        Ok(Object::Dictionary(inner)) => inner.clone(),
        Ok(Object::Reference(id)) => pdf.get_dictionary(*id)?.clone(),
        _ => Dictionary::new(),
    })
}

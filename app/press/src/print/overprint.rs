//! Four inks with a profile must not be painted while overprinting keeps zeros: presses' software differ in what comes of it.
//! (ISO 32000-1, 8.6.7: mode 1 is of the press's own inks alone)

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object};

/// What of a graphics state decides it; each for filling and for stroking.
#[derive(Clone, Copy, Default)]
struct State {
    is_profiled: [bool; 2],
    overprints: [bool; 2],
    keeps_zero: bool,
}

/// Whether a content, with its resources, paints so.
pub(crate) fn mixes(pdf: &Document, content: &[u8], resources: &Dictionary) -> bool {
    let states = category(pdf, resources, b"ExtGState");
    let spaces = category(pdf, resources, b"ColorSpace");
    let objects = category(pdf, resources, b"XObject");
    // nearly no file has both, and contents are long
    let may_keep = states.iter().any(|(_, state)| dictionary(pdf, state).is_some_and(keeps_zero));
    let has_profiled = || {
        spaces.iter().any(|(_, space)| is_profiled(pdf, space))
            || objects.iter().any(|(_, object)| is_profiled_picture(pdf, object))
    };
    if !may_keep || !has_profiled() {
        return false;
    }
    let Ok(content) = Content::decode(content) else { return false };
    let (mut state, mut saved) = (State::default(), Vec::new());
    for operation in &content.operations {
        let name = operation.operands.first().and_then(|name| name.as_name().ok()).unwrap_or_default();
        let paints = match operation.operator.as_str() {
            "q" => {
                saved.push(state);
                [false, false]
            }
            "Q" => {
                state = saved.pop().unwrap_or_default();
                [false, false]
            }
            "gs" => {
                if let Some(dict) = states.get(name).ok().and_then(|it| dictionary(pdf, it)) {
                    set(&mut state, dict);
                }
                [false, false]
            }
            "cs" | "CS" => {
                let side = usize::from(operation.operator == "CS");
                state.is_profiled[side] = spaces.get(name).is_ok_and(|space| is_profiled(pdf, space));
                [false, false]
            }
            "g" | "rg" | "k" => {
                state.is_profiled[0] = false;
                [false, false]
            }
            "G" | "RG" | "K" => {
                state.is_profiled[1] = false;
                [false, false]
            }
            "f" | "F" | "f*" | "Tj" | "TJ" | "'" | "\"" => [state.is_profiled[0], false],
            "S" | "s" => [false, state.is_profiled[1]],
            "B" | "B*" | "b" | "b*" => state.is_profiled,
            "Do" => [objects.get(name).is_ok_and(|it| is_profiled_picture(pdf, it)), false],
            _ => [false, false],
        };
        if state.keeps_zero && (0..2).any(|side| paints[side] && state.overprints[side]) {
            return true;
        }
    }
    false
}

fn keeps_zero(state: &Dictionary) -> bool {
    state.get(b"OPM").and_then(Object::as_i64).is_ok_and(|mode| mode == 1)
}

/// `OP` alone is of both (ISO 32000-1, table 58).
fn set(state: &mut State, dict: &Dictionary) {
    let said = |key: &[u8]| dict.get(key).and_then(Object::as_bool).ok();
    let (fills, strokes) = (said(b"op").or(said(b"OP")), said(b"OP"));
    state.overprints = [fills.unwrap_or(state.overprints[0]), strokes.unwrap_or(state.overprints[1])];
    if dict.has(b"OPM") {
        state.keeps_zero = keeps_zero(dict);
    }
}

fn dictionary<'p>(pdf: &'p Document, object: &'p Object) -> Option<&'p Dictionary> {
    let (_, object) = pdf.dereference(object).ok()?;
    super::objects::dictionary(object)
}

/// The resources of one kind.
fn category(pdf: &Document, resources: &Dictionary, key: &[u8]) -> Dictionary {
    resources.get(key).ok().and_then(|it| dictionary(pdf, it)).cloned().unwrap_or_default()
}

fn is_profiled(pdf: &Document, space: &Object) -> bool {
    let Ok((_, Object::Array(parts))) = pdf.dereference(space) else { return false };
    let kind = parts.first().and_then(|kind| kind.as_name().ok());
    let profile = parts.get(1).and_then(|profile| dictionary(pdf, profile));
    kind == Some(b"ICCBased")
        && profile.is_some_and(|it| it.get(b"N").and_then(Object::as_i64).is_ok_and(|inks| inks == 4))
}

fn is_profiled_picture(pdf: &Document, object: &Object) -> bool {
    dictionary(pdf, object)
        .is_some_and(|dict| dict.get(b"ColorSpace").is_ok_and(|space| is_profiled(pdf, space)))
}

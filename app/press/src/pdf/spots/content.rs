//! The colours of a content: where it paints in spot colours, their alternate is said. Everything else stays, byte for byte.

use std::io::Write;
use std::rc::Rc;

use hayro_syntax::content::UntypedIter;
use hayro_syntax::object::{Array, Name, Object};

use super::Unsaid;
use super::tint::Tinted;

/// What the numbers of a colour are.
#[derive(Debug, Clone)]
pub(super) enum Space {
    /// Of a space that stays.
    Kept,
    /// Tints of spot colours.
    Spots(Rc<Tinted>),
    /// Those that a pattern without colours is painted with.
    Patterns(Rc<Tinted>),
}

/// The operators that say a colour: for filling, and for stroking.
const SAY: [&str; 2] = ["scn", "SCN"];

/// A content in the alternates of its spot colours; nothing where it says none. `space` knows what names stand for. What a
/// form begins with is not known: whoever shows it has said that.
pub(super) fn said(
    content: &[u8],
    begins: Option<Space>,
    space: impl Fn(&[u8]) -> Result<Space, Unsaid>,
) -> Result<Option<Vec<u8>>, Unsaid> {
    let mut now = [begins.clone(), begins];
    let mut saved = Vec::new();
    let mut out = Vec::new();
    let (mut copied, mut end, mut is_picture) = (0, 0, false);
    let mut instructions = UntypedIter::new(content);
    while let Some(it) = instructions.next() {
        let operator: &[u8] = it.operator;
        let at = place(content, operator).ok_or(Unsaid)?;
        end = at + operator.len();
        is_picture = operator == b"BI";
        let side = usize::from(operator.first().is_some_and(u8::is_ascii_uppercase));
        match operator {
            b"q" => saved.push(now.clone()),
            b"Q" => now = saved.pop().unwrap_or(now),
            b"g" | b"rg" | b"k" | b"G" | b"RG" | b"K" => now[side] = Some(Space::Kept),
            b"cs" | b"CS" => {
                let Some(Object::Name(name)) = it.operands().last() else { return Err(Unsaid) };
                let named = space(name)?;
                if let Space::Spots(spots) = &named {
                    // such a space begins with all of its inks
                    out.extend(&content[copied..end]);
                    copied = end;
                    out.push(b' ');
                    colour(&mut out, &spots.colour(&vec![1.0; spots.tints])?)?;
                    out.extend(SAY[side].as_bytes());
                }
                now[side] = Some(named);
            }
            b"sc" | b"scn" | b"SC" | b"SCN" => {
                let spots = match &now[side] {
                    None => return Err(Unsaid),
                    Some(Space::Kept) => continue,
                    Some(Space::Spots(spots) | Space::Patterns(spots)) => spots,
                };
                let operands: Vec<&Object> = it.operands().collect();
                let (from, pattern) = operands_before(content, at, &operands)?;
                let tints: Vec<f32> = operands.iter().filter_map(|it| (*it).clone().into_f32()).collect();
                if tints.is_empty() && pattern.is_some() {
                    // a pattern with colours of its own
                    continue;
                }
                if tints.len() != spots.tints {
                    return Err(Unsaid);
                }
                out.extend(&content[copied..from]);
                copied = end;
                colour(&mut out, &spots.colour(&tints)?)?;
                out.extend(pattern.unwrap_or_default());
                out.extend(SAY[side].as_bytes());
            }
            b"BI" => {
                let Some(Object::Stream(picture)) = it.operands().last() else { return Err(Unsaid) };
                let dict = picture.dict();
                let named = dict.get::<Object>("ColorSpace").or_else(|| dict.get::<Object>("CS"));
                let named = match named {
                    Some(Object::Array(parts)) => base_of(&parts),
                    named => named,
                };
                if let Some(Object::Name(name)) = named
                    && !matches!(space(&name)?, Space::Kept)
                {
                    return Err(Unsaid);
                }
            }
            _ => {}
        }
    }
    // nobody reads on where an operator can't be read
    let rest = content[end..].trim_ascii();
    if !(rest.is_empty() || rest.starts_with(b"%") || is_picture && rest.ends_with(b"EI")) {
        return Err(Unsaid);
    }
    if out.is_empty() {
        return Ok(None);
    }
    out.extend(&content[copied..]);
    Ok(Some(out))
}

/// What an indexed space of a picture in a content is a table of.
fn base_of<'a>(parts: &Array<'a>) -> Option<Object<'a>> {
    let mut parts = parts.flex_iter();
    parts.next::<Name>()?;
    parts.next::<Object>()
}

/// Where a part of a content begins in it.
pub(in crate::pdf) fn place(content: &[u8], part: &[u8]) -> Option<usize> {
    let at = (part.as_ptr() as usize).checked_sub(content.as_ptr() as usize)?;
    (content.get(at..at + part.len())? == part).then_some(at)
}

/// Where the operands begin that stand in front of an operator, and the name among them as it is written, with a space behind
/// it.
fn operands_before(
    content: &[u8],
    at: usize,
    operands: &[&Object],
) -> Result<(usize, Option<Vec<u8>>), Unsaid> {
    let mut from = at;
    let mut name = None;
    for operand in operands.iter().rev() {
        let before = content[..from].trim_ascii_end();
        let length = before.iter().rev().take_while(|byte| is_regular(**byte)).count();
        let (rest, written) = before.split_at(before.len() - length);
        from = rest.len();
        match operand {
            Object::Name(_) if rest.ends_with(b"/") => {
                from -= 1;
                name = Some([b"/", written, b" "].concat());
            }
            Object::Number(number) => {
                let written = std::str::from_utf8(written).ok().and_then(|it| it.parse::<f64>().ok());
                if written.is_none_or(|written| (written - number.as_f64()).abs() > 1e-4) {
                    return Err(Unsaid);
                }
            }
            _ => return Err(Unsaid),
        }
    }
    Ok((from, name))
}

/// Part of a number or a name. (ISO 32000-1, 7.2.2)
fn is_regular(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !b"\0()<>[]{}/%".contains(&byte)
}

/// A colour's components, each with a space behind it.
fn colour(out: &mut Vec<u8>, components: &[f32]) -> Result<(), Unsaid> {
    components.iter().try_for_each(|it| write!(out, "{} ", (it * 1e4).round() / 1e4)).map_err(|_| Unsaid)
}

//! The properties of elements and pages by their names. An element is set by way of its JSON, so a property is read, checked
//! and left out exactly as it is in a stored document, and no second list says what a value looks like.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Refused;
use crate::document::{Element, Page};

/// What may be set of every element: what is inside months and pages of PDF files is not the editor's.
const OF_ALL: [&str; 3] = ["frame", "rotation", "locked"];

fn names(element: &Element) -> &'static [&'static str] {
    match element {
        Element::Photo(_) => &["photo", "crop", "border", "radius", "mask"],
        Element::Text(_) => &["role", "text", "size", "align", "colour", "weight", "font"],
        Element::Shape(_) => &["shape", "fill", "border", "radius"],
        Element::Code(_) => &["address"],
        Element::Pdf(_) | Element::Month(_) => &[],
    }
}

/// The element with another value of a property, and the value before; `null` is what is not said.
pub(super) fn set(element: &Element, name: &str, value: &Value) -> Result<(Element, Value), Refused> {
    if !OF_ALL.contains(&name) && !names(element).contains(&name) {
        return Err(Refused::UnknownProperty(name.to_owned()));
    }
    let (changed, before) = replaced(element, name, value)?;
    Ok((changed, before))
}

/// The value of an element's property.
pub(super) fn get(element: &Element, name: &str) -> Value {
    written(element).remove(name).unwrap_or(Value::Null)
}

/// What a page has beside its elements.
#[derive(Serialize, Deserialize)]
struct Look {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    theme: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ground: Option<crate::document::Ground>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    background: Option<crate::document::Colour>,
}

impl Look {
    fn of(page: &Page) -> Self {
        let ground = Some(page.ground).filter(|ground| *ground != crate::document::Ground::default());
        Self { theme: page.theme.clone(), ground, background: page.background }
    }
}

/// Sets a property of a page and answers the value before.
pub(super) fn set_page(page: &mut Page, name: &str, value: &Value) -> Result<Value, Refused> {
    if !["theme", "ground", "background"].contains(&name) {
        return Err(Refused::UnknownProperty(name.to_owned()));
    }
    let (look, before): (Look, Value) = replaced(&Look::of(page), name, value)?;
    page.theme = look.theme;
    page.ground = look.ground.unwrap_or_default();
    page.background = look.background;
    Ok(before)
}

/// The value of a page's property.
pub(super) fn get_page(page: &Page, name: &str) -> Value {
    written(&Look::of(page)).remove(name).unwrap_or(Value::Null)
}

/// Whether two values say the same. Numbers that differ by less than any eye and any press can tell are the same: a document
/// that is written and read again may come back with another last digit.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => match (one.as_f64(), other.as_f64()) {
            (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs().max(1.0),
            _ => one == other,
        },
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

/// Whether two elements say the same.
pub(super) fn same_element(one: &Element, other: &Element) -> bool {
    same(&Value::Object(written(one)), &Value::Object(written(other)))
}

fn replaced<T: Serialize + DeserializeOwned>(
    whole: &T,
    name: &str,
    value: &Value,
) -> Result<(T, Value), Refused> {
    let mut fields = written(whole);
    let before = match value {
        Value::Null => fields.remove(name),
        value => fields.insert(name.to_owned(), value.clone()),
    };
    let changed = serde_json::from_value(Value::Object(fields));
    let changed = changed.map_err(|_| Refused::WrongValue(name.to_owned()))?;
    Ok((changed, before.unwrap_or(Value::Null)))
}

fn written(whole: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(whole) {
        Ok(Value::Object(fields)) => fields,
        // every one of them is an object
        _ => Map::new(),
    }
}

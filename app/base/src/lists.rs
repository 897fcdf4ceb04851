//! Lists that are searched and read in keyset pages: a page begins behind the last thing of the one before, so that
//! what is new moves nothing, and the last page takes no longer than the first.

use std::fmt::Display;
use std::str::FromStr;

use crate::error::Error;

/// Where a page of a list begins: behind this thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position<Id, Key = i64> {
    /// What the list is sorted by, such as a moment in epoch ms.
    pub at: Key,
    pub id: Id,
}

/// As it stands in an address: `1700000000000.20261121…`.
impl<Id: Display, Key: Display> Display for Position<Id, Key> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.at, self.id)
    }
}

impl<Id: FromStr, Key: FromStr> FromStr for Position<Id, Key> {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        // no id has a full stop
        let parts = text.rsplit_once('.').and_then(|(at, id)| Some((at.parse().ok()?, id.parse().ok()?)));
        let (at, id) = parts.ok_or(Error::NotFound)?;
        Ok(Self { at, id })
    }
}

/// What was typed into a search, as it is looked for.
pub fn search_text(typed: &str) -> String {
    domain::typed::name(typed, 100)
}

/// A search as a pattern for `lower(…) like lower(…) escape '\'`. The database puts both sides in lower case: each engine
/// has letters of its own for which it can.
pub fn pattern(search: &str) -> String {
    let mut pattern = String::from("%");
    for c in search.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// An address with those of the values that are not empty.
pub fn address(path: &str, values: &[(&str, &str)]) -> String {
    let values: Vec<_> = values.iter().filter(|(_, value)| !value.is_empty()).collect();
    match serde_urlencoded::to_string(values) {
        Ok(query) if !query.is_empty() => format!("{path}?{query}"),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use domain::ids::WorkId;

    use super::*;

    #[test]
    fn a_position_comes_back_from_an_address() {
        for at in ["海边.的-夏天", "", "1700000000000"] {
            let position = Position::<WorkId, String> { at: at.into(), id: "01j-x".parse().unwrap() };
            assert_eq!(position.to_string().parse::<Position<WorkId, String>>().unwrap(), position);
        }
        assert!("x.01j".parse::<Position<WorkId>>().is_err());
        assert!("1700".parse::<Position<WorkId>>().is_err());
    }

    #[test]
    fn a_search_is_taken_by_the_letter() {
        assert_eq!(pattern("50%_Off\\"), "%50\\%\\_Off\\\\%");
        assert_eq!(pattern(""), "%%");
    }
}

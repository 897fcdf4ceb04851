//! What programs that read are told of something published, in JSON: manifests of the Readium Web Publication
//! (readium.org/webpub-manifest), whose words the catalogues of OPDS 2.0 (specs.opds.io) use, too.

use serde_json::{Map, Value, json};

use crate::money::Fen;
use crate::xml::held;

/// The media type of a manifest whose pages are pictures, and the profile that such a one names (profile Divina, section 1).
pub const PICTURES: &str = "application/divina+json";
/// See [`PICTURES`].
pub const PROFILE: &str = "https://readium.org/webpub-manifest/profiles/divina";

/// A link to something.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Link {
    /// Empty where the place in the document says it.
    pub rel: &'static str,
    /// Absolute.
    pub href: String,
    /// Its media type.
    pub kind: &'static str,
    /// May be empty.
    pub title: String,
    /// Of a picture, in pixels.
    pub size: Option<(u32, u32)>,
    /// What it costs.
    pub price: Option<Fen>,
    /// The media types of what is there after more steps than one.
    pub becomes: Vec<&'static str>,
    /// The same in another form.
    pub alternate: Vec<Link>,
}

impl Link {
    /// A plain one.
    pub fn new(rel: &'static str, kind: &'static str, href: String) -> Self {
        Self { rel, kind, href, ..Self::default() }
    }

    /// In the words of both standards.
    pub fn json(&self) -> Value {
        let mut link = json!({ "href": self.href, "type": self.kind });
        if !self.rel.is_empty() {
            link["rel"] = json!(self.rel);
        }
        if !self.title.is_empty() {
            link["title"] = json!(held(&self.title));
        }
        if let Some((width, height)) = self.size {
            (link["width"], link["height"]) = (json!(width), json!(height));
        }
        if let Some(price) = self.price {
            link["properties"]["price"] = json!({ "value": price.0 as f64 / 100.0, "currency": "CNY" });
        }
        if !self.becomes.is_empty() {
            link["properties"]["indirectAcquisition"] =
                self.becomes.iter().map(|kind| json!({ "type": kind })).collect();
        }
        if !self.alternate.is_empty() {
            link["alternate"] = self.alternate.iter().map(Link::json).collect();
        }
        link
    }
}

/// What is said of a publication.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metadata {
    /// Of schema.org: `Book`, `PublicationIssue`.
    pub kind: &'static str,
    pub title: String,
    /// `urn:…`, not an address: it stays.
    pub identifier: String,
    /// These three may be empty.
    pub author: String,
    pub publisher: String,
    pub description: String,
    /// A day, or a moment (RFC 3339).
    pub published: String,
    /// The last change (RFC 3339).
    pub modified: String,
    pub pages: usize,
    /// What it is an issue of: `newspaper` or `magazine`, its name, and the issue's number.
    pub issue_of: Option<(&'static str, String, i64)>,
}

impl Metadata {
    /// In the words of both standards.
    pub fn json(&self) -> Value {
        let title = held(&self.title);
        let mut metadata = json!({
            "@type": format!("http://schema.org/{}", self.kind),
            "title": if title.trim().is_empty() { "无题" } else { title.trim() },
            "identifier": self.identifier,
            "language": "zh-CN",
            "published": self.published,
            "modified": self.modified,
            "numberOfPages": self.pages,
        });
        for (name, value) in
            [("author", &self.author), ("publisher", &self.publisher), ("description", &self.description)]
        {
            let value = held(value);
            if !value.trim().is_empty() {
                metadata[name] = json!(value.trim());
            }
        }
        if let Some((kind, name, number)) = &self.issue_of {
            metadata["belongsTo"] =
                Map::from_iter([((*kind).to_owned(), json!({ "name": held(name), "position": number }))])
                    .into();
        }
        metadata
    }
}

/// How pages follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progression {
    LeftToRight,
    RightToLeft,
    /// One page below the other.
    Scrolled,
}

/// A manifest of pages that are pictures, each with the page that holds its words beside it. `contents` are titles and the
/// places of their pages in `pages`.
pub fn manifest(
    metadata: &Metadata,
    progression: Progression,
    links: &[Link],
    pages: &[Link],
    contents: &[(String, usize)],
) -> Value {
    let mut about = metadata.json();
    about["conformsTo"] = json!(PROFILE);
    about["readingProgression"] = json!(if progression == Progression::RightToLeft { "rtl" } else { "ltr" });
    about["layout"] = json!(if progression == Progression::Scrolled { "scrolled" } else { "fixed" });
    let toc: Vec<Value> = contents
        .iter()
        .filter_map(|(title, at)| {
            let page = pages.get(*at)?;
            Some(json!({ "title": held(title), "href": page.href, "type": page.kind }))
        })
        .collect();
    let mut manifest = json!({
        "@context": "https://readium.org/webpub-manifest/context.jsonld",
        "metadata": about,
        "links": links.iter().map(Link::json).collect::<Vec<_>>(),
        "readingOrder": pages.iter().map(Link::json).collect::<Vec<_>>(),
    });
    if !toc.is_empty() {
        manifest["toc"] = toc.into();
    }
    manifest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_empty_is_not_said() {
        let metadata = Metadata { kind: "Book", title: "\u{ffff} ".into(), ..Metadata::default() };
        let said = metadata.json();
        assert_eq!(said["title"], "无题");
        assert!(said.get("author").is_none() && said.get("belongsTo").is_none());
        let link = Link::new("", "text/html", "https://books.example/".into()).json();
        assert_eq!(link, json!({ "href": "https://books.example/", "type": "text/html" }));
    }

    #[test]
    fn prices_are_yuan() {
        let price =
            |fen| Link { price: Some(Fen(fen)), ..Link::default() }.json()["properties"]["price"].to_string();
        assert_eq!(price(1_990), r#"{"currency":"CNY","value":19.9}"#);
        assert_eq!(price(600), r#"{"currency":"CNY","value":6.0}"#);
    }
}

//! The head of a page: its title, styles and scripts, and how it presents itself outside.

use std::sync::{Arc, Mutex, PoisonError};

use domain::xml::escaped;

use super::styles::{Inside, Styles};

/// What every page has.
const EVERY_PAGES: &str = "site.css";

/// What those at a house's desk have beside it.
const DESK_PAGES: &str = "desk.css";

/// What presents a page in weixin.
const WEIXIN: &str = "weixin.js";

/// A link that is pressed is fetched from then on, not when it is let go, by browsers that do so (Speculation Rules; never where
/// data is saved). What is no page refuses it ([`Route`](crate::route::Route)).
pub const PRESSED: &str = r#"{"prefetch":[{"where":{"href_matches":"/*"},"eagerness":"conservative"}]}"#;

/// Marks where the title and the page's own styles belong.
pub const HEAD_PLACE: &str = "place-of-the-head";

/// Title, styles and scripts of the page that is being rendered, and how a public page presents itself.
///
/// `leptos_meta` is not used for this: it does not escape titles, and loses styles that are named by a part of
/// the page whose data arrives late.
#[derive(Clone, Default)]
pub struct HeadSlot(Arc<Mutex<Head>>);

#[derive(Default)]
struct Head {
    title: String,
    assets: &'static [&'static str],
    /// Scripts that a part of the page needs.
    more: Vec<&'static str>,
    /// Whether a sub-member works here for a house.
    at_desk: bool,
    card: Option<Card>,
    links: Vec<Link>,
    /// What the page's scripts will ask for.
    ahead: Vec<Ahead>,
    /// Whether search engines leave the page out.
    is_hidden: bool,
    /// Whether nobody keeps the page, its browser neither.
    is_unkept: bool,
    /// What stands behind everything else, another one each time.
    tail: String,
    /// Scripts that stand in the page itself.
    scripts: Vec<&'static str>,
}

/// A link in a page's head.
#[derive(Debug, Clone)]
pub struct Link {
    pub rel: &'static str,
    pub href: String,
    /// Its media type; empty for pages of this site.
    pub kind: &'static str,
}

/// What a page needs beside its own text, which its browser fetches while it still reads that: in this order.
#[derive(Debug, Clone)]
pub enum Ahead {
    /// A picture on screens of some kind, by its address and, where it comes in several widths, these as `srcset` and `sizes`
    /// have them.
    Picture { address: String, widths: String, sizes: &'static str, media: &'static str },
    /// A script.
    Script(String),
}

impl Ahead {
    fn html(&self) -> String {
        match self {
            Self::Picture { address, widths, sizes, media } => format!(
                "<link rel=\"preload\" as=\"image\" fetchpriority=\"high\" media=\"{}\" href=\"{}\" imagesrcset=\"{}\" imagesizes=\"{}\">",
                escaped(media),
                escaped(address),
                escaped(widths),
                escaped(sizes)
            ),
            Self::Script(address) => format!("<link rel=\"modulepreload\" href=\"{}\">", escaped(address)),
        }
    }
}

/// What search engines and messengers show of a public page.
#[derive(Debug, Clone)]
pub struct Card {
    /// Of Open Graph: website, book, article, profile.
    pub kind: &'static str,
    pub description: String,
    /// Absolute, the one address of the page.
    pub address: String,
    /// Absolute, 1200 × 630.
    pub picture: String,
    /// schema.org's words for what is on the page.
    pub data: serde_json::Value,
}

impl HeadSlot {
    /// Called by the page, once.
    pub fn set(&self, title: String, assets: &'static [&'static str]) {
        let mut head = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (head.title, head.assets) = (title, assets);
    }

    /// Called by a part of the page that needs a script.
    pub fn needs(&self, script: &'static str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).more.push(script);
    }

    /// Called by the frame of a page at a house's desk.
    pub fn at_desk(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).at_desk = true;
    }

    /// Called by a public page, once.
    pub fn present(&self, card: Card) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).card = Some(card);
    }

    /// Adds a link to a page that stands in some relation to this one.
    pub fn link(&self, link: Link) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).links.push(link);
    }

    /// Called by a part of the page that is in use only when this has come.
    pub fn ahead(&self, ahead: Ahead) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).ahead.push(ahead);
    }

    /// Whether the page is in use only when its scripts have come.
    pub fn awaits_scripts(&self) -> bool {
        let head = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        head.ahead.iter().any(|ahead| matches!(ahead, Ahead::Script(_)))
    }

    /// Called by a page that search engines should leave out.
    pub fn hide(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_hidden = true;
    }

    /// Called by a part of the page that is another one each time: it goes behind everything else, so that the rest of the page
    /// stays the same.
    pub fn at_end(&self, html: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).tail.push_str(html);
    }

    /// What goes behind everything else.
    pub fn tail(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).tail.clone()
    }

    /// Called by a part of the page that is good once, or that nobody should find who comes after.
    pub fn unkept(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_unkept = true;
    }

    /// Whether browsers may keep the page.
    pub fn is_kept(&self) -> bool {
        !self.0.lock().unwrap_or_else(PoisonError::into_inner).is_unkept
    }

    /// Called by a part of the page that is a script.
    pub fn allow(&self, script: &'static str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).scripts.push(script);
    }

    /// What stands inside the page.
    pub fn inside(&self, styles: &Styles) -> Inside {
        let mut scripts = self.0.lock().unwrap_or_else(PoisonError::into_inner).scripts.clone();
        scripts.push(PRESSED);
        Inside::of(styles, self.assets(), &scripts)
    }

    /// The styles and scripts of the page, by name.
    pub fn assets(&self) -> impl Iterator<Item = &'static str> {
        let head = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let desk = head.at_desk.then_some(DESK_PAGES);
        let more = head.more.clone();
        std::iter::once(EVERY_PAGES).chain(head.assets.iter().copied()).chain(more).chain(desk)
    }

    /// The tags. In weixin's browser, of which there is a nonce then, a page that presents itself has the script that does so
    /// there: it loads another site's.
    pub fn html(&self, styles: &Styles, in_weixin: Option<&str>) -> String {
        let assets = self.assets();
        let head = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let title = format!("{} · 书坊", head.title);
        let mut html = format!("<title>{}</title>", escaped(&title));
        html.extend(head.ahead.iter().map(Ahead::html));
        for asset in assets {
            html.push_str(&if asset.ends_with(".js") {
                format!("<script type=\"module\" src=\"{}\"></script>", crate::assets::address(asset))
            } else {
                styles.tags(asset)
            });
        }
        if let (Some(nonce), Some(_)) = (in_weixin, &head.card) {
            let address = crate::assets::address(WEIXIN);
            html.push_str(&format!("<script type=\"module\" src=\"{address}\" nonce=\"{nonce}\"></script>"));
        }
        html.push_str(&format!("<script type=\"speculationrules\">{PRESSED}</script>"));
        if head.is_hidden {
            html.push_str("<meta name=\"robots\" content=\"noindex\">");
        }
        for Link { rel, href, kind } in &head.links {
            let kind = if kind.is_empty() { String::new() } else { format!(" type=\"{kind}\"") };
            html.push_str(&format!("<link rel=\"{rel}\"{kind} href=\"{}\">", escaped(href)));
        }
        if let Some(card) = &head.card {
            html.push_str(&card.html(&title));
        }
        html
    }
}

impl Card {
    fn html(&self, title: &str) -> String {
        let Self { kind, description, address, picture, data } = self;
        let mut html = format!(
            "<meta name=\"description\" content=\"{}\"><link rel=\"canonical\" href=\"{}\">",
            escaped(description),
            escaped(address)
        );
        for (property, content) in [
            ("og:type", *kind),
            ("og:site_name", "书坊"),
            ("og:locale", "zh_CN"),
            ("og:title", title),
            ("og:description", description),
            ("og:url", address),
            ("og:image", picture),
            ("og:image:width", "1200"),
            ("og:image:height", "630"),
        ] {
            html.push_str(&format!("<meta property=\"{property}\" content=\"{}\">", escaped(content)));
        }
        // `<` stands only inside JSON's strings, where it may be written like this: nothing can end the element
        let data = data.to_string().replace('<', "\\u003c");
        html.push_str(&format!("<script type=\"application/ld+json\">{data}</script>"));
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</title></script><script>alert(1)</script>\"><!-- & <!>";

    #[test]
    fn no_text_leaves_its_place_in_the_head() {
        let slot = HeadSlot::default();
        slot.set(HOSTILE.to_owned(), &["about.css"]);
        slot.link(Link { rel: "next", href: HOSTILE.to_owned(), kind: "" });
        slot.ahead(Ahead::Script(HOSTILE.to_owned()));
        slot.ahead(Ahead::Picture {
            address: HOSTILE.to_owned(),
            widths: HOSTILE.to_owned(),
            sizes: "100vw",
            media: "all",
        });
        slot.present(Card {
            kind: "book",
            description: HOSTILE.to_owned(),
            address: format!("https://example.com/{HOSTILE}"),
            picture: HOSTILE.to_owned(),
            data: serde_json::json!({ "name": HOSTILE }),
        });
        let html = slot.html(&Styles::Linked, None);
        // what is fetched when a link is pressed, and the card's data
        assert_eq!(html.matches("<script").count(), 2, "{html}");
        assert_eq!(html.matches("</script>").count(), 2, "{html}");
        assert_eq!(html.matches("</title>").count(), 1, "{html}");
        assert!(!html.contains("<!"), "{html}");
        let (_, data) = html.split_once("ld+json\">").expect("data");
        let (data, rest) = data.split_once("</script>").expect("an end");
        assert_eq!(rest, "");
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        assert_eq!(data["name"], HOSTILE, "what search engines read is what was meant");
        // every tag's attributes end where they should: an even number of quotes between its brackets
        for tag in html.split('<').filter(|tag| tag.starts_with("meta") || tag.starts_with("link")) {
            let inside = tag.split_once('>').expect("an end").0;
            assert!(inside.matches('"').count().is_multiple_of(2), "{tag}");
        }
    }
}

//! PDF files that others made: counting their pages, taking them as pages of a book, and reading their words and links.
//!
//! [`inspect`], [`draw`], [`text`](text()) and [`links`](links()) do what a file asks of them, however much that is: whoever calls them for a file of unknown
//! origin does so in a process of its own, with limits.

mod draw;
mod inspect;
mod lines;
mod links;
mod measure;
mod mend;
mod outline;
mod text;
mod tone;

pub(crate) use draw::draw_page;
pub use draw::{LONG_SIDE, draw};
pub use inspect::{MOST_PAGES, PdfFacts, PdfRefusal, inspect};
pub use links::{MOST_LINKS, links};
pub use measure::PageMeasures;
pub(crate) use mend::{Mended, is_held, mend};
pub use outline::MOST_CHAPTERS;
pub use text::{MOST_LETTERS, text, texts};

const END: &[u8] = b"%%EOF";
/// How near to its end a file says that it ends (ISO 32000-1, implementation note 18 of PDF 1.7).
const TAIL: usize = 1024;

/// How many pages a PDF file has; `None` for bytes that are no readable PDF, or one without pages. The pages are not
/// drawn.
pub fn pages(bytes: &[u8]) -> Option<usize> {
    // lopdf takes a header anywhere; browsers and printers want it first. And it mends files that are cut off
    if !bytes.starts_with(b"%PDF-") || !ends(bytes) {
        return None;
    }
    let document = lopdf::Document::load_mem(bytes).ok()?;
    Some(document.get_pages().len()).filter(|pages| *pages > 0)
}

/// Whether the file says that it ends.
fn ends(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    tail.windows(END.len()).any(|window| window == END)
}

#[cfg(test)]
mod tests {
    use lopdf::{Document, Object, dictionary};

    #[test]
    fn only_whole_files_with_pages_count() {
        let mut document = Document::with_version("1.7");
        let pages = document.new_object_id();
        let page = document.add_object(dictionary! { "Type" => "Page", "Parent" => pages });
        let kids = dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 };
        document.objects.insert(pages, Object::Dictionary(kids));
        let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
        document.trailer.set("Root", catalog);
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).expect("a PDF");
        assert_eq!(super::pages(&bytes), Some(1));
        assert_eq!(super::pages(&bytes[..bytes.len() / 2]), None, "cut off");
        assert_eq!(super::pages(b"%PDF-1.7\nnothing else"), None);
        assert_eq!(super::pages(&[b" ", &bytes[..]].concat()), None, "the header stands first");
        assert_eq!(super::pages(b""), None);
    }
}

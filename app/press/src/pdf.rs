//! PDF files that others made: counting their pages, taking them as pages of a book, and reading their words and links.
//!
//! [`inspect`], [`draw`], [`text`](text()) and [`links`](links()) do what a file asks of them, however much that is: whoever calls them for a file of unknown
//! origin does so in a process of its own, with limits.

mod columns;
mod draw;
mod forgive;
mod inspect;
mod letters;
mod lines;
mod links;
mod measure;
mod mend;
mod outline;
mod paragraphs;
mod permissions;
mod ruled;
mod spots;
mod stacks;
mod strings;
mod text;
mod tone;

use memchr::memmem;

pub(crate) use draw::draw_page;
pub use draw::{LONG_SIDE, draw};
pub use inspect::{MOST_PAGES, PdfFacts, PdfRefusal, inspect};
pub use links::{MOST_LINKS, links};
pub use measure::PageMeasures;
pub(crate) use mend::{Mended, is_held, mend};
pub use outline::MOST_CHAPTERS;
pub(crate) use permissions::{Allowed, Printing};
pub use text::{MOST_LETTERS, text, texts};

/// How a file begins, and within how many bytes (PDF Reference 1.7, implementation note 13): mails and web servers put
/// something before it.
const HEADER: &[u8] = b"%PDF-";
const HEAD: usize = 1024;
/// How near to its end a file says that it ends (the same, note 18).
const TAIL: usize = 1024;

/// How many pages a PDF file has; `None` for bytes that are no readable PDF, or one without pages. The pages are not
/// drawn.
pub fn pages(bytes: &[u8]) -> Option<usize> {
    // lopdf mends files that are cut off
    let file = from_header(bytes).filter(|file| ends(file))?;
    let document = lopdf::Document::load_mem(file).ok()?;
    Some(document.get_pages().len()).filter(|pages| *pages > 0)
}

/// A file from its header on, where its offsets count from; `None` where it has none.
fn from_header(bytes: &[u8]) -> Option<&[u8]> {
    let at = memmem::find(&bytes[..bytes.len().min(HEAD)], HEADER)?;
    Some(&bytes[at..])
}

/// Whether the file says that it ends. Some programs fill its last block with zeros, and some leave the last line out.
fn ends(bytes: &[u8]) -> bool {
    let is_written = |byte: &u8| !matches!(byte, b'\0' | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ');
    let length = bytes.iter().rposition(is_written).map_or(0, |last| last + 1);
    let tail = &bytes[length.saturating_sub(TAIL)..length];
    [b"%%EOF".as_slice(), b"startxref"].iter().any(|end| memmem::find(tail, end).is_some())
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
        assert_eq!(super::pages(&[&[b' '; 1019], &bytes[..]].concat()), Some(1), "the header stands near");
        assert_eq!(super::pages(&[&[b' '; 1020], &bytes[..]].concat()), None, "the header stands far off");
        assert_eq!(super::pages(&[&bytes[..], &[0; 4096]].concat()), Some(1), "filled up");
        assert_eq!(super::pages(b""), None);
    }
}

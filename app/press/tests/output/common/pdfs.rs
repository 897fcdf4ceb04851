//! PDFs that the tests make for themselves.
#![allow(dead_code, reason = "an example uses its own part")]

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

pub const PT_PER_MM: f64 = 72.0 / 25.4;

/// A PDF under construction.
pub struct Pdf {
    pub document: Document,
    pages: ObjectId,
    font: ObjectId,
    kids: Vec<Object>,
}

impl Default for Pdf {
    fn default() -> Self {
        Self::new()
    }
}

impl Pdf {
    pub fn new() -> Self {
        let mut document = Document::with_version("1.7");
        let pages = document.new_object_id();
        let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
        let font = document.add_object(font);
        Self { document, pages, font, kids: Vec::new() }
    }

    /// Adds a page of this size in mm that says something in its lower left corner and has a red square there.
    pub fn page(self, width: f64, height: f64, words: &str) -> Self {
        self.page_with(width, height, words, Dictionary::new())
    }

    /// The same with more in the page's dictionary.
    pub fn page_with(mut self, width: f64, height: f64, words: &str, more: Dictionary) -> Self {
        let operations = vec![
            Operation::new("rg", vec![0.8.into(), 0.15.into(), 0.15.into()]),
            Operation::new("re", vec![0.into(), 0.into(), 85.into(), 85.into()]),
            Operation::new("f", vec![]),
            Operation::new("rg", vec![0.into(), 0.into(), 0.into()]),
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec!["F1".into(), 24.into()]),
            Operation::new("Td", vec![100.into(), 100.into()]),
            Operation::new("Tj", vec![Object::string_literal(words)]),
            Operation::new("ET", vec![]),
        ];
        let content = Content { operations }.encode().expect("operations");
        let content = self.document.add_object(Stream::new(Dictionary::new(), content));
        self.add(width, height, content, more)
    }

    pub fn add(mut self, width: f64, height: f64, content: ObjectId, more: Dictionary) -> Self {
        let mut page = dictionary! {
            "Type" => "Page",
            "Parent" => self.pages,
            "MediaBox" => numbers([0.0, 0.0, width * PT_PER_MM, height * PT_PER_MM]),
            "Contents" => content,
            "Resources" => dictionary! { "Font" => dictionary! { "F1" => self.font } },
        };
        for (key, value) in more.iter() {
            page.set(key.clone(), value.clone());
        }
        let page = self.document.add_object(page);
        self.kids.push(page.into());
        self
    }

    pub fn bytes(mut self) -> Vec<u8> {
        let count = self.kids.len() as i64;
        let kids = dictionary! { "Type" => "Pages", "Kids" => self.kids, "Count" => count };
        self.document.objects.insert(self.pages, Object::Dictionary(kids));
        let catalog = self.document.add_object(dictionary! { "Type" => "Catalog", "Pages" => self.pages });
        self.document.trailer.set("Root", catalog);
        let mut bytes = Vec::new();
        self.document.save_to(&mut bytes).expect("a PDF");
        bytes
    }
}

pub fn numbers(numbers: [f64; 4]) -> Object {
    Object::Array(numbers.map(|number| Object::Real(number as f32)).to_vec())
}

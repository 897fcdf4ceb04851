//! PDFs written byte by byte, with whatever is wrong with them.
#![allow(dead_code, reason = "an example uses its own part")]

use std::collections::BTreeMap;

/// A file under construction: a page of A5 that paints a red square in its lower left corner and a blue one in its upper right.
#[derive(Clone)]
pub struct Raw {
    objects: BTreeMap<u32, Vec<u8>>,
}

pub const SQUARES: &str = "0.8 0.1 0.1 rg 20 20 120 120 re f 0.1 0.2 0.8 rg 280 400 120 170 re f ";

impl Default for Raw {
    fn default() -> Self {
        let mut raw = Self { objects: BTreeMap::new() };
        raw.set(1, "<</Type/Catalog/Pages 2 0 R>>");
        raw.set(2, "<</Type/Pages/Kids[3 0 R]/Count 1>>");
        raw.page("/MediaBox[0 0 420 595]");
        raw.content(SQUARES);
        raw
    }
}

impl Raw {
    /// An object as it is written, in the place of the one that has this number.
    pub fn set(&mut self, number: u32, object: impl AsRef<[u8]>) -> &mut Self {
        self.objects.insert(number, object.as_ref().to_vec());
        self
    }

    /// The page, object 3, with more in its dictionary; its content is object 4.
    pub fn page(&mut self, more: &str) -> &mut Self {
        self.set(3, format!("<</Type/Page/Parent 2 0 R/Contents 4 0 R{more}>>"))
    }

    /// A page of A5 with these resources.
    pub fn resources(&mut self, resources: &str) -> &mut Self {
        self.page(&format!("/MediaBox[0 0 420 595]/Resources<<{resources}>>"))
    }

    pub fn content(&mut self, content: &str) -> &mut Self {
        self.stream(4, "", content.as_bytes())
    }

    /// A stream with the right length.
    pub fn stream(&mut self, number: u32, dict: &str, data: &[u8]) -> &mut Self {
        let head = format!("<<{dict}/Length {}>>\nstream\n", data.len());
        self.set(number, [head.as_bytes(), data, b"\nendstream"].concat())
    }

    /// A picture that is object 5, named `X`, and shown in the middle between the squares.
    pub fn picture(&mut self, dict: &str, data: &[u8]) -> &mut Self {
        self.content(&format!("{SQUARES} q 200 0 0 200 110 170 cm /X Do Q"));
        self.resources("/XObject<</X 5 0 R>>");
        self.stream(5, &format!("/Type/XObject/Subtype/Image{dict}"), data)
    }

    /// The objects one after the other, with the places that each has.
    fn body(&self) -> (Vec<u8>, BTreeMap<u32, usize>) {
        let mut bytes = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
        let mut places = BTreeMap::new();
        for (number, object) in &self.objects {
            places.insert(*number, bytes.len());
            bytes.extend(format!("{number} 0 obj\n").bytes());
            bytes.extend(object);
            bytes.extend(b"\nendobj\n");
        }
        (bytes, places)
    }

    /// The file with a table of places, each moved by so many bytes.
    pub fn moved(&self, by: usize) -> Vec<u8> {
        let (mut bytes, places) = self.body();
        let start = bytes.len();
        let last = places.keys().max().copied().unwrap_or(0);
        bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", last + 1).bytes());
        for number in 1..=last {
            let entry = places
                .get(&number)
                .map_or("0000000000 65535 f ".to_owned(), |place| format!("{:010} 00000 n ", place + by));
            bytes.extend(format!("{entry}\n").bytes());
        }
        let tail = format!("trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n", last + 1);
        bytes.extend(tail.bytes());
        bytes
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.moved(0)
    }

    /// The file without a table.
    pub fn bare(&self, tail: &str) -> Vec<u8> {
        let (mut bytes, _) = self.body();
        bytes.extend(tail.bytes());
        bytes
    }
}

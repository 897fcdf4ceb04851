//! Writes a PDF from front to back: objects as they come, the table of their places at the end.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use lopdf::{Dictionary, Document, Object, Stream, Writer};

use crate::error::PressError;
use crate::print::check::breaches_in;
use crate::print::objects::is_named;
use domain::print_settings::PrintStandard;

/// Small objects are gathered in blocks of this size.
const BLOCK: usize = 1 << 20;

struct Counting<'a> {
    out: BufWriter<&'a mut dyn Write>,
    position: u64,
}

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A PDF that is being written.
pub(super) struct PdfWriter<'a> {
    out: Counting<'a>,
    /// Where each object begins; objects have generation 0.
    places: BTreeMap<u32, u64>,
    next: u32,
    /// What was written, without the pictures: to be looked through before the file is handed out.
    written: Document,
}

impl<'a> PdfWriter<'a> {
    /// Begins a file of a PDF version. Numbers above `last_used` are free for new objects.
    pub fn begin(out: &'a mut dyn Write, version: &str, last_used: u32) -> io::Result<Self> {
        let mut out = Counting { out: BufWriter::with_capacity(BLOCK, out), position: 0 };
        // Four bytes over 127 tell other programs that the file is not text (ISO 32000-1, 7.5.2).
        writeln!(out, "%PDF-{version}")?;
        out.write_all(b"%\xe2\xe3\xcf\xd3\n")?;
        let written = Document::with_version(version);
        Ok(Self { out, places: BTreeMap::new(), next: last_used + 1, written })
    }

    /// A number for a new object.
    pub fn number(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn open(&mut self, number: u32) -> io::Result<()> {
        self.places.insert(number, self.out.position);
        writeln!(self.out, "{number} 0 obj")
    }

    /// Writes a whole object.
    pub fn object(&mut self, number: u32, object: &Object) -> Result<(), PressError> {
        self.open(number)?;
        let shown = match object {
            Object::Stream(stream) if is_named(&stream.dict, b"Subtype", b"Image") => {
                Stream::new(stream.dict.clone(), Vec::new()).into()
            }
            object => object.clone(),
        };
        self.written.objects.insert((number, 0), shown);
        Writer::write_object(&mut self.out, object)?;
        self.out.write_all(b"\nendobj\n")?;
        Ok(())
    }

    /// Writes a new object and returns a reference to it.
    pub fn add(&mut self, object: &Object) -> Result<Object, PressError> {
        let number = self.number();
        self.object(number, object)?;
        Ok(Object::Reference((number, 0)))
    }

    /// Writes a stream of several parts.
    pub fn parts(&mut self, number: u32, mut dict: Dictionary, parts: &[&[u8]]) -> Result<(), PressError> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let length = i64::try_from(length).map_err(|_| PressError::Pdf("a stream is too long".to_owned()))?;
        dict.set("Length", length);
        self.open(number)?;
        self.written.objects.insert((number, 0), Stream::new(dict.clone(), Vec::new()).into());
        Writer::write_object(&mut self.out, &Object::Dictionary(dict))?;
        self.out.write_all(b"\nstream\n")?;
        for part in parts {
            self.out.write_all(part)?;
        }
        self.out.write_all(b"\nendstream\nendobj\n")?;
        Ok(())
    }

    /// Writes a stream whose length is known when it is written: it stands in an object behind it (ISO 32000-1, 7.3.8.2).
    pub fn flowing<E: From<PressError>>(
        &mut self,
        number: u32,
        mut dict: Dictionary,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        let length = self.number();
        let begun = (|| -> Result<(), PressError> {
            dict.set("Length", Object::Reference((length, 0)));
            self.open(number)?;
            self.written.objects.insert((number, 0), Stream::new(dict.clone(), Vec::new()).into());
            Writer::write_object(&mut self.out, &Object::Dictionary(dict))?;
            self.out.write_all(b"\nstream\n")?;
            Ok(())
        })();
        begun?;
        let start = self.out.position;
        write(&mut self.out)?;
        let count = self.out.position - start;
        let ended = (|| -> Result<(), PressError> {
            self.out.write_all(b"\nendstream\nendobj\n")?;
            let count =
                i64::try_from(count).map_err(|_| PressError::Pdf("a stream is too long".to_owned()))?;
            self.object(length, &count.into())
        })();
        Ok(ended?)
    }

    /// Writes the table and the trailer, and returns the file's size.
    ///
    /// # Errors
    /// It breaks a rule of its standard, or is too long.
    pub fn finish(mut self, mut trailer: Dictionary, standard: PrintStandard) -> Result<u64, PressError> {
        self.written.trailer = trailer.clone();
        if let Some(breach) = breaches_in(&self.written, standard).first() {
            let (rule, clause, found) = (breach.rule, breach.clause, &breach.found);
            return Err(PressError::Pdf(format!(
                "it breaks the rule {rule} (ISO 32000-1, {clause}): {found}"
            )));
        }
        let start = self.out.position;
        // One entry is 20 bytes, the place ten digits (ISO 32000-1, 7.5.4); unused numbers are free entries.
        write!(self.out, "xref\n0 {}\n0000000000 65535 f \n", self.next)?;
        for number in 1..self.next {
            match self.places.get(&number) {
                Some(place) if *place < 10_000_000_000 => writeln!(self.out, "{place:010} 00000 n ")?,
                Some(_) => return Err(PressError::Pdf("the file would be over 10 GB".to_owned())),
                None => self.out.write_all(b"0000000000 00000 f \n")?,
            }
        }
        trailer.set("Size", i64::from(self.next));
        self.out.write_all(b"trailer\n")?;
        Writer::write_object(&mut self.out, &Object::Dictionary(trailer))?;
        write!(self.out, "\nstartxref\n{start}\n%%EOF\n")?;
        self.out.flush()?;
        Ok(self.out.position)
    }
}

//! What the maker of an encrypted file lets those do who open it without a password: its user access permissions
//! (ISO 32000-2, 7.6.4.2, table 22).
//!
//! They are wishes. Whoever decrypts a file could pass over them, so they are kept here: a file that may not be printed is
//! no file for a book.

use lopdf::{Document, Permissions};
use memchr::memmem;

/// How a file may be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Printing {
    Forbidden,
    /// As a picture from which nobody could make another edition.
    Coarse,
    Fine,
}

/// What may be done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowed {
    pub printing: Printing,
    /// Taking words and pictures out of it.
    pub copying: bool,
}

impl Allowed {
    pub const ALL: Self = Self { printing: Printing::Fine, copying: true };
    const NOTHING: Self = Self { printing: Printing::Forbidden, copying: false };

    /// What may be done with the pages of a file; nothing where it can't be taken apart.
    pub fn of_file(bytes: &[u8]) -> Self {
        // a trailer is never compressed
        if memmem::find(bytes, b"/Encrypt").is_none() {
            return Self::ALL;
        }
        let allowed = Document::load_mem(bytes).ok().and_then(|pdf| Self::of(&pdf));
        allowed.unwrap_or(Self::NOTHING)
    }

    /// The same of one that was taken apart; `None` where it asks for a password.
    pub fn of(pdf: &Document) -> Option<Self> {
        let Some(encryption) = &pdf.encryption_state else {
            return (!pdf.trailer.has(b"Encrypt")).then_some(Self::ALL);
        };
        let allows = |permission| encryption.permissions().contains(permission);
        // older files know nothing of how finely they are printed
        let is_fine = encryption.revision() < 3 || allows(Permissions::PRINTABLE_IN_HIGH_QUALITY);
        let printing = match allows(Permissions::PRINTABLE) {
            true if is_fine => Printing::Fine,
            true => Printing::Coarse,
            false => Printing::Forbidden,
        };
        Some(Self { printing, copying: allows(Permissions::COPYABLE) })
    }
}

//! Originals read and hashed while the one before them is written: a book's worth is hundreds of megabytes, and either half
//! takes about as long as the other.

use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::Scope;

use domain::ids::PhotoId;
use photo::PhotoRefusal;
use sha2::{Digest, Sha256};

use crate::error::PressError;
use crate::print::photos::hex;
use crate::print::{Originals, Planned};

/// Photos' bytes in the order in which they were asked for, each held against what it was hashed to when it came.
pub(super) struct ReadAhead {
    read: Receiver<Result<Vec<u8>, PressError>>,
    spent: Sender<Vec<u8>>,
}

impl ReadAhead {
    /// Begins reading. One original waits while another is written: no more are in memory.
    pub fn begin<'scope, 'a: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        originals: &'a dyn Originals,
        photos: Vec<(&'a PhotoId, &'a Planned)>,
    ) -> Self {
        let (put, read) = sync_channel(0);
        let (spent, free) = channel::<Vec<u8>>();
        scope.spawn(move || {
            for (photo, planned) in photos {
                // the memory of one that is written serves the next
                let found = read_whole(originals, photo, planned, free.try_recv().unwrap_or_default());
                let is_end = found.is_err();
                if put.send(found).is_err() || is_end {
                    break;
                }
            }
        });
        Self { read, spent }
    }

    /// The next photo's bytes.
    ///
    /// # Errors
    ///
    /// When it is damaged, can't be read, or is not what came.
    pub fn next(&self) -> Result<Vec<u8>, PressError> {
        self.read.recv().unwrap_or_else(|_| Err(PressError::Pdf("no photo is left to be read".to_owned())))
    }

    /// Gives the memory of one back.
    pub fn give_back(&self, bytes: Vec<u8>) {
        // whoever read has nothing left to read
        let _ = self.spent.send(bytes);
    }
}

fn read_whole(
    originals: &dyn Originals,
    photo: &PhotoId,
    planned: &Planned,
    mut bytes: Vec<u8>,
) -> Result<Vec<u8>, PressError> {
    let unreadable =
        |reason: &dyn std::fmt::Display| PressError::Unreadable(photo.clone(), reason.to_string());
    if planned.original.damaged {
        return Err(unreadable(&PhotoRefusal::Damaged));
    }
    bytes.clear();
    let mut source = originals.open(photo).map_err(|error| unreadable(&error))?;
    source.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    match originals.digest(photo) {
        Some(expected) if expected.as_str() != hex(&Sha256::digest(&bytes)) => {
            Err(PressError::Altered(photo.clone()))
        }
        _ => Ok(bytes),
    }
}

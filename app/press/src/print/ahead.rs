//! Originals read and hashed while those before them are written: a book's worth is hundreds of megabytes, and hashing takes
//! longer than writing.

use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::Scope;

use domain::ids::PhotoId;
use photo::PhotoRefusal;
use sha2::{Digest, Sha256};

use crate::error::PressError;
use crate::print::photos::hex;
use crate::print::{Originals, Planned};

/// How many are read at once, each by a thread: with the one that writes they keep two cores busy.
const READERS: usize = 2;

/// Photos' bytes in the order in which they were asked for, each held against what it was hashed to when it came.
pub(super) struct ReadAhead {
    readers: [Reader; READERS],
    next: usize,
}

struct Reader {
    read: Receiver<Result<Vec<u8>, PressError>>,
    spent: Sender<Vec<u8>>,
}

impl ReadAhead {
    /// Begins reading. One original of each reader waits while another is written: no more are in memory.
    pub fn begin<'scope, 'a: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        originals: &'a dyn Originals,
        photos: &[(&'a PhotoId, &'a Planned)],
    ) -> Self {
        let reader = |first: usize| {
            // they take turns
            let photos: Vec<_> = photos.iter().skip(first).step_by(READERS).copied().collect();
            let (put, read) = sync_channel(0);
            let (spent, free) = channel::<Vec<u8>>();
            scope.spawn(move || {
                for (photo, planned) in photos {
                    // the memory of one that is written serves the next
                    let found = read_whole(originals, photo, planned, free.try_recv().unwrap_or_default());
                    // nobody takes it where printing has ended
                    if put.send(found).is_err() {
                        break;
                    }
                }
            });
            Reader { read, spent }
        };
        Self { readers: std::array::from_fn(reader), next: 0 }
    }

    /// Gives `write` the next photo's bytes.
    ///
    /// # Errors
    ///
    /// The photo is damaged, can't be read, or is not what came; those of `write`.
    pub fn next(&mut self, write: impl FnOnce(&[u8]) -> Result<(), PressError>) -> Result<(), PressError> {
        let reader = &self.readers[self.next % READERS];
        self.next += 1;
        let read = reader.read.recv();
        let bytes = read.map_err(|_| PressError::Pdf("no photo is left to be read".to_owned()))??;
        write(&bytes)?;
        // whoever read it may have nothing left to read
        let _ = reader.spent.send(bytes);
        Ok(())
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

//! Reading ZIP files that anybody may have made.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};

use base::error::Error;
use base::storage::Storage;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use zip::ZipArchive;

/// Entries that a file may have, and bytes of its list of entries.
const MOST_ENTRIES: u64 = 10_000;
const MOST_LIST: u64 = 2 << 20;

/// A ZIP file of few entries; nothing where it is none.
///
/// # Errors
/// The file can't be read.
pub fn open(mut file: File) -> std::io::Result<Option<ZipArchive<BufReader<File>>>> {
    if !has_a_short_list(&mut file)? {
        return Ok(None);
    }
    Ok(ZipArchive::new(BufReader::new(file)).ok())
}

/// Bytes of the three records at the end of a ZIP file (APPNOTE.TXT, sections 4.3.14 to 4.3.16). Every file has the last
/// one; one with a list past the first 4 GB has the other two before it.
const END64: usize = 56;
const LOCATOR: usize = 20;
const END: usize = 22;
const ENDS: usize = END64 + LOCATOR + END;
/// The bytes of the shortest entry in the list.
const SHORTEST_ENTRY: u64 = 46;

/// Whether the file ends as a ZIP file of few entries does: its list of entries is read into memory, so it must be
/// short, and whoever reads it must find the same one. So nothing may be wrong at this end that would make a reader look
/// for an earlier one, and there is no comment behind it.
fn has_a_short_list(file: &mut File) -> std::io::Result<bool> {
    let length = file.metadata()?.len();
    // the shortest archive with a document in it is longer
    if length < ENDS as u64 {
        return Ok(false);
    }
    let mut ends = [0; ENDS];
    file.seek(SeekFrom::End(-(ENDS as i64)))?;
    file.read_exact(&mut ends)?;
    let mut first = [0; 4];
    let list = short_list(&ends, length);
    if let Some(start) = list {
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut first)?;
    }
    file.rewind()?;
    Ok(list.is_some() && first == *b"PK\x01\x02")
}

/// Where the list of entries begins, seen from the last bytes of a file of this length; nothing where it is too long, or
/// does not end where the records begin.
fn short_list(ends: &[u8; ENDS], length: u64) -> Option<u64> {
    let number = |at: usize, bytes: usize| {
        ends[at..at + bytes].iter().rev().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let (locator, end) = (END64, END64 + LOCATOR);
    let (listed, bytes, start) = (number(end + 10, 2), number(end + 12, 4), number(end + 16, 4));
    let overflows = listed == 0xffff || bytes == 0xffff_ffff || start == 0xffff_ffff;
    let is_zip64 = overflows && ends[locator..].starts_with(b"PK\x06\x07");
    let behind = length - if is_zip64 { ENDS as u64 } else { END as u64 };
    // the disks, the entries on this one and all of them, the list's bytes and where it starts
    let (disks, here, listed, bytes, start) = if is_zip64 {
        let is_found = ends.starts_with(b"PK\x06\x06")
            && number(4, 8) == END64 as u64 - 12
            && number(locator + 4, 4) == 0
            && number(locator + 8, 8) == behind
            && number(locator + 16, 4) <= 1;
        if !is_found {
            return None;
        }
        (number(16, 8), number(24, 8), number(32, 8), number(40, 8), number(48, 8))
    } else {
        (number(end + 4, 4), number(end + 8, 2), listed, bytes, start)
    };
    let is_short = ends[end..].starts_with(b"PK\x05\x06")
        && number(end + 20, 2) == 0
        && disks == 0
        && here == listed
        && (1..=MOST_ENTRIES).contains(&listed)
        && (listed * SHORTEST_ENTRY..=MOST_LIST).contains(&bytes)
        && start.checked_add(bytes) == Some(behind);
    is_short.then_some(start)
}

/// An entry on the disk.
pub struct Extracted {
    pub file: NamedTempFile,
    pub sha256: String,
    pub bytes: u64,
}

/// Why an entry was not taken.
pub enum NotTaken {
    Damaged,
    TooLarge,
}

/// Writes an entry to the disk, up to a limit however small it claims to be.
///
/// # Errors
/// The disk is full or broken.
pub fn extract(entry: impl Read, most: u64, storage: &Storage) -> Result<Result<Extracted, NotTaken>, Error> {
    let mut file = storage.incoming().map_err(Error::internal)?;
    let mut entry = entry.take(most + 1);
    let (mut digest, mut bytes, mut block) = (Sha256::new(), 0, vec![0; 1 << 16]);
    loop {
        let Ok(read) = entry.read(&mut block) else { return Ok(Err(NotTaken::Damaged)) };
        if read == 0 {
            break;
        }
        digest.update(&block[..read]);
        file.write_all(&block[..read]).map_err(Error::internal)?;
        bytes += read as u64;
    }
    file.flush().map_err(Error::internal)?;
    if bytes > most {
        return Ok(Err(NotTaken::TooLarge));
    }
    Ok(Ok(Extracted { file, sha256: hex::encode(digest.finalize()), bytes }))
}

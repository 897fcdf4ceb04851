//! A folder of a bucket. Nothing can be renamed there: a job's files come first, and its `job.json` last, which says that all are
//! there. A workflow takes a job by deleting its files and `job.json` as the last of them.
//!
//! A job is whole below `.incoming` before it has a row, as several machines may make the same. Whoever wrote the row copies its
//! files to their place, says beside them that it did (`ready.json`), and only then writes `job.json` in their place.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures::TryStreamExt;
use object_store::buffered::BufWriter;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::place::{
    Back, DONE, Hangs, INCOMING, JOB, Listed, MARK, PRINTED, Put, Source, Told, WITHDRAWN, Whereabouts,
};

/// How old a half is that nobody writes any more.
const OLD: Duration = Duration::from_secs(60 * 60);
/// Bytes of a part (S3: 5 MB at least).
const PART_BYTES: usize = 8 << 20;

#[derive(Debug, Clone)]
pub struct Bucket {
    pub store: Arc<dyn ObjectStore>,
}

/// Names are taken as they are: the signs that a bucket would change are in none of them.
fn key(parts: &[&str]) -> Result<Key, Hangs> {
    Ok(Key::parse(parts.join("/"))?)
}

/// Says of a job below `.incoming` that its files are in their place.
const READY: &str = "ready.json";

fn unless_missing<T>(found: object_store::Result<T>) -> Result<Option<T>, Hangs> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl Bucket {
    async fn has(&self, key: &Key) -> Result<bool, Hangs> {
        Ok(unless_missing(self.store.head(key).await)?.is_some())
    }

    async fn read(&self, key: &Key) -> Result<Option<Vec<u8>>, Hangs> {
        let Some(found) = unless_missing(self.store.get(key).await)? else { return Ok(None) };
        Ok(Some(found.bytes().await?.to_vec()))
    }

    async fn delete(&self, key: &Key) -> Result<(), Hangs> {
        unless_missing(self.store.delete(key).await).map(drop)
    }

    /// Everything below a folder: its name behind that, and its bytes.
    async fn below(&self, folder: &Key) -> Result<Vec<(Key, String, u64)>, Hangs> {
        let mut found = Vec::new();
        let mut entries = self.store.list(Some(folder));
        while let Some(entry) = entries.try_next().await? {
            let Some(rest) = entry.location.prefix_match(folder) else { continue };
            let name = rest.map(|part| part.as_ref().to_owned()).collect::<Vec<_>>().join("/");
            found.push((entry.location, name, entry.size));
        }
        Ok(found)
    }

    async fn rename(&self, from: &Key, to: &Key) -> Result<(), Hangs> {
        if unless_missing(self.store.copy(from, to).await)?.is_some() {
            self.delete(from).await?;
        }
        Ok(())
    }

    pub async fn mark(&self) -> Result<Option<String>, Hangs> {
        let mark = self.read(&key(&[MARK])?).await?;
        Ok(mark.map(|mark| String::from_utf8_lossy(&mark).trim().to_owned()))
    }

    pub async fn begin(&self, house: &str) -> Result<(), Hangs> {
        self.store.put(&key(&[MARK])?, PutPayload::from(format!("{house}\n").into_bytes())).await?;
        Ok(())
    }

    /// A bucket has no folders to be made.
    pub async fn complete(&self) -> Result<(), Hangs> {
        Ok(())
    }

    async fn send(&self, source: Source, to: Key) -> Result<(u64, String), Hangs> {
        let mut out = BufWriter::with_capacity(self.store.clone(), to, PART_BYTES);
        let (mut count, mut hash) = (0, Sha256::new());
        let mut from: Box<dyn tokio::io::AsyncRead + Send + Unpin> = match source {
            Source::Disk(path) => Box::new(tokio::fs::File::open(path).await?),
            Source::Bytes(bytes) => Box::new(std::io::Cursor::new(bytes)),
        };
        let mut block = vec![0; 1 << 20];
        let sent = async {
            loop {
                let read = from.read(&mut block).await?;
                let Some(read) = block.get(..read).filter(|read| !read.is_empty()) else { break };
                hash.update(read);
                count += read.len() as u64;
                out.write_all(read).await?;
            }
            out.shutdown().await
        };
        if let Err(error) = sent.await {
            // parts that came would stay and cost
            let _ = out.abort().await;
            return Err(error.into());
        }
        Ok((count, hex::encode(hash.finalize())))
    }

    pub async fn stage(
        &self,
        staging: &str,
        _name: &str,
        files: Vec<(String, Source)>,
        told: Told,
    ) -> Result<Vec<Listed>, Hangs> {
        let mut listed = Vec::new();
        for (file, source) in files {
            let (bytes, sha256) = self.send(source, key(&[INCOMING, staging, &file])?).await?;
            listed.push(Listed { name: file, bytes, sha256 });
        }
        let told = serde_json::to_vec_pretty(&told(&listed)).map_err(|error| Hangs(error.to_string()))?;
        self.store.put(&key(&[INCOMING, staging, JOB])?, PutPayload::from(told)).await?;
        Ok(listed)
    }

    pub async fn unstage(&self, staging: &str) {
        // what stays goes with other halves
        let _ = self.forget(staging).await;
    }

    async fn forget(&self, staging: &str) -> Result<(), Hangs> {
        for (key, ..) in self.below(&key(&[INCOMING, staging])?).await? {
            self.delete(&key).await?;
        }
        Ok(())
    }

    /// Its files as they are now: those that were put there, or others.
    async fn files(&self, name: &str) -> Result<HashSet<(String, u64)>, Hangs> {
        let found = self.below(&key(&[name])?).await?;
        Ok(found.into_iter().map(|(_, name, bytes)| (name, bytes)).filter(|(name, _)| name != JOB).collect())
    }

    pub async fn put(&self, staging: &str, name: &str, files: &[Listed]) -> Result<Put, Hangs> {
        let (waits, ready, to) =
            (key(&[INCOMING, staging, JOB])?, key(&[INCOMING, staging, READY])?, key(&[name, JOB])?);
        if self.has(&to).await? {
            self.forget(staging).await?;
            return Ok(Put::There);
        }
        if self.has(&waits).await? {
            for file in files {
                let from = key(&[INCOMING, staging, &file.name])?;
                self.store.copy(&from, &key(&[name, &file.name])?).await?;
            }
            self.rename(&waits, &ready).await?;
        }
        // who takes a job takes its files first
        let now = self.files(name).await?;
        let is_whole = files.iter().all(|file| now.contains(&(file.name.clone(), file.bytes)));
        let told = self.read(&ready).await?.filter(|_| is_whole);
        let is_put = told.is_some();
        if let Some(told) = told {
            self.store.put(&to, PutPayload::from(told)).await?;
        }
        self.forget(staging).await?;
        Ok(if is_put { Put::There } else { Put::Taken })
    }

    pub async fn whereabouts(&self, staging: &str, name: &str) -> Result<Whereabouts, Hangs> {
        Ok(if self.has(&key(&[name, JOB])?).await? {
            Whereabouts::There
        } else if self.has(&key(&[INCOMING, staging, READY])?).await? {
            Whereabouts::Incoming
        } else if self.has(&key(&[WITHDRAWN, name, JOB])?).await? {
            Whereabouts::Withdrawn
        } else {
            Whereabouts::Elsewhere
        })
    }

    pub async fn missing(&self, name: &str, files: &[Listed]) -> Result<Vec<String>, Hangs> {
        let now: HashSet<String> = self.files(name).await?.into_iter().map(|(name, _)| name).collect();
        Ok(files.iter().filter(|file| !now.contains(&file.name)).map(|file| file.name.clone()).collect())
    }

    pub async fn take_back(&self, name: &str, files: &[Listed]) -> Result<Back, Hangs> {
        let job = key(&[name, JOB])?;
        let known: HashSet<_> = files.iter().map(|file| (file.name.clone(), file.bytes)).collect();
        if !self.has(&job).await? {
            return Ok(Back::Taken);
        }
        if self.files(name).await? != known {
            return Ok(Back::Touched);
        }
        // nobody begins it any more; a kill from here on leaves files that nobody looks at
        self.rename(&job, &key(&[WITHDRAWN, name, JOB])?).await?;
        for file in files {
            self.rename(&key(&[name, &file.name])?, &key(&[WITHDRAWN, name, &file.name])?).await?;
        }
        Ok(Back::Withdrawn)
    }

    pub async fn sign(&self, sign: &str, words: &str) -> Result<(), Hangs> {
        self.store
            .put(&key(&[WITHDRAWN, sign])?, PutPayload::from(format!("{words}\n").into_bytes()))
            .await?;
        Ok(())
    }

    pub async fn unsign(&self, sign: &str) -> Result<(), Hangs> {
        self.delete(&key(&[WITHDRAWN, sign])?).await
    }

    pub async fn printed(&self) -> Result<Vec<String>, Hangs> {
        let found = self.store.list_with_delimiter(Some(&key(&[PRINTED])?)).await?;
        let objects = found.objects.into_iter().map(|object| object.location);
        let names = objects.chain(found.common_prefixes);
        Ok(names.filter_map(|key| key.filename().map(str::to_owned)).collect())
    }

    pub async fn tidy(&self, name: &str, stamp: &str) -> Result<(), Hangs> {
        let (from, to) = (key(&[PRINTED, name])?, key(&[DONE, &format!("{stamp} {name}")])?);
        let found = self.below(&from).await?;
        if found.is_empty() {
            return self.rename(&from, &to).await;
        }
        for (place, rest, _) in found {
            self.rename(&place, &key(&[to.as_ref(), &rest])?).await?;
        }
        Ok(())
    }

    pub async fn clean(&self, known: &HashSet<String>) -> Result<(), Hangs> {
        let mut entries = self.store.list(Some(&key(&[INCOMING])?));
        let mut old = Vec::new();
        while let Some(entry) = entries.try_next().await? {
            let staging = entry.location.parts().nth(1);
            let is_known = staging.is_some_and(|staging| known.contains(staging.as_ref()));
            let age = SystemTime::now().duration_since(entry.last_modified.into());
            if !is_known && age.is_ok_and(|age| age > OLD) {
                old.push(entry.location);
            }
        }
        for key in old {
            self.delete(&key).await?;
        }
        Ok(())
    }
}

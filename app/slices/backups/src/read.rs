//! Reads a generation: whole, or it is said what of it is not.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Seek};

use age::x25519::Identity;
use base::error::Failure;
use tempfile::NamedTempFile;
use web::app::App;

use crate::repository::{Contents, Generation, Manifest, Repository, is_called};
use crate::{FOLDERS, rows, seal};

/// A generation that is being read.
pub struct Reading<'a> {
    app: &'a App,
    repository: &'a Repository,
    pub manifest: Manifest,
    identity: Option<&'a Identity>,
    pub contents: Contents,
}

/// The digest that the bytes of a blob must have.
pub fn digest_of(blob: &str) -> &str {
    blob.rsplit('-').next().unwrap_or_default()
}

impl<'a> Reading<'a> {
    /// Begins.
    ///
    /// # Errors
    /// Where it is encrypted and the key is missing or another one, and where what tells of the other blobs is not whole.
    pub async fn begin(
        app: &'a App,
        repository: &'a Repository,
        generation: &Generation,
        identity: Option<&'a Identity>,
    ) -> Result<Self, Failure> {
        let manifest = repository.manifest(generation).await?;
        let newest = base::db::newest_migration();
        if manifest.schema > newest {
            return Err(format!(
                "{} was made by the newer version {} (schema {}, this one knows {newest}); take that one",
                generation.name, manifest.version, manifest.schema
            )
            .into());
        }
        let empty =
            Contents { key: None, tables: BTreeMap::new(), files: BTreeMap::new(), damaged: Vec::new() };
        let mut reading = Self { app, repository, manifest, identity, contents: empty };
        if let Some(recipient) = &reading.manifest.recipient {
            let given = identity.map(|identity| identity.to_public().to_string());
            match given {
                Some(given) if given == *recipient => {}
                Some(given) => {
                    return Err(format!(
                        "{} is encrypted for {recipient}, and this is the key of {given}",
                        generation.name
                    )
                    .into());
                }
                None => {
                    return Err(format!(
                        "{} is encrypted for {recipient}: --identity names the file of its secret half",
                        generation.name
                    )
                    .into());
                }
            }
        }
        let lines = reading.lines(&reading.manifest.contents).await?;
        reading.contents = serde_json::from_reader(lines)?;
        Ok(reading)
    }

    /// What a blob holds, open.
    pub async fn open(&self, blob: &str) -> Result<Box<dyn Read + Send>, Failure> {
        let mut file = self.fetch(blob).await?;
        file.as_file_mut().rewind()?;
        let file = file.into_file();
        Ok(match self.manifest.recipient.as_ref().and(self.identity) {
            Some(identity) => Box::new(seal::open(identity, file)?),
            None => Box::new(file),
        })
    }

    /// The lines that a blob holds.
    pub async fn lines(&self, blob: &str) -> Result<Box<dyn BufRead + Send>, Failure> {
        Ok(Box::new(BufReader::new(zstd::Decoder::new(self.open(blob).await?)?)))
    }

    async fn fetch(&self, blob: &str) -> Result<NamedTempFile, Failure> {
        self.app.storage.room_for(self.manifest.blobs.get(blob).copied().unwrap_or_default())?;
        let mut file = self.app.storage.incoming()?;
        match self.repository.fetch(blob, &mut file).await? {
            Some(digest) if digest == digest_of(blob) => Ok(file),
            Some(_) => Err(format!("{blob} is damaged: its bytes are not those that were stored").into()),
            None => Err(format!("{blob} is missing").into()),
        }
    }

    /// The blob of a file, by the SHA-256 of its bytes.
    pub fn blob_of(&self, sha256: &str) -> Result<&str, Failure> {
        let name = match (&self.contents.key, &self.manifest.recipient) {
            (Some(key), Some(recipient)) => seal::keyed(key, recipient, sha256),
            _ => sha256.to_owned(),
        };
        self.manifest
            .blob(&name)
            .ok_or_else(|| format!("the backup is not whole: it names no blob for {sha256}").into())
    }

    /// Other blobs that are called by the same file.
    pub async fn others(&self, blob: &str) -> Result<Vec<String>, Failure> {
        let name = blob.split('-').next().unwrap_or_default();
        let there = self.repository.blobs().await?;
        Ok(there.into_keys().filter(|other| other != blob && is_called(other, name)).collect())
    }

    /// Whether an error says that a bucket did not answer, and nothing of what is in it.
    pub fn is_unanswered(&self, error: &Failure) -> bool {
        self.repository.folder().is_none() && error.is::<object_store::Error>()
    }

    /// Every file: its folder and the SHA-256 of its bytes.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        FOLDERS.iter().flat_map(|folder| {
            self.contents.files.get(*folder).into_iter().flatten().map(|sha256| (*folder, sha256.as_str()))
        })
    }

    /// Fills the empty database of a program with its rows.
    pub async fn fill(&self, into: &App) -> Result<(), Failure> {
        let mut tx = into.db.begin().await?;
        rows::is_empty(&mut tx).await?;
        let expected = self.contents.tables.iter().map(|(table, (_, rows))| (table.clone(), *rows)).collect();
        rows::fill(into, tx, &expected, async |table| match self.contents.tables.get(table) {
            Some((blob, _)) => Ok(Some(self.lines(blob).await?)),
            None => Ok(None),
        })
        .await
    }
}

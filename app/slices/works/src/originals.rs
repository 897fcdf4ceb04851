//! Whether everything that a work shows can be printed: its photos' originals and its PDFs are there and whole.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use base::error::Error;
use domain::document::Document;
use domain::ids::{FileDigest, MemberId, PhotoId, WorkId};
use quick_cache::sync::Cache;
use web::app::App;

use super::store::{self, Mark};
use super::{Outline, documents, photos_of};

/// What a revision shows. It never changes, so a cart need not read its document again to know.
#[derive(Debug)]
struct Shows {
    photos: Vec<PhotoId>,
    files: Vec<FileDigest>,
}

/// By the work and the number of its revision.
static KNOWN: LazyLock<Cache<(WorkId, i64), Arc<Shows>>> = LazyLock::new(|| Cache::new(2_000));

impl Shows {
    fn of(document: &Document) -> Self {
        let files = document.files().into_iter().cloned().collect();
        Self { photos: photos_of(document), files }
    }

    /// Of the newest revision.
    async fn of_work(app: &App, work: &Outline, member: &MemberId) -> Result<Arc<Self>, Error> {
        if let Some(known) = KNOWN.get(&(work.id.clone(), work.revision)) {
            return Ok(known);
        }
        // it may have been saved again meanwhile
        let work = store::find_for_owner(&app.db, &work.id, member).await?;
        let shows = Arc::new(Self::of(&work.document));
        KNOWN.insert((work.id, work.revision), Arc::clone(&shows));
        Ok(shows)
    }
}

/// The photos and PDFs that are asked about, as the library has them, and which of their files are there.
struct Library {
    photos: HashMap<PhotoId, Mark>,
    /// What the member calls them.
    files: HashMap<FileDigest, String>,
}

impl Library {
    async fn of(app: &App, member: &MemberId, all: &[Arc<Shows>]) -> Result<Self, Error> {
        let photos: BTreeSet<&PhotoId> = all.iter().flat_map(|shows| &shows.photos).collect();
        let photos: Vec<&PhotoId> = photos.into_iter().collect();
        let mut files = HashMap::new();
        for file in all.iter().flat_map(|shows| &shows.files) {
            if !files.contains_key(file)
                && let Some(found) = documents::find(app, member, file).await?
            {
                files.insert(file.clone(), found.file_name);
            }
        }
        Ok(Self { photos: store::marks(&app.db, member, &photos).await?, files })
    }

    /// Why it can't be printed, with the file names of what is not here, or can't be read; unknown ones by their id.
    fn obstacle(&self, shows: &Shows, is_lost: impl Fn(&str) -> bool) -> Option<String> {
        let (mut missing, mut damaged) = (Vec::new(), Vec::new());
        for id in &shows.photos {
            match self.photos.get(id) {
                None => missing.push(id.to_string()),
                // of one that is on its way nobody has shown yet that it is the member's
                Some(photo) if photo.is_coming || is_lost(&photo.sha256) => {
                    missing.push(photo.file_name.clone());
                }
                Some(photo) if photo.is_broken => damaged.push(photo.file_name.clone()),
                Some(_) => {}
            }
        }
        for file in &shows.files {
            match self.files.get(file) {
                None => missing.push(file.to_string()),
                Some(name) if is_lost(file.as_str()) => missing.push(name.clone()),
                Some(_) => {}
            }
        }
        let reasons = [("缺少原图", missing), ("照片已损坏，请换掉", damaged)];
        let reasons = reasons.into_iter().filter(|(_, names)| !names.is_empty());
        let reasons: Vec<String> =
            reasons.map(|(reason, names)| format!("{reason}：{}", names.join("、"))).collect();
        (!reasons.is_empty()).then(|| reasons.join("；"))
    }
}

/// Why a document can't be printed; `None` where nothing is in the way.
pub async fn unprintable(app: &App, member: &MemberId, document: &Document) -> Result<Option<String>, Error> {
    let shows = Arc::new(Shows::of(document));
    let library = Library::of(app, member, std::slice::from_ref(&shows)).await?;
    Ok(library.obstacle(&shows, |digest| app.storage.has_lost(digest)))
}

/// The same of a member's works, for each that can't be printed, as far as a page shows it.
pub async fn unprintable_works(
    app: &App,
    member: &MemberId,
    works: impl Iterator<Item = &Outline>,
) -> Result<HashMap<WorkId, String>, Error> {
    let (mut ids, mut all) = (Vec::new(), Vec::new());
    for work in works {
        ids.push(work.id.clone());
        all.push(Shows::of_work(app, work, member).await?);
    }
    let library = Library::of(app, member, &all).await?;
    let found = ids.into_iter().zip(&all);
    let seems_lost = |digest: &str| app.storage.seems_lost(digest);
    Ok(found.filter_map(|(id, shows)| Some((id, library.obstacle(shows, seems_lost)?))).collect())
}

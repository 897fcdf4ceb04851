//! Takes away generations that need not stay, and blobs that no generation names. Whoever does so has the [`Turn`](crate::turn::Turn):
//! nobody stores anything meanwhile.

use std::collections::BTreeSet;

use base::error::Failure;
use domain::backup::Retention;

use crate::repository::{Generation, Repository};

/// What went.
#[derive(Debug, Default)]
pub struct Pruned {
    pub generations: Vec<Generation>,
    pub blobs: u64,
    pub bytes: u64,
}

/// # Errors
/// Where a generation that stays can't be read: nobody knows what it names, and no blob goes. Where the newest one is of another
/// installation than this, or lacks as many files as it holds: older ones may be the last that are good.
pub async fn prune(repository: &Repository, installation: &str, keep: Retention) -> Result<Pruned, Failure> {
    let generations = repository.generations().await?;
    if let Some(newest) = generations.first() {
        let manifest = repository.manifest(newest).await?;
        if manifest.installation != installation {
            return Err(format!("{} is of another installation; nothing goes", newest.name).into());
        }
        if manifest.damaged > 0 && manifest.damaged >= manifest.files {
            let (files, damaged) = (manifest.files, manifest.damaged);
            return Err(format!(
                "{} lacks {damaged} files and holds {files}; nothing goes until they are found",
                newest.name
            )
            .into());
        }
    }
    let days: Vec<_> = generations.iter().map(Generation::day).collect();
    let mut pruned = Pruned::default();
    let mut named = BTreeSet::new();
    for (generation, stays) in generations.iter().zip(keep.kept(&days)) {
        if stays {
            named.extend(repository.manifest(generation).await?.blobs.into_keys());
        } else {
            pruned.generations.push(generation.clone());
        }
    }
    // a generation goes before what it is made of
    for generation in &pruned.generations {
        repository.remove(generation).await?;
    }
    for (blob, bytes) in repository.blobs().await? {
        if !named.contains(&blob) {
            repository.forget(&blob).await?;
            pruned.blobs += 1;
            pruned.bytes += bytes;
        }
    }
    repository.forget_halves().await?;
    Ok(pruned)
}

//! Pages filled up with photos of the library that the book does not show yet: 补满.

use std::collections::BTreeSet;

use super::{COMFORTABLE_PER_PAGE, PhotoInput, is_free, is_half, takes_photos, with_photos};
use crate::document::{Document, Page};
use crate::ids::PhotoId;
use crate::library::LibraryPhoto;
use crate::look::{Seen, alike};
use crate::quality::{Standing, standings};

/// Pages as they would be.
#[derive(Debug, Clone, PartialEq)]
pub struct Filling {
    /// Each with its index, counted from 0.
    pub pages: Vec<(usize, Page)>,
    /// The photos that came to them, in the order in which they were taken.
    pub added: Vec<PhotoId>,
}

/// Why pages are as full as they can be. Each text can be shown to a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfilled {
    #[error("这里不补照片：书名页、章名页、跨页的照片、月历和原稿的页面照自己的样子排")]
    Fixed,
    #[error("每页已经有 {COMFORTABLE_PER_PAGE} 张照片，够满了；还要放，请从照片里自己挑")]
    Full,
    #[error("素材里的照片都已经在书里了，没有可以补的")]
    NoneUnused,
    #[error("没用过的照片都不合适：模糊、太暗、是截屏，或和书里的几乎一样；要放，请从照片里自己挑")]
    NoneSuitable,
    #[error("这里的文字旁边放不下更多照片了")]
    NoRoom,
}

/// Fills pages (counted from 0) that are seen at once with photos of the `library`, which has those of the book, too.
///
/// A page gets what pages of this book usually hold, and at least one more than it has, up to [`COMFORTABLE_PER_PAGE`]. Photos come
/// that were taken when those of these pages were, or as near to it as there are; of equally near ones those that are not weak,
/// then those of people. What looks like a photo of the book stays outside, and of photos that look alike the best comes. Photos
/// that stand there stay in their order; words, theme and background stay.
///
/// # Errors
/// See [`Unfilled`].
pub fn filled(document: &Document, indexes: &[usize], library: &[LibraryPhoto]) -> Result<Filling, Unfilled> {
    let takes = |index: &usize| {
        let page = document.pages.get(*index);
        page.is_some_and(takes_photos) && !is_half(document, *index)
    };
    let free: Vec<usize> = indexes.iter().copied().filter(takes).collect();
    if free.is_empty() || !is_free(document) {
        return Err(Unfilled::Fixed);
    }
    let used: BTreeSet<&PhotoId> =
        document.all_pages().flat_map(Page::photos).map(|frame| &frame.photo).collect();
    if library.iter().all(|known| used.contains(&known.photo.id)) {
        return Err(Unfilled::NoneUnused);
    }
    let wishes = wishes(document, &free);
    let most: usize = wishes.iter().sum();
    if most == 0 {
        return Err(Unfilled::Full);
    }
    let mut suitable = suitable(library, &used);
    if suitable.is_empty() {
        return Err(Unfilled::NoneSuitable);
    }
    let span = span(document, indexes, library);
    suitable.sort_by_key(|known| {
        let apart = known.photo.taken_at.zip(span).map(|(at, (from, to))| (from - at).max(at - to).max(0));
        let people = known.photo.shows_people();
        (nearness(apart), known.flaw.is_some(), !people, apart.unwrap_or(i64::MAX), known.photo.id.clone())
    });
    suitable.truncate(most);

    let known = judged(document, library, &suitable);
    let time = |id: &PhotoId| known.iter().find(|photo| photo.id == *id).and_then(|photo| photo.taken_at);
    let mut order: Vec<&LibraryPhoto> = suitable.clone();
    order.sort_by_key(|known| (known.photo.taken_at.unwrap_or(i64::MAX), known.photo.id.clone()));
    let mut coming: Vec<PhotoId> = order.iter().map(|known| known.photo.id.clone()).collect();
    let mut filling = Filling { pages: Vec::new(), added: Vec::new() };
    for (index, share) in free.iter().zip(shares(document, &free, &wishes, coming.len())) {
        let mut own: Vec<PhotoId> = coming.drain(..share).collect();
        // words may leave no place for all of them
        while !own.is_empty() {
            let there = document.pages[*index].photos().map(|frame| frame.photo.clone());
            let photos = merged(there.collect(), &own, time);
            if let Some(page) = with_photos(document, *index, &photos, &known) {
                filling.pages.push((*index, page));
                filling.added.append(&mut own);
            } else {
                own.pop();
            }
        }
    }
    if filling.added.is_empty() { Err(Unfilled::NoRoom) } else { Ok(filling) }
}

/// How many photos each page wants.
fn wishes(document: &Document, free: &[usize]) -> Vec<usize> {
    let counts: Vec<usize> =
        document.pages.iter().map(|page| page.photos().count()).filter(|count| *count > 0).collect();
    let usual = (counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64).round() as usize;
    let wish = |index: &usize| {
        let count = document.pages[*index].photos().count();
        usual.max(count + 1).min(COMFORTABLE_PER_PAGE).saturating_sub(count)
    };
    free.iter().map(wish).collect()
}

/// How many of `coming` photos each page gets: the emptiest first.
fn shares(document: &Document, free: &[usize], wishes: &[usize], coming: usize) -> Vec<usize> {
    let mut shares = vec![0; free.len()];
    for _ in 0..coming {
        let open = (0..free.len()).filter(|at| shares[*at] < wishes[*at]);
        let emptiest = open.min_by_key(|at| document.pages[free[*at]].photos().count() + shares[*at]);
        if let Some(at) = emptiest {
            shares[at] += 1;
        }
    }
    shares
}

/// Unused photos that a book is not better without, each unlike those of the book and unlike each other.
fn suitable<'l>(library: &'l [LibraryPhoto], used: &BTreeSet<&PhotoId>) -> Vec<&'l LibraryPhoto> {
    // what stands in the book is what the others are compared with
    let mut seen: Vec<(&LibraryPhoto, Seen)> =
        library.iter().filter_map(|known| Some((known, known.seen()?))).collect();
    seen.sort_by_key(|(known, _)| !used.contains(&known.photo.id));
    let looks: Vec<Seen> = seen.iter().map(|(_, seen)| *seen).collect();
    let mut beside: BTreeSet<&PhotoId> = BTreeSet::new();
    for group in alike(&looks) {
        let ids: Vec<&PhotoId> = group.iter().map(|place| &seen[*place].0.photo.id).collect();
        let is_shown = ids.iter().any(|id| used.contains(id));
        beside.extend(ids.iter().skip(usize::from(!is_shown)));
    }
    let is_suitable = |known: &&LibraryPhoto| {
        let id = &known.photo.id;
        !used.contains(id) && !beside.contains(id) && !known.flaw.is_some_and(|flaw| flaw.leaves_out())
    };
    library.iter().filter(is_suitable).collect()
}

/// When the photos of these pages were taken, from the first to the last; where they have none, the time between those before
/// and those behind them.
fn span(document: &Document, indexes: &[usize], library: &[LibraryPhoto]) -> Option<(i64, i64)> {
    let times = |index: usize| {
        let photos = document.pages.get(index).into_iter().flat_map(Page::photos);
        photos.filter_map(|frame| library.iter().find(|known| known.photo.id == frame.photo)?.photo.taken_at)
    };
    let own: Vec<i64> = indexes.iter().copied().flat_map(times).collect();
    if let (Some(from), Some(to)) = (own.iter().min(), own.iter().max()) {
        return Some((*from, *to));
    }
    let (first, last) = (*indexes.first()?, *indexes.last()?);
    let before = (0..first).rev().find_map(|index| times(index).max());
    let after = (last + 1..document.pages.len()).find_map(|index| times(index).min());
    let (one, other) = (before.or(after)?, after.or(before)?);
    Some((one.min(other), one.max(other)))
}

/// How near a photo is, by how far in ms it was taken from others: in the same hour, on the same day, within days, within weeks,
/// farther or nobody knows.
fn nearness(apart: Option<i64>) -> usize {
    const HOUR: i64 = 3_600_000;
    let steps = [HOUR, 12 * HOUR, 72 * HOUR, 30 * 24 * HOUR];
    apart.map_or(steps.len() + 1, |apart| steps.iter().filter(|step| apart > **step).count())
}

/// The photos of the book and those that come to it as the layout sees them: weak ones small.
fn judged(document: &Document, library: &[LibraryPhoto], coming: &[&LibraryPhoto]) -> Vec<PhotoInput> {
    let in_book: BTreeSet<&PhotoId> = document
        .all_pages()
        .flat_map(Page::photos)
        .map(|frame| &frame.photo)
        .chain(coming.iter().map(|known| &known.photo.id))
        .collect();
    let known: Vec<&LibraryPhoto> =
        library.iter().filter(|known| in_book.contains(&known.photo.id)).collect();
    // nothing that stands there is left out
    let flaws: Vec<_> = known.iter().map(|known| (known.flaw, true)).collect();
    let stand = |(known, standing): (&&LibraryPhoto, Standing)| match standing {
        Standing::Small => known.photo.clone().kept_small(document.trim),
        Standing::Full | Standing::Out => known.photo.clone(),
    };
    known.iter().zip(standings(&flaws)).map(stand).collect()
}

/// Photos of a page in their order, with others put before the first that was taken later.
fn merged(there: Vec<PhotoId>, coming: &[PhotoId], time: impl Fn(&PhotoId) -> Option<i64>) -> Vec<PhotoId> {
    let mut all = there;
    for id in coming {
        let later = |other: &PhotoId| time(id).zip(time(other)).is_some_and(|(one, other)| other > one);
        let at = all.iter().position(later).unwrap_or(all.len());
        all.insert(at, id.clone());
    }
    all
}

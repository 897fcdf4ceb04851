//! Parts of pages that are the same whenever they are made of the same: made once, and kept as text.

use std::any::Any;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;

use leptos::prelude::AnyView;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::fragment;

/// The parts that were made lately.
#[derive(Debug)]
pub struct Fragments {
    known: Cache<(u64, u64), Part, Weight>,
    /// With keys of their own, which nobody knows: of what cannot be told apart by both there is none.
    hashers: (RandomState, RandomState),
}

#[derive(Debug, Clone)]
struct Part {
    html: Arc<str>,
    /// What it was made of, where that is told from others by its place in memory: as long as it is here, nothing else is there.
    _holds: Option<Arc<dyn Any + Send + Sync>>,
}

/// What they take together, in bytes.
const MOST: u64 = 8 * 1024 * 1024;
/// What one takes beside its text.
const EACH: u64 = 160;

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<(u64, u64), Part> for Weight {
    fn weight(&self, _: &(u64, u64), part: &Part) -> u64 {
        EACH + part.html.len() as u64
    }
}

impl Default for Fragments {
    fn default() -> Self {
        Self { known: Cache::with_weighter(2048, MOST, Weight), hashers: Default::default() }
    }
}

impl Fragments {
    /// The part called `name` that is made of nothing but `of`: nothing of its request, and it sees no form.
    pub fn of(&self, name: &str, of: impl Hash, make: impl FnOnce() -> AnyView) -> Arc<str> {
        self.with(name, of, None, make)
    }

    /// The same of something large beside that, which is known by where it is: two of them are two, whatever is in them.
    pub fn of_shared<T: Any + Send + Sync>(
        &self,
        name: &str,
        of: impl Hash,
        shared: &Arc<T>,
        make: impl FnOnce() -> AnyView,
    ) -> Arc<str> {
        self.with(name, (of, Arc::as_ptr(shared)), Some(shared.clone()), make)
    }

    /// The part called `name` of this, where it was made already.
    pub fn known(&self, name: &str, of: impl Hash) -> Option<Arc<str>> {
        Some(self.known.get(&self.key(name, of))?.html)
    }

    fn key(&self, name: &str, of: impl Hash) -> (u64, u64) {
        let of = (name, of);
        (self.hashers.0.hash_one(&of), self.hashers.1.hash_one(&of))
    }

    fn with(
        &self,
        name: &str,
        of: impl Hash,
        holds: Option<Arc<dyn Any + Send + Sync>>,
        make: impl FnOnce() -> AnyView,
    ) -> Arc<str> {
        let key = self.key(name, of);
        if let Some(part) = self.known.get(&key) {
            return part.html;
        }
        let html: Arc<str> = fragment(make).into();
        self.known.insert(key, Part { html: html.clone(), _holds: holds });
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leptos::prelude::*;

    fn shown(text: &str) -> AnyView {
        let text = text.to_owned();
        view! { <p>{text}</p> }.into_any()
    }

    #[test]
    fn a_part_is_made_once_of_each_thing() {
        let parts = Fragments::default();
        assert!(parts.known("p", 1).is_none());
        assert_eq!(&*parts.of("p", 1, || shown("a & b")), "<p>a &amp; b</p>");
        assert_eq!(parts.known("p", 1).as_deref(), Some("<p>a &amp; b</p>"));
        assert_eq!(&*parts.of("p", 1, || unreachable!("it is there")), "<p>a &amp; b</p>");
        assert_eq!(&*parts.of("p", 2, || shown("another")), "<p>another</p>");
        assert_eq!(&*parts.of("q", 1, || shown("of another name")), "<p>of another name</p>");
    }

    #[test]
    fn what_is_known_by_its_place_stays_there() {
        let parts = Fragments::default();
        let mut places = std::collections::HashSet::new();
        for number in 0..100 {
            // it would be at the same place each time, was it not held
            let shared = Arc::new([number; 64]);
            places.insert(Arc::as_ptr(&shared));
            let html = parts.of_shared("p", (), &shared, || shown(&number.to_string()));
            assert_eq!(&*html, format!("<p>{number}</p>"));
        }
        assert_eq!(places.len(), 100);
    }
}

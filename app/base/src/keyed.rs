//! What those share who are at work on the same thing, for as long as one of them is.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Work that only one at a time should do for the same thing: the others wait and find it done.
pub type KeyedLock<K> = Keyed<K, tokio::sync::Mutex<()>>;

/// Who is at work on what, in this process.
#[derive(Debug)]
pub struct Keyed<K, V>(Mutex<HashMap<K, Weak<V>>>);

impl<K, V> Default for Keyed<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Default> Keyed<K, V> {
    /// What those share who are at work on this.
    pub fn of(&self, key: K) -> Arc<V> {
        self.of_or(key, V::default)
    }
}

impl<K: Eq + Hash, V> Keyed<K, V> {
    /// The same, made so by the first of them.
    pub fn of_or(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        let mut under_way = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.retain(|_, shared| shared.strong_count() > 0);
        if let Some(shared) = under_way.get(&key).and_then(Weak::upgrade) {
            return shared;
        }
        let shared = Arc::new(make());
        under_way.insert(key, Arc::downgrade(&shared));
        shared
    }
}

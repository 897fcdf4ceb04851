//! Work that only one at a time should do for the same thing: the others wait and find it done.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Who is at work on what, in this process.
#[derive(Debug)]
pub struct KeyedLock<K>(Mutex<HashMap<K, Weak<tokio::sync::Mutex<()>>>>);

impl<K> Default for KeyedLock<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash> KeyedLock<K> {
    /// What to lock while one is at work on this.
    pub fn of(&self, key: K) -> Arc<tokio::sync::Mutex<()>> {
        let mut under_way = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = under_way.get(&key).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::default();
        under_way.insert(key, Arc::downgrade(&turn));
        turn
    }
}

//! Whoever has a transaction open asks nothing over a second connection: as many of them as there are connections would wait for one
//! another, and each stand still for as long as a connection may be waited for. Builds for development see to it.

#[cfg(debug_assertions)]
mod seen {
    use std::sync::{Mutex, PoisonError};

    use tokio::task::{Id, try_id};

    /// Tasks with a transaction open.
    static OPEN: Mutex<Vec<Id>> = Mutex::new(Vec::new());

    /// Says that the task has one for as long as this is there.
    #[derive(Debug)]
    pub struct Holder(Option<Id>);

    impl Holder {
        pub fn here() -> Self {
            let task = try_id();
            OPEN.lock().unwrap_or_else(PoisonError::into_inner).extend(task);
            Self(task)
        }
    }

    impl Drop for Holder {
        fn drop(&mut self) {
            let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(at) = open.iter().position(|open| Some(*open) == self.0) {
                open.swap_remove(at);
            }
        }
    }

    /// Called where a connection is asked for.
    #[track_caller]
    pub fn check() {
        let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let is_nested = try_id().is_some_and(|task| open.contains(&task));
        // whoever asks next is no less right for it
        drop(open);
        assert!(!is_nested, "a second connection is asked for in a transaction");
    }
}

#[cfg(not(debug_assertions))]
mod seen {
    #[derive(Debug)]
    pub struct Holder;

    impl Holder {
        pub const fn here() -> Self {
            Self
        }
    }

    pub const fn check() {}
}

pub use seen::{Holder, check};

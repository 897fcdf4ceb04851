//! What keeps a test on a server that it shares apart from all others: accounts and a network address of its own.

use std::sync::atomic::{AtomicU32, Ordering};

/// A test's number on a shared server; none on a server that is its alone, where every name is free.
#[derive(Debug, Clone, Copy, Default)]
pub struct Own(Option<u32>);

impl Own {
    /// The next test's.
    pub fn next() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        Self(Some(NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// Whether others are on the same server.
    pub fn is_shared(self) -> bool {
        self.0.is_some()
    }

    /// The test's own form of an account or a contact. One that is its own already stays, and so does what is neither.
    pub fn name(self, name: &str) -> String {
        let Some(number) = self.0 else { return name.to_owned() };
        if let Some((person, host)) = name.split_once('@') {
            let own = format!("t{number}.");
            return if host.starts_with(&own) { name.to_owned() } else { format!("{person}@{own}{host}") };
        }
        // pages show the first three and the last four digits of a number
        if name.len() == 11 && name.bytes().all(|digit| digit.is_ascii_digit()) {
            return format!("{}{number:04}{}", &name[..3], &name[7..]);
        }
        name.to_owned()
    }

    /// The test's members, as SQL: what a statement about `member_id` is narrowed by.
    pub fn members(self) -> String {
        match self.0 {
            Some(number) => format!(
                "(select id from members where account like '%@t{number}.%' or account like '___{number:04}____')"
            ),
            None => "(select id from members)".to_owned(),
        }
    }

    /// Whether an outbox holds no message to a contact of the test's.
    pub fn wrote_to_nobody(self, outbox: &str) -> bool {
        match self.0 {
            Some(number) => {
                let (mail, phone) = (format!("@t{number}."), format!("{number:04}"));
                let to = outbox.split(" to ").skip(1).filter_map(|rest| rest.split(' ').next());
                !to.into_iter()
                    .any(|to| to.contains(&mail) || to.len() == 11 && to.get(3..7) == Some(&*phone))
            }
            None => outbox == "The outbox is empty.\n",
        }
    }

    /// The network address that its callers come from by default: throttles count by it.
    pub fn address(self) -> Option<String> {
        self.0.map(|number| format!("10.{}.{}.1", number >> 8, number & 0xff))
    }
}

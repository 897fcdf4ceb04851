//! How much one order holds, and how many of a member's may wait to be paid.

/// Bytes of JSON that the documents of an order's lines have together at most. Each line has its own frozen one, which is kept,
/// read and backed up for years, and whoever opens the order has all of them in memory, several times their size. A book of 200 pages has
/// some 200 KB: this is three hundred of them, far more than anybody has ordered at once.
pub const MOST_DOCUMENT_BYTES: u64 = 64 << 20;

/// Orders of a member that wait to be paid at most. Each holds documents, and may hold a coupon and gift cards; none of them costs
/// anything, and each is closed after a week.
pub const MOST_UNPAID: i64 = 20;

/// An order's documents are more than [`MOST_DOCUMENT_BYTES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("这些书的内容加起来超过 {} MB，一个订单放不下。请少选几件，分几次下单。", MOST_DOCUMENT_BYTES >> 20)]
pub struct TooLarge;

/// What an order's documents come to, line by line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Documents {
    bytes: u64,
}

impl Documents {
    /// One more line's, of so many bytes.
    ///
    /// # Errors
    /// [`TooLarge`] from the first line on that is too much.
    pub fn add(&mut self, bytes: u64) -> Result<(), TooLarge> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MOST_DOCUMENT_BYTES { Err(TooLarge) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_add_up_to_the_bound_and_no_further() {
        let mut documents = Documents::default();
        assert_eq!(documents.add(MOST_DOCUMENT_BYTES - 1), Ok(()));
        assert_eq!(documents.add(1), Ok(()));
        assert_eq!(documents.add(1), Err(TooLarge));
        assert_eq!(Documents::default().add(u64::MAX), Err(TooLarge));
        assert!(TooLarge.to_string().contains("64 MB"));
    }
}

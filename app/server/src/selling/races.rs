//! One code, many hands; and whole days of business held against the books.

//! The room that everything is read in, page by page: shared works, and issues of newspapers and magazines. Who may read what,
//! and what else stands around the pages, is said by whoever published them.

mod hot;
mod leaf;
mod saved;
mod search;

use domain::document::Trim;
use domain::sharing::Direction;
use web::ui::parts::height_of;

pub use hot::{Footnotes, Hot, OnPage, frame_of};
pub use leaf::{Leaf, PagePicture, Sheets, Tools, Turns, Words, marked};
pub use saved::{Saved, saved_width, worker};
pub use search::{Answer, Hit, Search, asked_for, encoded, words_kept};

/// The widths that pages are drawn in for readers' screens, in pixels.
pub const SCREENS: [u32; 5] = [360, 540, 720, 1080, 1440];
/// The one for who looks closer.
pub const LARGEST: u32 = 2048;

/// A volume 册: what is read page by page, as far as the room has to know it.
#[derive(Debug, Clone)]
pub struct Volume {
    /// The word by which studies and statistics know such things.
    pub kind: &'static str,
    pub id: String,
    pub title: String,
    /// What the addresses of its pages begin with, and where it itself is.
    pub home: String,
    /// What those of its pages' pictures begin with.
    pub pictures: String,
    /// What they end with: of which edition they are, as `?edition=2`; empty where there is but one.
    pub edition: String,
    pub trim: Trim,
    pub pages: usize,
    /// Those that may be read, from the first on.
    pub open: usize,
    pub direction: Direction,
    /// What a page of it is called: 页, 版.
    pub word: &'static str,
    /// What its pages are called one by one; empty where they have nothing but their numbers.
    pub names: Vec<String>,
}

impl Volume {
    /// Where a page is, from 1; 0 is the volume itself.
    pub fn address(&self, page: usize) -> String {
        if page == 0 { self.home.clone() } else { format!("{}/{page}", self.home) }
    }

    /// A page's picture.
    pub fn picture(&self, page: usize, width: u32) -> String {
        format!("{}/{page}/{width}{}", self.pictures, self.edition)
    }

    /// The value of `srcset` for a page.
    pub fn pictures(&self, page: usize) -> String {
        let of = |width: &u32| format!("{} {width}w", self.picture(page, *width));
        SCREENS.iter().map(of).collect::<Vec<_>>().join(", ")
    }

    /// What a page is called.
    pub fn name(&self, page: usize) -> String {
        let name = page.checked_sub(1).and_then(|index| self.names.get(index));
        name.cloned().unwrap_or_else(|| format!("第 {page} {}", self.word))
    }

    /// What a page's picture is of, for who does not see it.
    fn alternative(&self, page: usize) -> String {
        match page {
            0 => format!("《{}》封面", self.title),
            _ if self.names.is_empty() => self.name(page),
            _ => format!("{}版面图", self.name(page)),
        }
    }

    /// The height of a page's picture of a width.
    fn height(&self, width: u32) -> String {
        height_of(self.trim, width)
    }

    /// Whether a page may be read.
    pub fn opens(&self, page: usize) -> bool {
        page <= self.open
    }

    /// Whether its pages stand one below the other.
    pub fn is_run(&self) -> bool {
        self.direction == Direction::Continuous
    }

    /// Whether they follow each other from right to left.
    pub fn is_right_to_left(&self) -> bool {
        self.direction == Direction::Right
    }

    /// The page that lies beside one in an open volume: 2 and 3, 4 and 5. Above pages that stand one below the other nothing is laid.
    pub fn facing(&self, page: usize) -> Option<usize> {
        let other = if page.is_multiple_of(2) { page + 1 } else { page.saturating_sub(1) };
        let is_there = page > 1 && other > 1 && other <= self.pages;
        (is_there && !self.is_run() && self.opens(other)).then_some(other)
    }
}

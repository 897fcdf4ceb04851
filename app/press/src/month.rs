//! A calendar's month as the themes read it: names, columns, and every day with what stands in its cell.

use domain::calendar::{Day, Month, MonthBlock, MonthPart, lunar_year_name};
use domain::document::Rect;
use serde::Serialize;

use crate::sheet::is_upright;

/// The weekdays' names in the head of a month, Monday first.
const WEEKDAYS: [&str; 7] = ["一", "二", "三", "四", "五", "六", "日"];

/// What `month.typ` is given.
#[derive(Debug, Serialize)]
pub(crate) struct SheetMonth {
    #[serde(skip_serializing_if = "is_upright")]
    rotation: f64,
    frame: Rect,
    part: MonthPart,
    year: i32,
    /// `丁未羊年`, of the lunar year that begins in the year.
    cycle: String,
    /// 1 to 12.
    number: u8,
    name: &'static str,
    english: &'static str,
    /// The lunar months that it touches.
    lunar: String,
    columns: Vec<Column>,
    weeks: Vec<Vec<Option<Cell>>>,
    page: usize,
    element: usize,
}

#[derive(Debug, Serialize)]
struct Column {
    name: &'static str,
    off: bool,
}

#[derive(Debug, Serialize)]
struct Cell {
    day: u8,
    off: bool,
    /// What stands under the number, what weighs most first; as much of it as there is room for.
    notes: Vec<String>,
    /// The solar term among them, which is never left out.
    term: Option<String>,
    /// Whether that is more than the lunar day.
    marked: bool,
    /// 休 or 班.
    mark: Option<&'static str>,
    /// The member's own.
    own: Vec<String>,
}

impl SheetMonth {
    /// A block, which is this element of this page.
    pub fn of(block: &MonthBlock, page: usize, element: usize) -> Self {
        let month = Month::of(block);
        let column = |column| {
            let weekday = usize::from(block.week_start.weekday(column));
            Column { name: WEEKDAYS[weekday], off: weekday >= 5 }
        };
        Self {
            rotation: block.common.rotation,
            frame: block.frame,
            part: block.part,
            year: block.month.year(),
            cycle: lunar_year_name(block.month.year()),
            number: block.month.month(),
            name: month.name(),
            english: month.english_name(),
            lunar: month.lunar_span(),
            columns: (0..7).map(column).collect(),
            weeks: month.weeks().into_iter().map(|week| week.map(|day| day.map(cell)).into()).collect(),
            page,
            element,
        }
    }
}

fn cell(day: &Day) -> Cell {
    Cell {
        day: day.day,
        off: day.is_off(),
        notes: day.notes(),
        term: day.term.clone(),
        marked: day.is_marked(),
        mark: match (day.is_rest, day.is_work) {
            (true, _) => Some("休"),
            (_, true) => Some("班"),
            _ => None,
        },
        own: day.anniversaries.clone(),
    }
}

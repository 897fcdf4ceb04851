//! Calendars: months with their weeks, Chinese lunar days, solar terms, festivals and days off.
//!
//! What a member decided stands in a document as [`MonthBlock`]s. The days of a month follow from it by arithmetic, so
//! the same block is the same month for ever. Only days off are data, which the State Council publishes each autumn for
//! the next year: they are noted in the block when it is made, so that what was proofed is what is printed.
//!
//! Not here: how a month looks (the press), and which page sizes there are (the server).

mod anniversary;
mod block;
mod festivals;
mod holidays;
mod lunar;
mod month;
mod pages;
mod year_month;

pub use anniversary::{
    ANNIVERSARIES, Anniversary, NAME_LENGTH, Recurring, parse as parse_anniversaries,
    write as write_anniversaries,
};
pub use block::{MonthBlock, MonthPart, WeekStart};
pub use holidays::{DaysOff, is_published, published_years};
pub use lunar::{LunarDate, lunar_year_name};
pub use month::{Day, Month};
pub use pages::{
    CalendarError, Plan, is_calendar, is_outdated, make, plan_of, resized, restarted, with_cover,
};
pub use year_month::YearMonth;

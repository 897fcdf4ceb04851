//! The formats that the making desk offers.

use domain::calendar::is_calendar;
use domain::document::{Document, Trim};

/// A page size a member may choose.
#[derive(Debug, Clone, Copy)]
pub struct WorkFormat {
    pub key: &'static str,
    pub name: &'static str,
    pub hint: &'static str,
    pub trim: Trim,
}

/// All of them, the usual one first.
pub const FORMATS: &[WorkFormat] = &[
    WorkFormat {
        key: "square-210",
        name: "方形画册",
        hint: "210 × 210 mm",
        trim: Trim { width: 210.0, height: 210.0 },
    },
    WorkFormat {
        key: "a4-portrait",
        name: "A4 竖版画册",
        hint: "210 × 297 mm",
        trim: Trim { width: 210.0, height: 297.0 },
    },
    WorkFormat {
        key: "a5-portrait",
        name: "A5 小画册",
        hint: "148 × 210 mm",
        trim: Trim { width: 148.0, height: 210.0 },
    },
    WorkFormat {
        key: "landscape-280",
        name: "横版画册",
        hint: "280 × 210 mm",
        trim: Trim { width: 280.0, height: 210.0 },
    },
];

/// The page sizes of calendars, those for a desk first.
pub const CALENDARS: &[WorkFormat] = &[
    WorkFormat {
        key: "desk-a5",
        name: "A5 台历",
        hint: "210 × 148 mm",
        trim: Trim { width: 210.0, height: 148.0 },
    },
    WorkFormat {
        key: "desk-254",
        name: "大台历",
        hint: "254 × 180 mm",
        trim: Trim { width: 254.0, height: 180.0 },
    },
    WorkFormat {
        key: "wall-300",
        name: "方形挂历",
        hint: "300 × 300 mm",
        trim: Trim { width: 300.0, height: 300.0 },
    },
    WorkFormat {
        key: "wall-a3",
        name: "A3 挂历",
        hint: "297 × 420 mm",
        trim: Trim { width: 297.0, height: 420.0 },
    },
];

/// The page sizes that a finished work may have: calendars have their own.
pub fn choices(document: &Document) -> &'static [WorkFormat] {
    if is_calendar(document) { CALENDARS } else { FORMATS }
}

/// The format of that name.
pub fn format(key: &str) -> Option<&'static WorkFormat> {
    FORMATS.iter().find(|format| format.key == key)
}

/// Millimetres as people write them: `210 × 297 mm`.
pub fn size_text(trim: Trim) -> String {
    format!("{} × {} mm", trim.width, trim.height)
}

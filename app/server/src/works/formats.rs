//! The formats that the making desk offers.

use domain::document::Trim;

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
];

/// The format of that name.
pub fn format(key: &str) -> Option<&'static WorkFormat> {
    FORMATS.iter().find(|format| format.key == key)
}

/// Millimetres as people write them: `210 × 297 mm`.
pub fn size_text(trim: Trim) -> String {
    format!("{} × {} mm", trim.width, trim.height)
}

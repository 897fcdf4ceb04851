//! Lists of the back office as files 导出, with the filters that are on the screen: what a slice exports ([`Export`]), and how a
//! table is written. Who asks, waits and fetches is the slice of the back office's.

use std::io::{BufWriter, Write};

use async_trait::async_trait;
use base::detach::blocking;
use base::error::Error;
use base::time;
use domain::csv;
use domain::money::Fen;
use domain::staff::Capability;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use tempfile::{NamedTempFile, TempDir};

use crate::app::App;
use crate::render::Form;

/// What stands in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// A text, or a number that is one: 18 digits of an order are no quantity.
    Text(String),
    Count(i64),
    Money(Fen),
    /// Epoch ms.
    Moment(i64),
    Empty,
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A moment that may not have come.
    pub fn at(moment: Option<i64>) -> Self {
        moment.map_or(Self::Empty, Self::Moment)
    }
}

/// Rows, and the place behind which the next ones stand when there are more.
pub type Rows = (Vec<Vec<Cell>>, Option<String>);

/// A list of the back office that may be had as a file.
#[async_trait]
pub trait Export: Sync + std::fmt::Debug {
    /// As addresses and rows name it.
    fn kind(&self) -> &'static str;
    /// As people do.
    fn name(&self) -> &'static str;
    /// Who may see it.
    fn needs(&self) -> Capability;
    fn columns(&self) -> &'static [&'static str];
    /// What people call a view of the list, the form's field `view`.
    fn view_name(&self, view: &str) -> String {
        view.to_owned()
    }
    /// Whether there is such a list, without reading it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none.
    fn check(&self, _query: &Form) -> Result<(), Error> {
        Ok(())
    }
    /// Some rows of the list that the query asks for, behind a place that an earlier answer named. Their order does not change
    /// while they are read.
    async fn rows(&self, app: &App, query: &Form, after: Option<&str>) -> Result<Rows, Error>;
}

/// What kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Xlsx,
    Csv,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Xlsx, Self::Csv];

    /// How its files' names end, and how rows name it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::Csv => "csv",
        }
    }

    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The media type of its files.
    pub fn media(self) -> &'static str {
        match self {
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }
}

/// Rows of a sheet, its heading among them. (Excel takes 1,048,576.)
const SHEET: u32 = 1_000_000;
/// Room that has to be left on the disk for what is written next, in bytes.
const ROOM: u64 = 8 << 20;
/// Characters of a cell. (Excel)
const LONGEST: usize = 32_767;
/// Digits that Excel keeps of a number that it reads from a CSV file: what is longer is no quantity.
const DIGITS: usize = 15;

/// A table that is being written, row by row: it is never in memory whole.
enum Out {
    Csv(BufWriter<NamedTempFile>),
    /// A workbook's sheets lie in a folder until it is whole.
    Xlsx(Box<Sheets>, NamedTempFile, TempDir),
}

struct Sheets {
    book: Workbook,
    name: &'static str,
    columns: &'static [&'static str],
    /// Rows on the last sheet.
    rows: u32,
    sheets: usize,
    money: Format,
    moment: Format,
    heading: Format,
}

impl Out {
    fn new(
        kind: Kind,
        export: &'static dyn Export,
        file: NamedTempFile,
        workshop: TempDir,
    ) -> Result<Self, Error> {
        match kind {
            Kind::Csv => {
                let mut out = BufWriter::with_capacity(1 << 16, file);
                let heading = csv::row(export.columns());
                write!(out, "{}{heading}", csv::BOM).map_err(Error::internal)?;
                Ok(Self::Csv(out))
            }
            Kind::Xlsx => {
                let mut book = Workbook::new();
                book.set_tempdir(workshop.path()).map_err(Error::internal)?;
                let sheets = Sheets {
                    book,
                    name: export.name(),
                    columns: export.columns(),
                    rows: 0,
                    sheets: 0,
                    money: Format::new().set_num_format("#,##0.00"),
                    moment: Format::new().set_num_format("yyyy-mm-dd hh:mm"),
                    heading: Format::new().set_bold(),
                };
                Ok(Self::Xlsx(Box::new(sheets), file, workshop))
            }
        }
    }

    fn write(&mut self, row: &[Cell]) -> Result<(), Error> {
        match self {
            Self::Csv(out) => out.write_all(csv_row(row).as_bytes()).map_err(Error::internal),
            Self::Xlsx(sheets, ..) => sheets.write(row).map_err(Error::internal),
        }
    }

    fn finish(self) -> Result<NamedTempFile, Error> {
        match self {
            Self::Csv(out) => out.into_inner().map_err(|error| Error::internal(error.into_error())),
            Self::Xlsx(mut sheets, file, _workshop) => {
                if sheets.sheets == 0 {
                    sheets.begin().map_err(Error::internal)?;
                }
                let mut out = BufWriter::with_capacity(1 << 16, file);
                sheets.book.save_to_writer(&mut out).map_err(Error::internal)?;
                out.into_inner().map_err(|error| Error::internal(error.into_error()))
            }
        }
    }
}

impl Sheets {
    /// The next sheet, with its heading.
    fn begin(&mut self) -> Result<(), XlsxError> {
        self.sheets += 1;
        self.rows = 1;
        let name =
            if self.sheets == 1 { self.name.to_owned() } else { format!("{} {}", self.name, self.sheets) };
        let sheet = self.book.add_worksheet_with_constant_memory()?;
        sheet.set_name(name)?;
        sheet.set_freeze_panes(1, 0)?;
        for (column, heading) in (0u16..).zip(self.columns) {
            sheet.set_column_width(column, 18)?;
            sheet.write_string_with_format(0, column, *heading, &self.heading)?;
        }
        Ok(())
    }

    fn write(&mut self, row: &[Cell]) -> Result<(), XlsxError> {
        if self.sheets == 0 || self.rows == SHEET {
            self.begin()?;
        }
        let at = self.rows;
        self.rows += 1;
        let (money, moment) = (&self.money, &self.moment);
        let sheet: &mut Worksheet = self.book.worksheet_from_index(self.sheets - 1)?;
        for (column, cell) in (0u16..).zip(row) {
            match cell {
                Cell::Text(text) => {
                    sheet.write_string(at, column, text.chars().take(LONGEST).collect::<String>())?
                }
                Cell::Count(count) => sheet.write_number(at, column, *count as f64)?,
                Cell::Money(fen) => {
                    sheet.write_number_with_format(at, column, fen.0 as f64 / 100.0, money)?
                }
                // a sheet has no time zones: what the clock on the wall said
                Cell::Moment(at_ms) => {
                    let said = ExcelDateTime::parse_from_str(&time::stamp(*at_ms))?;
                    sheet.write_datetime_with_format(at, column, said, moment)?
                }
                Cell::Empty => continue,
            };
        }
        Ok(())
    }
}

/// A row for spreadsheets, which read what has only digits as a number, and forget zeros before it and digits behind the
/// fifteenth: a tab behind them makes it a text.
fn csv_row(row: &[Cell]) -> String {
    csv::row(row.iter().map(|cell| match cell {
        Cell::Text(text) if is_number_of_text(text) => format!("{text}\t"),
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Money(fen) => fen.to_string(),
        Cell::Moment(at) => time::stamp(*at),
        Cell::Empty => String::new(),
    }))
}

/// Whether a spreadsheet would take a text for a quantity, and lose something of it.
fn is_number_of_text(text: &str) -> bool {
    let has_more = text.len() > DIGITS || text.len() > 1 && text.starts_with('0');
    has_more && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Writes a whole list, and how many rows it has.
pub async fn write(
    app: &App,
    export: &'static dyn Export,
    kind: Kind,
    query: &Form,
) -> Result<(NamedTempFile, i64), Error> {
    let file = app.storage.incoming().map_err(Error::internal)?;
    let workshop = app.storage.workshop().map_err(Error::internal)?;
    let mut out = blocking(move || Out::new(kind, export, file, workshop)).await?;
    let (mut after, mut count) = (None::<String>, 0i64);
    loop {
        app.room_for(ROOM)?;
        let (rows, next) = export.rows(app, query, after.as_deref()).await?;
        count += rows.len() as i64;
        out = blocking(move || {
            rows.iter().try_for_each(|row| out.write(row))?;
            Ok::<_, Error>(out)
        })
        .await?;
        match next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    Ok((blocking(move || out.finish()).await?, count))
}

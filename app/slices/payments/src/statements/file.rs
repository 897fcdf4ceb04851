//! A statement's file: what it is packed in and how it is encoded. It is read line by line, never whole.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;

use base::error::Error;
use domain::statement::{Entry, LONGEST_LINE, Merchant, Problem, Reader, Totals};
use encoding_rs::{Encoding, GB18030, UTF_8};
use time::Date;
use zip::ZipArchive;

/// Bytes that what was packed may come to.
const MOST_UNPACKED: u64 = 512 << 20;
/// Files of an archive that are looked at; Alipay packs two.
const MOST_PACKED: usize = 20;

/// Why a file was not read to its end.
#[derive(Debug)]
pub enum Unread {
    NoBill(Problem),
    Failed(Error),
}

impl From<std::io::Error> for Unread {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(Error::internal(error))
    }
}

fn no_bill(what: impl Into<String>) -> Unread {
    Unread::NoBill(Problem { line: None, what: what.into() })
}

/// Reads a whole file, and gives each entry to `got`, which answers whether it wants more.
pub fn read(
    path: &Path,
    merchant: Merchant,
    day: Option<Date>,
    got: &mut dyn FnMut(Entry) -> bool,
) -> Result<Totals, Unread> {
    let mut file = File::open(path)?;
    let mut head = [0u8; 8];
    let mut length = 0;
    while length < head.len() {
        match file.read(&mut head[length..])? {
            0 => break,
            more => length += more,
        }
    }
    file.rewind()?;
    let reader = Reader::new(merchant, day);
    match &head[..length] {
        [b'P', b'K', 3 | 5, 4 | 6, ..] => {
            let mut archive = ZipArchive::new(file).map_err(|_| no_bill("压缩包打不开，请重新下载"))?;
            let place = bill_in(&mut archive)?;
            let packed = archive.by_index(place).map_err(|_| no_bill("压缩包打不开，请重新下载"))?;
            lines(BufReader::new(packed.take(MOST_UNPACKED)), reader, got)
        }
        [0xd0, 0xcf, 0x11, 0xe0, ..] => Err(excel()),
        [0x1f, 0x8b, ..] => Err(no_bill("这是 gzip 压缩的文件，请先解压再上传")),
        _ => lines(BufReader::new(file), reader, got),
    }
}

fn excel() -> Unread {
    no_bill("这是 Excel 文件。请上传下载来的原文件（CSV 或 ZIP），不要用 Excel 另存")
}

/// Which file of an archive is the bill: Alipay packs a summary with it.
fn bill_in(archive: &mut ZipArchive<File>) -> Result<usize, Unread> {
    if archive.index_for_name("[Content_Types].xml").is_some() {
        return Err(excel());
    }
    let mut bills = Vec::new();
    for place in 0..archive.len().min(MOST_PACKED) {
        let Ok(packed) = archive.by_index(place) else {
            return Err(no_bill("压缩包打不开，请重新下载"));
        };
        let mut first = Vec::new();
        let broken = |_| no_bill("压缩包不完整，请重新下载");
        BufReader::new(packed.take(LONGEST_LINE as u64)).read_until(b'\n', &mut first).map_err(broken)?;
        let (first, _) = encoding_of(&first).decode_with_bom_removal(&first);
        if first.starts_with("#支付宝") && first.contains("明细查询") || first.starts_with("交易时间")
        {
            bills.push(place);
        }
    }
    match bills[..] {
        [one] => Ok(one),
        [] => Err(no_bill("压缩包里没有账单明细")),
        _ => Err(no_bill("压缩包里有几份账单，请解压后一份一份上传")),
    }
}

/// How a file is encoded, by its first line: WeChat Pay writes UTF-8, Alipay GBK.
fn encoding_of(first: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(first).is_ok() { UTF_8 } else { GB18030 }
}

fn lines(
    mut source: impl BufRead,
    mut reader: Reader,
    got: &mut dyn FnMut(Entry) -> bool,
) -> Result<Totals, Unread> {
    let mut encoding = None;
    let mut bytes = Vec::new();
    for number in 1i64.. {
        let problem = |what: &str| Unread::NoBill(Problem { line: Some(number), what: what.to_owned() });
        bytes.clear();
        let broken = |error: std::io::Error| match error.kind() {
            // of an archive: its digest is wrong, or it ends early
            std::io::ErrorKind::InvalidData
            | std::io::ErrorKind::InvalidInput
            | std::io::ErrorKind::UnexpectedEof => problem("压缩包不完整，请重新下载"),
            _ => error.into(),
        };
        let most = LONGEST_LINE as u64 + 1;
        if source.by_ref().take(most).read_until(b'\n', &mut bytes).map_err(broken)? == 0 {
            break;
        }
        if bytes.len() > LONGEST_LINE {
            return Err(problem("这一行太长，不是账单"));
        }
        let encoding = *encoding.get_or_insert_with(|| encoding_of(&bytes));
        let text = encoding
            .decode_without_bom_handling_and_without_replacement(&bytes)
            .ok_or_else(|| problem("有看不懂的字节，文件可能不完整，或者被别的程序另存过"))?;
        if text.contains('\0') {
            return Err(problem("不是文字，请上传下载来的原文件"));
        }
        if let Some(entry) = reader.line(&text).map_err(Unread::NoBill)?
            && !got(entry)
        {
            return Err(Unread::Failed(Error::internal("reading a statement was given up")));
        }
    }
    reader.end().map_err(Unread::NoBill)
}

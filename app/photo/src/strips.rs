//! JPEGs of more pixels than are decoded at once, as phones with 108 and 200 megapixels write them: cut into strips that are
//! JPEGs themselves. Between its headers and its end a scan is one long number whose parts tell their lengths as they are read
//! (ITU-T T.81, annex F), so it has to be gone through; but nothing is decoded for that, and only what the first block of each
//! colour builds on has to be written anew.

use super::PhotoRefusal;

/// Pixels of a strip, about.
pub(super) const STRIP: usize = 4_000_000;

/// The scan of one sequential picture, strip by strip.
pub(super) struct Strips<'a> {
    frame: Frame,
    /// Everything before the scan, with what each strip changes.
    head: Head,
    /// Where each row of units begins that was reached.
    rows: Vec<Reader<'a>>,
    /// The row of units with which the next strip begins.
    next: usize,
    /// Pixels of a strip, about.
    most: usize,
}

/// A strip as a JPEG file.
pub(super) struct Strip {
    pub file: Vec<u8>,
    /// Rows of pixels in the file.
    pub height: u32,
    /// The rows of pixels of it that belong to the strip; the others are its neighbours', of which colours at its edges are mixed.
    pub own: std::ops::Range<u32>,
}

/// The size of the picture and of its parts.
struct Frame {
    width: usize,
    height: usize,
    /// Of each colour: blocks in a unit, and its two tables.
    colours: Vec<Colour>,
    /// Pixels that a unit is wide and high.
    unit: (usize, usize),
    /// Units between two restarts, 0 without.
    interval: usize,
    dc: [Option<Codes>; 4],
    ac: [Option<Codes>; 4],
}

struct Colour {
    blocks: usize,
    dc: usize,
    ac: usize,
}

#[derive(Default)]
struct Head {
    /// The profile of its colours, which only the first strip has.
    profile: Vec<u8>,
    bytes: Vec<u8>,
    /// Where the picture's height stands in it.
    height_at: usize,
}

/// The most bytes of a head without its profile: each strip has it, and no camera's is longer than a few thousand.
const MOST_HEAD: usize = 64 << 10;
/// The most bytes of a profile.
const MOST_PROFILE: usize = 4 << 20;

impl<'a> Strips<'a> {
    /// `file` is a JPEG of one sequential scan, up to its end marker; a strip has about `most` pixels.
    pub fn of(file: &'a [u8], most: usize) -> Result<Self, PhotoRefusal> {
        let (frame, head, scan) = read_head(file).ok_or(PhotoRefusal::Damaged)?;
        if frame.width == 0 || frame.height == 0 {
            return Err(PhotoRefusal::Damaged);
        }
        let start = Reader { scan, at: 0, bits: 0, count: 0, last: [0; 3], units: 0 };
        Ok(Self { frame, head, rows: vec![start], next: 0, most })
    }

    /// The picture's width and height in pixels.
    pub fn size(&self) -> (usize, usize) {
        (self.frame.width, self.frame.height)
    }

    /// The next strip; nothing behind the last.
    pub fn next_strip(&mut self) -> Result<Option<Strip>, PhotoRefusal> {
        let Frame { width, height, unit, .. } = self.frame;
        let rows = height.div_ceil(unit.1);
        if self.next >= rows {
            return Ok(None);
        }
        let count = (self.most / width / unit.1).max(1);
        let (first, last) = (self.next, (self.next + count).min(rows));
        // one more on each side
        let (from, to) = (first.saturating_sub(1), (last + 1).min(rows));
        let mut reader = self.rows[from];
        let mut writer = Writer { bytes: Vec::with_capacity(self.most / 2), bits: 0, count: 0, last: [0; 3] };
        for row in from..to {
            for _ in 0..width.div_ceil(unit.0) {
                self.frame.pass(&mut reader, &mut writer).ok_or(PhotoRefusal::Damaged)?;
            }
            if self.rows.len() == row + 1 {
                self.rows.push(reader);
            }
        }
        self.next = last;
        let pixels = |row: usize| (row * unit.1).min(height);
        let tall = pixels(to) - pixels(from);
        let strip = Strip {
            file: self.head.with(first == 0, tall, writer.finish())?,
            height: number(tall)?,
            own: number(pixels(first) - pixels(from))?..number(pixels(last) - pixels(from))?,
        };
        Ok(Some(strip))
    }
}

fn number(pixels: usize) -> Result<u32, PhotoRefusal> {
    u32::try_from(pixels).map_err(|_| PhotoRefusal::Damaged)
}

impl Head {
    fn with(&self, is_first: bool, height: usize, scan: Vec<u8>) -> Result<Vec<u8>, PhotoRefusal> {
        let height = u16::try_from(height).map_err(|_| PhotoRefusal::Damaged)?;
        let mut bytes = self.bytes.clone();
        bytes[self.height_at..self.height_at + 2].copy_from_slice(&height.to_be_bytes());
        let profile = if is_first { self.profile.as_slice() } else { &[] };
        Ok([&[0xFF, 0xD8], profile, &bytes, &scan, &[0xFF, 0xD9]].concat())
    }
}

/// What stands before the scan, what each strip has before its own, and the scan (ITU-T T.81, B.2).
fn read_head(file: &[u8]) -> Option<(Frame, Head, &[u8])> {
    let mut frame = Frame {
        width: 0,
        height: 0,
        colours: Vec::new(),
        unit: (0, 0),
        interval: 0,
        dc: [const { None }; 4],
        ac: [const { None }; 4],
    };
    let mut head = Head::default();
    // a file may have tables that others take the place of before they are used
    let mut tables: [Option<(&[u8; 16], &[u8])>; 8] = [None; 8];
    // of each colour: its name, and how many of its blocks lie beside and below each other in a unit
    let mut sampling: Vec<(u8, usize, usize)> = Vec::new();
    let mut at = 2;
    loop {
        at += memchr::memchr(0xFF, file.get(at..)?)?;
        let code = *file.get(at + 1)?;
        if matches!(code, 0x00 | 0x01 | 0xD0..=0xD8) {
            at += 2;
            continue;
        }
        if code == 0xFF {
            at += 1;
            continue;
        }
        let length = usize::from(u16::from_be_bytes([*file.get(at + 2)?, *file.get(at + 3)?])).max(2);
        let segment = file.get(at..at + 2 + length)?;
        let content = &segment[4..];
        at += 2 + length;
        match code {
            0xC0 | 0xC1 => {
                let [8, h1, h2, w1, w2, count, ref named @ ..] = *content else { return None };
                (frame.height, frame.width) =
                    (u16::from_be_bytes([h1, h2]).into(), u16::from_be_bytes([w1, w2]).into());
                let of_one = |one: &[u8]| (one[0], usize::from(one[1] >> 4), usize::from(one[1] & 15));
                sampling = named.chunks_exact(3).take(count.into()).map(of_one).collect();
                head.height_at = head.bytes.len() + 5;
                head.bytes.extend(segment);
            }
            0xC4 => read_tables(content, &mut tables)?,
            // strips have no restarts
            0xDD => frame.interval = usize::from(u16::from_be_bytes([*content.first()?, *content.get(1)?])),
            0xDA => {
                let (count, named) = content.split_first()?;
                let chosen = named.chunks_exact(2).take((*count).into());
                for (choice, (name, across, down)) in chosen.zip(&sampling) {
                    // a picture of one colour lies block by block, whatever it says (A.2.2)
                    let blocks = if sampling.len() == 1 { 1 } else { across * down };
                    let (dc, ac) = (usize::from(choice[1] >> 4), usize::from(choice[1] & 15));
                    if choice[0] != *name || blocks == 0 || dc > 3 || ac > 3 {
                        return None;
                    }
                    for (codes, (place, index)) in [(&mut frame.dc, (0, dc)), (&mut frame.ac, (4, ac))] {
                        let (lengths, values) = tables[place + index]?;
                        codes[index] = Some(Codes::of(lengths, values)?);
                        if place > 0 {
                            head.bytes.extend(table_segment(0x10 | index as u8, lengths, values));
                        }
                    }
                    frame.colours.push(Colour { blocks, dc, ac });
                }
                if frame.colours.len() != sampling.len() || !matches!(sampling.len(), 1 | 3) {
                    return None;
                }
                let most =
                    |side: fn(&(u8, usize, usize)) -> usize| sampling.iter().map(side).max().unwrap_or(1);
                let is_alone = sampling.len() == 1;
                frame.unit = if is_alone { (8, 8) } else { (8 * most(|one| one.1), 8 * most(|one| one.2)) };
                for place in 0..4 {
                    head.bytes.extend(table_segment(place, &LENGTHS, &VALUES));
                }
                head.bytes.extend(segment);
                return (head.bytes.len() <= MOST_HEAD).then_some((frame, head, file.get(at..)?));
            }
            // what the decoder needs: how coarse the colours are, and which they are
            0xDB | 0xE0 | 0xEE => head.bytes.extend(segment),
            0xE2 if content.starts_with(b"ICC_PROFILE\0") => head.profile.extend(segment),
            _ => {}
        }
        if head.bytes.len() > MOST_HEAD || head.profile.len() > MOST_PROFILE {
            return None;
        }
    }
}

/// The tables of a segment (B.2.4.2): the first four are those of what blocks build on.
fn read_tables<'a>(mut content: &'a [u8], tables: &mut [Option<(&'a [u8; 16], &'a [u8])>; 8]) -> Option<()> {
    while let [kind, rest @ ..] = content {
        let (lengths, rest) = rest.split_first_chunk::<16>()?;
        let count = lengths.iter().map(|count| usize::from(*count)).sum();
        let (values, rest) = rest.split_at_checked(count)?;
        let place = usize::from(kind >> 4) * 4 + usize::from(kind & 15);
        *tables.get_mut(place).filter(|_| kind & 15 < 4)? = Some((lengths, values));
        content = rest;
    }
    Some(())
}

/// A segment with one table: its kind and place, how many codes there are of each length, and their values.
fn table_segment(place: u8, lengths: &[u8; 16], values: &[u8]) -> Vec<u8> {
    let length = 2 + 1 + lengths.len() + values.len();
    let length = u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes();
    [&[0xFF, 0xC4], length.as_slice(), &[place], lengths, values].concat()
}

/// Codes of a table by what the next sixteen bits are: a code's length, 0 where none begins so, and its value.
struct Codes(Vec<(u8, u8)>);

impl Codes {
    /// From how many codes there are of each length, and their values (annex C).
    fn of(lengths: &[u8; 16], values: &[u8]) -> Option<Self> {
        let mut codes = vec![(0, 0); 1 << 16];
        let (mut at, mut values) = (0, values.iter());
        for (length, count) in (1u8..).zip(lengths) {
            for _ in 0..*count {
                let span = 1 << (16 - length);
                codes.get_mut(at..at + span)?.fill((length, *values.next()?));
                at += span;
            }
        }
        Some(Self(codes))
    }
}

/// How many codes there are of each length in the table that strips have for what blocks build on (table K.3), whose values are 0
/// to 11: a table that was made for one picture may lack what the first blocks of its strips need.
const LENGTHS: [u8; 16] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
/// The same codes with their lengths.
const CODES: [(u32, u32); 12] =
    [(0, 2), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3), (14, 4), (30, 5), (62, 6), (126, 7), (254, 8), (510, 9)];

/// The values of the codes.
const VALUES: [u8; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

impl Frame {
    /// Takes a unit from one scan to another; nothing where the scan breaks off or has what no scan has.
    fn pass(&self, reader: &mut Reader, writer: &mut Writer) -> Option<()> {
        if self.interval > 0 && reader.units == self.interval {
            reader.restart()?;
        }
        reader.units += 1;
        for (number, colour) in self.colours.iter().enumerate() {
            let (dc, ac) = (self.dc[colour.dc].as_ref()?, self.ac[colour.ac].as_ref()?);
            for _ in 0..colour.blocks {
                reader.last[number] = reader.last[number].saturating_add(reader.difference(dc)?);
                writer.build(reader.last[number], number)?;
                let mut index = 1;
                while index < 64 {
                    let (code, length, value) = reader.code(ac)?;
                    let (zeros, size) = (usize::from(value >> 4), u32::from(value & 15));
                    writer.put(code, length);
                    if size == 0 {
                        if zeros < 15 {
                            break;
                        }
                        index += 16;
                        continue;
                    }
                    writer.put(reader.take(size)?, size);
                    index += zeros + 1;
                }
                if index > 64 {
                    return None;
                }
            }
        }
        Some(())
    }
}

/// A place in a scan.
#[derive(Clone, Copy)]
struct Reader<'a> {
    scan: &'a [u8],
    /// The next byte that is not among the bits.
    at: usize,
    /// The next bits, of which the first is the highest.
    bits: u64,
    count: u32,
    /// What the next block of each colour builds on.
    last: [i32; 3],
    /// Units since the last restart.
    units: usize,
}

impl Reader<'_> {
    fn fill(&mut self) {
        while self.count <= 48 {
            let byte = match self.scan.get(self.at) {
                Some(0xFF) if self.scan.get(self.at + 1) == Some(&0) => {
                    self.at += 1;
                    0xFF
                }
                // a marker: nothing is read beyond
                Some(0xFF) | None => return,
                Some(byte) => *byte,
            };
            self.at += 1;
            self.count += 8;
            self.bits |= u64::from(byte) << (64 - self.count);
        }
    }

    fn take(&mut self, count: u32) -> Option<u32> {
        if count == 0 {
            return Some(0);
        }
        if self.count < count {
            self.fill();
        }
        self.count = self.count.checked_sub(count)?;
        let taken = self.bits >> (64 - count);
        self.bits <<= count;
        u32::try_from(taken).ok()
    }

    /// The next code with its length, and what it means.
    fn code(&mut self, codes: &Codes) -> Option<(u32, u32, u8)> {
        if self.count < 16 {
            self.fill();
        }
        let (length, value) = codes.0[(self.bits >> 48) as usize];
        let length = u32::from(length);
        if length == 0 {
            return None;
        }
        Some((self.take(length)?, length, value))
    }

    /// How far a block is from the one before it (F.2.2.1).
    fn difference(&mut self, codes: &Codes) -> Option<i32> {
        let (.., size) = self.code(codes)?;
        let size = u32::from(size);
        if size > 11 {
            return None;
        }
        let value = i32::try_from(self.take(size)?).ok()?;
        let is_negative = size > 0 && value < 1 << (size - 1);
        Some(if is_negative { value - (1 << size) + 1 } else { value })
    }

    /// Goes over a restart marker (F.2.1.3.1).
    fn restart(&mut self) -> Option<()> {
        while self.scan.get(self.at + 1) == Some(&0xFF) {
            self.at += 1;
        }
        let &[0xFF, 0xD0..=0xD7] = self.scan.get(self.at..self.at + 2)? else { return None };
        *self = Self { at: self.at + 2, bits: 0, count: 0, last: [0; 3], units: 0, ..*self };
        Some(())
    }
}

struct Writer {
    bytes: Vec<u8>,
    bits: u64,
    count: u32,
    last: [i32; 3],
}

impl Writer {
    fn put(&mut self, bits: u32, count: u32) {
        self.bits = self.bits << count | u64::from(bits);
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            let byte = (self.bits >> self.count) as u8;
            self.bytes.push(byte);
            if byte == 0xFF {
                self.bytes.push(0);
            }
        }
    }

    /// Writes what a block of a colour is built on.
    fn build(&mut self, value: i32, colour: usize) -> Option<()> {
        let difference = value.saturating_sub(self.last[colour]);
        self.last[colour] = value;
        let size = 32 - difference.unsigned_abs().leading_zeros();
        let (code, length) = *CODES.get(size as usize)?;
        self.put(code, length);
        let bits = if difference < 0 { difference - 1 } else { difference };
        self.put(bits as u32 & ((1 << size) - 1), size);
        Some(())
    }

    fn finish(mut self) -> Vec<u8> {
        let rest = self.count % 8;
        if rest > 0 {
            self.put((1 << (8 - rest)) - 1, 8 - rest);
        }
        self.bytes
    }
}

//! Sound and films as members bring them: what a file is, told by its bytes from one end to the other. Nothing is decoded.

use std::io::{self, Read, Seek, SeekFrom};

/// The kinds that browsers play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MediaFormat {
    Mp3,
    M4a,
    Mp4,
    WebM,
}

impl MediaFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Mp3, Self::M4a, Self::Mp4, Self::WebM];

    /// How its files' names end, and how it is stored.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Mp3 => "mp3",
            Self::M4a => "m4a",
            Self::Mp4 => "mp4",
            Self::WebM => "webm",
        }
    }

    /// As the web calls it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Mp3 => "audio/mpeg",
            Self::M4a => "audio/mp4",
            Self::Mp4 => "video/mp4",
            Self::WebM => "video/webm",
        }
    }

    /// Whether there is something to see.
    pub fn is_video(self) -> bool {
        matches!(self, Self::Mp4 | Self::WebM)
    }

    /// The one whose files' names end so.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.extension() == extension)
    }
}

/// Why a file is not taken, as a sentence for its member.
#[derive(Debug, thiserror::Error)]
pub enum MediaRefusal {
    #[error("这不是 MP3、M4A、MP4 或 WebM 文件；别的格式请先转换")]
    Unknown,
    #[error("文件不完整，可能没有传完或已经损坏")]
    Broken,
    #[error("文件里既没有声音，也没有画面")]
    Empty,
    /// The disk's fault.
    #[error("文件读不出来")]
    Unreadable(io::Error),
}

impl From<io::Error> for MediaRefusal {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Broken,
            _ => Self::Unreadable(error),
        }
    }
}

/// Bytes of a film's description that are read; longer ones belong to films of many hours.
const MOST_DESCRIPTION: u64 = 32 << 20;
/// Frames of sound that have to follow each other.
const FRAMES: usize = 3;
/// Bytes of nothing that may lie between a file's tag and its sound.
const MOST_PADDING: u64 = 256 << 10;

/// Looks at a whole file.
///
/// # Errors
/// See [`MediaRefusal`].
pub fn probe(file: &mut (impl Read + Seek)) -> Result<MediaFormat, MediaRefusal> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut start = [0; 12];
    file.seek(SeekFrom::Start(0))?;
    if length < 64 {
        return Err(MediaRefusal::Unknown);
    }
    file.read_exact(&mut start)?;
    match start {
        [.., b'f', b't', b'y', b'p', _, _, _, _] => boxes(file, length),
        [0x1a, 0x45, 0xdf, 0xa3, ..] => matroska(file),
        _ => mp3(file, length),
    }
}

/// Where the sound of an MP3 begins, behind its tags (ID3v2, section 3.1).
fn after_tags(file: &mut (impl Read + Seek), length: u64) -> Result<u64, MediaRefusal> {
    let mut at = 0;
    loop {
        let mut head = [0; 10];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut head)?;
        let [b'I', b'D', b'3', _, _, flags, size @ ..] = head else { break };
        if size.iter().any(|byte| *byte > 0x7f) {
            return Err(MediaRefusal::Broken);
        }
        let size = size.iter().fold(0u64, |all, byte| all << 7 | u64::from(*byte));
        at += 10 + size + if flags & 0x10 != 0 { 10 } else { 0 };
        if at >= length {
            return Err(MediaRefusal::Broken);
        }
    }
    // encoders leave room behind the tag
    let padding = (length - at).min(MOST_PADDING);
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(padding).read_to_end(&mut bytes)?;
    Ok(at + bytes.iter().take_while(|byte| **byte == 0).count() as u64)
}

fn mp3(file: &mut (impl Read + Seek), length: u64) -> Result<MediaFormat, MediaRefusal> {
    let mut at = after_tags(file, length)?;
    for frame in 0..FRAMES {
        let mut head = [0; 4];
        file.seek(SeekFrom::Start(at))?;
        if at + 4 > length {
            return if frame == 0 { Err(MediaRefusal::Unknown) } else { Err(MediaRefusal::Broken) };
        }
        file.read_exact(&mut head)?;
        let Some(size) = frame_length(head) else {
            return if frame == 0 { Err(MediaRefusal::Unknown) } else { Err(MediaRefusal::Broken) };
        };
        at += size;
    }
    Ok(MediaFormat::Mp3)
}

/// Bytes of an MPEG audio frame of layer III, by its header (ISO 11172-3, 2.4.2.3; ISO 13818-3).
fn frame_length(head: [u8; 4]) -> Option<u64> {
    const FIRST: [u64; 14] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
    const SECOND: [u64; 14] = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
    let is_frame = head[0] == 0xff && head[1] & 0xe0 == 0xe0 && head[1] & 0x06 == 0x02;
    let rate_index = usize::from(head[2] >> 4).checked_sub(1)?;
    let sample_index = usize::from(head[2] >> 2 & 3);
    let (rates, samples, slots) = match head[1] >> 3 & 3 {
        3 => (FIRST, [44_100, 48_000, 32_000], 144),
        2 => (SECOND, [22_050, 24_000, 16_000], 72),
        0 => (SECOND, [11_025, 12_000, 8_000], 72),
        _ => return None,
    };
    let (rate, samples) = (rates.get(rate_index)?, samples.get(sample_index)?);
    is_frame.then(|| slots * rate * 1000 / samples + u64::from(head[2] >> 1 & 1))
}

/// A box of the ISO base media format: its name, where its content begins, where it ends.
struct Part {
    name: [u8; 4],
    content: u64,
    end: u64,
}

fn part(file: &mut (impl Read + Seek), at: u64, end: u64) -> Result<Part, MediaRefusal> {
    let mut head = [0; 8];
    if at + 8 > end {
        return Err(MediaRefusal::Broken);
    }
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut head)?;
    let [a, b, c, d, name @ ..] = head;
    let (content, size) = match u32::from_be_bytes([a, b, c, d]) {
        0 => (at + 8, end - at),
        1 => {
            let mut large = [0; 8];
            file.read_exact(&mut large)?;
            (at + 16, u64::from_be_bytes(large))
        }
        size => (at + 8, u64::from(size)),
    };
    let last = at.checked_add(size).filter(|last| *last <= end && *last >= content);
    Ok(Part { name, content, end: last.ok_or(MediaRefusal::Broken)? })
}

/// MP4 and M4A (ISO 14496-12): boxes from the first byte to the last, a description, and what it describes.
fn boxes(file: &mut (impl Read + Seek), length: u64) -> Result<MediaFormat, MediaRefusal> {
    let (mut at, mut has_content, mut format) = (0, false, None);
    while at < length {
        let next = part(file, at, length)?;
        match &next.name {
            b"ftyp" => {
                let mut brand = [0; 4];
                file.seek(SeekFrom::Start(next.content))?;
                file.read_exact(&mut brand)?;
                // QuickTime's own films hold what browsers don't play
                if &brand == b"qt  " {
                    return Err(MediaRefusal::Unknown);
                }
            }
            b"moov" => {
                if next.end - next.content > MOST_DESCRIPTION {
                    return Err(MediaRefusal::Broken);
                }
                format = tracks(file, &next)?;
            }
            b"mdat" | b"moof" => has_content = true,
            name if name.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ' || *byte == 0xa9) => {}
            _ => return Err(MediaRefusal::Broken),
        }
        at = next.end;
    }
    match format {
        Some(format) if has_content => Ok(format),
        Some(_) => Err(MediaRefusal::Broken),
        None => Err(MediaRefusal::Empty),
    }
}

fn tracks(file: &mut (impl Read + Seek), moov: &Part) -> Result<Option<MediaFormat>, MediaRefusal> {
    let mut found = None;
    let mut at = moov.content;
    while at < moov.end {
        let track = part(file, at, moov.end)?;
        at = track.end;
        if &track.name != b"trak" {
            continue;
        }
        let Some(media) = inside(file, &track, b"mdia")? else { continue };
        let Some(handler) = inside(file, &media, b"hdlr")? else { continue };
        let mut kind = [0; 12];
        file.seek(SeekFrom::Start(handler.content))?;
        file.read_exact(&mut kind)?;
        match &kind[8..] {
            b"vide" => return Ok(Some(MediaFormat::Mp4)),
            b"soun" => found = Some(MediaFormat::M4a),
            _ => {}
        }
    }
    Ok(found)
}

fn inside(file: &mut (impl Read + Seek), outer: &Part, name: &[u8; 4]) -> Result<Option<Part>, MediaRefusal> {
    let mut at = outer.content;
    while at < outer.end {
        let next = part(file, at, outer.end)?;
        if &next.name == name {
            return Ok(Some(next));
        }
        at = next.end;
    }
    Ok(None)
}

/// A number of variable length (RFC 8794, section 4), with its marker where it is an id.
fn variable(file: &mut impl Read, keeps_marker: bool) -> Result<u64, MediaRefusal> {
    let mut first = [0];
    file.read_exact(&mut first)?;
    let more = first[0].leading_zeros();
    if more > 7 {
        return Err(MediaRefusal::Broken);
    }
    let mask = if keeps_marker { 0xff } else { (0x7fu16 >> more) as u8 };
    let mut value = u64::from(first[0] & mask);
    for _ in 0..more {
        let mut next = [0];
        file.read_exact(&mut next)?;
        value = value << 8 | u64::from(next[0]);
    }
    Ok(value)
}

/// WebM: a header that says so, and a segment (RFC 8794, section 8; RFC 9559).
fn matroska(file: &mut (impl Read + Seek)) -> Result<MediaFormat, MediaRefusal> {
    file.seek(SeekFrom::Start(4))?;
    let size = variable(file, false)?;
    if size > 4096 {
        return Err(MediaRefusal::Broken);
    }
    let mut header = vec![0; size as usize];
    file.read_exact(&mut header)?;
    let mut rest = io::Cursor::new(&header);
    let mut is_webm = false;
    while rest.position() < size {
        let id = variable(&mut rest, true)?;
        let length = variable(&mut rest, false)?.min(size);
        let from = rest.position() as usize;
        let content = header.get(from..from + length as usize).ok_or(MediaRefusal::Broken)?;
        is_webm |= id == 0x4282 && content.strip_suffix(b"\0").unwrap_or(content) == b"webm";
        rest.set_position((from as u64) + length);
    }
    if !is_webm {
        return Err(MediaRefusal::Unknown);
    }
    if variable(file, true)? == 0x1853_8067 { Ok(MediaFormat::WebM) } else { Err(MediaRefusal::Broken) }
}

/// A second of silence, the shortest file of its kind that everything plays: for demo books.
pub fn silence() -> Vec<u8> {
    // 32 kbit/s, 44.1 kHz, mono: a frame of 104 bytes whose every value is zero is silent
    let mut frame = vec![0xff, 0xfb, 0x10, 0xc4];
    frame.resize(104, 0);
    frame.repeat(38)
}

/// An element of a Matroska file (RFC 8794, section 6), its length in eight bytes.
fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u64 | 1 << 56).to_be_bytes();
    [id, &length, content].concat()
}

/// The frame of a WebP of the simple lossy kind, which is a key frame of VP8, with its width and height (RFC 9649,
/// section 2.5; RFC 6386, section 9.1).
fn key_frame(webp: &[u8]) -> Option<(&[u8], [u16; 2])> {
    let mut rest = webp.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WEBP")?;
    while let Some((head, more)) = rest.split_at_checked(8) {
        let size = u32::from_le_bytes(head[4..].try_into().ok()?) as usize;
        let chunk = more.get(..size)?;
        if head.starts_with(b"VP8 ") {
            let side = |at: usize| Some(u16::from_le_bytes([*chunk.get(at)?, *chunk.get(at + 1)?]) & 0x3fff);
            return Some((chunk, [side(6)?, side(8)?]));
        }
        rest = more.get(size + size % 2..)?;
    }
    None
}

/// A WebM that shows pictures one after the other, each for so many ms: for demo books. All are WebPs of one size; those that
/// are not lossy are left out.
pub fn slideshow(pictures: &[Vec<u8>], each_ms: u16) -> Vec<u8> {
    let frames: Vec<_> = pictures.iter().filter_map(|picture| key_frame(picture)).collect();
    let [width, height] = frames.first().map_or([2, 2], |(_, size)| *size);
    let header = [
        element(b"\x42\x86", &[1]),
        element(b"\x42\xf7", &[1]),
        element(b"\x42\xf2", &[4]),
        element(b"\x42\xf3", &[8]),
        element(b"\x42\x82", b"webm"),
        element(b"\x42\x87", &[2]),
        element(b"\x42\x85", &[2]),
    ];
    let duration = f64::from(each_ms) * frames.len() as f64;
    let info = [
        element(b"\x2a\xd7\xb1", &1_000_000u32.to_be_bytes()),
        element(b"\x4d\x80", b"bindery"),
        element(b"\x57\x41", b"bindery"),
        element(b"\x44\x89", &duration.to_be_bytes()),
    ];
    let video = [element(b"\xb0", &width.to_be_bytes()), element(b"\xba", &height.to_be_bytes())].concat();
    let track = [
        element(b"\xd7", &[1]),
        element(b"\x73\xc5", &[1]),
        element(b"\x83", &[1]),
        element(b"\x86", b"V_VP8"),
        element(b"\xe0", &video),
    ];
    let mut segment = element(b"\x15\x49\xa9\x66", &info.concat());
    segment.extend(element(b"\x16\x54\xae\x6b", &element(b"\xae", &track.concat())));
    // the last one once more at the end, so that it stays as long as the others
    let mut shown: Vec<_> = frames.iter().filter(|(_, size)| *size == [width, height]).collect();
    shown.extend(shown.last().copied());
    for (index, (frame, _)) in shown.into_iter().enumerate() {
        let at = u64::from(each_ms) * index as u64;
        let block = [&[0x81, 0, 0, 0x80], *frame].concat();
        let cluster = [element(b"\xe7", &at.to_be_bytes()), element(b"\xa3", &block)].concat();
        segment.extend(element(b"\x1f\x43\xb6\x75", &cluster));
    }
    [element(b"\x1a\x45\xdf\xa3", &header.concat()), element(b"\x18\x53\x80\x67", &segment)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(bytes: &[u8]) -> Result<MediaFormat, MediaRefusal> {
        probe(&mut io::Cursor::new(bytes))
    }

    fn a_box(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
        [&(content.len() as u32 + 8).to_be_bytes()[..], name, content].concat()
    }

    fn film(handler: &[u8; 4]) -> Vec<u8> {
        let hdlr = a_box(b"hdlr", &[&[0; 8], &handler[..], &[0; 12]].concat());
        let moov = a_box(b"moov", &a_box(b"trak", &a_box(b"mdia", &hdlr)));
        [a_box(b"ftyp", b"isom\0\0\0\0isom"), moov, a_box(b"mdat", &[7; 40])].concat()
    }

    fn webm(kind: &[u8]) -> Vec<u8> {
        let kind = [&[0x42, 0x82, 0x80 | kind.len() as u8], kind].concat();
        let head = [&[0x1a, 0x45, 0xdf, 0xa3, 0x80 | kind.len() as u8], &kind[..]].concat();
        [head, vec![0x18, 0x53, 0x80, 0x67, 0xff], vec![0; 64]].concat()
    }

    #[test]
    fn files_are_what_their_bytes_say() {
        let tag = [b"ID3\x04\0\0\0\0\0\x0a".as_slice(), &[1; 10], &[0; 30]].concat();
        assert_eq!(look(&silence()).unwrap(), MediaFormat::Mp3);
        assert_eq!(look(&[tag, silence()].concat()).unwrap(), MediaFormat::Mp3);
        assert_eq!(look(&film(b"vide")).unwrap(), MediaFormat::Mp4);
        assert_eq!(look(&film(b"soun")).unwrap(), MediaFormat::M4a);
        assert_eq!(look(&webm(b"webm")).unwrap(), MediaFormat::WebM);
        assert_eq!(look(&slideshow(&[], 500)).unwrap(), MediaFormat::WebM);
    }

    #[test]
    fn what_only_looks_like_one_is_refused() {
        let html = b"<!DOCTYPE html><script>alert(1)</script>".repeat(9);
        let named = |name: &[u8]| [name, &html].concat();
        for bytes in [
            html.clone(),
            named(b"\xff\xfb\x10\xc4"),
            named(b"ID3\x04\0\0\0\0\0\x00"),
            webm(b"matroska"),
            Vec::new(),
        ] {
            assert!(look(&bytes).is_err(), "{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(30)]));
        }
        let film = film(b"vide");
        for bytes in
            [&film[..film.len() - 1], &[&film[..], &html].concat(), &named(&a_box(b"ftyp", b"isom\0\0\0\0"))]
        {
            assert!(matches!(look(bytes), Err(MediaRefusal::Broken)), "{}", bytes.len());
        }
        assert!(matches!(look(&self::film(b"text")), Err(MediaRefusal::Empty)));
        // every beginning of a file ends with an answer
        for length in 0..film.len() {
            let _ = look(&film[..length]);
        }
    }
}

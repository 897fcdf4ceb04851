//! What Pillow, with libjpeg and libpng, makes of photo files.

use std::ffi::{OsStr, OsString};
use std::process::Command;

/// Writes the pixels of every file of a folder beside it as `*.raw`: one byte for grey, R, G and B on white paper, or the four
/// inks, where 255 is all of one.
const SCRIPT: &str = r#"
import sys, pathlib
from PIL import Image
for file in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    image = Image.open(file)
    image.load()
    if image.mode.startswith("I"):
        # 16 bits
        data = bytes(value >> 8 for value in image.getdata())
    elif image.mode == "CMYK":
        data = image.tobytes()
    elif image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info:
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image.convert("RGBA"))
        data = paper.convert("RGB").tobytes()
    elif image.mode in ("1", "L"):
        data = image.convert("L").tobytes()
    else:
        data = image.convert("RGB").tobytes()
    file.with_suffix(".raw").write_bytes(data)
"#;

/// The pixels of some files, in their order.
pub fn pillow(files: &[(&str, Vec<u8>)]) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let place = |number: usize, ending: &str| folder.path().join(format!("{number:03}.{ending}"));
    for (number, (_, bytes)) in files.iter().enumerate() {
        std::fs::write(place(number, "photo"), bytes).unwrap();
    }
    run(SCRIPT, [folder.path().as_os_str()]);
    (0..files.len()).map(|number| std::fs::read(place(number, "raw")).unwrap()).collect()
}

/// Writes a JPEG that was taken so many millionths of a degree north and east, as Pillow writes EXIF data.
const PLACED: &str = r#"
import sys
from PIL import Image
from PIL.TiffImagePlugin import IFDRational
def angle(millionths, halves):
    degrees, rest = divmod(abs(millionths), 1_000_000)
    minutes, rest = divmod(rest * 60, 1_000_000)
    return halves[millionths < 0], (IFDRational(degrees), IFDRational(minutes), IFDRational(rest * 60, 1_000_000))
image = Image.new("RGB", (64, 48), "grey")
exif = image.getexif()
(north, latitude), (east, longitude) = angle(int(sys.argv[2]), "NS"), angle(int(sys.argv[3]), "EW")
exif[0x8825] = {1: north, 2: latitude, 3: east, 4: longitude}
image.save(sys.argv[1], exif=exif)
"#;

/// A JPEG that says where it was taken, in degrees north and east.
pub fn placed(north: f64, east: f64) -> Vec<u8> {
    let file = tempfile::Builder::new().suffix(".jpg").tempfile().unwrap();
    let [north, east] = [north, east].map(|degrees| OsString::from(format!("{:.0}", degrees * 1e6)));
    run(PLACED, [file.path().as_os_str(), &north, &east]);
    std::fs::read(file.path()).unwrap()
}

fn run<'a>(script: &str, arguments: impl IntoIterator<Item = &'a OsStr>) {
    let done = Command::new("/usr/bin/python3").args(["-c", script]).args(arguments).output().unwrap();
    assert!(done.status.success(), "Debian's python3-pil: {}", String::from_utf8_lossy(&done.stderr));
}

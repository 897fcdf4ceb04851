//! What Pillow, with libjpeg and libpng, makes of photo files.

use std::path::Path;
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
    run(folder.path());
    (0..files.len()).map(|number| std::fs::read(place(number, "raw")).unwrap()).collect()
}

fn run(folder: &Path) {
    let done = Command::new("/usr/bin/python3").args(["-c", SCRIPT]).arg(folder).output().unwrap();
    assert!(done.status.success(), "Debian's python3-pil: {}", String::from_utf8_lossy(&done.stderr));
}

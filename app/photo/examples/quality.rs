//! What is measured of photo files, a line each, to be compared with what other programs measure: name, width, height, blur,
//! shadows,
//! highlights, darkest, lightest, flat, drawn, sharpness.
//! `cargo run -p bindery-photo --example quality -- FILE…`

use std::io::{Cursor, Result};

use photo::{COATED, derive, probe};

fn main() -> Result<()> {
    for name in std::env::args().skip(1) {
        let file = std::fs::read(&name)?;
        let info = probe(&mut Cursor::new(&file));
        match info.and_then(|info| Ok((info, derive(&file, &info, COATED, None)?))) {
            Ok((info, made)) => {
                let Some((quality, look)) = made.quality.zip(made.look) else { continue };
                let blur = quality.blur.map_or_else(|| "-".to_owned(), |blur| blur.to_string());
                println!(
                    "{name}\t{}\t{}\t{blur}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                    info.width,
                    info.height,
                    quality.shadows,
                    quality.highlights,
                    quality.darkest,
                    quality.lightest,
                    quality.flat,
                    quality.drawn,
                    look.sharpness
                );
            }
            Err(refusal) => eprintln!("{name}: {refusal}"),
        }
    }
    Ok(())
}

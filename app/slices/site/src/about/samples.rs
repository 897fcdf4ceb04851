//! Sample books that the press drew (`app/press/examples/samples.rs`), and drawings of page sizes.

use domain::document::Trim;
use leptos::prelude::*;
use web::assets;
use web::ui::parts::height_of;

/// A book of one size.
pub struct Sample {
    pub trim: Trim,
    pub title: &'static str,
    /// The picture of its front cover, [`COVER_WIDTH`] pixels wide.
    pub cover: &'static str,
}

/// All of them, from the smallest to the largest.
pub const SAMPLES: [Sample; 4] = [
    Sample {
        trim: Trim { width: 148.0, height: 210.0 }, title: "秋日徒步手记", cover: "sample-a5.webp"
    },
    Sample { trim: Trim { width: 210.0, height: 210.0 }, title: "山海之间", cover: "sample-square.webp" },
    Sample { trim: Trim { width: 210.0, height: 297.0 }, title: "远山", cover: "sample-a4.webp" },
    Sample { trim: Trim { width: 280.0, height: 210.0 }, title: "湖上三日", cover: "sample-wide.webp" },
];
const COVER_WIDTH: u32 = 400;

/// The sample of a size.
pub fn sample(trim: Trim) -> Option<&'static Sample> {
    SAMPLES.iter().find(|sample| sample.trim == trim)
}

/// The sample books side by side, all to one scale.
#[component]
pub fn Shelf() -> impl IntoView {
    let books: Vec<_> = SAMPLES
        .iter()
        .map(|Sample { trim, title, cover }| {
            let alt = format!("样书《{title}》的封面");
            view! {
                <li>
                    <span class="book">
                        <img src=assets::address(cover) width=COVER_WIDTH.to_string() height=height_of(*trim, COVER_WIDTH) alt=alt/>
                    </span>
                    <span class="quiet num">{works::size_text(*trim)}</span>
                </li>
            }
        })
        .collect();
    view! { <ul class="samples">{books}</ul> }
}

/// Two facing pages of the square sample, open. The picture is what a visitor looks at first.
#[component]
pub fn Spread() -> impl IntoView {
    let side = |name: &str, alt: &'static str| {
        let address = |width: u32| assets::address(&format!("sample-{name}-{width}.webp"));
        view! {
            <img
                src=address(480)
                srcset=format!("{} 480w, {} 960w", address(480), address(960))
                sizes="(width >= 900px) 340px, 46vw"
                width="480"
                height="480"
                alt=alt
                fetchpriority="high"
            />
        }
    };
    view! {
        <figure class="spread">
            <div>
                {side("left", "样书的左页，自动排版的照片")}
                {side("right", "样书的右页，自动排版的照片")}
            </div>
            <figcaption class="quiet">
                "样书《山海之间》的一对内页，210 × 210 mm。版面由自动排版得出，图由印刷用的同一个排版程序画出；照片是程序绘制的风景。"
            </figcaption>
        </figure>
    }
}

/// A page size to scale, beside the others.
#[component]
pub fn Format(trim: Trim) -> impl IntoView {
    // one unit is one millimetre; books stand in the frame with room to spare, the largest calendars to a scale of their own
    let scale = (300.0 / trim.width.max(trim.height)).min(1.0);
    let (wide, high) = (trim.width * scale, trim.height * scale);
    let (width, height) = (wide.to_string(), high.to_string());
    let (x, y) = (((300.0 - wide) / 2.0).to_string(), (300.0 - high).to_string());
    view! {
        <svg class="format" viewBox="-2 -2 304 304" width="76" height="76" aria-hidden="true">
            <rect x=x y=y width=width height=height/>
        </svg>
    }
}

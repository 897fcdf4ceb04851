//! How to prepare photos: what this program takes, and how many pixels a page needs.

use domain::document::{BLEED_MM, SAFE_MM, Trim};
use domain::resolution::{GOOD_DPI, LEAST_DPI};
use domain::tier::Tier;
use leptos::prelude::*;
use web::render::loaded;
use web::ui::records::{Record, Records};

use super::offers;
use super::{Frame, use_app};
use works::size_text;

const PATH: &str = "/about/photos";

/// GET /about/photos
#[component]
pub fn PhotosGuidePage() -> impl IntoView {
    let app = use_app();
    let load = async move {
        let app = app?;
        Ok((app.config.photo_kinds(), offers::all(&app).await?))
    };
    loaded(load, |(kinds, offers)| {
        let mut trims: Vec<Trim> = Vec::new();
        for offer in &offers {
            if !trims.contains(&offer.goods.trim) {
                trims.push(offer.goods.trim);
            }
        }
        let rows: Vec<_> = trims.into_iter().map(row).collect();
        let quotas: Vec<String> =
            Tier::ALL.iter().map(|tier| format!("{tier} {} GB", tier.photo_quota() >> 30)).collect();
        view! {
            <Frame at=PATH>
                <header>
                    <h1>"怎样准备照片"</h1>
                    <p class="lead">"近几年的手机和相机，原图直接放进来就好。想印得更稳妥，可以对照下面几条。"</p>
                </header>
                <section>
                    <h2>"文件"</h2>
                    <dl class="words">
                        <dt>"格式"</dt>
                        <dd>
                            {kinds}"。按文件内容辨认，不看扩展名；印刷用的是原图。"
                        </dd>
                        <dt>"大小"</dt>
                        <dd>"每张不超过 100 MB、6000 万像素（JPEG 2 亿）。同一个文件传两次只算一张。"</dd>
                        <dt>"空间"</dt>
                        <dd>{quotas.join("，")}"。"</dd>
                        <dt>"方向"</dt>
                        <dd>"按相机记下的方向自动转正，不必先旋转再存。"</dd>
                    </dl>
                </section>
                <section>
                    <h2>"要多少像素"</h2>
                    <p>
                        "印得清不清楚，看有效分辨率：裁切后剩下的像素 ÷ 版面上的尺寸（英寸）。250 dpi 以上放心印；150–249 dpi 细看会软，会提醒；150 dpi 以下看得出粗糙，会着重提醒。铺满一整页（含四边出血）需要："
                    </p>
                    <Records rows/>
                    <p class="quiet">
                        "只占半页的照片，需要的像素也少一半。聊天软件转发过的照片常被压得很小，请用原图。"
                    </p>
                </section>
                <section class="pair">
                    <div>
                        <h2>"出血与安全区"</h2>
                        <p>
                            {format!(
                                "裁切会有一点偏差，所以铺到页边的照片要多印 {BLEED_MM} mm，叫出血，裁完正好到边。自动排版已经留好。人脸和文字请离页边 {SAFE_MM} mm 以上，免得被裁到。",
                            )}
                        </p>
                    </div>
                    <Bleed/>
                </section>
                <section>
                    <h2>"颜色"</h2>
                    <dl class="words">
                        <dt>"色彩空间"</dt>
                        <dd>
                            "sRGB 最省心。带 Display P3、Adobe RGB 等配置文件的照片也可以：屏幕小图按配置文件转成 sRGB，印刷文件保留 JPEG 原图自带的配置文件，由印厂转到印刷机。"
                        </dd>
                        <dt>"亮度"</dt>
                        <dd>"屏幕自己发光，纸靠反光，印出来通常会暗一些。暗部多的照片，修图时可以略微提亮。"</dd>
                        <dt>"锐化与滤镜"</dt>
                        <dd>"不必为印刷额外锐化。程序不调色、不美颜，只按版面裁切。"</dd>
                    </dl>
                </section>
            </Frame>
        }
    })
}

fn row(trim: Trim) -> Record {
    let page = trim.with_bleed();
    let pixels = |dpi: f64| {
        let (across, down) = (page.width / 25.4 * dpi, page.height / 25.4 * dpi);
        format!("{:.0} × {:.0} 像素", across.ceil(), down.ceil())
    };
    Record::new()
        .plain("成品尺寸", view! { <span class="num">{size_text(trim)}</span> })
        .num("250 dpi，放心印", pixels(GOOD_DPI))
        .num("150 dpi，底线", pixels(LEAST_DPI))
}

/// Bleed, trim and safe area of a page; the borders are wider than true to be seen.
#[component]
fn Bleed() -> impl IntoView {
    view! {
        <svg
            class="bleed"
            viewBox="0 0 260 170"
            width="260"
            height="170"
            role="img"
            aria-label="由外到内：出血线、裁切线、安全区"
        >
            <rect class="out" x="5" y="5" width="160" height="160"/>
            <rect class="cut" x="17" y="17" width="136" height="136"/>
            <rect class="safe" x="35" y="35" width="100" height="100"/>
            <path d="M165 12h12M153 60h24M135 108h42"/>
            <text x="182" y="17">"出血 3 mm"</text>
            <text x="182" y="65">"裁切线"</text>
            <text x="182" y="113">"安全区 5 mm"</text>
        </svg>
    }
}

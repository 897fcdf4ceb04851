//! One photo: the picture, what the camera noted, how large it prints, where it is used.

use domain::resolution::GOOD_DPI;
use leptos::prelude::*;
use web::render::{here, loaded, parameter};
use web::ui::parts::Moment;
use web::ui::shell::Shell;

use super::megabytes;
use crate::removal::with_uses;
use crate::store::{Photo, PhotoState};

/// GET /manager/photo/{id}.
#[component]
pub fn PhotoPage() -> impl IntoView {
    let here = here();
    let id = parameter("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let (photo, places) = with_uses(&here.app, &id, &here.member.id).await?;
            Ok((here.member, photo, places))
        },
        |(member, photo, places)| {
            let (width, height) = photo.upright();
            let note = (photo.state == PhotoState::Broken)
                .then(|| view! { <p class="notice bad">"这张照片已损坏，不能用来做书。"</p> });
            let coming = photo.is_coming().then(|| {
                view! {
                    <p class="notice">
                        "这张照片的原图还没有传到，现在看到的是小图，可以先用来排版。请在素材里重新选择这张照片，上传会接着上次的位置继续；原图到齐后才能下单。"
                    </p>
                }
            });
            let name = photo.file_name.clone();
            view! {
                <Shell member title=name.clone() assets=&["photos.css"]>
                    <header class="head">
                        <h1>{name.clone()}</h1>
                        <a class="button" href="/manager/photos">"回到素材"</a>
                    </header>
                    {note}
                    {coming}
                    <div class="look">
                        <img
                            src=format!("/manager/photo/{}/1280", photo.id)
                            width=width
                            height=height
                            alt=name.clone()
                        />
                        <div class="stack">
                            <Facts photo=photo.clone()/>
                            <Removal photo places/>
                        </div>
                    </div>
                </Shell>
            }
        },
    )
}

/// China's clocks, in minutes ahead of UTC.
const CHINA_MINUTES: i16 = 8 * 60;

/// `UTC+2`, `UTC-3:30`.
fn utc(offset: i16) -> String {
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
    match minutes % 60 {
        0 => format!("UTC{sign}{}", minutes / 60),
        rest => format!("UTC{sign}{}:{rest:02}", minutes / 60),
    }
}

#[component]
fn Facts(photo: Photo) -> impl IntoView {
    let (width, height) = photo.upright();
    let taken = match photo.taken_at {
        Some(at) if photo.is_time_named => {
            view! { <Moment at/><small class="hint">"照片里没有记录，按文件名推算"</small> }.into_any()
        }
        Some(at) => {
            // whoever looks at it is in China
            let abroad = photo.taken_offset.filter(|offset| *offset != CHINA_MINUTES).map(|offset| {
                view! { <small class="hint">{format!("当地时间（{}）", utc(offset))}</small> }
            });
            view! { <Moment at/>{abroad} }.into_any()
        }
        None => "照片里没有记录".into_any(),
    };
    let camera = photo.camera.map(|camera| view! { <dt>"相机"</dt><dd>{camera}</dd> });
    let city = photo.city.map(|city| view! { <dt>"地点"</dt><dd>{city}"一带"</dd> });
    let megapixels = f64::from(width) * f64::from(height) / 10_000.0;
    let centimetres = |pixels: u32| f64::from(pixels) / GOOD_DPI * 2.54;
    let print = format!("{:.0} × {:.0} 厘米以内", centimetres(width).floor(), centimetres(height).floor());
    let kind = match photo.format.as_str() {
        "jpg" => "JPEG",
        "png" => "PNG",
        "heic" => "HEIC",
        "avif" => "AVIF",
        _ => "WebP",
    };
    view! {
        <dl class="facts">
            <dt>"拍摄时间"</dt><dd class="num">{taken}</dd>
            {city}
            {camera}
            <dt>"尺寸"</dt><dd class="num">{format!("{width} × {height}，约 {megapixels:.0} 万像素")}</dd>
            <dt>"文件"</dt><dd class="num">{format!("{kind}，{}", megabytes(photo.bytes))}</dd>
            <dt>"印得清晰"</dt><dd class="num">{print}</dd>
        </dl>
    }
}

#[component]
fn Removal(photo: Photo, places: Vec<String>) -> impl IntoView {
    if !places.is_empty() {
        let text = format!("正用在{}里，所以不能删除。", places.join("、"));
        return view! { <p class="quiet">{text}</p> }.into_any();
    }
    let question = format!("删除“{}”？删除后不能找回。", photo.file_name);
    view! {
        <details class="ask">
            <summary>"删除这张照片"</summary>
            <form method="post" action="/manager/photos/removal">
                <input type="hidden" name="photo" value=photo.id.to_string()/>
                <p>{question}</p>
                <button class="button small danger">"确认删除"</button>
            </form>
        </details>
    }
    .into_any()
}

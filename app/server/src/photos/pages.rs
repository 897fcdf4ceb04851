//! The photo library.

use leptos::prelude::*;

use super::store::{self, Photo, PhotoState};
use crate::render::{here, loaded, use_form, use_query};
use crate::ui::shell::Shell;

/// What may be uploaded, beside every file input.
const HINT: &str = "JPEG、PNG 或 WebP，每张不超过 100 MB、6000 万像素，可一次选多张";

/// GET /manager/photos.
#[component]
pub fn PhotosPage() -> impl IntoView {
    let here = here();
    loaded(
        async move {
            let here = here?;
            let photos = store::of_member(&here.app.db, &here.member.id).await?;
            Ok((here.member, photos))
        },
        |(member, photos)| {
            let used: u64 = photos.iter().map(|photo| photo.bytes).sum();
            let quota = member.tier.photo_quota() / (1 << 30);
            let count = photos.len();
            let summary = (count > 0).then(|| {
                view! {
                    <p class="quiet">
                        "共 "<span class="num">{count}</span>" 张，已用 "<span class="num">{megabytes(used)}</span>
                        "，容量 "<span class="num">{format!("{quota} GB")}</span>
                    </p>
                }
            });
            let make =
                (count > 0).then(|| view! { <a class="button" href="/manager/make_ebook">"用素材做书"</a> });
            let added = use_query("added").filter(|_| !use_form().is_sent());
            let added = added.map(|count| {
                view! { <div class="notice good" role="status">{format!("已上传 {count} 张照片。")}</div> }
            });
            let grid = if photos.is_empty() {
                view! {
                    <section class="trim empty">
                        <h2>"还没有照片"</h2>
                        <p class="quiet">
                            "在上面选几张照片上传，就可以用它们做第一本书。照片原样保存，不会压缩。"
                        </p>
                    </section>
                }
                .into_any()
            } else {
                let prints: Vec<_> = photos.into_iter().map(|photo| view! { <Print photo/> }).collect();
                view! {
                    <h2 class="sr">"全部照片"</h2>
                    <ul class="prints">{prints}</ul>
                }
                .into_any()
            };
            view! {
                <Shell member title="素材".to_owned() assets=&["photos.css", "uploads.js"]>
                    <header class="head"><div><h1>"素材"</h1>{summary}</div>{make}</header>
                    {added}
                    <RefusedFiles/>
                    <form
                        class="upload sheet"
                        method="post"
                        action="/manager/photos"
                        enctype="multipart/form-data"
                        data-upload
                    >
                        <PhotoInput label="上传照片"/>
                        <div class="row"><button class="button primary">"上传"</button></div>
                    </form>
                    {grid}
                </Shell>
            }
        },
    )
}

/// The file input with its limits.
#[component]
pub fn PhotoInput(label: &'static str) -> impl IntoView {
    view! {
        <div class="field">
            <label for="photos">{label}</label>
            <p class="hint" id="photos-hint">{HINT}</p>
            <input
                id="photos"
                class="input"
                name="photos"
                type="file"
                accept="image/jpeg,image/png,image/webp"
                multiple
                aria-describedby="photos-hint"
            />
        </div>
    }
}

#[component]
fn Print(photo: Photo) -> impl IntoView {
    let (width, height) = photo.upright();
    let note = (photo.state == PhotoState::Broken).then(|| view! { <span class="badge bad">"已损坏"</span> });
    view! {
        <li>
            <figure>
                <img src=thumbnail(&photo) width=width height=height alt="" loading="lazy"/>
                <figcaption>{note}{photo.file_name}</figcaption>
            </figure>
        </li>
    }
}

/// The library as a field: those sent before are chosen again. Broken photos can't be chosen.
#[component]
pub fn PhotoPicker(photos: Vec<Photo>) -> impl IntoView {
    let photos: Vec<Photo> = photos.into_iter().filter(|photo| photo.state != PhotoState::Broken).collect();
    if photos.is_empty() {
        return None;
    }
    let form = use_form();
    let chosen: Vec<String> = form.all("photo").map(str::to_owned).collect();
    let count = photos.len();
    let items: Vec<_> = photos
        .into_iter()
        .map(|photo| {
            let (width, height) = photo.upright();
            let id = photo.id.to_string();
            let checked = chosen.contains(&id);
            view! {
                <li>
                    <label>
                        <input
                            type="checkbox"
                            name="photo"
                            value=id
                            checked=checked
                            aria-label=photo.file_name.clone()
                        />
                        <img src=thumbnail(&photo) width=width height=height alt="" loading="lazy"/>
                    </label>
                </li>
            }
        })
        .collect();
    Some(view! {
        <details class="fold" open=!chosen.is_empty()>
            <summary>"从素材里选（"<span class="num">{count}</span>" 张）"</summary>
            <ul class="prints pick">{items}</ul>
        </details>
    })
}

/// Which files were not taken, and why, after an upload that was only partly good.
#[component]
pub fn RefusedFiles() -> impl IntoView {
    let form = use_form();
    let refused: Vec<String> = form.errors().iter().map(|error| error.message.clone()).collect();
    if refused.is_empty() {
        return None;
    }
    let added = form.get("added").to_owned();
    let title = match added.as_str() {
        "" | "0" => format!("{} 个文件没有收下", refused.len()),
        added => format!("{added} 张已上传，{} 个文件没有收下", refused.len()),
    };
    let nothing = refused.len() == 1 && refused.iter().all(|message| message == "请选择照片");
    let body = if nothing {
        view! { <h2>"请选择照片"</h2> }.into_any()
    } else {
        let items: Vec<_> = refused.into_iter().map(|message| view! { <li>{message}</li> }).collect();
        view! { <h2>{title}</h2><ul>{items}</ul> }.into_any()
    };
    Some(view! { <div class="notice bad" id="errors" role="alert" tabindex="-1">{body}</div> })
}

fn thumbnail(photo: &Photo) -> String {
    format!("/manager/photo/{}/320", photo.id)
}

fn megabytes(bytes: u64) -> String {
    if bytes >= 1 << 30 {
        format!("{:.1} GB", bytes as f64 / f64::from(1 << 30))
    } else {
        format!("{:.1} MB", bytes as f64 / f64::from(1 << 20))
    }
}

//! Sending photos, and what is said about those that were refused.

use leptos::prelude::*;
use photo::PhotoRefusal;
use web::app::App;
use web::islands::{Island, ReactIsland, When};
use web::render::use_form;
use web::session::Member;
use web::ui::parts::FieldError;

use crate::props::UploaderProps;
use crate::receive::{MAX_FILE_BYTES, Room};
use crate::store::Kept;
use crate::uploads;

/// What may be uploaded, beside every file input.
fn hint() -> String {
    let kinds = expect_context::<App>().config.photo_kinds();
    format!("{kinds}，每张不超过 100 MB、6000 万像素（JPEG 2 亿），可一次选多张")
}

/// The island that sends photos by and by, in the place of a plain file input. In a form the photos become fields of it.
#[component]
pub fn UploadSlot(
    label: &'static str,
    member: Member,
    kept: Kept,
    #[prop(optional)] in_form: bool,
    children: Children,
) -> impl IntoView {
    let props = uploader_props(label, &member, kept, in_form);
    view! { <ReactIsland island=Island::new(&props) when=When::Intent>{children()}</ReactIsland> }
}

/// Bytes of one request: what a proxy on the way must let through.
const CHUNK: u64 = 8 << 20;
/// The same of guests: many are behind one network address and take turns.
const GUESTS_CHUNK: u64 = 1 << 20;

/// What is needed to send photos from a page.
pub fn uploader_props(label: &str, member: &Member, kept: Kept, in_form: bool) -> UploaderProps {
    let room = Room::of(member, kept.used(member.tier.photo_quota()));
    let (address, picture) = (uploads::OWN.into(), "/manager/photo*/320".into());
    let props = guests_uploader_props(label, address, picture, room.left(), room.refusal());
    UploaderProps { chunk: CHUNK, in_form, is_guests: false, ..props }
}

/// The same for somebody without an account, who sends to another slice's `address` and sees `picture`.
pub fn guests_uploader_props(
    label: &str,
    address: String,
    picture: String,
    left: u64,
    no_room: String,
) -> UploaderProps {
    UploaderProps {
        address,
        picture,
        chunk: GUESTS_CHUNK,
        label: label.to_owned(),
        hint: hint(),
        most_bytes: MAX_FILE_BYTES,
        left,
        no_room,
        heic: (!expect_context::<App>().config.takes_heif).then(|| PhotoRefusal::Heic.to_string()),
        in_form: false,
        is_guests: true,
    }
}

/// The file input with its limits.
#[component]
pub fn PhotoInput(label: &'static str) -> impl IntoView {
    let invalid = use_form().error("photos").is_some();
    view! {
        <div class="field tile">
            <label for="photos">{label}</label>
            <p class="hint" id="photos-hint">{hint()}</p>
            <input
                id="photos"
                class="input"
                name="photos"
                type="file"
                accept="image/jpeg,image/png,image/webp"
                multiple
                aria-invalid=invalid.then_some("true")
                aria-describedby=if invalid { "photos-hint photos-error" } else { "photos-hint" }
            />
            <FieldError name="photos".to_owned()/>
        </div>
    }
}

/// Which photos were not taken or not deleted, and why, after a form that was only partly good.
#[component]
pub fn RefusedFiles() -> impl IntoView {
    let form = use_form();
    let refused: Vec<String> = form.errors().iter().map(|error| error.message.clone()).collect();
    if refused.is_empty() {
        return None;
    }
    let title = match (form.get("added"), form.get("removed")) {
        ("", "0") => format!("{} 张没有删除", refused.len()),
        ("", removed) if !removed.is_empty() => {
            format!("{removed} 张已删除，{} 张没有删除", refused.len())
        }
        ("" | "0", _) => format!("{} 个文件没有收下", refused.len()),
        (added, _) => format!("{added} 张已上传，{} 个文件没有收下", refused.len()),
    };
    // a complaint about no file is the headline itself
    let whole = refused.iter().find(|message| message.starts_with('请')).cloned();
    let body = if let Some(whole) = whole {
        view! { <h2>{whole}</h2> }.into_any()
    } else {
        let items: Vec<_> = refused.into_iter().map(|message| view! { <li>{message}</li> }).collect();
        view! { <h2>{title}</h2><ul>{items}</ul> }.into_any()
    };
    Some(view! { <div class="notice bad" id="errors" role="alert" tabindex="-1">{body}</div> })
}

//! The field of a form that takes pages as a PDF: those of a new issue, and those that take the place of others.

use leptos::prelude::*;
use web::render::use_form;
use web::ui::parts::FieldError;

/// The field `file`. One that came with a form that was refused is kept, and need not be chosen again.
#[component]
pub fn PdfField(#[prop(into)] label: String) -> impl IntoView {
    let form = use_form();
    let (kept, kept_name) = (form.or("kept", ""), form.or("kept_name", ""));
    let kept_note = (!kept.is_empty()).then(|| {
        view! {
            <p class="notice good">{format!("已经收到“{kept_name}”，不用再选。要换一个，重新选择文件。")}</p>
            <input type="hidden" name="kept" value=kept.clone()/>
            <input type="hidden" name="kept_name" value=kept_name.clone()/>
        }
    });
    let file_error = form.error("file").is_some();
    view! {
        <div class="field">
            <label for="file">{label}</label>
            <input
                id="file"
                class="input"
                name="file"
                type="file"
                accept=".pdf,application/pdf"
                aria-invalid=file_error.then_some("true")
                aria-describedby="file-hint"
            />
            <p class="hint" id="file-hint">"最大 100 MB，不能有密码"</p>
            <FieldError name="file".to_owned()/>
            {kept_note}
        </div>
    }
}

//! The part of a making desk that says which weak photos stay outside, and takes them back.

use leptos::prelude::*;

use crate::weak::{ALL, TAKE_BACK, Weak};

/// Where a form comes back that took photos back.
const HERE: &str = "#weak";

/// The weak photos: a line, their pictures with a button each, and what is in the book all the same.
#[component]
pub fn WeakPart(weak: Weak) -> impl IntoView {
    let told = |id: String| view! { <input type="hidden" name="looked" value=id/> };
    let kept: Vec<_> = weak.kept.iter().map(|(id, _)| told(id.to_string())).collect();
    let back: Vec<_> = weak
        .back
        .iter()
        .map(|id| view! { <input type="hidden" name="wanted" value=id.to_string()/> })
        .collect();
    let notes: Vec<_> = weak.notes().into_iter().map(|note| view! { <p class="hint">{note}</p> }).collect();
    let back_line = (!weak.back.is_empty()).then(|| {
        view! { <p class="hint">{format!("已放回 {} 张，排成小图；做好以后可以在书页里放大。", weak.back.len())}</p> }
    });
    let out = weak.line().map(|line| {
        let several = (weak.out.len() > 1).then(|| {
            view! { <button class="button small" name=TAKE_BACK value=ALL formaction=HERE formnovalidate>"全部放回"</button> }
        });
        let items: Vec<_> = weak
            .out
            .iter()
            .map(|(photo, flaw)| {
                let id = photo.id.to_string();
                let name = photo.file_name.clone();
                view! {
                    <li>
                        <img src=format!("/manager/photo/{id}/320") alt=name.clone() width="160" height="160" loading="lazy"/>
                        <span class="badge">{flaw.words()}</span>
                        <button
                            class="button small"
                            name=TAKE_BACK
                            value=id.clone()
                            formaction=HERE
                            formnovalidate
                            aria-label=format!("放回 {name}")
                        >
                            "放回"
                        </button>
                        <input type="hidden" name="outside" value=id.clone()/>
                        {told(id)}
                    </li>
                }
            })
            .collect();
        view! { <div class="row"><p>{line}</p>{several}</div><ul class="outside">{items}</ul> }
    });
    let is_shown = out.is_some() || back_line.is_some() || !notes.is_empty();
    is_shown.then(|| {
        view! { <section class="part weak" id="weak" tabindex="-1" aria-label="不太好的照片">{out}{notes}{back_line}{kept}{back}</section> }
    })
}

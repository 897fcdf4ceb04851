//! What a guest has sent, as its browser is shown it.

use domain::guests::{CAPTION_LENGTH, PieceState};
use leptos::prelude::*;
use web::render::use_form;
use web::ui::parts::FieldError;

use super::store::photos::Piece;

/// The photos with what stands below them, each to be taken back until it is accepted.
#[component]
pub fn Sent(own: String, sent: Vec<Piece>, count: i64, next: Option<String>, is_open: bool) -> impl IntoView {
    let has_own = sent.iter().any(|piece| piece.state.is_guests());
    let items: Vec<_> = sent.into_iter().map(|piece| view! { <Item own=own.clone() piece/> }).collect();
    let next = next.map(|last| {
        view! { <a class="button" href=format!("{own}?before={last}#sent") rel="next">"更早发的"</a> }
    });
    let save = has_own.then(|| view! { <button class="button">"保存图说"</button> });
    let hint = if is_open { "可以给每张写一句，也可以再发。" } else { "" };
    view! {
        <section class="sent" id="sent" aria-labelledby="sent-title">
            <h2 id="sent-title">{format!("您发来的 {count} 张")}</h2>
            <p class="quiet">{hint}</p>
            <form class="stack" method="post" action=format!("{own}/sent")>
                <ul>{items}</ul>
                <div class="row">{save}{next}</div>
            </form>
        </section>
    }
}

#[component]
fn Item(own: String, piece: Piece) -> impl IntoView {
    let field = format!("caption-{}", piece.id);
    let (width, height) = piece.facts.upright();
    let picture = if piece.is_broken {
        view! { <span class="none">"打不开"</span> }.into_any()
    } else {
        let src = format!("{own}/photo/{}", piece.id);
        view! { <img src=src width=width height=height alt=piece.file_name.clone() loading="lazy"/> }
            .into_any()
    };
    let words = if piece.state == PieceState::Accepted {
        let caption = (!piece.caption.is_empty()).then(|| view! { <p>{piece.caption.clone()}</p> });
        view! { <span class="badge good">"已收下"</span>{caption} }.into_any()
    } else {
        let value = use_form().or(&field, &piece.caption);
        let label = format!("{} 的图说", piece.file_name);
        view! {
            <input class="input" name=field.clone() id=field.clone() maxlength=CAPTION_LENGTH.to_string() value=value placeholder="写一句（可不填）" aria-label=label/>
            <FieldError name=field/>
            <button class="link" name="back" value=piece.id.to_string()>"收回"<span class="sr">{format!("：{}", piece.file_name)}</span></button>
        }
        .into_any()
    };
    let coming = piece.is_coming().then(|| view! { <p class="hint coming">"原图还在路上"</p> });
    view! { <li id=format!("sent-{}", piece.id)><figure>{picture}</figure><div>{words}{coming}</div></li> }
}

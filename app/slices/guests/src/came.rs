//! What came, guest by guest, in a form that decides about it.

use std::collections::BTreeMap;

use domain::guests::PieceState;
use leptos::prelude::*;
use web::render::use_form;
use web::ui::lists::Pager;

use super::store::photos::Piece;

/// What can be looked at, with how much there is of each.
#[component]
pub fn Tabs(own: String, counts: BTreeMap<String, i64>, wishes: i64, part: &'static str) -> impl IntoView {
    let tab = |code: &'static str, name: &'static str, count: i64| {
        let current = (code == part).then_some("page");
        view! { <a href=format!("{own}?show={code}") aria-current=current>{name}" "<span class="num">{count}</span></a> }
    };
    let states: Vec<_> = PieceState::ALL
        .map(|state| tab(state.code(), state.name(), counts.get(state.code()).copied().unwrap_or(0)))
        .into();
    view! { <nav class="came-tabs" aria-label="来宾发来的">{states}{tab("wishes", "留言", wishes)}</nav> }
}

/// A page of photos under the guests who sent them.
#[component]
pub fn Came(
    own: String,
    state: PieceState,
    photos: Vec<(Piece, String, String)>,
    is_first: bool,
    next: Option<String>,
    after: String,
) -> impl IntoView {
    if photos.is_empty() {
        let text = match state {
            PieceState::Waiting => "没有待看的照片。",
            PieceState::Accepted => "还没有收下照片。",
            PieceState::Hidden => "没有不要的照片。",
        };
        return view! { <p class="trim empty quiet">{text}</p> }.into_any();
    }
    let form = use_form();
    let chosen: Vec<String> = form.all("photo").map(str::to_owned).collect();
    let mut guests: Vec<(String, String, String, Vec<_>)> = Vec::new();
    for (piece, name, wish) in photos {
        let guest = piece.guest.clone();
        let is_chosen = chosen.iter().any(|id| id == piece.id.as_str());
        let item = view! { <Item own=own.clone() state piece is_chosen/> };
        match guests.last_mut() {
            Some((known, _, _, items)) if *known == guest => items.push(item),
            _ => guests.push((guest, name, wish, vec![item])),
        }
    }
    let guests: Vec<_> = guests
        .into_iter()
        .map(|(_, name, wish, items)| {
            let name = if name.is_empty() { "没有留名字".to_owned() } else { name };
            let wish = (!wish.is_empty()).then(|| view! { <blockquote>{wish}</blockquote> });
            view! {
                <section class="guest">
                    <h2>{name}</h2>
                    {wish}
                    <ul class="prints">{items}</ul>
                </section>
            }
        })
        .collect();
    let acts: &[(&'static str, &'static str, &'static str)] = match state {
        PieceState::Waiting => &[
            ("accept", "收下选中的", "button primary"),
            ("hide", "不要选中的", "button"),
            ("accept_all", "全部收下", "button"),
        ],
        PieceState::Accepted => &[("hide", "不要选中的", "button")],
        PieceState::Hidden => &[("accept", "收下选中的", "button primary"), ("back", "放回待看", "button")],
    };
    let acts: Vec<_> = acts
        .iter()
        .map(|(act, label, class)| view! { <button class=*class name="act" value=*act>{*label}</button> })
        .collect();
    let first = (!is_first).then(|| format!("{own}?show={}", state.code()));
    view! {
        <form class="came" method="post" action=own>
            <input type="hidden" name="show" value=state.code()/>
            <input type="hidden" name="after" value=after/>
            {guests}
            <div class="actionbar">{acts}</div>
        </form>
        <Pager first next back="最早的" further="后面的"/>
    }
    .into_any()
}

#[component]
fn Item(own: String, state: PieceState, piece: Piece, is_chosen: bool) -> impl IntoView {
    let (width, height) = piece.facts.upright();
    let name = piece.file_name.clone();
    let address = format!("{own}/photo/{}", piece.id);
    let picture = if piece.is_broken {
        view! { <span class="badge bad">"打不开"</span> }.into_any()
    } else {
        view! {
            <a href=format!("{address}/1280") aria-label=name.clone()>
                <img src=format!("{address}/320") width=width height=height alt="" loading="lazy"/>
            </a>
        }
        .into_any()
    };
    let one = |act: &'static str, label: &'static str| {
        let (id, name) = (piece.id.to_string(), name.clone());
        view! { <button class="link" name=act value=id>{label}<span class="sr">{format!("：{name}")}</span></button> }
    };
    let can_come = !piece.is_broken && !piece.is_coming();
    let acts = match state {
        PieceState::Waiting => {
            let accept = can_come.then(|| one("accept", "收下"));
            view! { {accept}{one("hide", "不要")} }.into_any()
        }
        PieceState::Accepted => one("hide", "不要").into_any(),
        PieceState::Hidden => {
            let accept = can_come.then(|| one("accept", "收下"));
            view! { {accept}{one("back", "放回待看")} }.into_any()
        }
    };
    let coming = piece.is_coming().then(|| view! { <span class="badge">"原图还在路上"</span> });
    let caption = if piece.caption.is_empty() { name.clone() } else { piece.caption.clone() };
    let class = if piece.caption.is_empty() { "quiet" } else { "" };
    view! {
        <li>
            <figure>
                {picture}
                {coming}
                <figcaption class=class>{caption}</figcaption>
            </figure>
            <p class="row acts">
                <label class="tick">
                    <input type="checkbox" name="photo" value=piece.id.to_string() checked=is_chosen aria-label=format!("选中 {name}")/>
                </label>
                {acts}
            </p>
        </li>
    }
}

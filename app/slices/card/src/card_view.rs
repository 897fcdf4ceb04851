//! A card as it is looked at: the same piece of paper on its own page and beside the form.

use domain::card::Field;
use leptos::prelude::*;

use super::store::Card;

/// The front of the card. `picture` is the address of its face, where it shows one.
#[component]
pub fn CardView(card: Card, picture: Option<String>, #[prop(optional)] heading: bool) -> impl IntoView {
    let seen = |field: Field| card.seen(field).to_owned();
    let (title, company) = (seen(Field::Title), seen(Field::Company));
    let name = if heading {
        view! { <h1 class="who">{card.name.clone()}</h1> }.into_any()
    } else {
        view! { <p class="who">{card.name.clone()}</p> }.into_any()
    };
    let picture = picture.map(|src| view! { <img class="face" src=src width="256" height="256" alt=""/> });
    let lines: Vec<_> = [Field::Phone, Field::Email, Field::Weixin, Field::Address]
        .into_iter()
        .filter(|field| !card.seen(*field).is_empty())
        .map(|field| view! { <div><dt>{field.name()}</dt><dd>{card.seen(field).to_owned()}</dd></div> })
        .collect();
    let long = card.name.chars().count() > 8;
    view! {
        <div class=format!("namecard look-{}", card.look.code())>
            <div class="top">
                <div class:long=long>
                    {name}
                    {(!title.is_empty()).then(|| view! { <p class="title">{title}</p> })}
                </div>
                {picture}
            </div>
            <div class="low">
                {(!company.is_empty()).then(|| view! { <p class="company">{company}</p> })}
                {(!lines.is_empty()).then(|| view! { <dl>{lines}</dl> })}
            </div>
        </div>
    }
}

//! What a package holds, in its form.

use base::error::Error;
use leptos::prelude::*;
use web::app::App;
use web::render::use_form;
use web::session::Member;
use web::ui::parts::FieldError;

use super::store::packages::Content;

/// Something that may be chosen, with the name of its kind.
pub type Choice = (&'static str, Content);

/// Everything that a seller may put into a package, and what is in it already.
pub async fn choices(app: &App, member: &Member, held: &[Content]) -> Result<Vec<Choice>, Error> {
    let mut choices: Vec<Choice> = Vec::new();
    for kind in super::sellables(app) {
        for item in kind.of_member(app, &member.id).await? {
            let content = Content { kind: kind.kind().to_owned(), id: item.id, title: item.title };
            choices.push((kind.name(), content));
        }
    }
    for content in held {
        if !choices.iter().any(|(_, known)| (&known.kind, &known.id) == (&content.kind, &content.id)) {
            choices.push(("已不在您的内容里", content.clone()));
        }
    }
    Ok(choices)
}

/// What its box is worth in the form.
pub fn value(content: &Content) -> String {
    format!("{}:{}", content.kind, content.id)
}

/// A box for everything that may be chosen.
#[component]
pub fn Contents(choices: Vec<Choice>, held: Vec<Content>, wanted: Option<String>) -> impl IntoView {
    let form = use_form();
    let sent: Vec<String> = form.all("content").map(str::to_owned).collect();
    let boxes: Vec<_> = choices
        .into_iter()
        .enumerate()
        .map(|(at, (kind, content))| {
            let value = value(&content);
            let checked = if form.is_sent() {
                sent.contains(&value)
            } else {
                held.iter().any(|held| (&held.kind, &held.id) == (&content.kind, &content.id))
                    || wanted.as_ref() == Some(&value)
            };
            view! {
                <label>
                    <input
                        type="checkbox"
                        id=(at == 0).then_some("content")
                        name="content"
                        value=value
                        checked=checked
                    />
                    <span>{content.title}" "<small class="quiet">{kind}</small></span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="picks contents">
            <legend>"套餐里的内容"</legend>
            <FieldError name="content".to_owned()/>
            <div>{boxes}</div>
        </fieldset>
    }
}

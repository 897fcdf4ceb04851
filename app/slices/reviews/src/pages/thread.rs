//! A comment with its answers, and what whoever reads it may do.

use base::db::new_id;
use domain::ids::{ReviewCommentId, ReviewerId};
use domain::review::{WORDS, may_take_back, page_name};
use leptos::prelude::*;
use web::render::{unkept, use_form};
use web::ui::parts::{FieldError, Limit, Moment, area_text, described_by};

use crate::forms::answer_field;
use crate::store::{Comment, Round};
use crate::talk::{Talk, Thread};

/// What whoever reads may do with a comment.
#[derive(Debug, Clone, Default)]
pub struct Ways {
    /// What the addresses of what is done with comments begin with, up to their ids.
    pub base: String,
    /// Whether answers are taken now.
    pub answers: bool,
    /// The reviewer who reads.
    pub reader: Option<ReviewerId>,
    /// Whether the maker reads: it says what is mended.
    pub is_maker: bool,
    /// Where the page is mended, and what that is called.
    pub mend: Option<(String, String)>,
}

/// A comment with its answers.
#[component]
pub fn ThreadItem(thread: Thread, talk: Talk, newest: Round, ways: Ways) -> impl IntoView {
    let comment = thread.comment.clone();
    let id = format!("c-{}", comment.id);
    let who = talk.who(&comment);
    let older = (comment.round != newest.number).then(|| format!("第 {} 稿", comment.round));
    let was_at = (thread.page != Some(comment.page)).then(|| format!("那时是{}", page_name(comment.page)));
    let spot = comment.spot.map_or("整页", |spot| spot.field());
    let place: Vec<String> = older.into_iter().chain(was_at).chain([spot.to_owned()]).collect();
    let done = comment.done_at.is_some();
    let state = done.then(|| view! { <span class="badge good">"改好了"</span> });
    let count = thread.answers.len() as i64;
    let own = ways.reader.is_some() && comment.reviewer == ways.reader;
    let back = (own && may_take_back(comment.round, newest.rule(), count).is_ok())
        .then(|| view! { <TakeBack base=ways.base.clone() id=comment.id.clone()/> });
    let answers: Vec<_> = thread
        .answers
        .iter()
        .map(|answer| {
            let own = ways.reader.is_some() && answer.reviewer == ways.reader;
            let back = (own && may_take_back(answer.round, newest.rule(), 0).is_ok())
                .then(|| view! { <TakeBack base=ways.base.clone() id=answer.id.clone()/> });
            view! {
                <li>
                    <p class="by"><strong>{talk.who(answer)}</strong>" "<span class="quiet"><Moment at=answer.created_at/></span></p>
                    <p class="words">{answer.words.clone()}</p>
                    {back}
                </li>
            }
        })
        .collect();
    let answers = (!answers.is_empty()).then(|| view! { <ul class="answers">{answers}</ul> });
    let mark = (ways.is_maker).then(|| {
        let (act, name) = if done { ("open", "还没改好") } else { ("done", "改好了") };
        view! {
            <form method="post" action=format!("{}/{}", ways.base, comment.id)>
                <button class="button small" name="act" value=act>{name}</button>
            </form>
        }
    });
    let mend = ways.mend.clone().map(|(href, name)| view! { <a class="link" href=href>{name}</a> });
    let number = view! { <span class="mark num">{thread.number}</span> };
    view! {
        <li id=id class="thread" class:done=done>
            <p class="by">
                {number}<strong>{who}</strong>" "
                <span class="quiet">{place.join(" · ")}" · "<Moment at=comment.created_at/></span>" "{state}
            </p>
            <p class="words">{comment.words.clone()}</p>
            {answers}
            <div class="row does">{mark}{mend}{back}</div>
            {ways.answers.then(|| view! { <Answer base=ways.base.clone() comment round=newest.number/> })}
        </li>
    }
}

#[component]
fn TakeBack(base: String, id: ReviewCommentId) -> impl IntoView {
    view! {
        <form method="post" action=format!("{base}/{id}/removal")>
            <button class="link danger">"收回"</button>
        </form>
    }
}

#[component]
fn Answer(base: String, comment: Comment, round: i64) -> impl IntoView {
    let form = use_form();
    let name = answer_field(comment.id.as_str());
    let wrong = form.error(&name).is_some();
    let written = form.or(&name, "");
    // what is sent twice is one answer
    unkept();
    let id: ReviewCommentId = new_id();
    let id = if written.is_empty() { id.to_string() } else { form.or("comment", id.as_str()) };
    view! {
        <details class="fold" open=wrong || !written.is_empty()>
            <summary>"回复"</summary>
            <form class="stack" method="post" action=format!("{base}/{}", comment.id)>
                <input type="hidden" name="comment" value=id/>
                <input type="hidden" name="round" value=round.to_string()/>
                <input type="hidden" name="act" value="answer"/>
                <div class="field">
                    <label class="sr" for=name.clone()>"回复"</label>
                    <Limit name=name.clone() most=WORDS.to_string()/>
                    <textarea
                        id=name.clone()
                        name=name.clone()
                        rows="2"
                        maxlength=WORDS.to_string()
                        required
                        aria-invalid=wrong.then_some("true")
                        aria-describedby=described_by(&name, true, wrong)
                    >
                        {area_text(&written)}
                    </textarea>
                    <FieldError name=name.clone()/>
                </div>
                <button class="button small">"发出回复"</button>
            </form>
        </details>
    }
}

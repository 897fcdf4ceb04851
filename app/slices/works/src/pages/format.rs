//! GET /manager/opus/{id}/format?to=…: another page size, and what it would change.

use base::error::Error;
use domain::compare::Place;
use domain::ids::WorkId;
use leptos::prelude::*;
use web::render::{here, loaded, parameter, use_query};
use web::ui::shell::Shell;

use super::changes::place_name;
use crate::formats::{WorkFormat, choices, size_text};
use crate::reformat::{Reflowed, other_format, reflowed};
use crate::{Work, store};

/// Pages that are named one by one.
const NAMED: usize = 12;

/// The choice of a page size; with one chosen, what it would change and the button.
#[component]
pub fn FormatPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    let to = use_query("to").unwrap_or_default();
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?.on_shelf()?;
            let format = match to.as_str() {
                "" => None,
                key => Some(other_format(&work.document, key).ok_or(Error::NotFound)?),
            };
            let proposal = match format {
                Some(format) => {
                    Some((format, reflowed(&here.app, &here.member.id, &work.document, format).await?))
                }
                None => None,
            };
            Ok((here.member, work, proposal))
        },
        |(member, work, proposal)| {
            let chosen = proposal.as_ref().map(|(format, _)| format.key);
            let base = format!("/manager/opus/{}", work.id);
            let choices: Vec<_> = choices(&work.document)
                .iter()
                .filter(|format| format.trim != work.document.trim)
                .map(|format| {
                    let current = (chosen == Some(format.key)).then_some("true");
                    view! {
                        <a class="button" href=format!("{base}/format?to={}", format.key) aria-current=current>
                            {format.name}" "<small class="num">{format.hint}</small>
                        </a>
                    }
                })
                .collect();
            let proposal =
                proposal.map(|(format, reflowed)| view! { <Proposal work=work.clone() format reflowed/> });
            view! {
                <Shell member title="换开本".to_owned() assets=&["works.css"]>
                    <header class="head">
                        <div>
                            <h1>"换开本"</h1>
                            <p class="quiet">
                                <a href=base>{format!("《{}》", work.document.title)}</a>
                                "现在是 "<span class="num">{size_text(work.document.trim)}</span>
                            </p>
                        </div>
                    </header>
                    <div class="stack">
                        <p>"每一页的照片和文字都留在原来的页上，只按新的页面重新排版。先选一种，看看会变什么。"</p>
                        <div class="row sizes">{choices}</div>
                        {proposal}
                    </div>
                </Shell>
            }
        },
    )
}

/// What would change, and the button that changes it.
#[component]
fn Proposal(work: Work, format: &'static WorkFormat, reflowed: Reflowed) -> impl IntoView {
    let (before, after) = (work.document.pages.len(), reflowed.document.pages.len());
    let more = (after > before).then(
        || view! { <li>{format!("最后会多出 {} 张空白页，凑够这种开本能装订的页数", after - before)}</li> },
    );
    let most = reflowed.most.map(|most| {
        view! {
            <li>
                <span class="badge warn">"请留意"</span>
                {format!(" 这种开本最多装订 {most} 页，这本书有 {before} 页：换了以后还不能付印")}
            </li>
        }
    });
    let cropped: Vec<String> = reflowed
        .comparison
        .pages
        .iter()
        .filter(|page| !page.cropped.is_empty())
        .map(|page| place_name(page.after))
        .collect();
    let crops = (!cropped.is_empty()).then(|| {
        let count = reflowed.comparison.cropped();
        let rest = cropped.len().checked_sub(NAMED).filter(|rest| *rest > 0);
        let named = cropped.iter().take(NAMED).cloned().collect::<Vec<_>>().join("、");
        let rest = rest.map(|rest| format!("等 {} 页", rest + NAMED)).unwrap_or_default();
        view! { <li>{format!("{count} 张照片的裁切会不同：{named}{rest}")}</li> }
    });
    let moved = reflowed.comparison.pages.iter().filter(|page| page.is_arrangement()).count();
    let moved = (moved > 0).then(|| {
        let cover = reflowed.comparison.pages.iter().any(|page| page.after == Some(Place::Cover));
        let what = if cover { "处（连同封面）" } else { "页" };
        view! { <li>{format!("{moved} {what}只是照片和文字的位置、大小不同")}</li> }
    });
    let overflowing: Vec<_> = reflowed
        .overflowing
        .into_iter()
        .map(|sentence| view! { <li><span class="badge warn">"请留意"</span>" "{sentence}</li> })
        .collect();
    view! {
        <section class="sheet">
            <div class="stack">
                <h2>{format!("换成“{}”以后", format.name)}</h2>
                <ul class="findings">
                    <li>
                        {format!("开本 {} → {}，", size_text(work.document.trim), size_text(format.trim))}
                        {format!("页数 {before} → {after}")}
                    </li>
                    {more}
                    {most}
                    {crops}
                    {moved}
                    {overflowing}
                    <li>"购物车里按原来开本选好的商品要重新选；已下的订单不受影响"</li>
                </ul>
                <form class="row" method="post" action=format!("/manager/opus/{}/format", work.id)>
                    <input type="hidden" name="revision" value=work.revision.to_string()/>
                    <input type="hidden" name="to" value=format.key/>
                    <button class="button primary">{format!("换成{}", format.name)}</button>
                    <p class="hint">"换了以后可以一步撤销，原来的版本也会留着。"</p>
                </form>
            </div>
        </section>
    }
}

//! The proof 样稿 of a cart line: what will be printed, what to look at, and the member's word that it was looked at.

use domain::ids::CartLineId;
use leptos::prelude::*;

use crate::cart::line_with_work;
use crate::works::{Findings, ProofSheets, preflight};
use platform::render::{here, loaded, parameter, use_form};
use platform::ui::parts::{ErrorSummary, FieldError, Moment};
use platform::ui::shell::Shell;

/// What the member says to have looked at: the form's fields and their words.
pub const CHECKS: [(&str, &str); 3] = [
    ("seen", "我看过了封面和每一页，照片的裁切是我想要的"),
    ("words", "我读过了书名、图说和正文，没有错字"),
    ("edges", "我知道页边以外的部分会被裁掉，重要的内容都在虚线以内"),
];

/// GET /manager/shopping/cart/{line}/proof.
#[component]
pub fn ProofPage() -> impl IntoView {
    let here = here();
    let id = parameter::<CartLineId>("line");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let (line, work) = line_with_work(&here.app, &id, &here.member).await?;
            let making = Some(((*line.goods).clone(), line.evaluation.choice()));
            let findings = preflight(&here.app, &here.member.id, &work.document, making).await?;
            Ok((here.member, line, work, findings))
        },
        |(member, line, work, findings)| {
            let title = work.document.title.clone();
            let spec: Vec<String> = line.choices().into_iter().map(|(_, item)| item).collect();
            let form = use_form();
            let confirmed = line.proofed_at.filter(|_| !form.is_sent()).map(|at| {
                view! {
                    <div class="notice good" role="status">"您已在 "<Moment at/>" 确认过这份样稿。"</div>
                }
            });
            let checks: Vec<_> = CHECKS
                .into_iter()
                .map(|(name, words)| {
                    let refused = form.error(name).is_some();
                    view! {
                        <div class="field">
                            <label class="check">
                                <input
                                    id=name
                                    type="checkbox"
                                    name=name
                                    value="y"
                                    required
                                    checked=!form.get(name).is_empty()
                                    aria-invalid=refused.then_some("true")
                                    aria-describedby=refused.then(|| format!("{name}-error"))
                                />
                                <span>{words}</span>
                            </label>
                            <FieldError name=name.to_owned()/>
                        </div>
                    }
                })
                .collect();
            view! {
                <Shell member title=format!("看样：{title}") assets=&["works.css", "cart.css"]>
                    <header class="head">
                        <div>
                            <h1>"看样"</h1>
                            <p class="quiet">{format!("《{title}》 · {} · {} 页", line.goods.name, line.pages)}</p>
                            <p class="spec">{spec.join("\u{a0}· ")}</p>
                        </div>
                        <a class="button" href=format!("/manager/opus/{}/proof.pdf", work.id) download>
                            "下载样稿 PDF"
                        </a>
                    </header>
                    {confirmed}
                    <ErrorSummary title="还没有确认"/>
                    <div class="stack">
                        <Findings findings edit=format!("/manager/opus/{}", work.id)/>
                        <section>
                            <h2>"样稿"</h2>
                            <p class="quiet">
                                "图片的边就是裁切线，虚线以内是安全区。下载的 PDF 里还能看到裁切线外 3 毫米的出血。"
                            </p>
                            <ProofSheets work=work.clone()/>
                        </section>
                        <section class="sheet">
                            <form class="stack" method="post" action=format!("/manager/shopping/cart/{}/proof", line.id)>
                                <input type="hidden" name="revision" value=work.revision.to_string()/>
                                <h2>"确认样稿"</h2>
                                <div class="fields">{checks}</div>
                                <div class="row">
                                    <button class="button primary">"确认，就这样印"</button>
                                    <a class="link" href="/manager/shopping/cart">"回购物车"</a>
                                </div>
                            </form>
                        </section>
                    </div>
                </Shell>
            }
        },
    )
}

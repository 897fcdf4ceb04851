//! What preflight found, as members read it.

use domain::document::Document;
use domain::goods::Goods;
use domain::ids::MemberId;
use domain::print_options::Choice;
use leptos::prelude::*;
use press::{Finding, FindingCode, Making, Originals, PageRef, Severity};

use super::documents;
use super::pictures::LibraryOriginals;
use crate::app::App;
use crate::error::Error;

/// Findings that are shown at once; more are folded away.
const FINDINGS: usize = 5;

/// Looks at everything that goes into print: the document, its photos, its PDFs, and where it is known what is made of
/// it, whether that can be bound and cut so.
pub async fn preflight(
    app: &App,
    member: &MemberId,
    document: &Document,
    making: Option<(Goods, Choice)>,
) -> Result<Vec<Finding>, Error> {
    let originals = LibraryOriginals::of_document(app, member, document).await?;
    let of_pdfs = documents::findings(app, member, document).await?;
    let (press, document) = (app.press, document.clone());
    let mut findings = app
        .heavy(move || {
            let making = making.as_ref().map(|(goods, choice)| Making { goods, choice });
            press.preflight(&document, making, &|photo| originals.describe(photo))
        })
        .await?
        .map_err(Error::internal)?;
    findings.extend(of_pdfs);
    Ok(findings)
}

/// What a member is told of, the weightiest first: empty captions, which are only places to type in, are left out.
pub fn told(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|finding| finding.code != FindingCode::EmptyFrame);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// How much of it is more than a note.
pub fn weighty(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.severity > Severity::Note).count()
}

/// One thing that preflight found, with a link to its page.
#[component]
pub fn FindingItem(finding: Finding, place: String) -> impl IntoView {
    let (class, label) = match finding.severity {
        Severity::Serious => ("badge bad", "请处理"),
        Severity::Warning => ("badge warn", "请留意"),
        Severity::Note => ("badge", "提示"),
    };
    view! { <li><span class=class>{label}</span>" "<a href=place>{finding.message}</a></li> }
}

/// What to look at before printing, each with a link to its page; what weighs most comes first. Notes are folded away.
#[component]
pub fn Findings(
    findings: Vec<Finding>,
    /// Where the work is mended, on pages that only show it.
    #[prop(optional, into)]
    edit: Option<String>,
) -> impl IntoView {
    let findings = told(findings);
    let shown = weighty(&findings).min(FINDINGS);
    let is_clean = weighty(&findings) == 0;
    let mut items: Vec<_> = findings
        .into_iter()
        .map(|finding| {
            let place = match finding.page {
                Some(PageRef::Inner(index)) => format!("#page-{}", index + 1),
                Some(PageRef::Cover) | None => "#main".to_owned(),
            };
            view! { <FindingItem finding place/> }
        })
        .collect();
    let rest = items.split_off(shown);
    let more = (!rest.is_empty()).then(|| {
        let count = rest.len();
        let more_label = if is_clean { "提示 " } else { "还有 " };
        view! {
            <details class="fold">
                <summary>{more_label}<span class="num">{count}</span>" 处"</summary>
                <ul class="findings">{rest}</ul>
            </details>
        }
    });
    let mend =
        edit.filter(|_| !is_clean).map(|edit| view! { <p><a class="link" href=edit>"去修改作品"</a></p> });
    let body = if is_clean {
        view! { <p class="quiet">"没有发现问题，可以付印。"</p> }.into_any()
    } else {
        view! { <ul class="findings">{items}</ul> }.into_any()
    };
    view! { <section><h2>"印前检查"</h2>{body}{more}{mend}</section> }
}

//! What preflight found, as members read it.

use leptos::prelude::*;
use press::{Finding, FindingCode, PageRef, Severity};

/// Findings that are shown at once; more are folded away.
const FINDINGS: usize = 5;

/// What to look at before printing, each with a link to its page; what weighs most comes first. Notes are folded away,
/// and empty captions, which are only places to type in, are left out.
#[component]
pub fn Findings(
    mut findings: Vec<Finding>,
    /// Where the work is mended, on pages that only show it.
    #[prop(optional, into)]
    edit: Option<String>,
) -> impl IntoView {
    findings.retain(|finding| finding.code != FindingCode::EmptyFrame);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let shown = findings.iter().take_while(|finding| finding.severity > Severity::Note).count().min(FINDINGS);
    let is_clean = findings.iter().all(|finding| finding.severity == Severity::Note);
    let mut items: Vec<AnyView> = findings
        .into_iter()
        .map(|finding| {
            let (class, label) = match finding.severity {
                Severity::Serious => ("badge bad", "请处理"),
                Severity::Warning => ("badge warn", "请留意"),
                Severity::Note => ("badge", "提示"),
            };
            let place = match finding.page {
                Some(PageRef::Inner(index)) => format!("#page-{}", index + 1),
                Some(PageRef::Cover) | None => "#main".to_owned(),
            };
            view! { <li><span class=class>{label}</span>" "<a href=place>{finding.message}</a></li> }
                .into_any()
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

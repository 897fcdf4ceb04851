//! What preflight found, as members read it.

use std::sync::Arc;

use base::error::Error;
use domain::document::Document;
use domain::goods::Goods;
use domain::ids::MemberId;
use domain::print_options::Choice;
use leptos::prelude::*;
use press::{Finding, FindingCode, FoundCopy, Making, Originals, PageRef, Press, Severity};
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};
use web::app::App;

use super::pictures::LibraryOriginals;
use super::{documents, photos_of};

/// Findings that are shown at once; more are folded away.
const FINDINGS: usize = 5;

/// What findings depend on, as a digest: the document, what is made of it, and its photos as they are now.
type Basis = [u8; 32];
/// What was found lately: the work's page, its proof and its order ask the same.
type Lately = Cache<Basis, Arc<[Finding]>>;
/// Works whose findings are remembered.
const MOST_LATELY: usize = 64;

/// Looks at everything that goes into print: the document, its photos, its PDFs, and where it is known what is made of
/// it, whether that can be bound and cut so.
pub async fn preflight(
    app: &App,
    member: &MemberId,
    document: &Document,
    making: Option<(Goods, Choice)>,
) -> Result<Vec<Finding>, Error> {
    // where nobody can print the goods their keeper is told, and not whoever makes a book
    let printing = making.as_ref().and_then(|(goods, _)| app.presses.of_goods(goods).ok());
    preflight_on(app, printing.map_or(app.press, |printing| printing.press), member, document, making).await
}

/// The same for a certain press.
pub async fn preflight_on(
    app: &App,
    press: Press,
    member: &MemberId,
    document: &Document,
    making: Option<(Goods, Choice)>,
) -> Result<Vec<Finding>, Error> {
    let originals = LibraryOriginals::of_document(app, member, document).await?;
    let of_pdfs = documents::findings(app, press, member, document).await?;
    let photos: Vec<_> = photos_of(document)
        .into_iter()
        .map(|id| (originals.describe(&id), originals.seen(&id), id))
        .collect();
    let basis = (serde_json::to_vec(document)?, format!("{making:?} {photos:?}"));
    let key: Basis = Sha256::new().chain_update(basis.0).chain_update(basis.1).finalize().into();
    let lately = app.own(|_| Ok(Lately::new(MOST_LATELY)))?;
    let mut findings = match lately.get(&key) {
        Some(known) => known.to_vec(),
        None => {
            let document = document.clone();
            let found = app
                .check(move |is_awaited| {
                    let making = making.as_ref().map(|(goods, choice)| Making { goods, choice });
                    press.preflight(
                        &document,
                        making,
                        &|photo| originals.describe(photo),
                        &|photo| originals.seen(photo),
                        is_awaited,
                    )
                })
                .await?
                .map_err(Error::internal)?;
            lately.insert(key, found.clone().into());
            found
        }
    };
    findings.extend(of_pdfs);
    Ok(findings)
}

/// What of it concerns what is put on the cover besides ink, for whoever chooses it.
pub async fn artwork_findings(
    app: &App,
    document: Document,
    goods: Arc<Goods>,
    choice: Choice,
) -> Result<Vec<Finding>, Error> {
    let press = app.press;
    let found =
        app.compute(move || press.artwork_findings(&document, Making { goods: &goods, choice: &choice }));
    found.await?.map_err(Error::internal)
}

/// What a member is told of, the weightiest first: empty captions, which are only places to type in, are left out.
pub fn listed_findings(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|finding| finding.code != FindingCode::EmptyFrame);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// How much of it is more than a note.
pub fn count_above_notes(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.severity > Severity::Note).count()
}

/// One thing that preflight found, with a link to its page where there is one to go to; what single copies of a run have of their
/// own leads to the people whose copies they are.
#[component]
pub fn FindingItem(finding: Finding, #[prop(into)] place: Option<String>) -> impl IntoView {
    let (class, label) = match finding.severity {
        Severity::Serious => ("badge bad", "请处理"),
        Severity::Warning => ("badge warn", "请留意"),
        Severity::Note => ("badge", "提示"),
    };
    let place = match finding.copies.as_slice() {
        [] => place,
        [only] => person_of(only),
        _ => None,
    };
    let said = match place {
        Some(place) => view! { <a href=place>{finding.message}</a> }.into_any(),
        None => view! { <span>{finding.message}</span> }.into_any(),
    };
    let copies = (finding.copies.len() > 1).then(|| {
        let names: Vec<_> = finding
            .copies
            .iter()
            .map(|copy| match person_of(copy) {
                Some(person) => view! { <a class="link" href=person>{copy.name.clone()}</a>" " }.into_any(),
                None => view! { <span>{copy.name.clone()}</span>" " }.into_any(),
            })
            .collect();
        view! { <details class="fold"><summary>{format!("是哪 {} 本", names.len())}</summary><p>{names}</p></details> }
    });
    view! { <li><span class=class>{label}</span>" "{said}{copies}</li> }
}

/// The page of whose copy it is, among the year books of whoever orders it.
fn person_of(copy: &FoundCopy) -> Option<String> {
    copy.person.as_ref().map(|person| format!("/manager/yearbook/person/{person}"))
}

/// What to look at before printing, each with a link to its page; what weighs most comes first. Notes are folded away.
#[component]
pub fn Findings(
    findings: Vec<Finding>,
    /// Where the work is mended, on pages that only show it.
    #[prop(optional, into)]
    edit: Option<String>,
) -> impl IntoView {
    let findings = listed_findings(findings);
    let shown = count_above_notes(&findings).min(FINDINGS);
    let is_clean = count_above_notes(&findings) == 0;
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

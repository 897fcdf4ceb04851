//! The proof 样稿 of a cart line: what will be printed, what to look at, and the member's word that it was looked at.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use base::error::Error;
use domain::artwork::Artwork;
use domain::binding::{CoverSides, Embellishment};
use domain::document::Document;
use domain::ids::CartLineId;
use domain::print_options::{Choice, evaluate};
use leptos::prelude::*;
use serde::Deserialize;
use web::app::App;
use web::render::{here, loaded, parameter, use_form, use_query};
use web::router::Parameter;
use web::session::Member;
use web::ui::parts::{ErrorSummary, FieldError, Moment};
use web::ui::shell::Shell;

use crate::{ChoiceLine, Line, line_with_work};
use works::{
    self, CopyChoice, CoverView, Findings, OfCopy, ProofSheets, RunOf, WIDTHS, asked_copy, preflight,
};

/// What the member says to have looked at: the form's fields and their words.
pub const CHECKS: [(&str, &str); 3] = [
    ("seen", "我看过了封面和每一页，照片的裁切是我想要的"),
    ("words", "我读过了书名、图说和正文，没有错字"),
    ("edges", "我知道页边以外的部分会被裁掉，重要的内容都在虚线以内"),
];

/// GET /manager/shopping/cart/{line}/proof.pdf?copy={key}: the whole book with its lines, its cover as this binding makes it.
pub async fn proof_pdf(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CartLineId>,
    Query(asked): Query<OfCopy>,
) -> Result<Response, Error> {
    let (line, work) = line_with_work(&app, &id, &member).await?;
    works::proof_pdf(&app, &member.id, asked.of(work.document)?, Some(line.cover_sheet())).await
}

/// GET /manager/shopping/cart/{line}/cover/{width}?copy={key}: a picture of the cover as this binding makes it.
pub async fn cover(
    State(app): State<App>,
    member: Member,
    Path((id, width)): Path<(String, u32)>,
    Query(asked): Query<OfCopy>,
) -> Result<Response, Error> {
    let id: CartLineId = id.parse().map_err(|_| Error::NotFound)?;
    if !WIDTHS.contains(&width) {
        return Err(Error::NotFound);
    }
    let (line, work) = line_with_work(&app, &id, &member).await?;
    let (document, cover) = (asked.of(work.document)?.0, line.cover_sheet());
    let mut picture = works::cover_picture(&app, &member.id, document, cover, CoverView::Open, width).await?;
    // the address stays when another binding is chosen
    picture.lasts = false;
    Ok(photos::webp(picture))
}

/// What is chosen, in a picture's address.
#[derive(Deserialize)]
pub struct Chosen {
    #[serde(default)]
    cnums: String,
    #[serde(default)]
    artwork: Artwork,
}

/// GET /manager/shopping/cart/{line}/front/{width}?cnums={…|…}&artwork={…}: a picture of the bound front as a choice makes it, saved or not.
pub async fn front(
    State(app): State<App>,
    member: Member,
    Path(of): Path<(String, u32)>,
    Query(chosen): Query<Chosen>,
) -> Result<Response, Error> {
    face(&app, &member, of, chosen, CoverView::Front).await
}

/// GET /manager/shopping/cart/{line}/back/{width}?cnums={…|…}&artwork={…}: the same of the back.
pub async fn back(
    State(app): State<App>,
    member: Member,
    Path(of): Path<(String, u32)>,
    Query(chosen): Query<Chosen>,
) -> Result<Response, Error> {
    face(&app, &member, of, chosen, CoverView::Back).await
}

async fn face(
    app: &App,
    member: &Member,
    (id, width): (String, u32),
    chosen: Chosen,
    view: CoverView,
) -> Result<Response, Error> {
    let id: CartLineId = id.parse().map_err(|_| Error::NotFound)?;
    if !WIDTHS.contains(&width) {
        return Err(Error::NotFound);
    }
    let (line, work) = line_with_work(app, &id, member).await?;
    let asked = Choice::parse(&chosen.cnums).with_artwork(chosen.artwork);
    let choice = evaluate(&line.goods, line.pages, &asked).choice();
    let cover = line.goods.cover_sheet(line.pages, &choice);
    let mut picture = works::cover_picture(app, &member.id, work.document, cover, view, width).await?;
    // the address stays when the goods' file says something else
    picture.lasts = false;
    Ok(photos::webp(picture))
}

/// The cover from outside, with its lines and its measures; of one copy of a run, by its key.
#[component]
fn WholeCover(
    line: Line,
    document: Document,
    #[prop(optional_no_strip)] copy: Option<String>,
) -> impl IntoView {
    let title = document.title.clone();
    let cover = line.cover_sheet();
    let (sheet, seen) = (cover.sheet(), cover.seen());
    let query = copy_query(copy.as_deref());
    let address = |width: u32| format!("/manager/shopping/cart/{}/cover/{width}{query}", line.id);
    let srcset = WIDTHS.map(|width| format!("{} {width}w", address(width))).join(", ");
    let is_leaf = matches!(cover.sides, CoverSides::Leaves(_));
    let mut measures = vec![format!("看得见的部分 {:.1} × {:.1} 毫米", seen.width, seen.height)];
    if cover.spine_mm > 0.0 {
        measures.push(format!("书脊 {:.1} 毫米", cover.spine_mm));
    }
    if cover.is_case() {
        measures.push(format!("四周 {:.1} 毫米包到纸板里面", cover.around_mm));
        measures.push(format!("书槽 {:.0} 毫米", cover.groove_mm));
    } else {
        measures.push(format!("四周 {:.0} 毫米出血，裁掉", cover.around_mm));
    }
    let has_words = cover.cloth.is_none() || cover.embellishment.is_some();
    let refusal = press::spine_refusal(&document, &cover).filter(|_| cover.spine_mm > 0.0 && has_words);
    if let Some(reason) = refusal {
        measures.push(format!("书脊不印字：{reason}"));
    }
    if cover.cloth.is_some() {
        measures.push("布面，不印图".to_owned());
    }
    if let Some(embellishment) = cover.embellishment {
        let plate = embellishment.plate();
        // a front without a title has its words on the plate
        let artwork = cover.artwork.ornament().map_or("字".to_owned(), |_| cover.artwork.name());
        let (least, gap) = (embellishment.least_line_mm(), embellishment.least_gap_mm());
        measures.push(match embellishment {
            Embellishment::Foil => format!("金色的{artwork}是烫金，另有一块版"),
            _ => format!("封面上的{artwork}做{plate}，另有一块版"),
        });
        if let Some((_, at)) = cover.ornament(&document.cover) {
            measures.push(format!("纹样 {:.0} × {:.0} 毫米", at.width, at.height));
        }
        measures.push(format!("{plate}的线条至少 {least} 毫米，间隙至少 {gap} 毫米"));
    }
    let caption = if is_leaf { "封面" } else { "整张封面：封底、书脊、封面" };
    view! {
        <figure class="proof-cover whole">
            <img
                src=address(1280)
                srcset=srcset
                sizes="(max-width: 48rem) 100vw, 48rem"
                width=(sheet.width * 4.0).round().to_string()
                height=(sheet.height * 4.0).round().to_string()
                alt=format!("《{title}》的{caption}")
            />
            <figcaption class="quiet">
                {format!("{caption}。红线是成品的边和折线，蓝虚线以内是安全区。{}。", measures.join("，"))}
            </figcaption>
        </figure>
    }
}

/// What stands behind the address of something that is looked at in one copy.
fn copy_query(copy: Option<&str>) -> String {
    copy.map(|key| format!("?copy={key}")).unwrap_or_default()
}

/// GET /manager/shopping/cart/{line}/proof?copy={key}: of a run the copies one by one.
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
            let names = work.document.copy_names();
            let proof = format!("/manager/shopping/cart/{}/proof", line.id);
            let chosen = asked_copy(&names, use_query("copy").as_deref());
            let copy = chosen.map(|at| names[at].key.clone());
            let pdf = format!("{proof}.pdf{}", copy_query(copy.as_deref()));
            let pdf_of = chosen.map(|at| format!("（{}）", names[at].name)).unwrap_or_default();
            let run = view! { <RunOf names=names.clone()/> };
            let choice = chosen.map(|chosen| view! { <CopyChoice names=names.clone() chosen action=proof/> });
            view! {
                <Shell member title=format!("看样：{title}") assets=&["works.css", "cart.css"]>
                    <header class="head">
                        <div>
                            <h1>"看样"</h1>
                            <p class="quiet">{format!("《{title}》 · {} · {} 页", line.goods.name, line.pages)}</p>
                            <ChoiceLine choices=line.choices()/>
                            {run}
                        </div>
                        <a class="button" href=pdf download>{format!("下载样稿 PDF{pdf_of}")}</a>
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
                            {choice}
                            <WholeCover line=line.clone() document=work.document.clone() copy=copy.clone()/>
                            <ProofSheets work=work.clone() copy/>
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

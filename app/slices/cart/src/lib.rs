//! The cart: a work, the goods it is to be printed as, the choices, the quantity.
//!
//! Not here: the rules and the price (domain), placing the order (orders). The back office's pages of goods are here: whoever
//! changes goods is told what becomes of the carts, of which the catalogue knows nothing.

mod bundles;
mod calls;
mod closing;
mod demo;
mod forms;
mod mockup;
mod pages;
mod props;
mod staff;
mod store;

use leptos::prelude::*;
use std::collections::HashMap;
use std::hash::Hash;
use std::io;
use std::sync::Arc;

use axum::routing::{get, post};
use domain::binding::{CoverSheet, CoverSides};
use domain::document::{CopyName, Document};
use domain::goods::{Goods, step_name};
use domain::ids::{CartLineId, MemberId, WorkId};
use domain::order_bounds::Documents;
use domain::price::{Quote, quote};
use domain::print_options::{Choice, Evaluation, Quantity, default_choice, evaluate};
use domain::staff::Capability;
use domain::tier::Tier;

use base::db::{Tx, sql};
use base::error::Error;
use press::Finding;
use web::access::Policy;
use web::app::App;
use web::route::Route;
use web::session::Member;
use web::slice::{Entry, Group, Slice, StaffEntry};
use works::{self, Outline, Work};

pub use demo::{make_book as demo_book, put_in_cart as demo_line};
pub use forms::{REMARK_LENGTH, choice_of, refuse_choice};
pub use pages::{AddPage, CartPage, ChoiceLine, OptionsPage, PriceLines, ProofPage, StepRows};
pub use props::PrintOptionsProps;
pub use props::{
    CartInfo, CartInfoArtwork, CartInfoBundle, CartInfoGoods, CartInfoItem, CartInfoStep, PriceLine,
};

/// For the slice's own tests alone.
#[doc(hidden)]
pub mod tested {
    pub use crate::mockup::{FREE, Finish, WIDTH, drawing};
    pub use crate::staff::preview::{Carts, percent};
    pub use crate::store::Held;
}

/// Its routes.
const ROUTES: &[Route] = &[
    Route::new("/manager/add_shopping/{id}", Policy::Member)
        .page(|| AddPage().into_any())
        .handled(|| post(forms::add)),
    Route::new("/manager/shopping/cart", Policy::Member)
        .page(|| CartPage().into_any())
        .handled(|| post(forms::recount)),
    Route::new("/manager/shopping/cart/{line}/back/{width}", Policy::Member).handled(|| get(pages::back)),
    Route::new("/manager/shopping/cart/{line}/bound/{bundle}", Policy::Member).handled(|| get(mockup::serve)),
    Route::new("/manager/shopping/cart/{line}/cover/{width}", Policy::Member).handled(|| get(pages::cover)),
    Route::new("/manager/shopping/cart/{line}/front/{width}", Policy::Member).handled(|| get(pages::front)),
    Route::new("/manager/shopping/cart/{line}/options", Policy::Member)
        .page(|| OptionsPage().into_any())
        .handled(|| post(forms::save_options)),
    Route::new("/manager/shopping/cart/{line}/proof", Policy::Member)
        .page(|| ProofPage().into_any())
        .handled(|| post(forms::confirm_proof)),
    Route::new("/manager/shopping/cart/{line}/proof.pdf", Policy::Member).handled(|| get(pages::proof_pdf)),
    Route::new("/manager/shopping/cart/{line}/quantity", Policy::Member)
        .handled(|| post(forms::save_quantity)),
    Route::new("/manager/shopping/cart/{line}/removal", Policy::Member).handled(|| post(forms::remove)),
    Route::new("/manager/shopping/cart/{line}/restoration", Policy::Member).handled(|| post(forms::restore)),
    Route::new("/manager/shopping/checkout", Policy::Member).handled(|| post(forms::checkout)),
    Route::new("/staff/goods", Policy::Staff(Capability::Goods)).page(|| staff::GoodsListPage().into_any()),
    Route::new("/staff/goods/{id}", Policy::Staff(Capability::Goods)).page(|| staff::GoodsPage().into_any()),
    Route::new("/staff/goods/{id}/draft", Policy::Staff(Capability::Goods)).handled(|| post(staff::draft)),
    Route::new("/staff/goods/{id}/waiting/removal", Policy::Staff(Capability::Goods))
        .handled(|| post(staff::withdraw)),
];

/// See [`Slice`].
pub static SLICE: Slice = Slice {
    routes: &[ROUTES, calls::ROUTES],
    demo: Some(|app, demo| Box::pin(demo::fill(app, demo))),
    staff_navigation: &[StaffEntry {
        href: staff::LIST,
        name: "商品与价格",
        rank: 45,
        needs: Capability::Goods,
    }],
    queues: Some(&staff::AtQueues),
    navigation: &[Entry::new(Group::Print, "/manager/shopping/cart", "购物车", 10)],
    tables: &["cart_lines"],
    revisions: &[sql!(
        "select proofed_revision from cart_lines where work_id = $1 and proofed_revision is not null"
    )],
    listener: Some(&closing::Hears),
    closing: Some(&closing::AtClosing),
    ..Slice::new("cart")
};

/// A cart line with everything that is derived from it.
#[derive(Debug, Clone)]
pub struct Line {
    pub id: CartLineId,
    pub work: Outline,
    pub goods: Arc<Goods>,
    /// The work's page count, the only one that any rule uses.
    pub pages: u32,
    pub quantity: Quantity,
    pub remark: String,
    /// Which copies of a run that differ; empty where it is all of them.
    pub copies: Vec<CopyName>,
    pub evaluation: Evaluation,
    pub quote: Quote,
    /// The member's.
    pub tier: Tier,
    /// When it was last saved: an order takes exactly the line that was shown.
    pub updated_at: i64,
    /// When the member confirmed the proof of what would be printed now, epoch ms.
    pub proofed_at: Option<i64>,
}

impl Line {
    /// All that it is shown by, beside its goods.
    pub fn mark(&self) -> impl Hash {
        let Self { id, work, pages, quantity, remark, copies, tier, updated_at, proofed_at, .. } = self;
        let Outline { id: work, title, trim, pages: _, revision, trashed_at, is_calendar } = work;
        let trim = (trim.width.to_bits(), trim.height.to_bits());
        let work = (work, title, trim, revision, trashed_at, is_calendar);
        (id, work, pages, quantity, (remark, copies), self.evaluation.choice(), tier, updated_at, proofed_at)
    }

    /// The sheet of its cover as it is chosen now.
    pub fn cover_sheet(&self) -> CoverSheet {
        self.goods.cover_sheet(self.pages, &self.evaluation.choice())
    }

    /// Evaluates goods for a work: rules, then price.
    fn new(stored: store::Stored, work: Outline, goods: Arc<Goods>, tier: Tier) -> Result<Self, Error> {
        let pages = work.pages;
        let evaluation = evaluate(&goods, pages, &stored.choice);
        let quote =
            quote(&goods, pages, &evaluation.choice(), stored.quantity, tier).map_err(Error::internal)?;
        let proof = stored.proof.filter(|proof| proof.revision == work.revision);
        Ok(Self {
            id: stored.id,
            proofed_at: proof.map(|proof| proof.at),
            work,
            goods,
            pages,
            quantity: stored.quantity,
            remark: stored.remark,
            copies: stored.copies,
            evaluation,
            quote,
            tier,
            updated_at: stored.updated_at,
        })
    }

    /// What is printed of a work's document: of a run the line's copies.
    fn printed(&self, document: Document) -> Result<Document, Error> {
        match self.copies.as_slice() {
            [] => Ok(document),
            copies => document.with_copies(copies).map_err(Error::Conflict),
        }
    }

    /// The addresses of pictures of the book as it is chosen now: standing, its front, and its back where it has one.
    pub fn bound_pictures(&self) -> (String, String, Option<String>) {
        // the choice is another one with each save
        let (id, revision, saved) = (&self.id, self.work.revision, self.updated_at);
        let standing = format!("/manager/shopping/cart/{id}/bound/0?r={revision}&s={saved}");
        let has_back = !matches!(self.cover_sheet().sides, CoverSides::Leaves(_));
        let choice = self.evaluation.choice();
        let back = has_back.then(|| pages::face_address(self, "back", &choice));
        (standing, pages::face_address(self, "front", &choice), back)
    }

    /// Why the work as it is now can't be ordered as these goods; `None` where it can.
    pub fn obstacle(&self) -> Option<String> {
        if self.work.trashed_at.is_some() {
            return Some(self.work.in_trash());
        }
        let (title, size) = (&self.work.title, works::size_text(self.work.trim));
        (self.work.trim != self.goods.trim).then(|| {
            format!("《{title}》的开本已换成 {size}，印不成“{}”，请移除后重新选择商品。", self.goods.name)
        })
    }

    /// The chosen items, for one line of text.
    pub fn choices(&self) -> Vec<(String, String)> {
        let steps = self.evaluation.steps.iter();
        let chosen = steps.filter_map(|step| Some((step.name.clone(), step.selected()?.name.clone())));
        let artwork = self.goods.artwork_name(&self.evaluation.choice());
        chosen.chain(artwork.map(|name| (step_name::ARTWORK.to_owned(), name))).collect()
    }
}

/// All lines of a member's cart, the newest first.
pub async fn lines(app: &App, member: &Member) -> Result<Vec<Line>, Error> {
    let stored = store::of_member_with_works(&app.db, &member.id).await?;
    let goods = catalog::by_id(app).await?;
    let mut lines = Vec::with_capacity(stored.len());
    for (line, work) in stored {
        // goods that are no longer sold leave the cart
        let Some(goods) = goods.get(&line.goods).cloned() else { continue };
        lines.push(Line::new(line, work, goods, member.tier)?);
    }
    Ok(lines)
}

/// The lines of these ids that are in the cart, the newest first, each with the document that it was read from. A work is read
/// once, however many lines print it.
///
/// # Errors
/// [`Error::TooLarge`] where they are too much for one order: no more of them is read then.
pub async fn lines_to_order(
    app: &App,
    member: &Member,
    ids: &[CartLineId],
) -> Result<Vec<(Line, Arc<Document>)>, Error> {
    let stored = store::of_member(&app.db, &member.id).await?;
    let goods = catalog::by_id(app).await?;
    let mut lines = Vec::with_capacity(ids.len());
    let mut documents = Documents::default();
    let mut works: HashMap<WorkId, (Outline, Arc<Document>, u64)> = HashMap::new();
    for line in stored.into_iter().filter(|line| ids.contains(&line.id)) {
        let Some(goods) = goods.get(&line.goods).cloned() else { continue };
        let known = works.get(&line.work).cloned();
        let (outline, document, bytes) = match known {
            Some(known) => known,
            None => {
                let work = works::for_owner(app, &line.work, &member.id).await?;
                let (outline, bytes) = (Outline::try_from(&work)?, bytes_of(&work.document)?);
                let read = (outline, Arc::new(work.document), bytes);
                works.insert(line.work.clone(), read.clone());
                read
            }
        };
        let line = Line::new(line, outline, goods, member.tier)?;
        let (document, bytes) = match line.copies.is_empty() {
            true => (document, bytes),
            false => {
                let document = line.printed((*document).clone())?;
                let bytes = bytes_of(&document)?;
                (Arc::new(document), bytes)
            }
        };
        documents.add(bytes).map_err(|too_large| Error::TooLarge(too_large.to_string()))?;
        lines.push((line, document));
    }
    Ok(lines)
}

/// How large a document is as JSON.
fn bytes_of(document: &Document) -> Result<u64, Error> {
    struct Counted(u64);
    impl io::Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counted = Counted(0);
    serde_json::to_writer(&mut counted, document)?;
    Ok(counted.0)
}

/// One of a member's own lines.
pub async fn line(app: &App, id: &CartLineId, member: &Member) -> Result<Line, Error> {
    let (stored, work) = store::find_with_work(&app.db, id, &member.id).await?;
    let goods = catalog::find(app, &stored.goods).await?;
    Line::new(stored, work, goods, member.tier)
}

/// The same with the work that it was read from; of a run with the copies that the line has.
pub async fn line_with_work(app: &App, id: &CartLineId, member: &Member) -> Result<(Line, Work), Error> {
    let stored = store::find_for_owner(&app.db, id, &member.id).await?;
    let goods = catalog::find(app, &stored.goods).await?;
    let work = works::for_owner(app, &stored.work, &member.id).await?;
    let line = Line::new(stored, Outline::try_from(&work)?, goods, member.tier)?;
    let document = line.printed(work.document)?;
    Ok((line, Work { document, ..work }))
}

/// The title of a work whose line the member has removed a while ago; `None` where there is no such line.
pub async fn removed_title(app: &App, id: &CartLineId, member: &Member) -> Result<Option<String>, Error> {
    let removed = store::removed_since(&app.db, &member.id, 0).await?;
    Ok(removed.into_iter().find(|(removed, _)| removed == id.as_str()).map(|(_, title)| title))
}

/// Removes lines as part of the transaction that orders them; false when one is no longer as it was shown.
pub async fn take(tx: &mut Tx, lines: &[Line], member: &MemberId) -> Result<bool, Error> {
    store::delete_unchanged(tx, lines.iter().map(|line| (&line.id, line.updated_at)), member).await
}

/// Why a choice can't be put on the cover of a line's work; `None` where it can, or needs no plate.
pub(crate) async fn plate_refusal(
    app: &App,
    member: &Member,
    line: &Line,
    choice: &Choice,
) -> Result<Option<String>, Error> {
    let cover = line.goods.cover_sheet(line.pages, choice);
    if cover.embellishment.is_none() {
        return Ok(None);
    }
    let work = works::for_owner(app, &line.work.id, &member.id).await?;
    Ok(cover.plate_refusal(&work.document.cover))
}

/// What a choice asks of the artwork that is put on the cover besides ink.
pub(crate) async fn artwork_findings(app: &App, member: &Member, line: &Line) -> Result<Vec<Finding>, Error> {
    if line.cover_sheet().embellishment.is_none() {
        return Ok(Vec::new());
    }
    let work = works::for_owner(app, &line.work.id, &member.id).await?;
    works::artwork_findings(app, work.document, line.goods.clone(), line.evaluation.choice()).await
}

/// The step of which nothing can be chosen, as a sentence.
pub fn stuck(evaluation: &Evaluation) -> Option<String> {
    let step = evaluation.stuck().next()?;
    Some(format!("这本书共 {} 页，{}没有可选的选项", evaluation.page_count, step.name))
}

/// Puts a work in the cart. The form carries the line's id, so that pressing twice adds one line.
pub async fn add(
    app: &App,
    id: CartLineId,
    member: &MemberId,
    work: &WorkId,
    goods: &Goods,
    choice: Choice,
    quantity: Quantity,
) -> Result<(), Error> {
    put(app, id, member, work, goods, (choice, quantity, Vec::new())).await
}

/// Puts some copies of a work in the cart whose copies differ, each once.
pub async fn add_copies(
    app: &App,
    id: CartLineId,
    member: &MemberId,
    work: &Work,
    goods: &Goods,
    copies: Vec<CopyName>,
) -> Result<(), Error> {
    let pages = u32::try_from(work.document.pages.len()).map_err(Error::internal)?;
    let count = u32::try_from(copies.len()).map_err(Error::internal)?;
    let count = Quantity::try_from(count).map_err(Error::internal)?;
    put(app, id, member, &work.id, goods, (default_choice(goods, pages), count, copies)).await
}

async fn put(
    app: &App,
    id: CartLineId,
    member: &MemberId,
    work: &WorkId,
    goods: &Goods,
    (choice, quantity, copies): (Choice, Quantity, Vec<CopyName>),
) -> Result<(), Error> {
    let line = store::Stored {
        id,
        work: work.clone(),
        goods: goods.id.clone(),
        choice,
        quantity,
        remark: String::new(),
        copies,
        updated_at: base::db::now_ms(),
        proof: None,
    };
    if !store::insert(&app.db, member, &line).await? {
        return Err(Error::Conflict(format!(
            "购物车最多放 {} 行，请先下单，或移除不要的。",
            store::MOST_LINES
        )));
    }
    Ok(())
}

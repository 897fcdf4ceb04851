//! Choosing what a work is printed as.

use std::sync::Arc;

use domain::calendar::is_calendar;
use domain::goods::{Goods, step_name};
use domain::ids::{CartLineId, WorkId};
use domain::money::Fen;
use domain::print_options::{Quantity, default_choice, evaluate};
use leptos::prelude::*;
use press::PageRef;

use base::error::Error;
use web::render::{self, here, loaded, parameter};
use web::session::Member;
use web::ui::parts::{Book, ErrorSummary, Money};
use web::ui::shell::Shell;
use works::{Work, picture_address};

/// A goods as the catalogue page shows it for one work.
struct Offer {
    goods: Arc<Goods>,
    /// The price of one copy as proposed; `None` when the work can't be made as these goods.
    from: Option<Fen>,
    reason: String,
}

/// GET /manager/add_shopping/{id}: the goods that fit a work's page size.
#[component]
pub fn AddPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = works::for_owner(&here.app, &id, &here.member.id).await?.on_shelf()?;
            let goods = catalog::of_size(&here.app, work.document.trim).await?;
            let offers = goods
                .into_iter()
                .map(|goods| offer(goods, &work, &here.member))
                .collect::<Result<Vec<_>, _>>()?;
            Ok((here.member, work, offers))
        },
        |(member, work, offers)| {
            // the form carries the new line's id: pressed twice, it adds one line
            let line: CartLineId = render::once();
            let pages = work.document.pages.len();
            let cards: Vec<_> = offers.into_iter().map(|offer| view! { <OfferCard offer/> }).collect();
            view! {
                <Shell member title="选择印刷方式".to_owned() assets=&["catalog.css"]>
                    <header class="head"><h1>"选择印刷方式"</h1></header>
                    <ErrorSummary title="还差一点"/>
                    <div class="chosen">
                        <Book
                            class="thumb"
                            src=picture_address(&work.id, work.revision, PageRef::Cover, 320)
                            trim=work.document.trim
                            hung=is_calendar(&work.document)
                            alt=String::new()
                        />
                        <p>
                            <a href=format!("/manager/opus/{}", work.id)>{work.document.title.clone()}</a>
                            <br/>
                            <span class="quiet">"共 "<span class="num">{pages}</span>" 页"</span>
                        </p>
                    </div>
                    <form method="post" action=format!("/manager/add_shopping/{}", work.id)>
                        <input type="hidden" name="line" value=line.to_string()/>
                        <ul class="goods">{cards}</ul>
                    </form>
                </Shell>
            }
        },
    )
}

fn offer(goods: Arc<Goods>, work: &Work, member: &Member) -> Result<Offer, Error> {
    let pages = u32::try_from(work.document.pages.len()).map_err(Error::internal)?;
    let one = Quantity::try_from(1).map_err(Error::internal)?;
    let evaluation = evaluate(&goods, pages, &default_choice(&goods, pages));
    if let Some(step) = evaluation.stuck().next() {
        let reason = step.items.iter().find_map(|item| item.reason.clone()).unwrap_or_default();
        let reason = format!("{}：{reason}", step.name);
        return Ok(Offer { goods, from: None, reason });
    }
    let quote = domain::price::quote(&goods, pages, &evaluation.choice(), one, member.tier);
    Ok(Offer { from: Some(quote.map_err(Error::internal)?.total), goods, reason: String::new() })
}

#[component]
fn OfferCard(offer: Offer) -> impl IntoView {
    let goods = offer.goods;
    let bindings: Vec<String> = goods
        .shown_steps()
        .filter(|step| step.name == step_name::BINDING)
        .flat_map(|step| step.items.iter().map(|item| item.name.clone()))
        .collect();
    let foot = match offer.from {
        Some(from) => view! {
            <div class="row">
                <p><Money amount=from class="price"/>" "<span class="quiet">"每本，按推荐的选项"</span></p>
                <button class="button primary" name="goods" value=goods.id.to_string()>"选这种，定材料"</button>
            </div>
        }
        .into_any(),
        None => view! { <p class="off">"这本书不能印成这种："{offer.reason}</p> }.into_any(),
    };
    view! {
        <li class="sheet">
            <div>
                <h2>{goods.name.clone()}</h2>
                <p class="quiet">{goods.description.clone()}</p>
                <dl class="facts"><dt>"装订"</dt><dd>{bindings.join("、")}</dd></dl>
            </div>
            {foot}
        </li>
    }
}

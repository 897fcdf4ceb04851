//! GET /epaper/{title}/search and /magazine/{title}/search: where words stand in all issues of a title, or of all titles of whoever
//! publishes it. Texts only as far as whoever asks may read them; headlines are for everybody.

use base::error::Error;
use domain::publication::Kind;
use leptos::prelude::*;
use web::render::{loaded, parameter, use_query};

use super::frame::{self, PaperFrame};
use crate::address;
use crate::open::visitor;
use crate::search::{Asked, Found, Within, search};
use crate::search_page::{Answer, SearchForm, asked};
use crate::store::issues;
use crate::store::publications::{self, Publication};

struct Shown {
    publication: Publication,
    /// Whether its maker publishes others.
    has_others: bool,
    found: Option<Found>,
}

async fn load(
    here: frame::Asked,
    title: String,
    asked: Option<&Asked>,
    of_house: bool,
) -> Result<Shown, Error> {
    let frame::Asked { app, parts, kind, .. } = here;
    let publication = publications::at_address(&app.db, kind, &title).await?;
    // before its first issue there is no title for readers
    issues::published(&app.db, &publication.id, 1).await?.pop().ok_or(Error::NotFound)?;
    let has_others = publications::of_member(&app.db, &publication.member, None).await?.len() > 1;
    let within = if of_house {
        Within::House(publication.member.clone())
    } else {
        Within::Title(publication.id.clone())
    };
    let reader = visitor(&parts).map(|member| &member.id);
    let found = match asked {
        Some(asked) => Some(search(&app, &within, reader, asked).await?),
        None => None,
    };
    Ok(Shown { publication, has_others, found })
}

/// See the module.
#[component]
pub fn TitleSearchPage() -> impl IntoView {
    let (here, title, asked) = (frame::asked(), parameter::<String>("title"), asked());
    let of_house = use_query("of").as_deref() == Some("house");
    loaded(
        async move {
            let shown = load(here?, title?, asked.as_ref(), of_house).await?;
            Ok((shown, asked))
        },
        move |(Shown { publication, has_others, found }, asked)| {
            let path = address::search_of_title(&publication);
            let heading = format!("在《{}》里搜索", publication.name);
            let of = match publication.kind {
                Kind::Epaper => "各期报纸",
                Kind::Magazine => "各期刊物",
            };
            let others = has_others.then(|| {
                view! {
                    <label class="check">
                        <input type="checkbox" name="of" value="house" checked=of_house/>
                        {format!("连同{}主办的其他报刊", publication.organiser)}
                    </label>
                }
            });
            let kept = if of_house { vec![("of", "house".to_owned())] } else { Vec::new() };
            let sold = publication.sale.is_some().then(|| {
                view! { <p class="quiet">"付费的文章只找标题；订阅或购买以后，也找全文。"</p> }
            });
            let answer = asked.zip(found).map(|(asked, found)| {
                view! { <Answer asked found path=path.clone() kept names_titles=of_house/> }
            });
            view! {
                <PaperFrame title=heading.clone() publication=publication.clone()>
                    <h1 class="page-title">{heading}</h1>
                    <SearchForm action=path.clone() of=of.to_owned() word=publication.kind.page_word()>{others}</SearchForm>
                    {sold}
                    {answer}
                </PaperFrame>
            }
        },
    )
}

//! GET /manager/opus_setting/{id}: what is known of a work.

use domain::document::Category;
use domain::ids::WorkId;
use leptos::prelude::*;
use web::render::{here, loaded, parameter, use_form};
use web::ui::parts::{ErrorSummary, Field, FieldError, Limit, area_text, described_by};
use web::ui::shell::Shell;

use crate::pages::make::{EmojiChoice, Themes};
use crate::settings::{DESCRIPTION_LENGTH, cover_photo};
use crate::{photos_of, store};
use photos::{Photo, PhotoState};

/// The form for title, author, description, category and the photo on the cover.
#[component]
pub fn SettingPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?.on_shelf()?;
            let photos = photos::of_member(&here.app, &here.member.id, &photos_of(&work.document)).await?;
            Ok((here.member, work, photos))
        },
        |(member, work, photos)| {
            let form = use_form();
            let document = work.document;
            let error = form.error("description");
            let described = described_by("description", true, error.is_some());
            let known = document.category.map_or("", Category::code);
            let category = form.or("category", known);
            let options: Vec<_> = Category::ALL
                .into_iter()
                .map(|known| {
                    view! { <option value=known.code() selected=known.code() == category>{known.name()}</option> }
                })
                .collect();
            let cover = form.or("cover", cover_photo(&document).map_or("", |photo| photo.as_str()));
            let description = form.or("description", &document.description);
            view! {
                <Shell member title="作品设置".to_owned() assets=&["works.css", "photos.css"]>
                    <header class="head">
                        <div>
                            <h1>"作品设置"</h1>
                            <p class="quiet">
                                <a href=format!("/manager/opus/{}", work.id)>{format!("《{}》", document.title)}</a>
                            </p>
                        </div>
                    </header>
                    <ErrorSummary title="还没有保存"/>
                    <form class="desk" method="post" action=format!("/manager/opus_setting/{}", work.id)>
                        <input type="hidden" name="revision" value=form.or("revision", &work.revision.to_string())/>
                        <section class="part">
                            <div class="fields two">
                                <Field name="title" label="书名" value=document.title.clone() most=60 required=true/>
                                <Field name="author" label="作者" value=document.author.clone() most=40/>
                                <div class="field">
                                    <label for="category">"分类"</label>
                                    <select id="category" name="category">
                                        <option value="" selected=category.is_empty()>"不分类"</option>
                                        {options}
                                    </select>
                                    <FieldError name="category".to_owned()/>
                                </div>
                                <div class="field all">
                                    <label for="description">"简介"</label>
                                    <Limit name="description" most=DESCRIPTION_LENGTH.to_string()/>
                                    <textarea
                                        id="description"
                                        name="description"
                                        rows="4"
                                        maxlength=DESCRIPTION_LENGTH.to_string()
                                        aria-invalid=error.is_some().then_some("true")
                                        aria-describedby=described
                                    >
                                        {area_text(&description)}
                                    </textarea>
                                    <FieldError name="description".to_owned()/>
                                </div>
                            </div>
                        </section>
                        <Themes chosen=form.or("theme", &document.theme)/>
                        <EmojiChoice first=document.emoji/>
                        <Covers photos cover/>
                        <div class="actionbar">
                            <p class="hint">"书名和作者也印在封面上；简介和分类不会印出来"</p>
                            <button class="button primary">"保存设置"</button>
                        </div>
                    </form>
                </Shell>
            }
        },
    )
}

/// The work's photos, one of which stands on the cover.
#[component]
fn Covers(photos: Vec<Photo>, cover: String) -> impl IntoView {
    let choices: Vec<_> = photos
        .into_iter()
        .filter(|photo| photo.state != PhotoState::Broken)
        .map(|photo| {
            let id = photo.id.to_string();
            let (width, height) = photo.upright();
            view! {
                <li>
                    <label>
                        <input type="radio" name="cover" value=id.clone() checked=id == cover aria-label=photo.file_name/>
                        <img
                            src=format!("/manager/photo/{id}/320")
                            width=width.to_string()
                            height=height.to_string()
                            alt=""
                            loading="lazy"
                        />
                    </label>
                </li>
            }
        })
        .collect();
    view! {
        <fieldset class="part" id="cover">
            <legend>"封面照片"</legend>
            <ul class="prints pick">{choices}</ul>
            <FieldError name="cover".to_owned()/>
        </fieldset>
    }
}

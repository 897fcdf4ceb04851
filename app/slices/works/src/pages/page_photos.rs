//! GET /manager/opus/{id}/page/{page}/photos: which photos stand on a page, and in which order.

use domain::ids::{PhotoId, WorkId};
use domain::layout::MAX_PER_PAGE;
use leptos::prelude::*;
use press::PageRef;
use web::render::{here, loaded, parameter, use_form};
use web::ui::parts::{ErrorSummary, FieldError, height_of};
use web::ui::shell::Shell;

use crate::page_photos::page_for_photos;
use crate::{picture_address, store};
use photos::{self, Choice, Photo, PhotoInput, PhotoPicker, UploadSlot};

/// The form for a page's photos: those on it with their places, the library, and new ones.
#[component]
pub fn PagePhotosPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    let name = parameter::<String>("page");
    let form = use_form();
    loaded(
        async move {
            let (here, id, name) = (here?, id?, name?);
            let work = store::find_for_owner(&here.app.db, &id, &here.member.id).await?.on_shelf()?;
            let (index, page) = page_for_photos(&work.document, &name)?;
            let ids: Vec<PhotoId> = page.photos().map(|frame| frame.photo.clone()).collect();
            let shown = photos::of_member(&here.app, &here.member.id, &ids).await?;
            let kept = photos::kept(&here.app, &here.member.id).await?;
            let choice = Choice::of(&here.app, &here.member.id, &form, &ids, kept).await?;
            Ok((here.member, work, index, shown, choice, kept))
        },
        |(member, work, index, shown, choice, kept)| {
            let form = use_form();
            let title = format!("第 {} 页的照片", index + 1);
            let design = format!("/manager/opus/{}/page/{}", work.id, index + 1);
            let picture = |width| picture_address(&work.id, work.revision, PageRef::Inner(index), width);
            let (small, large) = (picture(320), picture(720));
            view! {
                <Shell member=member.clone() title=title.clone() assets=&["works.css", "photos.css", "islands.js"]>
                    <header class="head">
                        <div>
                            <h1>{title}</h1>
                            <p class="quiet"><a class="link" href=design.clone()>{format!("《{}》", work.document.title)}</a></p>
                        </div>
                    </header>
                    <ErrorSummary title="还没有保存"/>
                    <form class="design" method="post" action=format!("{design}/photos") enctype="multipart/form-data">
                        <input type="hidden" name="revision" value=form.or("revision", &work.revision.to_string())/>
                        <figure class="now">
                            <img
                                src=large.clone()
                                srcset=format!("{small} 320w, {large} 720w")
                                sizes="(min-width: 900px) 22rem, 80vw"
                                width="720"
                                height=height_of(work.document.trim, 720)
                                alt=format!("第 {} 页现在的样子", index + 1)
                            />
                            <figcaption>"现在的样子"</figcaption>
                        </figure>
                        <div class="desk">
                            <Shown photos=shown/>
                            <section class="part" id="photos-more">
                                <h2>"再放几张"</h2>
                                <div class="stack">
                                    <UploadSlot label="上传新照片" member kept in_form=true>
                                        <PhotoInput label="上传新照片"/>
                                    </UploadSlot>
                                    <PhotoPicker choice/>
                                    <FieldError name="photos".to_owned()/>
                                </div>
                            </section>
                            <div class="actionbar">
                                <p class="hint">
                                    {format!("一页最多 {MAX_PER_PAGE} 张，存好后可以再选版式；一张也不选，这一页就留给文字")}
                                </p>
                                <button class="button primary">"保存照片"</button>
                            </div>
                        </div>
                    </form>
                </Shell>
            }
        },
    )
}

/// The photos that are on the page, each with its place in the order.
#[component]
fn Shown(photos: Vec<Photo>) -> impl IntoView {
    if photos.is_empty() {
        return None;
    }
    let form = use_form();
    let chosen: Vec<String> = form.all("photo").map(str::to_owned).collect();
    let (is_sent, most) = (form.is_sent(), photos.len().max(MAX_PER_PAGE));
    let items: Vec<_> = photos
        .into_iter()
        .enumerate()
        .map(|(index, photo)| {
            let (width, height) = photo.upright();
            let id = photo.id.to_string();
            let field = format!("place-{id}");
            let checked = !is_sent || chosen.contains(&id);
            let place = form.or(&field, &(index + 1).to_string());
            view! {
                <li>
                    <label>
                        <input
                            type="checkbox"
                            name="photo"
                            value=id.clone()
                            checked=checked
                            aria-label=photo.file_name.clone()
                        />
                        <img src=format!("/manager/photo/{id}/320") width=width height=height alt=""/>
                    </label>
                    <label class="place">
                        "第 "
                        <input
                            type="number"
                            class="input"
                            name=field
                            min="1"
                            max=most.to_string()
                            value=place
                            aria-label=format!("第几张：{}", photo.file_name)
                        />
                        " 张"
                    </label>
                </li>
            }
        })
        .collect();
    Some(view! {
        <fieldset class="part">
            <legend>"这一页的照片"</legend>
            <p class="hint">"取消勾选就从这一页拿下来，照片仍在素材里；新放的排在后面"</p>
            <ul class="prints pick placed">{items}</ul>
        </fieldset>
    })
}

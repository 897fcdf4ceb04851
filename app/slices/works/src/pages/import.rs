//! GET /manager/opus_import: taking in a work that was exported.

use leptos::prelude::*;
use web::render::{self, here, loaded, use_form};
use web::ui::parts::{ErrorSummary, FieldError};
use web::ui::shell::Shell;

/// The form for an archive.
#[component]
pub fn ImportPage() -> impl IntoView {
    let here = here();
    loaded(async move { Ok(here?.member) }, |member| {
        let form = use_form();
        // pressed twice, it makes one work
        let id = form.or("work", &render::once::<String>());
        let error = form.error("archive");
        view! {
            <Shell member title="导入作品".to_owned() assets=&["works.css", "photos.css"]>
                <header class="head">
                    <div>
                        <h1>"导入作品"</h1>
                        <p class="quiet">"从别处的书坊导出的整件作品，在这里接着做；照片也一起回到素材里。"</p>
                    </div>
                </header>
                <ErrorSummary title="没有导入"/>
                <form class="upload sheet" method="post" action="/manager/opus_import" enctype="multipart/form-data">
                    <input type="hidden" name="work" value=id/>
                    <div class="field">
                        <label for="archive">"作品文件"</label>
                        <p class="hint" id="archive-hint">"作品页上“导出作品”得到的 .bindery.zip 文件"</p>
                        <input
                            id="archive"
                            class="input"
                            name="archive"
                            type="file"
                            accept=".zip,application/zip"
                            aria-invalid=error.is_some().then_some("true")
                            aria-describedby="archive-hint"
                        />
                        <FieldError name="archive".to_owned()/>
                    </div>
                    <div class="row"><button class="button primary">"导入"</button></div>
                </form>
            </Shell>
        }
    })
}

//! The fields of a title, where one is asked for and where one is kept, and what they must hold.

use domain::invoice::{MOST_NAME, Title};
use leptos::prelude::*;
use web::render::{Form, use_form};
use web::ui::forms::check_length;
use web::ui::parts::{Field, FieldError};

const PERSONAL: &str = "personal";
const COMPANY: &str = "company";

/// Reads and checks a title; what is wrong is noted in the form.
pub fn read_title(form: &mut Form) -> Option<Title> {
    let company = match form.get("kind") {
        COMPANY => true,
        PERSONAL => false,
        _ => {
            form.refuse("kind", "请选择个人或企业");
            return None;
        }
    };
    check_length(form, "name", "抬头名称", 1, MOST_NAME);
    if form.get("name").contains(['\n', '\r', '\t']) {
        form.refuse("name", "抬头名称须写成一行");
    }
    let code = company.then(|| form.get("code").parse());
    let code = match code.transpose() {
        Ok(code) => code,
        Err(wrong) => {
            form.refuse("code", format!("{wrong}"));
            None
        }
    };
    (!form.is_refused()).then(|| Title::new(form.get("name").to_owned(), code))
}

/// The fields of a title, those of a known one to begin with. Styles hide the code's where no company is meant.
#[component]
pub fn TitleFields(#[prop(optional_no_strip)] known: Option<Title>) -> impl IntoView {
    let form = use_form();
    let company = known.as_ref().is_some_and(|title| title.code().is_some());
    let kind = form.or("kind", if company { COMPANY } else { PERSONAL });
    let code = known.as_ref().and_then(Title::code).map(ToString::to_string).unwrap_or_default();
    let name = known.map(|title| title.name().to_owned()).unwrap_or_default();
    let invalid = form.error("kind").is_some();
    view! {
        <div class="fields title-fields">
            <fieldset
                class="chips"
                id="kind"
                tabindex=invalid.then_some("-1")
                aria-describedby=invalid.then_some("kind-error")
            >
                <legend>"抬头类型"</legend>
                <div>
                    {[(PERSONAL, "个人"), (COMPANY, "企业")]
                        .map(|(value, label)| {
                            view! {
                                <label>
                                    <input type="radio" name="kind" value=value checked=kind == value/>
                                    <span>{label}</span>
                                </label>
                            }
                        })}
                </div>
                <FieldError name="kind".to_owned()/>
            </fieldset>
            <Field name="name" label="抬头名称" value=name most=MOST_NAME as u32/>
            // its length is in its name: what may be typed between the characters needs no saying
            <Field
                name="code" label="统一社会信用代码（企业必填，18 位）" class="code" value=code most=40 inputmode="text"
            />
        </div>
    }
}

//! Plates of what is put on a cover besides ink (烫金, 局部UV, 起鼓): the words that are typeset on the file's last page are laid
//! over the cover in a spot colour of their own, and that page is gone.

use domain::binding::Embellishment;
use lopdf::content::Content;
use lopdf::{Document, ObjectId, Stream, dictionary};

use crate::error::PressError;
use crate::print::spot::{Spot, paint_over};

/// What names the plate's words in a page's resources.
const FORM: &str = "BinderyPlate";
/// What says a colour, or how it lies on others: a plate has one, which lies over all.
const COLOURS: [&str; 13] = ["g", "G", "rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN", "gs"];

fn spot(embellishment: Embellishment) -> Spot {
    // gold, cyan and grey, as shops' programs show such plates
    let inks = match embellishment {
        Embellishment::Foil => [0, 25, 80, 20],
        Embellishment::SpotVarnish => [60, 0, 0, 0],
        Embellishment::Emboss => [0, 0, 0, 40],
    };
    Spot { name: embellishment.plate(), inks }
}

/// Lays the words of the last of `pages` over those that are `fronts` of covers.
pub(super) fn lay(
    pdf: &mut Document,
    pages: &mut Vec<ObjectId>,
    embellishment: Embellishment,
    fronts: &[usize],
) -> Result<(), PressError> {
    let number = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    let (Some(plate), false) = (pages.pop(), pages.is_empty()) else {
        return Err(PressError::Pdf("a plate without a cover".to_owned()));
    };
    let mut content = Content::decode(&pdf.get_page_content(plate))?;
    content.operations.retain(|operation| !COLOURS.contains(&operation.operator.as_str()));
    let dict = pdf.get_dictionary(plate)?;
    let form = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => dict.get(b"MediaBox")?.clone(),
        "Resources" => dict.get(b"Resources")?.clone(),
    };
    let mut form = Stream::new(form, content.encode()?);
    form.compress()?;
    let form = pdf.add_object(form);
    for part in pdf.get_page_contents(plate) {
        pdf.objects.remove(&part);
    }
    pdf.delete_pages(&[number]);
    for cover in fronts.iter().filter_map(|front| pages.get(*front)) {
        let drawn = format!("/{FORM} Do").into_bytes();
        paint_over(pdf, *cover, &spot(embellishment), Some((FORM, form)), drawn)?;
    }
    Ok(())
}

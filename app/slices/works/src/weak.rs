//! Weak photos of what is being made: which stay outside, which stand small, and what is said of them.

use std::collections::BTreeSet;

use base::error::Error;
use domain::document::{Document, Trim};
use domain::ids::{MemberId, PhotoId};
use domain::layout::{CoverStyle, LayoutError, LayoutOptions, PhotoInput, lay_out};
use domain::quality::{Flaw, Shot, Standing, counted, flaw, standings};
use web::app::App;
use web::render::Form;

use super::{photo_input, photos_of};
use photos::Photo;

/// Photos as they stand in a book.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    photos: Vec<(Photo, Option<Flaw>, Standing)>,
    /// Those that words come with.
    worded: BTreeSet<PhotoId>,
}

impl Judged {
    /// Judges photos for pages of a size, none of which a member `wants` is left out.
    fn of<'p>(
        photos: impl Iterator<Item = &'p Photo>,
        trim: Trim,
        is_wanted: impl Fn(&PhotoId) -> bool,
    ) -> Self {
        let flawed: Vec<(&Photo, Option<Flaw>)> =
            photos.map(|photo| (photo, flaw(&shot(photo), trim))).collect();
        let wanted: Vec<(Option<Flaw>, bool)> =
            flawed.iter().map(|(photo, flaw)| (*flaw, is_wanted(&photo.id))).collect();
        let both = flawed.into_iter().zip(standings(&wanted));
        let photos = both.map(|((photo, flaw), standing)| (photo.clone(), flaw, standing)).collect();
        Self { photos, worded: BTreeSet::new() }
    }

    /// Those of a form of a desk. What a program sends that asks nothing is left in: nobody would be told.
    pub fn of_form<'p>(photos: impl Iterator<Item = &'p Photo>, trim: Trim, form: &Form) -> Self {
        Self::of(photos, trim, |id| form.get("asks").is_empty() || is_taken_back(form, id))
    }

    /// The same with words for some, which need a place.
    pub fn with_words_for(self, worded: BTreeSet<PhotoId>) -> Self {
        Self { worded, ..self }
    }

    /// Those that are in the book.
    pub fn used(&self) -> impl Iterator<Item = &Photo> {
        self.photos.iter().filter(|(_, _, standing)| *standing != Standing::Out).map(|(photo, ..)| photo)
    }

    /// The same as the layout sees them, in the order in which they are here.
    pub fn inputs(&self, trim: Trim) -> Vec<PhotoInput> {
        let input = |(photo, _, standing): &(Photo, Option<Flaw>, Standing)| match standing {
            Standing::Full => Some(photo_input(photo)),
            Standing::Small => Some(photo_input(photo).kept_small(trim)),
            Standing::Out => None,
        };
        let inputs = self.photos.iter().filter_map(input);
        inputs.map(|photo| PhotoInput { has_words: self.worded.contains(&photo.id), ..photo }).collect()
    }

    /// A book of them, in the order in which they were uploaded: one without a time goes with those that it came with. Where all
    /// are weak, its cover has the composition that keeps to a photo's pixels.
    ///
    /// # Errors
    /// Those of [`lay_out`].
    pub fn laid_out(&self, options: &LayoutOptions) -> Result<Document, LayoutError> {
        let mut inputs = self.inputs(options.trim);
        // ids sort by the moment at which they were made
        inputs.sort_by(|one, other| one.id.as_str().cmp(other.id.as_str()));
        if self.photos.iter().any(|(_, _, standing)| *standing == Standing::Full) {
            return lay_out(&inputs, options);
        }
        let mut options = options.clone();
        options.style.cover = CoverStyle::Framed;
        lay_out(&inputs, &options)
    }

    /// What is said of them.
    pub fn weak(&self, form: &Form) -> Weak {
        let mut weak = Weak::default();
        for (photo, flaw, standing) in &self.photos {
            let Some(flaw) = *flaw else { continue };
            match standing {
                Standing::Out => weak.out.push((photo.clone(), flaw)),
                _ if flaw.leaves_out() && is_taken_back(form, &photo.id) => weak.back.push(photo.id.clone()),
                _ if flaw.leaves_out() => weak.kept.push((photo.id.clone(), flaw)),
                Standing::Small => weak.small.push(flaw),
                Standing::Full => {}
            }
        }
        weak
    }
}

/// What is said of the weak ones among the photos of a desk.
#[derive(Debug, Clone, Default)]
pub struct Weak {
    /// Those that stay outside.
    pub out: Vec<(Photo, Flaw)>,
    /// Those that stand in the book as the others are no better, or of the same kind.
    pub kept: Vec<(PhotoId, Flaw)>,
    /// Those that were taken back.
    pub back: Vec<PhotoId>,
    /// What is small for.
    pub small: Vec<Flaw>,
}

impl Weak {
    /// What stays outside, and why: `有 3 张没有放进书里：2 张模糊，1 张是截屏`.
    pub fn line(&self) -> Option<String> {
        let flaws: Vec<Flaw> = self.out.iter().map(|(_, flaw)| *flaw).collect();
        (!flaws.is_empty()).then(|| format!("有 {} 张没有放进书里：{}", flaws.len(), counted(&flaws)))
    }

    /// What is in the book although it is weak, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let (of_kind, poor): (Vec<Flaw>, Vec<Flaw>) =
            self.kept.iter().map(|(_, flaw)| *flaw).partition(|flaw| flaw.is_of_kind());
        let mut notes = Vec::new();
        if !poor.is_empty() {
            notes.push(format!("{}。去掉就剩得太少，所以都放进书里，只排成小图。", counted(&poor)));
        }
        if !of_kind.is_empty() {
            notes.push(format!("{}：这本书主要就是它们，照常排版。", counted(&of_kind)));
        }
        if !self.small.is_empty() {
            notes.push(format!("{}，只排成小图；做好以后可以在书页里放大。", counted(&self.small)));
        }
        notes
    }

    /// The photos of which a member has to be told before something is made: those outside, and those that are in it all the
    /// same.
    pub fn told(&self) -> impl Iterator<Item = &PhotoId> {
        self.out.iter().map(|(photo, _)| &photo.id).chain(self.kept.iter().map(|(id, _)| id))
    }

    /// Whether the form says that all of that was seen.
    pub fn is_seen(&self, form: &Form) -> bool {
        self.told().all(|id| form.all("looked").any(|looked| looked == id.as_str()))
    }

    /// What is to be seen, as a part of a question.
    pub fn question(&self) -> String {
        match (self.out.len(), self.kept.len()) {
            (0, kept) => format!("有 {kept} 张照片不太好"),
            (out, _) => format!("有 {out} 张照片没有放进书里"),
        }
    }
}

/// Whether a button of the form was pressed that takes photos back: the form comes again with them.
pub fn takes_back(form: &Form) -> bool {
    !form.get(TAKE_BACK).is_empty()
}

/// The button that takes a photo back, or [`ALL`] that are outside.
pub const TAKE_BACK: &str = "take_back";
pub const ALL: &str = "all";

/// Whether a member took a photo back, with this press or an earlier one.
fn is_taken_back(form: &Form, photo: &PhotoId) -> bool {
    let is_it = |id: &str| id == photo.as_str();
    let was_outside = || form.all("outside").any(is_it);
    form.all("wanted").chain(form.all(TAKE_BACK)).any(is_it) || (form.get(TAKE_BACK) == ALL && was_outside())
}

/// The photos of a book that is made already, for pages of a size: its weak ones are small wherever it is laid out anew by itself.
pub async fn library(
    app: &App,
    member: &MemberId,
    document: &Document,
    trim: Trim,
) -> Result<Vec<PhotoInput>, Error> {
    let photos = photos::of_member(app, member, &photos_of(document)).await?;
    Ok(Judged::of(photos.iter(), trim, |_| true).inputs(trim))
}

pub fn flaw_of(photo: &Photo, trim: Trim) -> Option<Flaw> {
    flaw(&shot(photo), trim)
}

fn shot(photo: &Photo) -> Shot<'_> {
    let (width, height) = photo.upright();
    Shot {
        file_name: &photo.file_name,
        is_png: photo.format == "png",
        has_camera: photo.camera.is_some(),
        width,
        height,
        quality: photo.quality,
    }
}

//! What the editor's island is given, and what its calls answer.

use std::collections::BTreeMap;

use domain::document::{Crop, Document, Page, Trim};
use press::{Look, Role};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use web::islands::Props;

use domain::quality::Flaw;

use crate::cover::UsualCover;
use crate::restyle::{Made, Offer};
use crate::weak::flaw_of;
use photos::{Newest, Photo, PhotoState, UploaderProps};

/// Props of the editor. Everything else it asks for.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename_all = "camelCase")]
pub struct EditorProps {
    /// The work's id.
    pub work: String,
    /// 11 documents, 12 albums, 13 calendars (specification section 2).
    pub feditor_type: u8,
    /// The page that is shown first: 0 is the cover.
    #[ts(type = "number")]
    pub page: usize,
    /// Whether the work's pages may be added, left out and moved.
    pub is_free: bool,
    /// Whether its pages hang one by one, as a calendar's.
    pub is_single: bool,
    /// How far the picture of an element reaches past its frame, in mm.
    pub layer_margin: f64,
    /// The margins that layouts keep, in mm: what is moved is drawn to them.
    pub page_margin: f64,
    /// The address of a picture of all ornaments, side by side.
    pub ornaments: String,
    /// The whole cover, where it has a back.
    pub cover: Option<EditorCover>,
    /// Photos that are dropped here.
    pub uploads: UploaderProps,
    /// The newest revision and its document, for whoever sees the page for the first time.
    #[ts(type = "number")]
    pub revision: i64,
    #[ts(type = "unknown")]
    pub document: Document,
    /// What the work shows.
    pub shown: Vec<EditorPhoto>,
    pub looks: Vec<EditorLook>,
}

/// The sheet of which the cover's page is a part: how far it reaches past that, and its size, in mm.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditorCover {
    pub above: f64,
    pub right: f64,
    pub width: f64,
    pub height: f64,
    /// The binding that makes it so.
    pub binding: String,
}

impl From<&UsualCover> for EditorCover {
    fn from(cover: &UsualCover) -> Self {
        let ((above, right), Trim { width, height }) = (cover.past_page(), cover.sheet.sheet());
        Self { above, right, width, height, binding: cover.binding.clone() }
    }
}

impl Props for EditorProps {
    const NAME: &'static str = "editor";
}

/// What lies ready beside the pages.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditorDesk {
    /// The newest of the library.
    pub newest: EditorPhotos,
    /// What the work shows.
    pub shown: Vec<EditorPhoto>,
    pub looks: Vec<EditorLook>,
}

/// A part of the library.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename_all = "camelCase")]
pub struct EditorPhotos {
    /// The newest first.
    pub photos: Vec<EditorPhoto>,
    /// Whether there are older ones.
    pub is_further: bool,
}

impl EditorPhotos {
    /// For a book whose pages are so large.
    pub fn of(newest: &Newest, trim: Trim) -> Self {
        let photos = newest.photos.iter().map(|photo| EditorPhoto::of(photo, trim)).collect();
        Self { photos, is_further: newest.is_further }
    }
}

/// A photo.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename_all = "camelCase")]
pub struct EditorPhoto {
    pub id: String,
    /// Its file's name.
    pub name: String,
    /// Of the upright photo, in pixels.
    pub width: u32,
    pub height: u32,
    /// Whether it may be put on a page: it is whole, and in the library.
    pub is_usable: bool,
    /// When it was taken by the clock on the wall, in ms since 1970 as if that were UTC.
    #[ts(type = "number | null")]
    pub taken_at: Option<i64>,
    /// Whether somebody is in it, as far as that was looked for.
    pub has_faces: bool,
    /// What is weak of it, in a word; empty where nothing is.
    pub flaw: String,
}

impl EditorPhoto {
    /// As it stands in a book whose pages are so large.
    pub fn of(photo: &Photo, trim: Trim) -> Self {
        let (width, height) = photo.upright();
        Self {
            id: photo.id.to_string(),
            name: photo.file_name.clone(),
            width,
            height,
            is_usable: photo.state != PhotoState::Broken && photo.removed_at.is_none(),
            taken_at: photo.taken_at,
            has_faces: photo.faces.as_ref().is_some_and(|faces| !faces.is_empty()),
            flaw: flaw_of(photo, trim).map_or("", Flaw::words).to_owned(),
        }
    }
}

/// A theme, for drafts. Colours are `#rrggbb`, lengths mm.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename_all = "camelCase")]
pub struct EditorLook {
    pub name: String,
    /// What members read.
    pub title: String,
    pub paper: String,
    pub tint: String,
    pub deep: String,
    /// Of words on the deep ground.
    pub light: String,
    pub accent: String,
    /// The same on the deep ground.
    pub accent_on_deep: String,
    /// Of a frame without its photo.
    pub empty: String,
    /// The white border around a photo.
    pub mat: f64,
    /// A line around a photo: 0 is none.
    pub line_width: f64,
    pub line_colour: String,
    /// Of a photo's corners.
    pub radius: f64,
    pub roles: BTreeMap<String, EditorRole>,
}

/// How texts of a role are set. What is said of the size is a share of it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditorRole {
    pub font: String,
    /// On a page of 200 mm.
    pub size: f64,
    pub bold: bool,
    pub colour: String,
    pub tracking: f64,
    pub indent: f64,
    /// How much of the page's own size counts.
    pub stretch: f64,
    /// From one line to the next.
    pub pitch: f64,
    /// Between paragraphs, beyond that.
    pub gap: f64,
    pub align: String,
}

impl From<Role> for EditorRole {
    fn from(role: Role) -> Self {
        let align = if role.justify { "justify".to_owned() } else { role.align };
        Self {
            font: role.font,
            size: role.size,
            bold: role.weight == "bold",
            colour: role.colour,
            tracking: role.tracking,
            indent: role.indent,
            stretch: role.stretch,
            pitch: role.pitch,
            gap: role.gap,
            align,
        }
    }
}

impl From<Look> for EditorLook {
    fn from(look: Look) -> Self {
        let title = press::themes().iter().find(|theme| theme.name == look.name).map_or("", |t| t.title);
        let (line_width, line_colour) =
            look.photo.line.map_or((0.0, String::new()), |line| (line.width, line.colour));
        Self {
            title: title.to_owned(),
            name: look.name,
            paper: look.grounds.paper,
            tint: look.grounds.tint,
            deep: look.grounds.deep,
            light: look.light,
            accent: look.accent,
            accent_on_deep: look.accent_on_deep,
            empty: look.empty,
            mat: look.photo.mat,
            line_width,
            line_colour,
            radius: look.photo.radius,
            roles: look.roles.into_iter().map(|role| (role.name.clone(), role.into())).collect(),
        }
    }
}

/// Something that preflight found.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditorFinding {
    /// The page's id; nothing where it is about the whole book.
    pub page: Option<String>,
    pub element: Option<String>,
    /// `note`, `warning`, `serious`.
    #[ts(type = "\"note\" | \"warning\" | \"serious\"")]
    pub severity: String,
    pub message: String,
}

/// Another layout of a page, by itself or with the one that it faces.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditorWay {
    /// The word for forms and pictures.
    pub code: String,
    /// What members read.
    pub title: String,
    /// What the pages would be.
    #[ts(type = "unknown[]")]
    pub pages: Vec<Page>,
}

/// What the whole book can have another one of.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditorStyles {
    pub styles: Vec<EditorStyle>,
    /// Why there are none, in a sentence; empty where there are.
    pub reason: String,
}

/// Another style of the whole book.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename_all = "camelCase")]
pub struct EditorStyle {
    /// The word for calls and pictures.
    pub code: String,
    /// What members read.
    pub name: String,
    pub hint: String,
    /// How many pages the book would have.
    #[ts(type = "number")]
    pub pages: usize,
    /// Whether it is so already.
    pub is_now: bool,
    /// The left-hand pages of the pairs that show it, by their numbers; 0 is the cover, which stands with the first page. Of a
    /// book that is set anew, none.
    #[ts(type = "number[]")]
    pub shown: Vec<usize>,
    /// Why it can't be so, in a sentence; empty where it can.
    pub reason: String,
}

impl From<Offer> for EditorStyle {
    fn from(Offer { to, name, hint, made }: Offer) -> Self {
        let named = Self {
            code: to.code(),
            name: name.to_owned(),
            hint: hint.to_owned(),
            pages: 0,
            is_now: false,
            shown: Vec::new(),
            reason: String::new(),
        };
        match made {
            // an index from 0 is the number of the page before
            Ok(Made { pages, is_now, shown }) => {
                let shown = shown.into_iter().map(|left| if left == 0 { 0 } else { left + 1 }).collect();
                Self { pages, is_now, shown, ..named }
            }
            Err(refusal) => Self { reason: refusal.to_string(), ..named },
        }
    }
}

/// Pages filled up with photos that the work did not show.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditorFilling {
    /// What those pages would be that change.
    #[ts(type = "unknown[]")]
    pub pages: Vec<Page>,
    /// The photos that come to them.
    pub photos: Vec<EditorPhoto>,
    /// Why there are none, in a sentence; empty where there are.
    pub reason: String,
}

/// Better photos of the same moment, the best first.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditorBetter {
    pub photos: Vec<EditorBetterPhoto>,
    /// Why there are none, in a sentence; empty where there are.
    pub reason: String,
}

/// One of them.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EditorBetterPhoto {
    pub photo: EditorPhoto,
    /// What is better of it, in a word each.
    pub merits: Vec<String>,
    /// The part of it that the frame would show.
    #[ts(type = "{ x: number; y: number; width: number; height: number }")]
    pub crop: Crop,
}

/// How a text is set.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct TextLines {
    /// What stands on each line.
    pub lines: Vec<String>,
    /// Whether it is longer than its frame.
    pub overflows: bool,
}

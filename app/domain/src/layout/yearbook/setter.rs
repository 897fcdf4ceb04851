//! Sets words and portraits on the pages of a year book.

use super::{NAME_ID, NOBODY, PORTRAIT_ASPECT, Portrayed, portrait_crop};
use crate::document::{
    Align, BLEED_MM, Border, Common, Element, Ink, Page, PaletteColour, PhotoFrame, Rect, SIZE_STEPS, Shape,
    ShapeKind, TextBlock, TextRole, Trim, Weight,
};
use crate::ids::NotAnId;
use crate::layout::faces::crop;
use crate::layout::fit::{self, rounded};
use crate::layout::{LayoutOptions, PhotoInput};
use crate::resolution::{LEAST_DPI, is_coarse};
use crate::yearbook::Share;

/// Sets words and portraits on a page.
pub(super) struct Setter {
    pub trim: Trim,
    pub margin: f64,
}

/// How wide somebody's own photo stands at least, in mm, however few pixels it has.
const LEAST_OWN_MM: f64 = 60.0;
/// Between two things, in mm.
const GAP_MM: f64 = 5.0;
/// The width of a column of names, in mm.
const COLUMN_MM: f64 = 38.0;

impl Setter {
    /// What is inside the margins.
    fn inside(&self) -> Rect {
        let Self { trim, margin } = self;
        Rect { x: *margin, y: *margin, width: trim.width - 2.0 * margin, height: trim.height - 2.0 * margin }
    }

    /// How wide a character is and how high a line, in mm, as the largest of the themes sets a role on this page.
    fn letter(&self, role: TextRole) -> (f64, f64) {
        let size = (self.trim.width.min(self.trim.height) / 200.0).clamp(0.5, 1.8);
        let by = |stretch: f64| 1.0 + (size - 1.0) * stretch;
        let (letter, line, stretch) = match role {
            TextRole::Title => (12.8, 16.4, 1.0),
            TextRole::Heading => (11.4, 14.8, 1.0),
            TextRole::Subtitle => (5.4, 7.8, 0.8),
            TextRole::Caption => (3.7, 5.4, 0.35),
            TextRole::Body => (3.95, 7.2, 0.35),
        };
        (letter * by(stretch), line * by(stretch))
    }

    /// How many lines a text has in a width, at a scale.
    fn lines(&self, text: &str, role: TextRole, width: f64, scale: f64) -> usize {
        let room = width / (self.letter(role).0 * scale);
        let wide = |line: &str| line.chars().map(|c| if c < '\u{2e80}' { 0.62 } else { 1.0 }).sum::<f64>();
        text.lines().map(|line| (wide(line) / room).ceil().max(1.0) as usize).sum()
    }

    /// A text as large as its role where it fits, else smaller.
    fn text(&self, frame: Rect, role: TextRole, align: Align, text: &str) -> TextBlock {
        let mut block = TextBlock { align: Some(align), ..TextBlock::new(rounded(frame), role, text) };
        let fits = |block: &TextBlock| {
            let high = self.letter(role).1 * block.scale();
            self.lines(text, role, frame.width, block.scale()) as f64 * high <= frame.height
        };
        while !fits(&block) && block.size > *SIZE_STEPS.start() {
            block.size -= 1;
        }
        block
    }

    fn words(&self, frame: Rect, role: TextRole, align: Align, text: &str) -> Option<Element> {
        (!text.is_empty()).then(|| Element::Text(self.text(frame, role, align, text)))
    }

    fn strong(&self, frame: Rect, align: Align, text: &str) -> Element {
        let block = self.text(frame, TextRole::Subtitle, align, text);
        Element::Text(TextBlock { weight: Some(Weight::Bold), ..block })
    }

    /// A portrait, or where there is none the first character of the name on a quiet ground.
    fn portrait(&self, frame: Rect, name: &str, photo: Option<&PhotoInput>) -> Vec<Element> {
        let frame = rounded(frame);
        if let Some(photo) = photo {
            let shown = portrait_crop(photo, frame.aspect());
            return vec![Element::Photo(PhotoFrame::new(photo.id.clone(), frame, shown))];
        }
        let edge = Border { width: 0.25, colour: Ink::Theme(PaletteColour::Quiet) };
        let ground = Shape {
            common: Common::default(),
            shape: ShapeKind::Rect,
            frame,
            fill: None,
            border: Some(edge),
            radius: None,
        };
        let first: String = name.chars().take(1).collect();
        // no heading: themes dress pages that have one
        let high = self.letter(TextRole::Subtitle).1 * 1.9;
        let middle = Rect { y: frame.y + (frame.height - high) / 2.0, height: high, ..frame };
        let initial = self.text(middle, TextRole::Subtitle, Align::Center, &first);
        let initial = TextBlock { colour: Some(Ink::Theme(PaletteColour::Quiet)), size: 4, ..initial };
        vec![Element::Shape(ground), Element::Text(initial)]
    }

    /// Where classmates write.
    pub fn signing(&self, y: f64) -> Element {
        let frame = Rect { y, height: self.letter(TextRole::Subtitle).1 * 1.5, ..self.inside() };
        self.strong(frame, Align::Center, "同学留言")
    }

    /// The names in columns, class by class.
    pub fn names(&self, groups: &[(&str, Vec<&Portrayed>)]) -> Vec<Page> {
        let inside = self.inside();
        let columns = (inside.width / COLUMN_MM).floor().max(2.0) as usize;
        let wide = (inside.width - GAP_MM * (columns - 1) as f64) / columns as f64;
        let (line, head) = (self.letter(TextRole::Caption).1, self.letter(TextRole::Subtitle).1 * 1.4);
        let mut pages: Vec<Page> = Vec::new();
        let mut y = f64::INFINITY;
        for (group, people) in groups {
            let mut names: Vec<(&str, usize)> = people
                .iter()
                .map(|person| (person.name.as_str(), self.lines(&person.name, TextRole::Caption, wide, 1.0)))
                .collect();
            while !names.is_empty() {
                // a heading and a few lines below it, or the next page
                if y + head + 3.0 * line > inside.y + inside.height {
                    pages.push(Page::default());
                    y = inside.y;
                }
                let room = (((inside.y + inside.height - y - head) / line).floor() as usize).max(1);
                let all: usize = names.iter().map(|(_, lines)| lines).sum();
                let tallest = names.iter().map(|(_, lines)| *lines).max().unwrap_or(1);
                let deep = (all.div_ceil(columns) + tallest - 1).clamp(1, room);
                let Some(page) = pages.last_mut() else { break };
                let title = if group.is_empty() { "名单" } else { *group };
                page.elements.push(self.strong(Rect { y, height: head, ..inside }, Align::Left, title));
                let mut used = 0;
                for column in 0..columns {
                    let (mut lines, mut text) = (0, Vec::new());
                    while let Some((name, of_name)) = names.first().copied() {
                        if lines > 0 && lines + of_name > deep {
                            break;
                        }
                        lines += of_name;
                        text.push(name);
                        names.remove(0);
                    }
                    let x = inside.x + (wide + GAP_MM) * column as f64;
                    let frame =
                        Rect { x, y: y + head, width: wide, height: line * lines.max(1) as f64 + 1.0 };
                    page.elements.extend(self.words(frame, TextRole::Caption, Align::Left, &text.join("\n")));
                    used = used.max(lines);
                }
                y += head + used as f64 * line + 2.0 * GAP_MM;
            }
        }
        pages
    }

    /// The page before a class.
    pub fn opener(&self, group: &str, count: usize, options: &LayoutOptions) -> Page {
        let (inside, high) = (self.inside(), self.letter(TextRole::Heading).1);
        let y = self.trim.height * f64::from(options.style.chapter.top) / 100.0;
        let frame = Rect { y, height: high * 1.3, ..inside };
        let below = Rect { y: y + high * 1.5, height: self.letter(TextRole::Subtitle).1 * 1.3, ..inside };
        let title = if group.is_empty() { "我们" } else { group };
        let heading = self.words(frame, TextRole::Heading, Align::Center, title);
        let said = self.words(below, TextRole::Subtitle, Align::Center, &format!("{count} 位同学"));
        let elements = heading.into_iter().chain(said).collect();
        Page { ground: options.style.chapter.ground, elements, ..Page::default() }
    }

    /// The pages of a class's people.
    pub fn people(&self, people: &[&Portrayed], share: Share) -> Vec<Page> {
        let inside = self.inside();
        let places: Vec<Rect> = match share {
            Share::Whole => vec![inside],
            // beside each other where the page is wide, and gone through like its columns
            Share::Half if self.trim.width > 1.2 * self.trim.height => {
                let width = (inside.width - 2.0 * GAP_MM) / 2.0;
                vec![Rect { width, ..inside }, Rect { x: inside.x + width + 2.0 * GAP_MM, width, ..inside }]
            }
            Share::Half => {
                let height = (inside.height - 2.0 * GAP_MM) / 2.0;
                vec![
                    Rect { height, ..inside },
                    Rect { y: inside.y + height + 2.0 * GAP_MM, height, ..inside },
                ]
            }
        };
        let page = |some: &[&Portrayed]| {
            let elements = some.iter().zip(&places).flat_map(|(person, place)| self.person(person, *place));
            Page { elements: elements.collect(), ..Page::default() }
        };
        people.chunks(places.len()).map(page).collect()
    }

    /// One template for all: the portrait with the words beside it, or below it where the place is tall.
    fn person(&self, person: &Portrayed, place: Rect) -> Vec<Element> {
        let name_line = self.letter(TextRole::Subtitle).1;
        let motto_line = self.letter(TextRole::Caption).1;
        let is_beside = place.width >= 1.3 * place.height;
        let (portrait, align, words) = if is_beside {
            let width = (place.height * PORTRAIT_ASPECT).min(place.width * 0.42);
            let portrait = Rect { width, height: width / PORTRAIT_ASPECT, ..place };
            let x = place.x + width + GAP_MM;
            (portrait, Align::Left, Rect { x, width: place.x + place.width - x, ..place })
        } else {
            let width = (place.height * 0.52 * PORTRAIT_ASPECT).min(place.width * 0.72);
            let height = width / PORTRAIT_ASPECT;
            let portrait = Rect { x: place.x + (place.width - width) / 2.0, y: place.y, width, height };
            let y = place.y + height + GAP_MM;
            (portrait, Align::Center, Rect { y, height: place.y + place.height - y, ..place })
        };
        let mut elements = self.portrait(portrait, &person.name, person.portrait.as_ref());
        let name = Rect { height: name_line * 1.35, ..words };
        elements.push(self.strong(name, align, &person.name));
        let motto = Rect { y: name.y + name.height, height: motto_line * 2.1, ..words };
        elements.extend(self.words(motto, TextRole::Caption, align, &person.motto));
        let y = if person.motto.is_empty() { motto.y } else { motto.y + motto.height };
        let said = Rect { y: y + 1.0, height: words.y + words.height - y - 1.0, ..words };
        elements.extend(self.words(said, TextRole::Body, align, &person.words));
        elements
    }

    /// The two pages at the front of somebody's own copy: its photo, and its name with what it says, above room to write.
    pub fn own(&self, person: &Portrayed) -> Vec<Page> {
        let (inside, trim) = (self.inside(), self.trim);
        let whole = trim.with_bleed();
        let left = match (&person.own, &person.portrait) {
            (Some(photo), _) if !photo.is_panorama() && !is_coarse(fit::dpi(photo, whole)) => {
                vec![Element::Photo(PhotoFrame::new(photo.id.clone(), whole, crop(photo, whole, trim)))]
            }
            (Some(photo), _) => {
                // whole, inside margins, and no larger than it prints well
                let sharp = (f64::from(photo.width) / LEAST_DPI * 25.4).max(LEAST_OWN_MM);
                let width = inside.width.min(inside.height * photo.aspect()).min(sharp);
                let height = width / photo.aspect();
                let (x, y) = ((trim.width - width) / 2.0, (trim.height - height) / 2.0);
                let frame = rounded(Rect { x, y, width, height });
                vec![Element::Photo(PhotoFrame::new(photo.id.clone(), frame, crop(photo, frame, trim)))]
            }
            (None, portrait) => {
                let width = (inside.width * 0.66).min(inside.height * 0.8 * PORTRAIT_ASPECT);
                let height = width / PORTRAIT_ASPECT;
                let (x, y) = ((trim.width - width) / 2.0, (trim.height - height) / 2.0);
                self.portrait(Rect { x, y, width, height }, &person.name, portrait.as_ref())
            }
        };
        let heading = self.letter(TextRole::Heading).1;
        let name = Rect { y: trim.height * 0.14, height: heading * 1.2, ..inside };
        let below = |y: f64, height: f64| Rect { y, height, ..inside };
        let group = below(name.y + name.height, self.letter(TextRole::Subtitle).1 * 1.2);
        let motto = below(group.y + group.height, self.letter(TextRole::Caption).1 * 2.1);
        let right = [
            self.words(name, TextRole::Heading, Align::Center, &person.name),
            self.words(group, TextRole::Subtitle, Align::Center, &person.group),
            self.words(motto, TextRole::Caption, Align::Center, &person.motto),
            Some(self.signing(trim.height * 0.5)),
        ];
        let page = |elements| Page { elements, ..Page::default() };
        vec![page(left), page(right.into_iter().flatten().collect())]
    }

    /// The cover: a photo of all where there is one, the title, and the place for whose copy it is.
    pub fn cover(&self, common: &[PhotoInput], options: &LayoutOptions) -> Result<Page, NotAnId> {
        let Trim { width, height } = self.trim;
        let inside = self.inside();
        let top = Rect { height: height * 0.5 + BLEED_MM, ..self.trim.with_bleed() };
        let fits = |photo: &&PhotoInput| !photo.is_panorama() && !is_coarse(fit::dpi(photo, top));
        let photo = common.iter().find(fits);
        let (title_line, line) = (self.letter(TextRole::Title).1, self.letter(TextRole::Subtitle).1);
        let y = height * if photo.is_some() { 0.55 } else { 0.3 };
        let title = Rect { y, height: (title_line * 2.1).min(height * 0.2), ..inside };
        let author = Rect { y: title.y + title.height, height: line * 1.2, ..inside };
        let name = Rect { y: height * 0.88 - line, height: line * 2.0, ..inside };
        let rule = Rect { x: width / 2.0 - 9.0, y: name.y - GAP_MM, width: 18.0, height: 1.0 };
        let mut elements: Vec<Element> = Vec::new();
        elements.extend(photo.map(|photo| {
            Element::Photo(PhotoFrame::new(photo.id.clone(), top, crop(photo, top, self.trim)))
        }));
        elements.extend(self.words(title, TextRole::Title, Align::Center, &options.title));
        elements.extend(self.words(author, TextRole::Subtitle, Align::Center, &options.author));
        elements.push(Element::Shape(Shape {
            common: Common::default(),
            shape: ShapeKind::Line,
            frame: rounded(rule),
            fill: None,
            border: Some(Border { width: 0.4, colour: Ink::Theme(PaletteColour::Strong) }),
            radius: None,
        }));
        let mut name = self.strong(name, Align::Center, NOBODY);
        name.common_mut().id = Some(NAME_ID.parse()?);
        elements.push(name);
        Ok(Page { elements, ..Page::default() })
    }
}

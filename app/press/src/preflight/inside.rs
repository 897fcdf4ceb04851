//! Rules of what stands inside the pages of members' PDFs, from what was measured of them when they came.
//!
//! A page may be shown larger or smaller than it is in its file. What is said of many pages is one finding that names them.

use domain::document::{Document, PdfPage};
use domain::ids::FileDigest;
use domain::manuscript::{covers, covers_bleed};
use domain::resolution::{GOOD_DPI, is_coarse, is_good};

use super::texts::LEAST_PT;
use super::{Finding, FindingCode, HAIRLINE_PT, Severity, runs_of};
use crate::pdf::{PageMeasures, PdfFacts};
use crate::screen::PageRef;

/// Numbers that are nearer to what a rule asks keep it: files round.
const NEAR: f64 = 0.01;
/// Words as much smaller are 5 pt: programs round them down a little.
const NEAR_PT: f64 = 0.05;

/// A page of the file where it is shown.
struct Shown<'a> {
    /// 0 is the cover.
    number: usize,
    pdf: &'a PdfPage,
    /// Nothing of files that came before it was looked at.
    measures: Option<PageMeasures>,
    /// How many times as large as in its file.
    scale: f64,
}

/// What is to be said of a file's pages; `total_ink` is the most that the press can lay, 3.2 is 320 %.
pub(crate) fn inside(
    document: &Document,
    file: &FileDigest,
    facts: &PdfFacts,
    total_ink: f64,
) -> Vec<Finding> {
    let pages = document.all_pages().enumerate();
    let shown: Vec<Shown> = pages
        .flat_map(|(number, page)| page.pdfs().map(move |pdf| (number, pdf)))
        .filter(|(_, pdf)| pdf.file == *file)
        .map(|(number, pdf)| {
            let index = (pdf.page as usize).wrapping_sub(1);
            let sheet = facts.sheets.get(index);
            let scale = sheet.map_or(1.0, |sheet| pdf.frame.width / (sheet.width * pdf.crop.width));
            Shown { number, pdf, measures: facts.measures.get(index).copied(), scale }
        })
        .collect();
    let mut findings = Vec::new();
    let mut say = |severity, code, found: Found, sentence: &dyn Fn(f64, bool) -> String| {
        if let (Some(first), Some(worst)) = (found.0.first(), found.worst()) {
            let is_worst = found.pages().len() > 1;
            findings.push(Finding {
                page: Some(first.0.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner)),
                element: None,
                severity,
                code,
                message: format!("{}{}", found.names(), sentence(worst, is_worst)),
                copies: Vec::new(),
            });
        }
    };

    let dpi = |it: &Shown| Some(f64::from(it.measures?.dpi?) / it.scale);
    let coarse = found(&shown, |it| dpi(it).filter(|dpi| is_coarse(*dpi)));
    say(Severity::Warning, FindingCode::VeryLowResolution, coarse, &|dpi, is_worst| {
        let (least, dpi) = (down_to(is_worst), dpi.floor());
        format!("有{least} {dpi:.0} dpi 的图片，印出来会模糊；请换更清晰的图，重新导出 PDF。")
    });
    let soft = found(&shown, |it| dpi(it).filter(|dpi| !is_coarse(*dpi) && !is_good(*dpi)));
    say(Severity::Note, FindingCode::LowResolution, soft, &|dpi, is_worst| {
        let (least, dpi) = (down_to(is_worst), dpi.floor());
        format!("有{least} {dpi:.0} dpi 的图片，可能不够清晰；达到 {GOOD_DPI:.0} dpi 效果更好。")
    });
    // a page that stands on the cover as a picture of itself is looked at, not read
    let is_read = |it: &&Shown| it.number > 0 || covers(it.pdf, document.trim);
    let line = |it: &Shown| Some(f64::from(it.measures.filter(|_| is_read(&it))?.line_pt?) * it.scale);
    let thin = found(&shown, |it| line(it).filter(|line| line + NEAR < HAIRLINE_PT));
    say(Severity::Warning, FindingCode::Hairline, thin, &|line, is_worst| {
        let least = down_to(is_worst);
        format!("有{least} {line:.2} 点粗的线，印出来可能断断续续；请加到 {HAIRLINE_PT} 点以上。")
    });
    let text = |it: &Shown| Some(f64::from(it.measures.filter(|_| is_read(&it))?.text_pt?) * it.scale);
    let tiny = found(&shown, |it| text(it).filter(|text| text + NEAR_PT < LEAST_PT));
    say(Severity::Warning, FindingCode::TinyText, tiny, &|text, is_worst| {
        let least = down_to(is_worst);
        format!("有{least} {text:.1} 点的文字，印出来很难看清；请放大到 {LEAST_PT:.0} 点以上。")
    });
    let wet = found(&shown, |it| {
        let ink = f64::from(it.measures?.ink?);
        // the heaviest is the worst
        (ink > total_ink + NEAR).then_some(-ink)
    });
    say(Severity::Warning, FindingCode::TooMuchInk, wet, &|ink, is_worst| {
        let most = if is_worst { "高达" } else { "" };
        format!(
            "有总墨量{most} {:.0}% 的颜色，超过印刷的 {:.0}%，会不易干、背面蹭脏；请降低后重新导出。",
            -100.0 * ink,
            100.0 * total_ink
        )
    });
    let lost = found(&shown, |it| it.measures?.lost_white.then_some(0.0));
    say(Severity::Serious, FindingCode::LostWhite, lost, &|_, _| {
        "有设成叠印的白色，印出来会消失；请取消叠印，重新导出 PDF。".to_owned()
    });
    let trim = document.trim;
    let bare = found(&shown, |it| {
        let ends_at_trim = covers(it.pdf, trim) && !covers_bleed(it.pdf, trim);
        // what was not looked at may reach the edge
        let reaches = it.measures.is_none_or(|measures| measures.reaches_edge || measures.is_cut);
        (ends_at_trim && reaches).then_some(0.0)
    });
    say(Severity::Note, FindingCode::PdfWithoutBleed, bare, &|_, _| {
        "铺到页边的图或底色没有出血，裁切后可能露出白边；可以重新导出带 3 毫米出血的 PDF。".to_owned()
    });
    let cut = found(&shown, |it| it.measures?.is_cut.then_some(0.0));
    say(Severity::Note, FindingCode::PartlyChecked, cut, &|_, _| {
        "的内容太多，没有逐项检查；请自己看一看样稿。".to_owned()
    });
    findings
}

/// What stands before the worst of several numbers.
fn down_to(is_worst: bool) -> &'static str {
    if is_worst { "低至" } else { "" }
}

/// Pages that a rule found, by their numbers, with what it found; less is worse.
struct Found(Vec<(usize, f64)>);

fn found(shown: &[Shown], rule: impl Fn(&Shown) -> Option<f64>) -> Found {
    Found(shown.iter().filter_map(|it| Some((it.number, rule(it)?))).collect())
}

impl Found {
    fn worst(&self) -> Option<f64> {
        self.0.iter().map(|(_, value)| *value).reduce(f64::min)
    }

    fn pages(&self) -> Vec<usize> {
        let mut pages: Vec<usize> = self.0.iter().map(|(number, _)| *number).collect();
        pages.dedup();
        pages
    }

    /// `封面、第 3–5 页`.
    fn names(&self) -> String {
        let pages = self.pages();
        let inner = runs_of(pages.iter().copied().filter(|number| *number > 0));
        match (pages.contains(&0), inner.is_empty()) {
            (true, true) => "封面".to_owned(),
            (true, false) => format!("封面、第 {inner} 页"),
            (false, _) => format!("第 {inner} 页"),
        }
    }
}

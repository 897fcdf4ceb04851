//! Whether a file is what it is called: the rules of PDF/X that a file can break, one by one. Every print file is looked
//! through before it is handed out, and each rule has a test file that breaks it (`tests/output/rules.rs`).
//!
//! PDF/X-4 is ISO 15930-7:2010, PDF/X-1a ISO 15930-4:2003; what a rule speaks of is defined in ISO 32000-1, whose clause
//! stands beside it.

use std::collections::BTreeSet;

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, Stream};
use serde::Serialize;

use crate::error::PressError;
use crate::pdf::is_held;
use crate::print::inks::is_opaque;
use crate::print::objects::{dictionary, is_named};
use crate::print::overprint::mixes;
use crate::print::profile::is_too_new;
use crate::print::standard;
use domain::print_settings::PrintStandard;

/// A rule of PDF/X.
#[derive(Clone, Copy, Serialize)]
pub struct Rule {
    /// Its name, for reports.
    pub name: &'static str,
    /// Where what it speaks of is defined in ISO 32000-1.
    pub clause: &'static str,
    /// What it asks, in a sentence for the shop.
    pub asks: &'static str,
    #[serde(skip)]
    breaks: fn(&File) -> Option<String>,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A rule that a file breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Breach {
    pub rule: &'static str,
    pub clause: &'static str,
    /// What was found.
    pub found: String,
}

/// A file as it is looked through.
struct File<'a> {
    pdf: &'a Document,
    standard: PrintStandard,
    /// Objects that are not looked at: they are written anew.
    but: BTreeSet<u32>,
}

const fn rule(
    name: &'static str,
    clause: &'static str,
    asks: &'static str,
    breaks: fn(&File) -> Option<String>,
) -> Rule {
    Rule { name, clause, asks, breaks }
}

/// All rules that are looked at.
pub const RULES: [Rule; 20] = [
    rule("version", "7.5.2", "文件版本不高于标准所定的 PDF 版本", version),
    rule("identifier", "14.4", "文件有唯一标识 ID", identifier),
    rule("encryption", "7.6", "没有加密", encryption),
    rule("output-intent", "14.11.5", "恰有一个 GTS_PDFX 输出意图，带输出设备的 ICC 特性文件", output_intent),
    rule("conformance", "14.3", "标明所依的 PDF/X 标准", conformance),
    rule("trapped", "14.3.3", "说明是否已做陷印", trapped),
    rule("boxes", "14.11.2", "每页有成品框，成品框在出血框内，出血框在页面内", boxes),
    rule("fonts", "9.9", "用到的字体全部嵌入", fonts),
    rule("transfer", "10.4", "没有传递函数", transfer),
    rule("halftone", "10.5", "没有指定网点", halftone),
    rule("postscript", "8.8.2", "没有 PostScript 对象", postscript),
    rule("annotations", "12.5", "页面上没有批注和表单", annotations),
    rule("layers", "8.11", "没有图层", layers),
    rule("actions", "12.6", "没有脚本和动作", actions),
    rule("substitutes", "8.9.5.4", "图像没有替代图和 OPI 引用", substitutes),
    rule("lzw", "7.4.4", "没有 LZW 压缩", lzw),
    rule("profiles", "8.6.5.5", "ICC 特性文件的版本不高于 4.2", profiles),
    rule("overprint", "8.6.7", "带 ICC 特性文件的四色不在叠印模式 1 下叠印", overprint),
    rule("colours", "8.6", "每种颜色都有确定的含义", colours),
    rule("transparency", "11", "PDF/X-1a 里没有透明效果", transparency),
];

/// Looks through a whole file.
///
/// # Errors
/// It is no PDF that can be taken apart.
pub fn breaches(file: &[u8], standard: PrintStandard) -> Result<Vec<Breach>, PressError> {
    let mut pdf = Document::load_mem(file)?;
    // the first line counts
    if let Some(version) = file.get(5..8) {
        pdf.version = String::from_utf8_lossy(version).into_owned();
    }
    Ok(breaches_in(&pdf, standard))
}

pub(super) fn breaches_in(pdf: &Document, standard: PrintStandard) -> Vec<Breach> {
    let file = File { pdf, standard, but: BTreeSet::new() };
    let broken = RULES.iter().filter_map(|rule| Some((rule, (rule.breaks)(&file)?)));
    broken.map(|(rule, found)| Breach { rule: rule.name, clause: rule.clause, found }).collect()
}

/// Rules of what is painted: those that somebody's pages can break inside of a file.
const OF_PAGES: [&str; 10] = [
    "fonts",
    "transfer",
    "halftone",
    "postscript",
    "layers",
    "substitutes",
    "lzw",
    "profiles",
    "overprint",
    "colours",
];

/// The first rule that pages break before they are written, without the objects that are written anew.
pub(super) fn breach_of_pages(pdf: &Document, standard: PrintStandard, but: BTreeSet<u32>) -> Option<String> {
    let file = File { pdf, standard, but };
    let mut rules = RULES.iter().filter(|rule| OF_PAGES.contains(&rule.name));
    rules.find_map(|rule| Some(format!("{}: {}", rule.name, (rule.breaks)(&file)?)))
}

impl File<'_> {
    /// Every dictionary of the file with the number of its object, also those inside of others.
    fn dictionaries(&self) -> impl Iterator<Item = (u32, &Dictionary)> {
        let mut waiting: Vec<(u32, &Object)> =
            self.pdf.objects.iter().map(|((number, _), object)| (*number, object)).collect();
        waiting.retain(|(number, _)| !self.but.contains(number));
        std::iter::from_fn(move || {
            while let Some((number, object)) = waiting.pop() {
                if let Object::Array(parts) = object {
                    waiting.extend(parts.iter().map(|part| (number, part)));
                }
                if let Some(dict) = dictionary(object) {
                    waiting.extend(dict.iter().map(|(_, value)| (number, value)));
                    return Some((number, dict));
                }
            }
            None
        })
    }

    fn first(&self, is: impl Fn(&Dictionary) -> bool, what: &str) -> Option<String> {
        self.dictionaries().find(|(_, dict)| is(dict)).map(|(number, _)| format!("{what}（对象 {number}）"))
    }

    fn of<'o>(&'o self, object: &'o Object) -> &'o Object {
        self.pdf.dereference(object).map_or(object, |(_, object)| object)
    }

    fn entry(&self, dict: &Dictionary, key: &[u8]) -> Option<Object> {
        dict.get(key).ok().map(|object| self.of(object).clone())
    }

    fn trailer_dict(&self, key: &[u8]) -> Option<Dictionary> {
        self.entry(&self.pdf.trailer, key)?.as_dict().ok().cloned()
    }

    /// What pages and forms paint: the number of the object, its content, and its resources.
    fn painted(&self) -> Vec<(u32, Vec<u8>, Dictionary)> {
        let mut painted = Vec::new();
        let resources = |dict: &Dictionary| {
            self.entry(dict, b"Resources").and_then(|it| it.as_dict().ok().cloned()).unwrap_or_default()
        };
        for ((number, _), object) in &self.pdf.objects {
            let Ok(stream) = object.as_stream() else { continue };
            if is_named(&stream.dict, b"Subtype", b"Form") || is_named(&stream.dict, b"PatternType", b"1") {
                let content = stream.get_plain_content().unwrap_or_default();
                painted.push((*number, content, resources(&stream.dict)));
            }
        }
        for (number, page) in self.pdf.get_pages() {
            let Ok(dict) = self.pdf.get_dictionary(page) else { continue };
            painted.push((number, self.pdf.get_page_content(page), resources(dict)));
        }
        painted
    }
}

fn version(file: &File) -> Option<String> {
    let most = standard::version(file.standard);
    (file.pdf.version.as_str() > most).then(|| format!("PDF {}，应不高于 {most}", file.pdf.version))
}

fn identifier(file: &File) -> Option<String> {
    let has = file.pdf.trailer.get(b"ID").and_then(Object::as_array).is_ok_and(|parts| parts.len() == 2);
    (!has).then(|| "没有 ID".to_owned())
}

fn encryption(file: &File) -> Option<String> {
    file.pdf.trailer.has(b"Encrypt").then(|| "文件有加密".to_owned())
}

fn output_intent(file: &File) -> Option<String> {
    let catalog = file.trailer_dict(b"Root")?;
    let intents = match file.entry(&catalog, b"OutputIntents") {
        Some(Object::Array(intents)) => intents,
        _ => return Some("没有输出意图".to_owned()),
    };
    let mut ours = intents
        .iter()
        .filter_map(|intent| file.of(intent).as_dict().ok())
        .filter(|intent| is_named(intent, b"S", b"GTS_PDFX"));
    let (Some(intent), None) = (ours.next(), ours.next()) else {
        return Some("GTS_PDFX 输出意图不是恰好一个".to_owned());
    };
    let profile = file.entry(intent, b"DestOutputProfile");
    let Some(profile) = profile.as_ref().and_then(|profile| profile.as_stream().ok()) else {
        return Some("输出意图没有 ICC 特性文件".to_owned());
    };
    let content = profile.get_plain_content().unwrap_or_default();
    // bytes 12 to 15 are the profile's class (ICC.1:2010, 7.2.5)
    (content.get(12..16) != Some(b"prtr".as_slice())).then(|| "输出意图的 ICC 不是输出设备的".to_owned())
}

fn conformance(file: &File) -> Option<String> {
    let name = file.standard.name();
    let says = match file.standard {
        PrintStandard::X4 => {
            let catalog = file.trailer_dict(b"Root")?;
            let xmp = file.entry(&catalog, b"Metadata");
            let xmp = xmp.as_ref().and_then(|xmp| xmp.as_stream().ok()).map(|xmp| xmp.content.clone());
            let tag = format!("<pdfxid:GTS_PDFXVersion>{name}<");
            xmp.is_some_and(|xmp| memchr::memmem::find(&xmp, tag.as_bytes()).is_some())
        }
        PrintStandard::X1a => {
            let info = file.trailer_dict(b"Info").unwrap_or_default();
            info.get(b"GTS_PDFXVersion").and_then(Object::as_str).is_ok_and(|said| said == name.as_bytes())
        }
    };
    (!says).then(|| format!("没有标明 {name}"))
}

fn trapped(file: &File) -> Option<String> {
    let info = file.trailer_dict(b"Info").unwrap_or_default();
    let says = is_named(&info, b"Trapped", b"True") || is_named(&info, b"Trapped", b"False");
    (!says).then(|| "没有说明陷印".to_owned())
}

fn boxes(file: &File) -> Option<String> {
    // numbers are written with a few digits
    const NEAR: f32 = 0.02;
    let inside = |inner: &[f32; 4], outer: &[f32; 4]| {
        inner[0] >= outer[0] - NEAR
            && inner[1] >= outer[1] - NEAR
            && inner[2] <= outer[2] + NEAR
            && inner[3] <= outer[3] + NEAR
    };
    for (number, page) in file.pdf.get_pages() {
        let page = file.pdf.get_dictionary(page).ok()?;
        let read = |key: &[u8]| -> Option<[f32; 4]> {
            let Some(Object::Array(corners)) = file.entry(page, key) else { return None };
            let corners: Vec<f32> = corners.iter().filter_map(|it| it.as_float().ok()).collect();
            corners.try_into().ok()
        };
        let (Some(media), Some(trim)) = (read(b"MediaBox"), read(b"TrimBox")) else {
            return Some(format!("第 {number} 页没有成品框"));
        };
        let bleed = read(b"BleedBox").unwrap_or(media);
        if !inside(&trim, &bleed) || !inside(&bleed, &media) || page.has(b"ArtBox") {
            return Some(format!("第 {number} 页的框不在彼此之内"));
        }
    }
    None
}

fn fonts(file: &File) -> Option<String> {
    file.first(
        |dict| {
            is_named(dict, b"Type", b"Font")
                && !["Type3", "CIDFontType0", "CIDFontType2"]
                    .iter()
                    .any(|kind| is_named(dict, b"Subtype", kind.as_bytes()))
                && !is_held(file.pdf, dict)
        },
        "字体没有嵌入",
    )
}

/// Whether a dictionary is a graphics state. (ISO 32000-1, 8.4.5)
fn is_state(dict: &Dictionary) -> bool {
    let stated: [&[u8]; 12] =
        [b"TR", b"TR2", b"HT", b"HTP", b"BG", b"BG2", b"UCR", b"UCR2", b"OP", b"op", b"ca", b"CA"];
    is_named(dict, b"Type", b"ExtGState") || stated.iter().any(|key| dict.has(key))
}

fn transfer(file: &File) -> Option<String> {
    file.first(
        |dict| {
            let sets_curve = dict.has(b"TR") && !dict.has(b"G");
            is_state(dict) && (sets_curve || dict.has(b"TR2") && !is_named(dict, b"TR2", b"Default"))
        },
        "传递函数",
    )
}

fn halftone(file: &File) -> Option<String> {
    file.first(|dict| is_state(dict) && (dict.has(b"HT") || dict.has(b"HTP")), "网点设置")
}

fn postscript(file: &File) -> Option<String> {
    file.first(
        |dict| is_named(dict, b"Subtype", b"PS") || is_named(dict, b"Subtype2", b"PS"),
        "PostScript 对象",
    )
}

fn annotations(file: &File) -> Option<String> {
    let page = file.pdf.get_pages().into_iter().find(|(_, page)| {
        file.pdf.get_dictionary(*page).is_ok_and(|page| {
            matches!(file.entry(page, b"Annots"), Some(Object::Array(annotations)) if !annotations.is_empty())
        })
    });
    page.map(|(number, _)| format!("第 {number} 页有批注"))
}

fn layers(file: &File) -> Option<String> {
    let is_layer = |dict: &Dictionary| {
        is_named(dict, b"Type", b"OCG") || is_named(dict, b"Type", b"OCMD") || dict.has(b"OCProperties")
    };
    file.first(is_layer, "图层")
}

fn actions(file: &File) -> Option<String> {
    let keys: [&[u8]; 5] = [b"OpenAction", b"AA", b"JavaScript", b"AcroForm", b"JS"];
    file.first(|dict| keys.iter().any(|key| dict.has(key)), "脚本或动作")
}

fn substitutes(file: &File) -> Option<String> {
    let is_object =
        |dict: &Dictionary| is_named(dict, b"Subtype", b"Image") || is_named(dict, b"Subtype", b"Form");
    let keys: [&[u8]; 3] = [b"Alternates", b"OPI", b"Ref"];
    file.first(|dict| is_object(dict) && keys.iter().any(|key| dict.has(key)), "替代图或引用")
}

fn lzw(file: &File) -> Option<String> {
    let is_lzw = |filter: &Object| filter.as_name().is_ok_and(|name| name == b"LZWDecode");
    file.first(
        |dict| match dict.get(b"Filter") {
            Ok(Object::Array(filters)) => filters.iter().any(is_lzw),
            Ok(filter) => is_lzw(filter),
            Err(_) => false,
        },
        "LZW 压缩",
    )
}

fn profiles(file: &File) -> Option<String> {
    let is_newer = |stream: &Stream| {
        stream.dict.has(b"N") && stream.get_plain_content().is_ok_and(|icc| is_too_new(&icc))
    };
    let mut objects = file.pdf.objects.iter().filter(|((number, _), _)| !file.but.contains(number));
    let newer = objects.find(|(_, object)| object.as_stream().is_ok_and(is_newer));
    newer.map(|((number, _), _)| format!("版本较新的 ICC 特性文件（对象 {number}）"))
}

fn overprint(file: &File) -> Option<String> {
    let mut painted = file.painted().into_iter();
    let mixed = painted.find(|(_, content, resources)| mixes(file.pdf, content, resources));
    mixed.map(|(number, ..)| format!("带特性文件的四色叠印（对象 {number}）"))
}

/// Colours of a screen that nothing explains; in PDF/X-1a all that are no inks.
fn colours(file: &File) -> Option<String> {
    let strict = file.standard == PrintStandard::X1a;
    let is_screen = |space: &Object| match file.of(space) {
        Object::Name(name) => name == b"DeviceRGB" || name == b"CalRGB",
        Object::Array(parts) => match parts.first().and_then(|kind| kind.as_name().ok()) {
            Some(b"ICCBased" | b"CalRGB" | b"Lab" | b"CalGray") => strict,
            Some(b"Indexed" | b"Separation" | b"DeviceN") => {
                parts.iter().skip(1).take(2).any(|part| part.as_name().is_ok_and(|name| name == b"DeviceRGB"))
            }
            _ => false,
        },
        _ => false,
    };
    // what a page or a form says in its content means what its resources explain
    let mut explained: BTreeSet<u32> = BTreeSet::new();
    let painted = file.painted();
    for (number, content, resources) in &painted {
        let spaces = file
            .entry(resources, b"ColorSpace")
            .and_then(|it| it.as_dict().ok().cloned())
            .unwrap_or_default();
        let is_explained = !strict && spaces.has(b"DefaultRGB");
        if !is_explained {
            let names_screen = Content::decode(content).is_ok_and(|content| {
                content.operations.iter().any(|operation| match operation.operator.as_str() {
                    "rg" | "RG" => true,
                    "cs" | "CS" => operation.operands.first().is_some_and(|name| {
                        name.as_name()
                            .is_ok_and(|name| name == b"DeviceRGB" || spaces.get(name).is_ok_and(is_screen))
                    }),
                    _ => false,
                })
            });
            if names_screen {
                return Some(format!("没有说明含义的 RGB 颜色（对象 {number}）"));
            }
        }
        // pictures mean what those who show them explain
        if is_explained && let Some(Object::Dictionary(shown)) = file.entry(resources, b"XObject") {
            explained
                .extend(shown.iter().filter_map(|(_, it)| it.as_reference().ok()).map(|(number, _)| number));
        }
    }
    let is_open = |(number, object): (u32, &Object)| {
        dictionary(object).is_some_and(|dict| {
            is_named(dict, b"Subtype", b"Image")
                && !dict.has(b"SMaskInData")
                && dict.get(b"ColorSpace").is_ok_and(is_screen)
                && !explained.contains(&number)
                && !file.but.contains(&number)
        })
    };
    let mut objects = file.pdf.objects.iter().map(|((number, _), object)| (*number, object));
    objects
        .find(|object| is_open(*object))
        .map(|(number, _)| format!("没有说明含义的 RGB 图像（对象 {number}）"))
}

fn transparency(file: &File) -> Option<String> {
    if file.standard == PrintStandard::X4 {
        return None;
    }
    file.first(|dict| !is_opaque(dict) || is_named(dict, b"S", b"Transparency"), "透明效果")
}

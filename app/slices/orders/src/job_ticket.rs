//! The job ticket: everything about an order that its shop needs to know beside the files. Once as JSON for programs, once as
//! a page that a human reads, both from the same values. Measures are rounded to a tenth of a millimetre.

mod run;

use ::time::Date;
use base::presses::Printing;
use base::time;
use domain::binding::{BoundEdge, CoverMake, CoverSheet, CoverSides, Embellishment};
use domain::document::{Element, Page, Rect};
use domain::goods::step_name;
use domain::ids::OrderId;
use domain::production::CODE_PATH;
use press::{Part, Ticket, TicketSection};
use serde_json::{Map, Value, json};

use super::store::parcels::Reprint;
use super::store::{Order, OrderLine};

/// What a bindery is told of the endpapers of a case where the goods say nothing.
const ENDPAPERS: &str = "前后各一张空白双页环衬（各 4 P），120–140 克胶版纸，不印，由装订厂配";
/// The name of the spot colour in cover files.
const DIE_LINE: &str = "刀线";

/// A tenth of a millimetre is what a shop can measure.
fn tenth(mm: f64) -> f64 {
    (mm * 10.0).round() / 10.0
}

/// Paper is measured finer.
fn thousandth(mm: f64) -> f64 {
    (mm * 1000.0).round() / 1000.0
}

/// What a QR code says: a camera opens it, what types codes finds it. `site` is where the world finds the back office.
pub fn code(order: &OrderId, line: Option<i64>, site: Option<&str>) -> String {
    let number = line.map_or_else(|| order.to_string(), |line| format!("{order}/{line}"));
    site.map_or_else(|| number.clone(), |site| format!("{}{CODE_PATH}{number}", site.trim_end_matches('/')))
}

/// A ticket of an order that was promised by the end of a day, and perhaps is printed once more.
pub fn of(
    order: &Order,
    jobs: Vec<Value>,
    due: Option<Date>,
    site: Option<&str>,
    again: Option<&Reprint>,
) -> Value {
    let again = again.map(|again| json!({ "reason": again.reason.name(), "note": again.note }));
    json!({
        "reprint": again,
        "order": order.id,
        "code": code(&order.id, None, site),
        "due": due.map(|day| day.to_string()),
        "state": order.state.code(),
        "created_at": time::stamp(order.created_at),
        "paid_at": order.paid_at.map(time::stamp),
        "ship_to": {
            "receiver": order.address.receiver,
            "phone": order.address.phone,
            "address": order.address.place(),
        },
        "lines": jobs,
    })
}

/// What is unusual about a line: what asks for a machine, a material or a hand of its own.
fn special(line: &OrderLine, cover: &CoverSheet, is_reprint: bool) -> Vec<String> {
    let chosen = |step: &str| line.goods.chosen(step, &line.choice).map(|item| item.name.clone());
    let craft = chosen(step_name::CRAFT).filter(|_| cover.embellishment.is_some());
    let material = chosen(step_name::COVER).filter(|_| cover.cloth.is_some());
    let mounted = line.goods.is_mounted(&line.choice).then(|| "对裱".to_owned());
    let gift_box = chosen(step_name::GIFT_BOX).filter(|name| name.contains('盒'));
    let remark = (!line.remark.trim().is_empty()).then(|| "有备注".to_owned());
    let again = is_reprint.then(|| "重印".to_owned());
    let differs = (!line.document.copies().is_empty()).then(|| "每本不同".to_owned());
    [again, differs, craft, material, mounted, gift_box, remark].into_iter().flatten().collect()
}

/// So many copies of one line, under its own code; known is where the world finds the back office, and whether it is printed
/// once more.
pub fn line(
    order: &OrderId,
    (site, is_reprint): (Option<&str>, bool),
    line: &OrderLine,
    copies: u32,
    (printing, parts, preflight): (&Printing, Vec<(&'static str, String, Part)>, String),
) -> Value {
    let mut files: Map<String, Value> =
        parts.iter().map(|(part, name, _)| ((*part).to_owned(), Value::String(name.clone()))).collect();
    files.insert("preflight".to_owned(), Value::String(preflight));
    let choices: Map<String, Value> =
        line.choices().into_iter().map(|(step, item)| (step, Value::String(item))).collect();
    let (goods, choice, pages) = (&line.goods, &line.choice, line.quote.pages);
    let mut cover = goods.cover_sheet(pages, choice);
    if !cover.has_plate(&line.document.cover) {
        // nothing to make a plate of: ordered before that was refused
        cover.embellishment = None;
    }
    let number = code(order, Some(line.position), None);
    json!({
        "code": code(order, Some(line.position), site),
        "number": number,
        "title": line.title,
        "goods": { "id": goods.id, "name": goods.name },
        "copies": copies,
        "pages": pages,
        "trim_mm": [tenth(line.document.trim.width), tenth(line.document.trim.height)],
        "bleed_mm": domain::document::BLEED_MM,
        "caliper_mm": goods.sheet_mm(choice).map(thousandth),
        "leaf_mm": goods.leaf_mm(choice).map(thousandth),
        "spine_mm": tenth(cover.spine_mm),
        "bound_edge": bound_edge(&cover),
        "mounted": goods.is_mounted(choice),
        "sections": goods.sections(pages, choice),
        "cover": cover_measures(&cover, &line.document.cover, goods.cover_make(choice)),
        "print": {
            "supplier": printing.supplier,
            "standard": printing.press.standard().name(),
            "profile": printing.profile,
            "total_ink_percent": printing.total_ink(),
            "spots": printing.spots(),
        },
        "prints": prints(line, &parts, &cover, is_reprint),
        "run": run::of(line, &parts, copies),
        "endpapers": endpapers(line, &cover),
        "choices": choices,
        "special": special(line, &cover, is_reprint),
        "remark": line.remark,
        "proof_confirmed_at": line.proofed_at.map(time::stamp),
        "files": files,
    })
}

fn bound_edge(cover: &CoverSheet) -> BoundEdge {
    match cover.sides {
        CoverSides::Leaves(edge) => edge,
        _ => BoundEdge::Left,
    }
}

/// The cover's sheet in mm.
fn cover_measures(cover: &CoverSheet, front: &Page, make: Option<CoverMake>) -> Value {
    let (sheet, seen) = (cover.sheet(), cover.seen());
    let pair = |width: f64, height: f64| json!([tenth(width), tenth(height)]);
    let mut measures = json!({
        "file_mm": pair(sheet.width, sheet.height),
        "seen_mm": pair(seen.width, seen.height),
        "face_mm": pair(cover.face.width, cover.face.height),
        "spine_mm": tenth(cover.spine_mm),
        "spine_tolerance_mm": tenth(cover.tolerance_mm),
        "folds_mm": cover.folds().into_iter().map(tenth).collect::<Vec<_>>(),
    });
    let mut say = |name: &str, mm: f64| measures[name] = json!(tenth(mm));
    match make {
        None => say("bleed_mm", cover.around_mm),
        Some(CoverMake::Folded) => say("bleed_mm", cover.around_mm),
        Some(CoverMake::Glued(glued)) => {
            say("bleed_mm", cover.around_mm);
            say("hinge_mm", glued.hinge_mm);
            say("glue_mm", glued.glue_mm);
        }
        Some(CoverMake::Case(case)) => {
            say("turn_in_mm", cover.around_mm);
            say("board_mm", cover.board_mm);
            say("groove_mm", case.groove_mm);
            say("square_mm", case.square_mm);
        }
        Some(CoverMake::Leaves(leaves)) => {
            say("bleed_mm", cover.around_mm);
            say("holes_mm", leaves.holes_mm);
        }
    }
    if cover.die_line {
        measures["die_line"] = json!(DIE_LINE);
    }
    if let Some(embellishment) = cover.embellishment {
        measures["plate"] = json!(embellishment.plate());
        measures["artwork"] = json!(cover.artwork.name());
        measures["least_line_mm"] = json!(embellishment.least_line_mm());
        measures["least_gap_mm"] = json!(embellishment.least_gap_mm());
    }
    if let Some((_, at)) = cover.ornament(front) {
        measures["ornament_mm"] = json!([at.x, at.y, at.width, at.height].map(tenth));
    }
    measures["is_printed"] = json!(cover.cloth.is_none());
    measures
}

/// What stands on which page of which file, a sentence each.
fn prints(
    line: &OrderLine,
    parts: &[(&'static str, String, Part)],
    cover: &CoverSheet,
    is_reprint: bool,
) -> Vec<String> {
    let last = line.document.pages.len();
    let mut sentences = run::sentences(line, parts, is_reprint);
    for (_, name, part) in parts {
        sentences.push(match part {
            Part::Inner => format!("{name}：内页第 1–{last} 页，每页一面，四边各 3 毫米出血"),
            Part::Middle => {
                format!("{name}：内页第 2–{} 页，每页一面，四边各 3 毫米出血", last.saturating_sub(1))
            }
            Part::Mounted => format!(
                "{name}：对页印成一张（共 {} 张），单面印，从中间对折后背对背裱合；第一张的左半和最后一张的右半空白，裱在封面内侧",
                last / 2 + 1
            ),
            Part::Booklet(booklet, cover) => {
                let (inside, first, last) = match cover.sides {
                    CoverSides::OutsideAndPages => {
                        (format!("封二印内页第 1 页，封三印内页第 {last} 页"), 2, last.saturating_sub(1))
                    }
                    _ => ("封二、封三空白，不印".to_owned(), 1, last),
                };
                let sheets = booklet.spreads(line.document.pages.len()).map_or(0, |sides| sides.len() / 2);
                format!(
                    "{name}：整本已按骑马钉拼成大版，每张正、反两面依次排列；第 1 面是封面外侧，第 2 面是封面内侧（{inside}），第 3 面起是内页第 {first}–{last} 页，共 {sheets} 张"
                )
            }
            Part::Cover(_) => match cover.sides {
                CoverSides::Outside => format!("{name}：封面外侧一面（封底、书脊、封面连在一起）；内侧不印"),
                CoverSides::OutsideAndPages => format!(
                    "{name}：第 1 页是封面外侧；第 2 页是封面内侧，封二印内页第 1 页，封三印内页第 {last} 页"
                ),
                CoverSides::OutsideAndBlank => {
                    format!("{name}：第 1 页是封面外侧；第 2 页是封面内侧，封二、封三空白，不印")
                }
                CoverSides::Leaves(_) => format!("{name}：第 1 页是封面，第 2 页是封底，都是单张，背面不印"),
            },
        });
    }
    if cover.die_line {
        sentences.push(format!("封面文件里的专色“{DIE_LINE}”是裁切、折叠和压痕线，叠印，不晒版"));
    }
    if cover.cloth.is_some() {
        sentences.push("封面是布面，不印图".to_owned());
    }
    sentences.extend(plate(line, cover));
    sentences.extend(spine_words(line, cover));
    sentences
}

/// Which plate the cover's file has besides its inks, and what stands on it.
fn plate(line: &OrderLine, cover: &CoverSheet) -> Option<String> {
    let Some(embellishment) = cover.embellishment else {
        let craft = line.goods.chosen(step_name::CRAFT, &line.choice)?;
        Embellishment::of_item(&craft.name)?;
        return Some(format!("选了{}，但封面上没有字：没有版，请先问会员", craft.name));
    };
    let front = &line.document.cover;
    let words = cover.plated(front).into_iter().filter_map(|index| match front.elements.get(index) {
        Some(Element::Text(text)) => Some(text.text.trim().to_owned()),
        _ => None,
    });
    let ornament = cover.ornament(front).map(|(ornament, at)| {
        let Rect { x, y, width, height } = at;
        let name = ornament.name();
        format!("{name}（{width:.1} × {height:.1} 毫米，左上角离封面正面左边 {x:.1}、上边 {y:.1} 毫米）")
    });
    let drawn: Vec<String> = words.chain(ornament).collect();
    let under = if cover.cloth.is_some() {
        "直接压在布上"
    } else if embellishment.replaces_ink() && cover.artwork.has_words() {
        "叠印，下面的底色照印，字本身不印墨"
    } else {
        "叠印，下面照印"
    };
    let plate = embellishment.plate();
    let (line, gap) = (embellishment.least_line_mm(), embellishment.least_gap_mm());
    Some(format!(
        "封面文件里的专色“{plate}”是{plate}版，100%，{under}，线条不细于 {line} 毫米、间隙不窄于 {gap} 毫米；版上是：{}",
        drawn.join("／")
    ))
}

/// What the spine says, or why it says nothing.
fn spine_words(line: &OrderLine, cover: &CoverSheet) -> Option<String> {
    if cover.spine_mm <= 0.0 {
        return None;
    }
    Some(match press::spine_refusal(&line.document, cover) {
        None if cover.cloth.is_some() => match cover.embellishment {
            Some(embellishment) => format!("书脊上的书名也在{}版上", embellishment.plate()),
            None => "书脊不印字：布面不印".to_owned(),
        },
        None => format!("书脊印书名，字高在 ±{:.0} 毫米的误差内不会跑出书脊", cover.tolerance_mm),
        Some(reason) => format!("书脊不印字：{reason}"),
    })
}

fn endpapers(line: &OrderLine, cover: &CoverSheet) -> Option<String> {
    if !cover.is_case() {
        return None;
    }
    if line.goods.is_mounted(&line.choice) {
        return Some("首尾对页空白的半张裱在封面板内侧，不另配环衬".to_owned());
    }
    let own = line.goods.endpapers.trim();
    Some(if own.is_empty() { ENDPAPERS.to_owned() } else { own.to_owned() })
}

/// The ticket as a page for humans, from the same values and with the covers of its lines as WebP.
pub fn sheet(ticket: &Value, mut covers: Vec<Option<Vec<u8>>>) -> Ticket {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(sides) => sides.iter().map(ToString::to_string).collect::<Vec<_>>().join(" × "),
        other => other.to_string(),
    };
    let mut head = vec![("订单".to_owned(), text(&ticket["order"]))];
    for (label, key) in [("下单", "created_at"), ("付款", "paid_at")] {
        head.push((label.to_owned(), text(&ticket[key])));
    }
    let again = &ticket["reprint"];
    if again.is_object() {
        head.push(("重印".to_owned(), format!("{}：{}", text(&again["reason"]), text(&again["note"]))));
    }
    let to = &ticket["ship_to"];
    head.push((
        "寄到".to_owned(),
        format!("{} {} {}", text(&to["receiver"]), text(&to["phone"]), text(&to["address"])),
    ));
    let lines = ticket["lines"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ticket {
        title: format!("工单 {}", text(&ticket["order"])),
        code: text(&ticket["code"]),
        due: ticket["due"].as_str().map(str::to_owned),
        head: head.into_iter().filter(|(_, value)| !value.is_empty()).collect(),
        sections: lines
            .iter()
            .enumerate()
            .map(|(index, line)| {
                let picture = covers.get_mut(index).and_then(Option::take);
                TicketSection { picture, ..section(line, &text) }
            })
            .collect(),
    }
}

/// How a sewn book is folded: `16+16+12 页，末尾 2 页空白`.
fn sections(line: &Value) -> String {
    let pages: Vec<u64> =
        line["sections"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let blank = pages.iter().sum::<u64>().saturating_sub(line["pages"].as_u64().unwrap_or_default());
    match pages.iter().map(ToString::to_string).collect::<Vec<_>>().join("+") {
        none if none.is_empty() => none,
        folded if blank > 0 => format!("{folded} 页，末尾 {blank} 页空白"),
        folded => format!("{folded} 页"),
    }
}

fn section(line: &Value, text: &dyn Fn(&Value) -> String) -> TicketSection {
    let mm = |value: &Value| match text(value) {
        value if value.is_empty() => value,
        value => format!("{value} 毫米"),
    };
    let mut rows = vec![
        ("商品", text(&line["goods"]["name"])),
        ("数量", format!("{} 本，每本 {} 页", text(&line["copies"]), text(&line["pages"]))),
        ("成品", format!("{}，出血 {}", mm(&line["trim_mm"]), mm(&line["bleed_mm"]))),
        ("纸厚", mm(&line["caliper_mm"])),
        ("每张（两页）厚", mm(&line["leaf_mm"])),
    ];
    let print = &line["print"];
    rows.push(("供应商", text(&print["supplier"])));
    let follows = ["standard", "profile"].map(|key| text(&print[key])).join("，");
    let ink = print["total_ink_percent"].as_f64().unwrap_or_default();
    rows.push(("印刷文件", format!("{follows}，总墨量 {ink}%")));
    let spots: Vec<String> = print["spots"].as_array().into_iter().flatten().map(text).collect();
    rows.push(("专色版（用到才有）", spots.join("、")));
    let cover = &line["cover"];
    rows.push(("封面文件", mm(&cover["file_mm"])));
    rows.push(("封面另有版", text(&cover["plate"])));
    for (label, key) in [
        ("封面可见", "seen_mm"),
        ("封面单面", "face_mm"),
        ("书脊", "spine_mm"),
        ("书脊误差 ±", "spine_tolerance_mm"),
        ("压痕离书脊", "hinge_mm"),
        ("侧胶", "glue_mm"),
        ("纸板厚", "board_mm"),
        ("书槽", "groove_mm"),
        ("飘口", "square_mm"),
        ("包边", "turn_in_mm"),
        ("打孔区", "holes_mm"),
    ] {
        if cover[key] != json!(0.0) {
            rows.push((label, mm(&cover[key])));
        }
    }
    let edge = if line["bound_edge"] == "top" { BoundEdge::Top } else { BoundEdge::Left };
    rows.push(("装订边", edge.name().to_owned()));
    rows.push(("书帖", sections(line)));
    rows.push(("环衬", text(&line["endpapers"])));
    let choices = line["choices"].as_object().into_iter().flatten();
    let mut rows: Vec<(String, String)> = rows
        .into_iter()
        .map(|(label, value)| (label.to_owned(), value))
        .chain(choices.map(|(step, item)| (step.clone(), text(item))))
        .collect();
    rows.push(("备注".to_owned(), text(&line["remark"])));
    rows.push(("看样".to_owned(), text(&line["proof_confirmed_at"])));
    rows.retain(|(_, value)| !value.is_empty());
    let notes = line["prints"].as_array().into_iter().flatten().map(text).collect();
    let special = line["special"].as_array().into_iter().flatten().map(text).collect();
    let copies = format!("{} 本", text(&line["copies"]));
    TicketSection {
        title: text(&line["title"]),
        code: text(&line["code"]),
        number: text(&line["number"]),
        copies,
        special,
        rows,
        notes,
        sequence: run::sequence(&line["run"]),
        picture: None,
    }
}

//! Newspapers and magazines with an issue that is out.

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Object, Stream, dictionary};
use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};

use crate::pdfs::{PT_PER_MM, Pdf};
use crate::wait::until;
use crate::{Caller, Server, between, location};

/// Makes a title at a short address, and answers its id.
pub async fn title(maker: &Caller, kind: &str, address: &str, changes: &[(&str, &str)]) -> String {
    let desk = format!("/manager/{kind}");
    let id = between(&maker.page(&format!("{desk}/new")).await, "name=\"publication\" value=\"", "\"");
    let mut fields = vec![("publication", id.as_str()), ("address", address)];
    fields.extend(TITLE.iter().filter(|(name, _)| changes.iter().all(|(other, _)| other != name)));
    fields.extend(changes);
    // pressed twice it is made once
    for _ in 0..2 {
        let answer = maker.post(&format!("{desk}/new"), &fields).await;
        if answer.status() != StatusCode::SEE_OTHER {
            panic!("refused: {}", between(&answer.text().await.unwrap(), "id=\"errors\"", "</div>"));
        }
        assert_eq!(location(&answer), format!("{desk}/{id}?done=added"));
    }
    id
}

/// An issue that came out, with all that was proposed; the ids of its title and of itself.
pub async fn out(
    maker: &Caller,
    kind: &str,
    address: &str,
    day: &str,
    changes: &[(&str, &str)],
) -> (String, String) {
    let title = title(maker, kind, address, changes).await;
    let issue = issue(maker, kind, &title, day, paper()).await;
    location(&maker.post(&format!("/manager/{kind}_issue/{issue}/proposals"), &[]).await);
    set(maker, kind, &issue, "publish").await;
    (title, issue)
}

/// A page of a newspaper: a headline over two columns, a second story beside them.
pub fn sheet(pdf: Pdf, lead: &str, second: &str) -> Pdf {
    let lead = [
        lead,
        "The first line of the lead story runs here",
        "and it goes on in a second line of the column.",
    ];
    let second = [
        second,
        "Rain is said to come tomorrow in the afternoon",
        "so that everybody takes an umbrella along.",
    ];
    sheet_of(pdf, lead, second, Dictionary::new())
}

/// The same of two stories, each a headline and two lines, in the fonts of these resources where they name any.
pub fn sheet_of(pdf: Pdf, lead: [&str; 3], second: [&str; 3], resources: Dictionary) -> Pdf {
    let lines = [(40.0, 30, lead[0]), (55.0, 10, lead[1]), (60.0, 10, lead[2])].into_iter().chain([
        (120.0, 20, second[0]),
        (130.0, 10, second[1]),
        (135.0, 10, second[2]),
    ]);
    let mut pdf = pdf;
    let mut operations = Vec::new();
    for (y, size, words) in lines {
        operations.extend([
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec!["F1".into(), size.into()]),
            Operation::new(
                "Td",
                vec![Object::Real((20.0 * PT_PER_MM) as f32), Object::Real(((297.0 - y) * PT_PER_MM) as f32)],
            ),
            Operation::new("Tj", vec![Object::string_literal(words)]),
            Operation::new("ET", vec![]),
        ]);
    }
    let content = Content { operations }.encode().unwrap();
    let content = pdf.document.add_object(Stream::new(Dictionary::new(), content));
    pdf.add(210.0, 297.0, content, resources)
}

/// Resources of a page whose letters stand for longer words where a letter is named: what a reader of the page finds there.
pub fn letters_for(pdf: &mut Pdf, words: &[(char, &str)]) -> Dictionary {
    let chars: String = words
        .iter()
        .map(|(letter, words)| {
            let units: String = words.encode_utf16().map(|unit| format!("{unit:04x}")).collect();
            format!("<{:02x}> <{units}> ", u32::from(*letter))
        })
        .collect();
    let map = format!(
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange \
         1 beginbfrange <20> <7e> <0020> endbfrange {} beginbfchar {chars} endbfchar endcmap",
        words.len()
    );
    let map = pdf.document.add_object(Stream::new(Dictionary::new(), map.into_bytes()));
    let font = dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "ToUnicode" => map
    };
    dictionary! { "Resources" => dictionary! { "Font" => dictionary! { "F1" => font } } }
}

/// A paper of two pages.
pub fn paper() -> Vec<u8> {
    sheet(sheet(Pdf::new(), "Trees along the river", "Weather"), "A library in a tea mill", "Football")
        .bytes()
}

pub const TITLE: [(&str, &str); 6] = [
    ("name", "西湖晚报"),
    ("organiser", "西湖文化站"),
    ("number", "CN 33-0001"),
    ("description", "一张小报"),
    ("weekday", "0"),
    ("reading", "free"),
];

/// Sends the form of a new issue.
pub async fn send(
    maker: &Caller,
    kind: &str,
    title: &str,
    fields: &[(&str, &str)],
    file: Option<Vec<u8>>,
) -> reqwest::Response {
    let page = format!("/manager/{kind}/{title}/issue");
    let id = between(&maker.page(&page).await, "name=\"issue\" value=\"", "\"");
    let form = fields.iter().fold(Form::new().text("issue", id), |form, (name, value)| {
        form.text((*name).to_owned(), (*value).to_owned())
    });
    let form = match file {
        Some(bytes) => form.part("file", Part::bytes(bytes).file_name("paper.pdf")),
        None => form,
    };
    maker.post_multipart(&page, form).await
}

/// Makes an issue of a PDF whose pages are read, and answers its id.
pub async fn issue(maker: &Caller, kind: &str, title: &str, day: &str, pdf: Vec<u8>) -> String {
    let answer = send(maker, kind, title, &[("day", day)], Some(pdf)).await;
    if answer.status() != StatusCode::SEE_OTHER {
        panic!("refused: {}", between(&answer.text().await.unwrap(), "id=\"errors\"", "</div>"));
    }
    let issue = between(&location(&answer), &format!("/manager/{kind}_issue/"), "?done=made");
    // pages that take longer are read by a job
    let desk = format!("/manager/{kind}_issue/{issue}");
    until("the pages are read", async || !maker.page(&desk).await.contains("的文字正在读")).await;
    issue
}

pub async fn set(maker: &Caller, kind: &str, issue: &str, act: &str) {
    let answer = maker.post(&format!("/manager/{kind}_issue/{issue}/state"), &[("act", act)]).await;
    assert!(location(&answer).starts_with(&format!("/manager/{kind}_issue/{issue}?done=")), "{act}");
}

/// Somebody who publishes.
pub async fn editor(server: &Server) -> Caller {
    server.member_of("editor@example.com", "0", "超级会员").await
}

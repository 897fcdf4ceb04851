//! HTML in Markdown: its words are set as words, and what they are in as far as a book has it.
//!
//! The elements are those of the HTML standard, with those that it calls obsolete. What only looks like one (`Vec<String>`)
//! stays as it is written.

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};

use super::blocks::Align;
use super::builder::{Builder, Kind, Style};

/// What an element is to a book.
enum Element {
    /// Words around it are paragraphs of their own.
    Block,
    /// Its words are set as if it were not there.
    Inline,
    Styled(Style),
    /// It has no words, and nothing is lost without it.
    Silent,
    /// What can't be set, with everything in it.
    Lost,
    /// What [`Reading::start`] knows by its name.
    Own,
}

const ELEMENTS: &[(&str, Element)] = {
    use Element::{Block, Inline, Lost, Own, Silent, Styled};
    &[
        ("a", Own),
        ("abbr", Inline),
        ("acronym", Inline),
        ("address", Block),
        ("applet", Lost),
        ("area", Silent),
        ("article", Block),
        ("aside", Block),
        ("audio", Lost),
        ("b", Styled(Style::Strong)),
        ("base", Silent),
        ("bdi", Inline),
        ("bdo", Inline),
        ("big", Inline),
        ("blockquote", Own),
        ("body", Block),
        ("br", Own),
        ("button", Inline),
        ("canvas", Lost),
        ("caption", Own),
        ("center", Own),
        ("cite", Styled(Style::Emphasis)),
        ("code", Styled(Style::Code)),
        ("col", Silent),
        ("colgroup", Inline),
        ("data", Inline),
        ("datalist", Block),
        ("dd", Own),
        ("del", Styled(Style::Struck)),
        ("details", Block),
        ("dfn", Styled(Style::Emphasis)),
        ("dialog", Block),
        ("dir", Own),
        ("div", Block),
        ("dl", Block),
        ("dt", Own),
        ("em", Styled(Style::Emphasis)),
        ("embed", Lost),
        ("fieldset", Block),
        ("figcaption", Own),
        ("figure", Block),
        ("font", Inline),
        ("footer", Block),
        ("form", Block),
        ("frame", Lost),
        ("frameset", Block),
        ("h1", Own),
        ("h2", Own),
        ("h3", Own),
        ("h4", Own),
        ("h5", Own),
        ("h6", Own),
        ("head", Block),
        ("header", Block),
        ("hgroup", Block),
        ("hr", Own),
        ("html", Block),
        ("i", Styled(Style::Emphasis)),
        ("iframe", Lost),
        ("img", Own),
        ("input", Own),
        ("ins", Styled(Style::Underlined)),
        ("kbd", Styled(Style::Code)),
        ("label", Inline),
        ("legend", Block),
        ("li", Own),
        ("link", Silent),
        ("listing", Own),
        ("main", Block),
        ("map", Inline),
        ("mark", Styled(Style::Marked)),
        ("marquee", Block),
        ("math", Lost),
        ("menu", Own),
        ("meta", Silent),
        ("meter", Inline),
        ("nav", Block),
        ("nobr", Inline),
        ("noembed", Lost),
        ("noframes", Block),
        ("noscript", Block),
        ("object", Lost),
        ("ol", Own),
        ("optgroup", Block),
        ("option", Block),
        ("output", Inline),
        ("p", Own),
        ("param", Silent),
        ("picture", Inline),
        ("plaintext", Block),
        ("pre", Own),
        ("progress", Inline),
        ("q", Own),
        ("rb", Inline),
        ("rp", Own),
        ("rt", Own),
        ("rtc", Inline),
        ("ruby", Own),
        ("s", Styled(Style::Struck)),
        ("samp", Styled(Style::Code)),
        ("script", Lost),
        ("search", Block),
        ("section", Block),
        ("select", Block),
        ("slot", Inline),
        ("small", Inline),
        ("source", Silent),
        ("span", Inline),
        ("strike", Styled(Style::Struck)),
        ("strong", Styled(Style::Strong)),
        ("style", Lost),
        ("sub", Styled(Style::Sub)),
        ("summary", Own),
        ("sup", Styled(Style::Super)),
        ("svg", Lost),
        ("table", Own),
        ("tbody", Inline),
        ("td", Own),
        ("template", Lost),
        ("textarea", Block),
        ("tfoot", Inline),
        ("th", Own),
        ("thead", Inline),
        ("time", Inline),
        ("title", Block),
        ("tr", Own),
        ("track", Silent),
        ("tt", Styled(Style::Code)),
        ("u", Styled(Style::Underlined)),
        ("ul", Own),
        ("var", Styled(Style::Emphasis)),
        ("video", Lost),
        ("wbr", Own),
        ("xmp", Own),
    ]
};

/// Elements without an end.
const VOID: [&str; 15] = [
    "area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

fn element(name: &str) -> Option<&'static (&'static str, Element)> {
    ELEMENTS.binary_search_by(|(known, _)| (*known).cmp(name)).ok().and_then(|index| ELEMENTS.get(index))
}

/// The highest number that a list begins with, as CommonMark has it (5.2).
const MOST_START: usize = 999_999_999;

/// What is being read of one piece of HTML, or of the pieces in one paragraph.
#[derive(Default)]
pub(super) struct Reading {
    /// The element that is left out with everything in it, and how many of its name are open.
    lost: Option<(&'static str, usize)>,
    /// Inside of what is only for programs without ruby.
    is_passed: bool,
}

fn tokens(html: &str) -> impl Iterator<Item = Token<usize>> + '_ {
    let mut emitter = DefaultEmitter::new_with_span();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter).map(|token| match token {
        Ok(token) => token,
        Err(never) => match never {},
    })
}

fn name_of(name: &HtmlString) -> &str {
    std::str::from_utf8(name).unwrap_or_default()
}

fn attribute<'a>(tag: &'a StartTag<usize>, name: &str) -> Option<&'a str> {
    tag.attributes.get(name.as_bytes()).and_then(|value| std::str::from_utf8(&value.value).ok())
}

/// The addresses of pictures in a piece of HTML.
pub(super) fn addresses(html: &str) -> impl Iterator<Item = String> + '_ {
    tokens(html).filter_map(|token| match token {
        Token::StartTag(tag) if name_of(&tag.name) == "img" => attribute(&tag, "src").map(str::to_owned),
        _ => None,
    })
}

/// How deep elements may stand in each other where their ends are looked for.
const DEEPEST: usize = 64;

/// The line of a piece of HTML, from 0, where what it began has ended and words go on below it: they are Markdown to whoever
/// wrote them, though its rules make them HTML up to an empty line.
pub(super) fn ends_before(html: &str) -> Option<usize> {
    let mut open: Vec<String> = Vec::new();
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) if !tag.self_closing && !VOID.contains(&name_of(&tag.name)) => {
                // each end is looked for among them
                if open.len() == DEEPEST {
                    return None;
                }
                open.push(name_of(&tag.name).to_owned());
            }
            Token::EndTag(tag) => {
                if let Some(last) = open.iter().rposition(|name| name == name_of(&tag.name)) {
                    open.truncate(last);
                }
            }
            Token::String(text) if open.is_empty() && text.span.start > 0 => {
                let words = std::str::from_utf8(&text.value).unwrap_or_default();
                let (before, after) = words.split_once('\n')?;
                if !after.trim().is_empty() && before.trim().is_empty() {
                    let blank = after.len() - after.trim_start_matches('\n').len();
                    return Some(html.get(..text.span.start)?.matches('\n').count() + 1 + blank);
                }
            }
            _ => {}
        }
    }
    None
}

impl Reading {
    /// A piece of HTML that begins in this line. `keeps_lines` says that words outside of all elements keep their lines.
    pub fn read(&mut self, html: &str, line: usize, keeps_lines: bool, builder: &mut Builder) {
        let (mut at, mut counted, open) = (0, 0, builder.open_tags().count());
        builder.line = line;
        for token in tokens(html) {
            let span = match &token {
                Token::StartTag(tag) => tag.span,
                Token::EndTag(tag) => tag.span,
                Token::String(text) => text.span,
                Token::Comment(comment) => comment.span,
                Token::Doctype(doctype) => doctype.span,
                Token::Error(_) => continue,
            };
            builder.line += html.get(counted..span.start).map_or(0, |passed| passed.matches('\n').count());
            (at, counted) = (span.end.max(at), span.start.max(counted));
            let source = html.get(span.start..span.end).unwrap_or_default();
            match token {
                Token::StartTag(tag) => self.start(&tag, source, builder),
                Token::EndTag(tag) => self.end(name_of(&tag.name), source, builder),
                Token::String(text) => {
                    let keeps = keeps_lines && builder.open_tags().count() <= open;
                    self.words(&String::from_utf8_lossy(&text.value), keeps, builder);
                }
                Token::Comment(_) => {
                    note_comment(source, html.get(span.start..).unwrap_or_default(), builder)
                }
                Token::Doctype(_) | Token::Error(_) => {}
            }
        }
        // a tag without its end
        if let Some(rest) = html.get(at..).filter(|rest| !rest.trim().is_empty()) {
            self.words(rest, keeps_lines, builder);
        }
    }

    /// The words of Markdown between two pieces of HTML; nothing where they are left out.
    pub fn takes_words(&self) -> bool {
        self.lost.is_none() && !self.is_passed
    }

    fn words(&mut self, text: &str, keeps_lines: bool, builder: &mut Builder) {
        if !self.takes_words() {
            return;
        }
        if builder.is_preformatted() {
            return builder.write(text);
        }
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                if keeps_lines { builder.break_line() } else { builder.end_line() }
            }
            let blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\u{c}');
            let mut words = line.split(blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
            if words.is_empty() && !line.is_empty() && index == 0 && builder.is_in_line() {
                words.push(' ');
            } else if index == 0 && line.starts_with(blank) && builder.is_in_line() {
                words.insert(0, ' ');
            }
            if !words.trim().is_empty() && line.ends_with(blank) {
                words.push(' ');
            }
            if !words.is_empty() {
                builder.write(&words);
            }
        }
    }

    fn start(&mut self, tag: &StartTag<usize>, source: &str, builder: &mut Builder) {
        let Some((name, element)) = element(name_of(&tag.name)) else {
            // what is no element is what somebody wrote
            return self.words(source, false, builder);
        };
        if let Some((lost, depth)) = &mut self.lost {
            *depth += usize::from(lost == name && !tag.self_closing);
            return;
        }
        match element {
            Element::Block => builder.open_tag(name, Kind::Through(side(tag))),
            Element::Inline | Element::Silent => {}
            Element::Styled(_) if builder.is_preformatted() => {}
            Element::Styled(style) => builder.begin_style(*style),
            Element::Lost => {
                builder.left_out.tag(name, builder.line);
                let has_end = !VOID.contains(name) && !tag.self_closing;
                self.lost = has_end.then_some((name, 1));
            }
            Element::Own => self.start_own(name, tag, builder),
        }
    }

    fn start_own(&mut self, name: &'static str, tag: &StartTag<usize>, builder: &mut Builder) {
        let number = |name: &str| attribute(tag, name).and_then(|number| number.trim().parse::<usize>().ok());
        match name {
            "a" => builder.begin_link(attribute(tag, "href").unwrap_or_default()),
            "br" => builder.break_line(),
            "wbr" => builder.write("\u{200b}"),
            "hr" => {
                builder.end_words();
                builder.push(super::Block::Rule);
            }
            "img" => {
                let said = |name| attribute(tag, name).unwrap_or_default();
                builder.picture(said("src"), said("alt"), said("title"));
            }
            "input" => input(tag, builder),
            "q" => builder.write("“"),
            "ruby" => builder.begin_ruby(),
            "rt" => {
                self.is_passed = false;
                builder.begin_reading();
            }
            "rp" => {
                builder.end_reading();
                self.is_passed = true;
            }
            "blockquote" => builder.open_tag(name, Kind::Quote),
            "ul" | "menu" | "dir" => builder.open_tag(name, Kind::List(None)),
            "ol" => {
                builder.open_tag(name, Kind::List(Some(number("start").unwrap_or(1).min(MOST_START) as u64)))
            }
            "li" => {
                close_open(&["li"], &["ul", "ol", "menu", "dir"], builder);
                builder.open_tag(name, Kind::Item(None));
            }
            "table" => builder.open_tag(name, Kind::Table(Vec::new())),
            "caption" => builder.open_tag(name, Kind::Through(Align::Center)),
            "tr" => {
                close_open(&["tr"], &["table"], builder);
                builder.open_tag(name, Kind::Row);
            }
            "td" | "th" => {
                close_open(&["td", "th"], &["tr", "table"], builder);
                if builder.open_tags().next() == Some("table") {
                    builder.open_tag("tr", Kind::Row);
                }
                let covers = |name| number(name).unwrap_or(1).clamp(1, 1_000);
                builder.open_tag(name, Kind::Cell(covers("colspan"), covers("rowspan"), side(tag)));
            }
            "pre" | "listing" | "xmp" => builder.open_tag(name, Kind::Preformatted),
            "p" => {
                close_open(&["p"], &["td", "th", "li", "blockquote", "div"], builder);
                builder.open_tag(name, Kind::Through(side(tag)));
            }
            "center" | "figcaption" => builder.open_tag(name, Kind::Through(Align::Center)),
            "dt" | "summary" => {
                close_open(&["dt", "dd"], &["dl"], builder);
                builder.open_tag(name, Kind::Through(Align::Auto));
                builder.begin_style(Style::Strong);
            }
            "dd" => {
                close_open(&["dt", "dd"], &["dl"], builder);
                builder.open_tag(name, Kind::Quote);
            }
            _ => {
                let level = name.strip_prefix('h').and_then(|level| level.parse().ok());
                builder.open_tag(name, level.map_or(Kind::Through(Align::Auto), Kind::Heading));
            }
        }
    }

    fn end(&mut self, name: &str, source: &str, builder: &mut Builder) {
        let Some((name, element)) = element(name) else { return self.words(source, false, builder) };
        if let Some((lost, depth)) = &mut self.lost {
            *depth -= usize::from(lost == name);
            if *depth == 0 {
                self.lost = None;
            }
            return;
        }
        match (element, *name) {
            (Element::Styled(style), _) => builder.end_style(*style),
            (Element::Own, "a") => builder.end_link(),
            (Element::Own, "q") => builder.write("”"),
            (Element::Own, "rp") => self.is_passed = false,
            (Element::Own, "rt") => builder.end_reading(),
            (Element::Own, "ruby") => {
                self.is_passed = false;
                builder.end_ruby();
            }
            (Element::Own, "br") => builder.break_line(),
            (Element::Own, "img" | "input" | "wbr" | "hr") => {}
            (Element::Own, "dt" | "summary") => {
                builder.close_tag(name);
                builder.end_style(Style::Strong);
            }
            (Element::Block | Element::Own, _) => builder.close_tag(name),
            (Element::Inline | Element::Silent | Element::Lost, _) => {}
        }
    }
}

/// Ends those of the elements that are open inside of the nearest of `within`.
fn close_open(ended: &[&str], within: &[&str], builder: &mut Builder) {
    let open = builder.open_tags().take_while(|tag| !within.contains(tag)).find(|tag| ended.contains(tag));
    if let Some(tag) = open {
        if matches!(tag, "dt" | "summary") {
            builder.end_words();
            builder.end_style(Style::Strong);
        }
        builder.close_tag(tag);
    }
}

/// To which side `align` or the style sets what an element holds.
fn side(tag: &StartTag<usize>) -> Align {
    let style = attribute(tag, "style").and_then(|style| {
        let (_, value) = style.split_once("text-align")?;
        value.trim_start().strip_prefix(':')?.split(';').next()
    });
    let said = style.or_else(|| attribute(tag, "align")).unwrap_or_default().trim().to_ascii_lowercase();
    match said.as_str() {
        "center" | "middle" => Align::Center,
        "right" | "end" => Align::Right,
        "left" | "start" => Align::Left,
        _ => Align::Auto,
    }
}

/// A box to tick, or the words on a button.
fn input(tag: &StartTag<usize>, builder: &mut Builder) {
    match attribute(tag, "type").unwrap_or_default() {
        "checkbox" | "radio" if attribute(tag, "checked").is_some() => builder.write("☑ "),
        "checkbox" | "radio" => builder.write("☐ "),
        "hidden" => {}
        _ => builder.write(attribute(tag, "value").unwrap_or_default()),
    }
}

/// Comments are for nobody to read, unless the text is lost in one or it is something else.
fn note_comment(source: &str, rest: &str, builder: &mut Builder) {
    if !source.starts_with("<!--") {
        let name: String =
            source.trim_start_matches('<').chars().take_while(|c| !c.is_whitespace()).take(20).collect();
        builder.left_out.tag(name.trim_end_matches('>'), builder.line);
        return;
    }
    let is_ended = source.ends_with("-->") || source.ends_with("--!>");
    if !is_ended && !rest.contains("-->") && rest.trim_end().contains('\n') {
        builder.left_out.comments.push(builder.line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_by_their_names() {
        assert!(ELEMENTS.iter().all(|(name, _)| element(name).is_some_and(|found| found.0 == *name)));
    }

    #[test]
    fn what_goes_on_below_html_is_found() {
        for (html, line) in [
            ("<div>\n一\n</div>\n二\n", Some(3)),
            ("<div>\n一\n</div>\n<p>二</p>\n三", Some(4)),
            ("<hr>\n一\n", Some(1)),
            ("<p>一</p>二\n三\n", None),
            ("<div>\n一\n", None),
            ("<p>一\n<p>二\n", None),
        ] {
            assert_eq!(ends_before(html), line, "{html}");
        }
    }
}

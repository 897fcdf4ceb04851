//! What of a text is not set, with the lines where it stands.

use std::collections::BTreeMap;

/// Lines that a sentence names.
const MOST_LINES: usize = 10;
/// Words or tags that a sentence names.
const MOST_NAMED: usize = 12;

/// Gathers what is left out; lines count from 1.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    pub pictures: Vec<usize>,
    /// HTML by its tag.
    tags: BTreeMap<String, Vec<usize>>,
    /// Cells with words beyond the last column that fits.
    pub cells: Vec<usize>,
    /// Marks of footnotes that are nowhere in the text.
    pub unknown_notes: Vec<usize>,
    /// Footnotes whose mark is nowhere in the text; they are set where they stand.
    pub unused_notes: Vec<usize>,
    /// Lines that are read as the address of a link that nobody shows.
    pub addresses: Vec<usize>,
    /// Where links lead that are set without their address: those of headings and pictures.
    pub links: Vec<usize>,
    /// Comments without an end.
    pub comments: Vec<usize>,
    /// The last line of the metadata at the beginning, if there is any.
    pub metadata: Option<usize>,
}

impl LeftOut {
    pub fn tag(&mut self, name: &str, line: usize) {
        self.tags.entry(name.to_owned()).or_default().push(line);
    }

    /// Each kind as a sentence for the member.
    pub fn sentences(self, most_columns: usize) -> Vec<String> {
        let mut said = Vec::new();
        let mut say = |lines: &[usize], sentence: &dyn Fn(String, usize) -> String| {
            if !lines.is_empty() {
                said.push(sentence(named(lines), lines.len()));
            }
        };
        say(&self.pictures, &|at, count| {
            format!(
                "文字里的 {count} 张图片没有排进来（{at}）：图片要和文字装在同一个 .zip 里上传，并且打得开"
            )
        });
        let tags: Vec<usize> = self.tags.values().flatten().copied().collect();
        say(&tags, &|_, _| {
            let shown = self.tags.iter().take(MOST_NAMED);
            let each: Vec<String> =
                shown.map(|(name, lines)| format!("<{name}>（{}）", named(lines))).collect();
            let more = if self.tags.len() > MOST_NAMED { " 等" } else { "" };
            format!("这些 HTML 内容没有排进来：{}{more}", each.join("、"))
        });
        say(&self.comments, &|at, _| format!("{at}的注释 <!-- 没有结束，从那里起的文字没有排进来"));
        say(&self.cells, &|at, count| {
            format!("表格最多排 {most_columns} 列，多出来的 {count} 格没有排进来（{at}）")
        });
        say(&self.unknown_notes, &|at, _| format!("{at}的脚注标记没有对应的脚注，照原样排了"));
        say(&self.unused_notes, &|at, _| format!("{at}的脚注在正文里没有标记，排在了原处"));
        say(&self.addresses, &|at, _| {
            format!("{at}写成了链接的地址，没有地方用到，没有排进来；要排成文字，请在 [ 前面加一个 \\")
        });
        say(&self.links, &|at, _| {
            format!("{at}的链接只排了内容，没有排网址：标题、图片和整段的链接旁边放不下网址")
        });
        if let Some(last) = self.metadata {
            said.push(format!("开头的文件说明（第 1–{last} 行）没有排进来"));
        }
        said
    }
}

/// 第 3、8 行, each line once.
pub(super) fn named(lines: &[usize]) -> String {
    let mut lines = lines.to_vec();
    lines.sort_unstable();
    lines.dedup();
    let shown: Vec<String> = lines.iter().take(MOST_LINES).map(usize::to_string).collect();
    let more = if lines.len() > MOST_LINES { " 等" } else { "" };
    format!("第 {}{more} 行", shown.join("、"))
}

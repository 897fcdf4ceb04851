//! Lines that run from top to bottom though each of their characters is drawn as a line of its own.

use domain::reading::around;

use super::letters::{Letter, Run, gap, is_ideographic, is_opening, run};

/// How far apart characters are that stand under each other, of their size.
const PITCH: std::ops::Range<f64> = 0.8..1.8;
/// How far from one upright line they may stand, and how much they may differ in size.
const UPRIGHT: f64 = 0.35;
/// The same of marks that some programs set without the empty half of their square.
const OPENING: f64 = 0.6;
const SAME_SIZE: f64 = 1.1;
/// What stands beside a character nearer than this part of what stands below belongs to its line.
const BESIDE: f64 = 0.95;
/// White space between characters of a line that belong to lines that run down.
const WIDE: f64 = 0.5;
/// So many characters are a line; fewer where they are so much larger than others.
const LEAST: usize = 3;
const LARGE: f64 = 1.8;

/// Takes out characters that were drawn alone and stand under each other.
pub(super) fn stacks(groups: &mut Vec<Vec<Letter>>) -> Vec<Run> {
    let mut alone: Vec<((usize, usize), Letter)> = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let seen: Vec<(usize, &Letter)> =
            group.iter().enumerate().filter(|(_, letter)| letter.is_seen()).collect();
        // lines that run down may be drawn across
        let is_wide = seen.windows(2).all(|pair| gap(pair[0].1, pair[1].1) > WIDE * pair[0].1.size);
        let is_taken = |letter: &Letter| letter.is_level() && letter.text.chars().all(is_ideographic);
        if is_wide && seen.iter().all(|(_, letter)| is_taken(letter)) {
            alone.extend(seen.into_iter().map(|(at, letter)| ((index, at), letter.clone())));
        }
    }
    alone.sort_by(|(_, one), (_, other)| one.from.1.total_cmp(&other.from.1));
    let usual = usual(groups);
    let mut taken = vec![false; alone.len()];
    let mut gone: Vec<(usize, usize)> = Vec::new();
    let mut found = Vec::new();
    for first in 0..alone.len() {
        if taken[first] {
            continue;
        }
        let mut chain = vec![first];
        let mut last = first;
        while let Some(next) = below(&alone, &taken, last) {
            chain.push(next);
            last = next;
        }
        let letters: Vec<Letter> = chain.iter().map(|index| alone[*index].1.clone()).collect();
        let is_large = letters.len() > 1 && letters[0].size >= LARGE * usual;
        if (letters.len() >= LEAST || is_large) && stands_alone(&letters, groups) {
            for index in chain {
                taken[index] = true;
                gone.push(alone[index].0);
            }
            found.extend(upright(&letters));
        }
    }
    gone.sort_unstable();
    let is_gone = |group: usize, at: usize| gone.binary_search(&(group, at)).is_ok();
    let mut rest: Vec<Vec<Letter>> = Vec::new();
    for (index, group) in std::mem::take(groups).into_iter().enumerate() {
        if (0..group.len()).any(|at| is_gone(index, at)) {
            let others = group.into_iter().enumerate().filter(|(at, _)| !is_gone(index, *at));
            rest.extend(others.map(|(_, letter)| vec![letter]));
        } else {
            rest.push(group);
        }
    }
    *groups = rest;
    found
}

/// The size that most characters have.
fn usual(groups: &[Vec<Letter>]) -> f64 {
    let mut sizes: Vec<f64> = groups.iter().flatten().map(|letter| letter.size).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(1.0)
}

fn middle(letter: &Letter) -> f64 {
    f64::midpoint(letter.from.0, letter.to.0)
}

/// The next character under one.
fn below(alone: &[((usize, usize), Letter)], taken: &[bool], at: usize) -> Option<usize> {
    let letter = &alone[at].1;
    let near = alone[at + 1..]
        .iter()
        .take_while(|(_, other)| other.from.1 - letter.from.1 < PITCH.end * letter.size)
        .position(|(_, other)| {
            let (small, large) = (letter.size.min(other.size), letter.size.max(other.size));
            let opens = letter.text.chars().chain(other.text.chars()).any(is_opening);
            large <= SAME_SIZE * small
                && (middle(letter) - middle(other)).abs() < if opens { OPENING } else { UPRIGHT } * small
                && PITCH.contains(&((other.from.1 - letter.from.1) / small))
        });
    near.map(|index| at + 1 + index).filter(|index| !taken[*index])
}

/// Whether most of them have nothing beside them that is nearer than what is below them.
fn stands_alone(letters: &[Letter], groups: &[Vec<Letter>]) -> bool {
    let beside = letters.iter().zip(letters.iter().skip(1).chain(letters.iter().rev().nth(1))).filter(
        |(letter, next)| {
            let pitch = (next.from.1 - letter.from.1).abs() * BESIDE;
            groups.iter().flatten().any(|other| {
                let across = (middle(other) - middle(letter)).abs();
                other.is_seen()
                    && (other.from.1 - letter.from.1).abs() < 0.3 * letter.size
                    && across > 0.1 * letter.size
                    && across < pitch
            })
        },
    );
    beside.count() * 3 < letters.len()
}

/// They as one line.
fn upright(letters: &[Letter]) -> Option<Run> {
    let whole = run(&letters[..1])?;
    let frames = letters.iter().filter_map(|letter| run(std::slice::from_ref(letter)).map(|run| run.frame));
    let (frame, last) = (around(frames), letters.last()?.end());
    let text = letters.iter().flat_map(|letter| letter.text.trim().chars()).collect();
    let is_bold = letters.iter().all(|letter| letter.is_bold);
    Some(Run { text, frame, edges: Vec::new(), is_level: false, is_bold, last, ..whole })
}

//! Islands: HTML that works as it is, and what the browser's script needs to make more of it.
//!
//! The scripts are in `islands/src`; what each is given is a type of its slice, written out by ts-rs.

use leptos::prelude::*;
use serde::Serialize;

/// What an island is given.
pub trait Props: Serialize {
    /// What the island's script is called in `islands/src`.
    const NAME: &'static str;
}

/// An island: the name of its script, and what the script is given.
#[derive(Debug, Clone)]
pub struct Island {
    name: &'static str,
    props: String,
}

impl Island {
    /// An island with what it is given, a plain record.
    pub fn new<P: Props>(props: &P) -> Self {
        Self { name: P::NAME, props: serde_json::to_string(props).unwrap_or_default() }
    }
}

/// When the browser loads an island's script.
#[derive(Debug, Clone, Copy)]
pub enum When {
    /// As soon as it stands in the page.
    Load,
    /// When it comes into view.
    Visible,
    /// At the first sign that somebody is about to use it.
    Intent,
    /// When something was chosen in it.
    Change,
}

/// A place where an island may stand. Its children are what everybody sees who has no script, and what stays when
/// the script can't be loaded.
#[component]
pub fn ReactIsland(island: Island, when: When, children: Children) -> impl IntoView {
    let when = match when {
        When::Load => "load",
        When::Visible => "visible",
        When::Intent => "intent",
        When::Change => "change",
    };
    view! {
        <react-island data-name=island.name data-when=when data-props=island.props>
            {children()}
        </react-island>
    }
}

//! Small drawings of the bindings, seen from the back of the book.

use leptos::prelude::*;

/// A binding's picture by its key (`binding-saddle`, …): cover boards, leaves, and what holds them.
#[component]
pub fn BindingPicture(key: String, name: String) -> impl IntoView {
    // board thickness, whether the back is round, and the marks of the thread, wire or glue
    let thread = "M40 20v24M52 20v24M64 20v24M76 20v24M40 26h36M40 38h36";
    let (board, hold) = match key.as_str() {
        "binding-saddle" => (1, "M60 18l12 26M60 18l-12 26M58 26h4M58 36h4"),
        "binding-wire" => (2, "M30 14v6M40 14v6M50 14v6M60 14v6M70 14v6M80 14v6M90 14v6"),
        "binding-sewn" => (1, thread),
        "binding-hard-sewn" => (4, thread),
        "binding-deluxe" | "binding-mounted-hard" => (5, "M28 32h64"),
        "binding-panorama" | "binding-mounted-soft" => (2, "M28 32h64"),
        other if other.starts_with("binding-hard") => (4, "M36 44h48"),
        _ => (1, "M36 44h48"),
    };
    view! {
        <svg viewBox="0 0 120 64" role="img" aria-label=format!("{name}的样子")>
            <path fill="none" stroke="currentColor" stroke-width=board d="M16 46c14-8 30-8 44 0c14-8 30-8 44 0"/>
            <path
                fill="none"
                stroke="currentColor"
                stroke-width="1"
                d="M18 42c14-8 28-8 42 0c14-8 28-8 42 0M20 38c13-8 27-8 40 0c13-8 27-8 40 0M22 34c12-8 26-8 38 0c12-8 26-8 38 0"
            />
            <path fill="none" stroke="currentColor" stroke-width="1.5" d=hold/>
        </svg>
    }
}

//! Routes: what a slice says of each of its addresses in one row, and what is made of all rows: the router, the pages, who may
//! open what.

use std::collections::HashMap;

use axum::Router;
use axum::routing::{MethodRouter, get};
use leptos::prelude::AnyView;
use percent_encoding::percent_decode_str;

use crate::access::Policy;
use crate::app::App;
use crate::render;
use crate::slice::{AtDesk, House};

/// One address, with everything that is said of it.
#[derive(Debug, Clone, Copy)]
pub struct Route {
    /// As the router writes it: `/manager/opus/{id}`.
    pub pattern: &'static str,
    /// Who may open it.
    pub policy: Policy,
    /// What it is for a sub-member that works for a house; shut to it where nothing is said.
    pub at_desk: Option<AtDesk>,
    /// Whether what is sent there is done although nothing is written ([`read_only`](crate::read_only)).
    pub in_read_only: bool,
    page: Option<Page>,
    handlers: Option<Handlers>,
}

/// The component of a page.
pub type View = fn() -> AnyView;

/// Forms, calls, pictures, files: whatever is no page.
type Handlers = fn() -> MethodRouter<App>;

#[derive(Debug, Clone, Copy)]
struct Page {
    view: View,
    /// What answers GET with it.
    shown_by: Handlers,
}

impl Route {
    /// An address that is still to be answered.
    pub const fn new(pattern: &'static str, policy: Policy) -> Self {
        Self { pattern, policy, at_desk: None, in_read_only: false, page: None, handlers: None }
    }

    /// The same, open at a house's desk, too.
    pub const fn at_desk(self, at_desk: AtDesk) -> Self {
        Self { at_desk: Some(at_desk), ..self }
    }

    /// The same, open while nothing else is written: to end that, and to leave.
    pub const fn in_read_only(self) -> Self {
        Self { in_read_only: true, ..self }
    }

    /// The same, where GET shows a page.
    pub const fn page(self, view: View) -> Self {
        self.page_by(view, || get(render::page))
    }

    /// The same page by a handler of its own.
    pub const fn page_by(self, view: View, shown_by: Handlers) -> Self {
        Self { page: Some(Page { view, shown_by }), ..self }
    }

    /// The same with what answers beside the page.
    pub const fn handled(self, handlers: Handlers) -> Self {
        Self { handlers: Some(handlers), ..self }
    }

    /// Whether it shows a page: nothing else is fetched before it is asked for.
    pub fn is_page(&self) -> bool {
        self.page.is_some()
    }

    /// Whether anything answers there.
    pub fn is_answered(&self) -> bool {
        self.page.is_some() || self.handlers.is_some()
    }

    fn methods(&self) -> MethodRouter<App> {
        let shown_by = self.page.map(|page| page.shown_by);
        let answers = [shown_by, self.handlers].into_iter().flatten();
        answers.fold(MethodRouter::new(), |methods, more| methods.merge(more()))
    }
}

/// The routes of all slices.
pub struct RouteTable {
    by_pattern: HashMap<&'static str, &'static Route>,
    pages: matchit::Router<(&'static Route, View)>,
}

impl RouteTable {
    /// Those of a house.
    ///
    /// # Errors
    /// Two of its pages have addresses that can't be told apart.
    pub fn of(house: &'static House) -> Result<Self, matchit::InsertError> {
        let mut pages = matchit::Router::new();
        for route in house.routes() {
            if let Some(page) = route.page {
                pages.insert(route.pattern, (route, page.view))?;
            }
        }
        let by_pattern = house.routes().map(|route| (route.pattern, route)).collect();
        Ok(Self { by_pattern, pages })
    }

    /// The route of a pattern.
    pub fn find(&self, pattern: &str) -> Option<&'static Route> {
        self.by_pattern.get(pattern).copied()
    }

    /// The page at a path, and what stands in the path in the place of its parameters.
    pub fn page(&self, path: &str) -> Option<(View, Parameters)> {
        let found = self.pages.at(path).ok()?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let parameters = found.params.iter().map(|(name, text)| (name.to_owned(), decoded(text))).collect();
        Some((found.value.1, Parameters(parameters)))
    }

    /// The route of the page at a path.
    pub fn page_route(&self, path: &str) -> Option<&'static Route> {
        Some(self.pages.at(path).ok()?.value.0)
    }
}

/// What stands in a page's address in the place of its parameters, decoded.
#[derive(Debug, Clone, Default)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// One of them.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

/// Every route of a house, without its layers.
pub fn router(house: &'static House) -> Router<App> {
    house.routes().fold(Router::new(), |router, route| router.route(route.pattern, route.methods()))
}

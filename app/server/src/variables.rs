//! The table of variables, held against the sources and README.

use std::collections::BTreeSet;
use std::path::Path;

use base::variables::{OF_TESTS, Usual, table};

use crate::house::HOUSE;
use crate::testing::sources;

/// Around the table in README.
const BEGIN: &str = "<!-- variables -->\n";
const END: &str = "<!-- /variables -->";

#[test]
fn readme_has_the_table_of_variables() {
    let path = Path::new(env!("BINDERY_CHECKOUT")).join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("where the table begins");
    let (_, after) = rest.split_once(END).expect("where the table ends");
    let current = format!("{before}{BEGIN}{}{END}{after}", table(HOUSE.variables()));
    if std::env::var_os("BINDERY_WRITE_TYPES").is_some() {
        std::fs::write(&path, &current).unwrap();
    } else {
        assert!(text == current, "README's table is stale: run with BINDERY_WRITE_TYPES=1");
    }
}

#[test]
fn every_variable_is_declared_once_and_nobody_reads_another() {
    let mut declared = BTreeSet::new();
    for variable in HOUSE.variables() {
        assert!(declared.insert(variable.name.to_owned()), "{} stands twice", variable.name);
        if let Usual::Value(value) = variable.usual {
            assert!(variable.check(value).is_ok(), "{} may not be what it is usually", variable.name);
        }
    }
    for variable in HOUSE.variables().filter(|variable| variable.is_secret) {
        let by_file = format!("{}_FILE", variable.name);
        assert!(declared.insert(by_file.clone()), "{by_file} is two things");
    }
    let checkout = Path::new(env!("BINDERY_CHECKOUT"));
    let mut read = BTreeSet::new();
    for folder in ["app/base/src", "app/web/src", "app/server/src", "app/slices"] {
        for (path, text) in sources(&checkout.join(folder)) {
            // whose names are wrong on purpose
            if path.ends_with("variables/tests.rs") {
                continue;
            }
            for prefix in ["\"BINDERY_", "\"LEPTOS_"] {
                for rest in text.split(prefix).skip(1) {
                    let end = rest.find(|c: char| !c.is_ascii_uppercase() && c != '_').unwrap_or(rest.len());
                    // a sentence may begin with a name, too
                    read.insert(format!("{}{}", &prefix[1..], &rest[..end]));
                }
            }
        }
    }
    read.retain(|name| name != "BINDERY_" && name != "LEPTOS_");
    let known = |name: &String| declared.contains(name) || OF_TESTS.contains(&name.as_str());
    let others: Vec<&String> = read.iter().filter(|name| !known(name)).collect();
    assert!(others.is_empty(), "nobody declares {others:?}");
    assert!(read.len() > 60, "only {} names were found", read.len());
}

//! `bindery describe`: manual pages, completions of shells, and the file of the settings, made of what the command line and the
//! environment are read by. Packages have them from here.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use base::error::Failure;
use base::variables::{Usual, Variable};
use clap_complete::aot::{Shell, generate_to};
use clap_mangen::roff::{Roff, bold, roman};
use web::slice::House;

/// Letters of a line in the file of the settings.
const WIDTH: usize = 100;

/// How that file begins.
const HEAD: &str = "\
# The settings of Bindery 书坊: NAME=VALUE, each in its line, without quotes around the value. A line that
# begins with # sets nothing. `bindery check` looks at all of it. Of Debian's package: bindery-ctl check; then
# systemctl restart bindery makes it hold, and the data folder is /var/lib/bindery.
";

/// Writes all of them into a folder: `man`, `completions` and `bindery.env`.
pub fn write(house: &'static House, folder: &Path) -> Result<(), Failure> {
    let (man, completions) = (folder.join("man"), folder.join("completions"));
    fs::create_dir_all(&man)?;
    fs::create_dir_all(&completions)?;
    let mut reader = crate::cli::reader(house);
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        generate_to(shell, &mut reader, "bindery", &completions)?;
    }
    clap_mangen::generate_to(reader, &man)?;
    fs::write(man.join("bindery.env.5"), manual(house.variables()))?;
    fs::write(folder.join("bindery.env"), settings(house.variables()))?;
    Ok(())
}

/// The file of the settings, in which nothing is set.
fn settings<'a>(variables: impl Iterator<Item = &'a Variable>) -> String {
    let mut file = HEAD.to_owned();
    for Variable { name, usual, is_secret, about, .. } in variables {
        let (value, otherwise) = match usual {
            Usual::Value(value) => (*value, String::new()),
            Usual::Words(words) => ("", format!(" Otherwise: {words}.")),
        };
        let _ = write!(file, "\n{}#{name}={value}\n", comment(&format!("{about}.{otherwise}")));
        if *is_secret {
            let _ = writeln!(file, "#{name}_FILE=");
        }
    }
    file
}

/// A text as lines of a comment.
fn comment(text: &str) -> String {
    let mut lines = vec!["#".to_owned()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() == 1 || line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("# {word}")),
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The manual page of the settings.
fn manual<'a>(variables: impl Iterator<Item = &'a Variable>) -> String {
    let mut page = Roff::new();
    page.control("TH", ["bindery.env", "5"]);
    page.control("SH", ["NAME"]).text([roman("bindery.env - settings of Bindery")]);
    page.control("SH", ["DESCRIPTION"]).text([roman(
        "Settings stand in the environment. Debian's package reads them from /etc/bindery/bindery.env: NAME=VALUE, each in its \
         line, without quotes. Where a name with _FILE is listed, it may name a file that holds the value in one line.",
    )]);
    page.control("SH", ["ENVIRONMENT"]);
    for Variable { name, usual, is_secret, about, .. } in variables {
        let usual = match usual {
            Usual::Value(value) => format!("Usually {value}."),
            Usual::Words(words) => format!("Otherwise: {words}."),
        };
        let mut names = vec![bold(*name)];
        if *is_secret {
            names.extend([roman(", "), bold(format!("{name}_FILE"))]);
        }
        page.control("TP", []).text(names).text([roman(format!("{about}. {usual}").replace('`', ""))]);
    }
    page.control("SH", ["SEE ALSO"]).text([bold("bindery"), roman("(1)")]);
    page.render()
}

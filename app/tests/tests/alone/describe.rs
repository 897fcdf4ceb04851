//! What packages have of the program itself: manual pages, completions, the file of the settings.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use support::{between, program, repository};

/// What the program writes, by its path in the folder.
fn described() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    assert!(Command::new(program()).arg("describe").arg(folder.path()).status().unwrap().success());
    let path = folder.path().to_owned();
    let read = move |name: &str| fs::read_to_string(path.join(name)).unwrap_or_else(|_| panic!("no {name}"));
    (folder, read)
}

/// The words that stand as commands in a help.
fn commands(arguments: &[&str]) -> Vec<String> {
    let said = Command::new(program()).args(arguments).arg("--help").output().unwrap();
    let help = String::from_utf8(said.stdout).unwrap();
    let Some((_, list)) = help.split_once("Commands:\n") else { return Vec::new() };
    let lines = list.lines().take_while(|line| !line.is_empty());
    let words = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    words
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| *word != "help")
        .map(Into::into)
        .collect()
}

/// README's table has every variable; a test of the program sees to that.
#[test]
fn every_variable_is_a_comment_of_the_file_and_in_the_manual() {
    let (_folder, read) = described();
    let (file, page) = (read("bindery.env"), read("man/bindery.env.5"));
    let readme = fs::read_to_string(repository("README.md")).unwrap();
    let table = between(&readme, "<!-- variables -->", "<!-- /variables -->");
    let mut expected = BTreeSet::new();
    for row in table.lines().filter(|row| row.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let names: Vec<String> = cells[0].split('`').skip(1).step_by(2).map(str::to_owned).collect();
        assert!(
            names.iter().all(|name| page.contains(&format!("\\fB{name}\\fR"))),
            "the manual has no {names:?}"
        );
        if let Some(usual) = cells[2].strip_prefix('`').and_then(|rest| rest.strip_suffix("` |")) {
            assert!(file.contains(&format!("\n#{}={usual}\n", names[0])), "what {} is usually", names[0]);
        }
        expected.extend(names);
    }
    assert!(expected.len() > 60, "only {} names were found", expected.len());
    let mut found = BTreeSet::new();
    for line in file.lines() {
        assert!(line.is_empty() || line.starts_with('#'), "{line:?} sets something");
        // there systemd would go on with the next line
        assert!(!line.ends_with('\\'), "{line:?}");
        if let Some((name, _)) = line.strip_prefix('#').and_then(|rest| rest.split_once('='))
            && !name.contains(' ')
        {
            assert!(found.insert(name.to_owned()), "{name} stands twice");
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn every_command_has_a_manual_page_and_completions() {
    let (_folder, read) = described();
    let completions =
        ["completions/bindery.bash", "completions/_bindery", "completions/bindery.fish"].map(&read);
    let all = commands(&[]);
    assert!(all.len() > 20, "only {all:?} were found");
    for name in all {
        let manual = read(&format!("man/bindery-{name}.1")).replace("\\-", "-");
        for part in commands(&[&name]) {
            read(&format!("man/bindery-{name}-{part}.1"));
            assert!(manual.contains(&part), "bindery-{name}(1) names no {part}");
        }
        assert!(completions.iter().all(|text| text.contains(&name)), "{name} is not completed");
    }
}

/// Who installs by an image copies one of these: a name that the program does not know would stop it.
#[test]
fn the_files_of_compose_set_what_the_program_knows() {
    let (_folder, read) = described();
    let file = read("bindery.env");
    for name in ["compose.yaml", "compose.postgres-s3.yaml"] {
        let text = fs::read_to_string(repository("packaging/compose").join(name)).unwrap();
        let settings = text.lines().map(str::trim).filter_map(|line| line.split_once(':'));
        let settings: Vec<&str> = settings
            .map(|(setting, _)| setting)
            .filter(|setting| setting.starts_with("BINDERY_") || setting.starts_with("AWS_"))
            .collect();
        assert!(settings.len() >= 3, "{name} sets only {settings:?}");
        for setting in settings {
            assert!(file.contains(&format!("\n#{setting}=")), "{name}: {setting}");
        }
        assert!(text.contains("test: [CMD, bindery, health]") && text.contains("/var/lib/bindery"), "{name}");
    }
}

//! What slices can do on the command line.

use std::future::Future;
use std::pin::Pin;

use base::error::Failure;
use clap::ArgMatches;

use crate::app::App;

/// Commands of a slice under one word: made by [`command!`](crate::command).
#[derive(Clone, Copy)]
pub struct Command {
    /// The word.
    pub name: &'static str,
    /// Another one for the same.
    pub alias: Option<&'static str>,
    /// What they are for, as the help says it.
    pub about: &'static str,
    /// Adds what may stand behind the word.
    pub parts: fn(clap::Command) -> clap::Command,
    /// Runs the one that was read.
    pub run: Run,
}

/// See [`Command::run`].
pub type Run = for<'a> fn(&'a App, &'a ArgMatches) -> Pin<Box<dyn Future<Output = Result<(), Failure>> + 'a>>;

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Command").field(&self.name).finish()
    }
}

impl Command {
    /// As the command line reads it.
    pub fn reader(&self) -> clap::Command {
        // what their type says of itself is for whoever reads the code
        let word = (self.parts)(clap::Command::new(self.name)).about(self.about);
        let word = word.subcommand_required(true).arg_required_else_help(true);
        self.alias.into_iter().fold(word, clap::Command::visible_alias)
    }
}

/// Commands under a word, of a type that `clap` reads and the function that runs one.
#[macro_export]
macro_rules! command {
    ($name:literal, $about:literal, $commands:ty, $run:path) => {
        $crate::commands::Command {
            name: $name,
            alias: None,
            about: $about,
            parts: <$commands as clap::Subcommand>::augment_subcommands,
            run: |app, read| {
                Box::pin(async move {
                    $run(app, <$commands as clap::FromArgMatches>::from_arg_matches(read)?).await
                })
            },
        }
    };
}

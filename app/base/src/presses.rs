//! The presses that print files are made for: the house's own, and those of suppliers, as a file says them
//! (`BINDERY_SUPPLIERS`). Goods name their supplier, and may ask for something else; goods go before their supplier, and
//! that before the house.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use domain::goods::Goods;
use domain::print_settings::{PrintSettings, PrintStandard};
use press::{OutputCondition, Press};
use serde::{Deserialize, Serialize};

/// The suppliers that the house knows, and the profiles of their presses.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Suppliers {
    /// Where the ICC profiles are that goods and suppliers name.
    profiles: BTreeMap<String, PathBuf>,
    suppliers: BTreeMap<String, PrintSettings>,
}

impl Suppliers {
    /// Reads a file; the profiles that it names are looked for beside it, and read once, so that one that is none is said at
    /// the start.
    ///
    /// # Errors
    /// It can't be read, or can't be so.
    pub fn open(path: &Path) -> Result<Self, String> {
        let said = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| said(&error))?;
        let mut read: Self = toml::from_str(&text).map_err(|error| said(&error))?;
        let beside = path.parent().unwrap_or(Path::new("."));
        for profile in read.profiles.values_mut() {
            *profile = beside.join(&*profile);
            of_profile(Some(profile)).map_err(|error| said(&error))?;
        }
        for (name, settings) in &read.suppliers {
            let unknown = settings.profile.as_ref().filter(|profile| !read.profiles.contains_key(*profile));
            let unknown = unknown.map(|profile| format!("没有叫“{profile}”的 profile"));
            if let Some(problem) = settings.problem().or(unknown) {
                return Err(said(&format!("{name}: {problem}")));
            }
        }
        Ok(read)
    }
}

/// A press by its profile; the one that is usual where there is none.
fn of_profile(path: Option<&Path>) -> Result<OutputCondition, String> {
    let Some(path) = path else { return Ok(OutputCondition::default()) };
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let icc = std::fs::read(path).map_err(|error| failed(&error))?;
    OutputCondition::of_profile(icc).map_err(|error| failed(&error))
}

/// What is said of a shop's press.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PressSettings {
    pub(crate) profile: Option<PathBuf>,
    /// A share: 3.2 is 320 %.
    pub(crate) total_ink: Option<f64>,
    pub(crate) overprint_below_pt: Option<f64>,
    /// Spot colours that are printed as such.
    #[serde(default)]
    pub(crate) spots: Vec<String>,
}

impl PressSettings {
    /// The press. It is kept for as long as the program runs.
    ///
    /// # Errors
    /// Its profile can't be read, or is none of four inks.
    pub fn condition(&self) -> Result<&'static OutputCondition, String> {
        let mut condition = of_profile(self.profile.as_deref())?;
        condition.total_ink = self.total_ink.unwrap_or(condition.total_ink);
        condition.overprint_below_pt = self.overprint_below_pt.unwrap_or(condition.overprint_below_pt);
        condition.spots.clone_from(&self.spots);
        Ok(Box::leak(Box::new(condition)))
    }
}

/// What files are made with: the press, and who has it.
#[derive(Debug, Clone)]
pub struct Printing {
    pub press: Press,
    /// What a program of its own is told of the press.
    pub printed_on: PressSettings,
    /// Who prints; nothing where it is the house.
    pub supplier: Option<String>,
    /// What the profile is called.
    pub profile: String,
}

impl Printing {
    /// The most ink in one place, in percent.
    pub fn total_ink(&self) -> f64 {
        // kept as a share, which is no whole number of percent any more
        (self.press.condition().total_ink * 10_000.0).round() / 100.0
    }

    /// Spot colours that are printed with inks of their own.
    pub fn spots(&self) -> &[String] {
        &self.press.condition().spots
    }

    /// For people: what the files follow.
    pub fn in_words(&self) -> String {
        let supplier = self.supplier.as_ref().map(|name| format!("{name} · ")).unwrap_or_default();
        let standard = self.press.standard().name();
        let spots = self.spots().join("、");
        let spots = if spots.is_empty() { spots } else { format!(" · 专色 {spots}") };
        format!("{supplier}{standard} · {} · 总墨量 {}%{spots}", self.profile, self.total_ink())
    }
}

/// All presses of a running program.
#[derive(Debug)]
pub struct Presses {
    house: (PrintStandard, PressSettings),
    suppliers: Suppliers,
    /// Those that were made: profiles are read once.
    made: Mutex<Vec<(PressSettings, &'static OutputCondition)>>,
}

impl Presses {
    /// Of what the house is told.
    ///
    /// # Errors
    /// Its own press can't be made.
    pub fn new(
        standard: PrintStandard,
        printed_on: &PressSettings,
        suppliers: Suppliers,
    ) -> Result<Self, String> {
        let presses = Self { house: (standard, printed_on.clone()), suppliers, made: Mutex::new(Vec::new()) };
        presses.condition(printed_on)?;
        Ok(presses)
    }

    /// The house's own.
    ///
    /// # Errors
    /// Its profile is gone.
    pub fn house(&self) -> Result<Printing, String> {
        self.of(None, &PrintSettings::default())
    }

    /// What goods are printed with.
    ///
    /// # Errors
    /// A sentence for whoever keeps them: the house knows no such supplier or profile.
    pub fn of_goods(&self, goods: &Goods) -> Result<Printing, String> {
        self.of(goods.supplier.as_deref(), &goods.print)
    }

    /// The same of what goods say.
    ///
    /// # Errors
    /// As [`Self::of_goods`].
    pub fn of(&self, supplier: Option<&str>, goods: &PrintSettings) -> Result<Printing, String> {
        let nothing = PrintSettings::default();
        let of_supplier = match supplier {
            None => &nothing,
            Some(name) => self.suppliers.suppliers.get(name).ok_or_else(|| {
                format!("本站没有设置供应商“{name}”（BINDERY_SUPPLIERS），不知道按什么标准做文件")
            })?,
        };
        let asked = goods.over(of_supplier);
        let (standard, house) = &self.house;
        let mut printed_on = house.clone();
        if let Some(name) = &asked.profile {
            let path = self.suppliers.profiles.get(name);
            let unknown = || format!("本站没有设置名为“{name}”的输出特性文件（BINDERY_SUPPLIERS）");
            printed_on.profile = Some(path.ok_or_else(unknown)?.clone());
        }
        if let Some(percent) = asked.total_ink {
            printed_on.total_ink = Some(f64::from(percent) / 100.0);
        }
        let standard = asked.standard.unwrap_or(*standard);
        printed_on.spots = asked.spots.clone().unwrap_or_default();
        if let Some(problem) = (PrintSettings { standard: Some(standard), ..asked.clone() }).problem() {
            return Err(problem);
        }
        let condition = self.condition(&printed_on)?;
        Ok(Printing {
            press: Press::following(standard).printed_on(condition),
            printed_on,
            supplier: supplier.map(str::to_owned),
            profile: asked.profile.unwrap_or_else(|| condition.name().to_owned()),
        })
    }

    fn condition(&self, settings: &PressSettings) -> Result<&'static OutputCondition, String> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = made.iter().find(|(known, _)| known == settings) {
            return Ok(known);
        }
        // other ink on the same press: its profile is shared
        let same = made.iter().find(|(known, _)| known.profile == settings.profile);
        let condition: &'static OutputCondition = match same {
            None => settings.condition()?,
            Some((_, known)) => {
                let usual = OutputCondition::default();
                let mut condition = known.sharing_profile();
                condition.total_ink = settings.total_ink.unwrap_or(usual.total_ink);
                condition.overprint_below_pt =
                    settings.overprint_below_pt.unwrap_or(usual.overprint_below_pt);
                condition.spots.clone_from(&settings.spots);
                Box::leak(Box::new(condition))
            }
        };
        made.push((settings.clone(), condition));
        Ok(condition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile of four inks, wherever the test runs.
    const COATED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../photo/src/coated.icc");

    fn suppliers(text: &str) -> Result<Suppliers, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(COATED, folder.path().join("own.icc")).unwrap();
        let file = folder.path().join("suppliers.toml");
        std::fs::write(&file, text).unwrap();
        let mut read = Suppliers::open(&file)?;
        // the folder goes
        read.profiles.values_mut().for_each(|path| *path = COATED.into());
        Ok(read)
    }

    fn settings(text: &str) -> PrintSettings {
        toml::from_str(text).unwrap()
    }

    const TWO: &str = r#"
        [profiles]
        "胶版纸" = "own.icc"
        [suppliers."城西一厂"]
        standard = "pdfx-1a"
        profile = "胶版纸"
        total_ink = 280
        [suppliers."城东二厂"]
        total_ink = 300
    "#;

    #[test]
    fn goods_go_before_their_supplier_and_that_before_the_house() {
        let house = PressSettings { total_ink: Some(3.1), ..PressSettings::default() };
        let presses = Presses::new(PrintStandard::X4, &house, suppliers(TWO).unwrap()).unwrap();
        let said = |supplier: Option<&str>, goods: &str| {
            presses.of(supplier, &settings(goods)).map(|printing| printing.in_words())
        };
        assert_eq!(said(None, "").unwrap(), "PDF/X-4 · FOGRA39 · 总墨量 310%");
        assert_eq!(said(Some("城西一厂"), "").unwrap(), "城西一厂 · PDF/X-1a:2003 · 胶版纸 · 总墨量 280%");
        assert_eq!(said(Some("城东二厂"), "").unwrap(), "城东二厂 · PDF/X-4 · FOGRA39 · 总墨量 300%");
        assert_eq!(
            said(Some("城西一厂"), "standard = 'pdfx-4'\ntotal_ink = 260").unwrap(),
            "城西一厂 · PDF/X-4 · 胶版纸 · 总墨量 260%"
        );
        assert_eq!(
            said(None, "profile = '胶版纸'\ntotal_ink = 240").unwrap(),
            "PDF/X-4 · 胶版纸 · 总墨量 240%"
        );
        assert!(said(Some("城北三厂"), "").unwrap_err().contains("城北三厂"));
        assert!(said(None, "profile = '铜版纸'\ntotal_ink = 300").unwrap_err().contains("铜版纸"));
        // each of them is another file
        let key =
            |supplier, goods: &str| presses.of(supplier, &settings(goods)).unwrap().press.printing_key();
        let keys = [
            key(None, ""),
            key(None, "standard = 'pdfx-1a'"),
            key(None, "total_ink = 240"),
            key(None, "profile = '胶版纸'\ntotal_ink = 240"),
            key(Some("城西一厂"), ""),
            key(Some("城东二厂"), ""),
        ];
        for (index, one) in keys.iter().enumerate() {
            assert!(keys.iter().skip(index + 1).all(|other| other != one), "{index}");
        }
        let spot = "spots = ['PANTONE 185 C']";
        assert_eq!(
            said(Some("城东二厂"), spot).unwrap(),
            "城东二厂 · PDF/X-4 · FOGRA39 · 总墨量 300% · 专色 PANTONE 185 C"
        );
        assert_ne!(key(Some("城东二厂"), ""), key(Some("城东二厂"), spot));
        // whose files have four inks and nothing else
        assert!(said(Some("城西一厂"), spot).unwrap_err().contains("pdfx-1a"));
        assert_eq!(key(None, "total_ink = 300"), key(Some("城东二厂"), ""), "the name is in no file");
    }

    #[test]
    fn a_file_of_suppliers_that_can_not_be_so_is_refused_at_the_start() {
        for (text, said) in [
            ("[suppliers.'甲']\nstandart = 'pdfx-4'", "standart"),
            ("[suppliers.'甲']\nprofile = '没有'\ntotal_ink = 300", "没有叫“没有”的 profile"),
            ("[profiles]\n'己' = 'own.icc'\n[suppliers.'甲']\nprofile = '己'", "total_ink"),
            ("[suppliers.'甲']\ntotal_ink = 500", "150 到 400"),
            ("[profiles]\n'己' = 'gone.icc'", "gone.icc"),
            ("[profiles]\n'己' = 'suppliers.toml'", "ICC"),
        ] {
            let refusal = suppliers(text).unwrap_err();
            assert!(refusal.contains(said) && refusal.contains("suppliers.toml"), "{text}: {refusal}");
        }
    }
}

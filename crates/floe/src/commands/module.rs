//! `--module`: rules and engines for browsers, instead of those in this binary.

use std::path::PathBuf;

use anyhow::{Context, Result};
use floe_web::use_module;

/// The WebAssembly module of the pages.
#[derive(clap::Args, Clone)]
pub(crate) struct ModuleArgs {
    /// Folder with floe.wasm and floe.js to use [default: the module inside this program]
    #[arg(long, value_name = "FOLDER")]
    module: Option<PathBuf>,
}

impl ModuleArgs {
    pub(crate) fn apply(&self) -> Result<()> {
        let Some(module) = &self.module else {
            return Ok(());
        };
        use_module(module).with_context(|| {
            let module = module.display();
            format!("{module}: no module is there; crates/browser/build makes one")
        })
    }
}

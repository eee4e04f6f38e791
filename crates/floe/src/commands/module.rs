//! `--module`: rules and engines for browsers, other than those in this program.

use std::path::PathBuf;

use anyhow::{Context, Result};
use floe_web::use_module;

/// Which WebAssembly module pages have.
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

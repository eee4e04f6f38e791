//! Offers this binary to workers that accept updates.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::mpsc::UnboundedReceiver;

use super::workers::Workers;
use crate::config::Key;
use crate::error::ClusterError;
use crate::link::Link;
use crate::update::{self, VERSION};
use crate::wire::{Offer, Order, control_subject};

/// Pause before a worker that did not update gets the offer again, and before the store is asked
/// for the binary again.
const PAUSE: Duration = Duration::from_secs(30);

/// The offered binary, and the workers that got an offer.
pub(super) struct Updates {
    link: Link,
    key: Key,
    workers: Arc<Mutex<Workers>>,
    /// Made for the first worker that needs it, with the time of the last check of the store.
    offer: Option<(Offer, Instant)>,
    offered: HashMap<String, Instant>,
}

impl Updates {
    pub(super) fn new(link: Link, key: Key, workers: Arc<Mutex<Workers>>) -> Updates {
        Updates {
            link,
            key,
            workers,
            offer: None,
            offered: HashMap::new(),
        }
    }

    /// Sends an offer to each worker that asks.
    pub(super) async fn run(mut self, mut wishes: UnboundedReceiver<String>) {
        while let Some(worker) = wishes.recv().await {
            let last = self.offered.get(&worker);
            if last.is_some_and(|when| when.elapsed() < PAUSE) {
                continue;
            }
            if let Err(error) = self.make_offer(&worker).await {
                let mut workers = self.workers.lock();
                workers.remark(format!(
                    "floe {VERSION} cannot be offered to workers: {error}"
                ));
            }
            self.offered.insert(worker, Instant::now());
        }
    }

    async fn make_offer(&mut self, worker: &str) -> Result<(), ClusterError> {
        let offer = match &self.offer {
            Some((offer, looked)) if looked.elapsed() < PAUSE => offer.clone(),
            _ => {
                let offer = self.uploaded().await?;
                self.offer = Some((offer.clone(), Instant::now()));
                offer
            }
        };
        let order = serde_json::to_vec(&Order::Update(offer)).unwrap_or_default();
        let client = &self.link.client;
        let sent = client.publish(control_subject(worker), order.into()).await;
        sent.map_err(crate::error::refused("carry an offer"))
    }

    /// The offer of this binary, uploaded to the store.
    async fn uploaded(&self) -> Result<Offer, ClusterError> {
        let read = tokio::task::spawn_blocking(update::own_binary).await;
        let binary = read.map_err(std::io::Error::other)??;
        let offer = match &self.offer {
            Some((offer, _)) => offer.clone(),
            None => update::sign(&self.key, VERSION, &update::machine(), &binary)?,
        };
        update::upload(&self.link, &offer, &binary).await?;
        Ok(offer)
    }
}

//! Serving one client over a pair of byte streams, and over the process's own.

use std::io;
use std::panic;
use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::server::{Server, Settings};
use crate::source::BundleSource;
use crate::telemetry::Telemetry;
use crate::transport::LineTransport;

/// Why serving ended other than by the end of the input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// No runtime could be had from the system.
    #[error("the server can't start: {0}")]
    Start(#[source] io::Error),
    /// The requests can't be read.
    #[error("standard input can't be read: {0}")]
    Read(#[source] io::Error),
    /// The answers can't be written, though the client is still there.
    #[error("standard output can't be written: {0}")]
    Write(#[source] io::Error),
    /// The protocol loop stopped by itself.
    #[error("the server stopped: {0}")]
    Stopped(String),
}

/// Serves the client on standard input and output until the input ends, and answers what it had sent by then.
///
/// The bundle that is served at first is the caller's to log; later ones are logged here.
///
/// This takes over the process's streams: nothing else may write to standard output meanwhile. It also takes over
/// the panic hook, because a panic's message may quote artifacts, which logs never do.
///
/// # Errors
///
/// [`ServeError`] if the streams fail. The end of the input at any moment and a client that closes its side of the
/// output are no errors.
pub fn serve_stdio(source: Arc<dyn BundleSource>, settings: Settings) -> Result<(), ServeError> {
    let server = Server::new(source, settings);
    log_panics(server.telemetry());
    server.begin();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let served = runtime.block_on(async {
        let (input, output) = rmcp::transport::stdio_pipes();
        serve_on(server, input, output).await
    });
    // A read of standard input can't be called back, and must not keep the process alive.
    runtime.shutdown_background();
    served
}

/// Serves one client over `input` and `output` until the input ends. Must be called within a runtime.
///
/// # Errors
///
/// As for [`serve_stdio`].
pub async fn serve_on<R, W>(server: Server, input: R, output: W) -> Result<(), ServeError>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (transport, ending) = LineTransport::new(input, output, Server::versions().to_vec());
    let stopped = match server.serve(transport).await {
        Ok(running) => match running.waiting().await {
            Ok(QuitReason::Closed) => None,
            Ok(reason) => Some(format!("{reason:?}")),
            Err(error) => Some(error.to_string()),
        },
        // The input ended, or the client went away, before the connection was open.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::TransportError { .. }) => {
            None
        }
        Err(error) => Some(error.to_string()),
    };
    match (ending.settle().await, stopped) {
        ((Some(error), _), _) => Err(ServeError::Read(error)),
        ((_, Some(error)), _) => Err(ServeError::Write(error)),
        (_, Some(reason)) => Err(ServeError::Stopped(reason)),
        _ => Ok(()),
    }
}

fn log_panics(telemetry: Arc<Telemetry>) {
    panic::set_hook(Box::new(move |panic| match panic.location() {
        Some(place) => telemetry.panicked(&format!("{}:{}", place.file(), place.line())),
        None => telemetry.panicked("unknown place"),
    }));
}

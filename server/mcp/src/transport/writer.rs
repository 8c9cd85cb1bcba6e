//! The writing half: a short queue of lines and the task that writes them.

use std::io;

use rmcp::RoleServer;
use rmcp::service::TxJsonRpcMessage;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How many lines may wait. A client that doesn't read its answers stops being read, rather than filling memory.
const QUEUED_LINES: usize = 4;

/// Where lines are queued. The task ends when the last of these is gone and its lines are written.
#[derive(Clone)]
pub(super) struct Outgoing(mpsc::Sender<Vec<u8>>);

/// A place in the queue.
pub(super) struct Place<'a>(mpsc::Permit<'a, Vec<u8>>);

/// The task that writes.
pub(super) struct Writer(JoinHandle<io::Result<()>>);

/// Starts writing to `output`.
pub(super) fn start<W>(output: W) -> (Outgoing, Writer)
where
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (lines, queue) = mpsc::channel(QUEUED_LINES);
    (Outgoing(lines), Writer(tokio::spawn(write(queue, output))))
}

impl Outgoing {
    /// Waits for a place; `None` if nothing can be written any more. Cancel-safe.
    pub(super) async fn reserve(&self) -> Option<Place<'_>> {
        self.0.reserve().await.ok().map(Place)
    }

    /// Waits until nothing can be written any more.
    pub(super) async fn closed(&self) {
        self.0.closed().await;
    }
}

impl Place<'_> {
    /// Queues a message.
    pub(super) fn send(self, message: &TxJsonRpcMessage<RoleServer>) {
        // Protocol types and JSON values always serialize.
        if let Ok(mut line) = serde_json::to_vec(message) {
            line.push(b'\n');
            self.0.send(line);
        }
    }
}

impl Writer {
    /// Waits until all is written. A reader that went away is no error: there is no one left to tell.
    pub(super) async fn finish(self) -> io::Result<()> {
        match self.0.await {
            Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Ok(written) => written,
            Err(stopped) => Err(io::Error::other(stopped)),
        }
    }
}

async fn write<W: AsyncWrite + Unpin>(mut queue: mpsc::Receiver<Vec<u8>>, mut output: W) -> io::Result<()> {
    while let Some(line) = queue.recv().await {
        output.write_all(&line).await?;
        // Flush once the queue is empty rather than after every line.
        if queue.is_empty() {
            output.flush().await?;
        }
    }
    output.flush().await
}

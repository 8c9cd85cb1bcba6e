//! The transport over a pair of byte streams: one JSON-RPC message a line, each answered, in the order they came.
//!
//! ```text
//!   Lines ──> envelope ──> Lifecycle ──> next ──(turn)──> rmcp ──> handler
//!                 │ refused    │ refused    │                         │
//!                 └────────────┴──> next ──(turn)──> writer <─────────┘
//! ```
//!
//! One message waits in `next`. A request is handed on, and an error is sent, only when the answer before it is on
//! its way: that keeps the order, and it bounds memory, because nothing more is read while a message waits. A
//! notification passes at once, so that a cancellation can overtake the request it is about.

mod lifecycle;
mod lines;
mod writer;

use std::io;
use std::sync::{Arc, OnceLock};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ErrorCode, JsonRpcMessage, ProtocolVersion, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::envelope::{self, Envelope, Refusal};
use lifecycle::Lifecycle;
use lines::{Line, Lines};
use writer::{Outgoing, Writer};

/// The longest message that is read, in bytes, its line end not counted.
pub const MAX_MESSAGE_BYTES: usize = 1024 * 1024;

/// What waits to go on.
enum Next {
    /// To be handed to rmcp in its turn.
    Request(RequestId, RxJsonRpcMessage<RoleServer>),
    /// To be answered with an error in its turn.
    Refusal(Refusal),
    /// To be handed to rmcp at once.
    Aside(RxJsonRpcMessage<RoleServer>),
    /// The end of the input, to be reported when everything is answered.
    End,
}

/// The transport. See the module's text.
pub(crate) struct LineTransport<R> {
    lines: Lines<R>,
    lifecycle: Lifecycle,
    next: Option<Next>,
    /// The one turn there is. Who holds its permit is being answered.
    turn: Arc<Semaphore>,
    /// The request being answered, and its turn.
    in_flight: Option<(RequestId, OwnedSemaphorePermit)>,
    out: Outgoing,
    /// Why reading ended, if not by the end of the input.
    read_error: Arc<OnceLock<io::Error>>,
}

/// What remains to be seen to when the service has ended.
pub(crate) struct Ending {
    writer: Writer,
    read_error: Arc<OnceLock<io::Error>>,
}

impl<R: AsyncRead + Unpin> LineTransport<R> {
    /// A transport between `input` and `output`. Must be called within a runtime, since writing is a task.
    pub(crate) fn new<W>(input: R, output: W, supported: Vec<ProtocolVersion>) -> (Self, Ending)
    where
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (out, writer) = writer::start(output);
        let read_error = Arc::new(OnceLock::new());
        let transport = Self {
            lines: Lines::new(input, MAX_MESSAGE_BYTES),
            lifecycle: Lifecycle::new(supported),
            next: None,
            turn: Arc::new(Semaphore::new(1)),
            in_flight: None,
            out,
            read_error: Arc::clone(&read_error),
        };
        (transport, Ending { writer, read_error })
    }

    /// What to do with a line, if anything.
    fn judge(&mut self, line: Line) -> Option<Next> {
        let message = match line {
            Line::End => return Some(Next::End),
            Line::TooLong => {
                let text = format!("the message is longer than {MAX_MESSAGE_BYTES} bytes");
                return Some(Next::Refusal(Refusal::new(None, ErrorCode::INVALID_REQUEST, text)));
            }
            Line::Text(line) => match envelope::read(&line) {
                Envelope::Message(message) => *message,
                Envelope::Refused(refusal) => return Some(Next::Refusal(refusal)),
                Envelope::Ignored => return None,
            },
        };
        match message {
            JsonRpcMessage::Request(request) => Some(match self.lifecycle.admit(&request) {
                Ok(()) => Next::Request(request.id.clone(), JsonRpcMessage::Request(request)),
                Err(refusal) => Next::Refusal(refusal),
            }),
            aside => self.lifecycle.is_open().then_some(Next::Aside(aside)),
        }
    }

    /// rmcp answers nothing to a request that was cancelled, so its turn ends here.
    fn note_cancellation(&mut self, message: &RxJsonRpcMessage<RoleServer>) {
        if let JsonRpcMessage::Notification(notification) = message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(cancelled) = &cancelled.params.request_id
        {
            self.in_flight.take_if(|(id, _)| id == cancelled);
        }
    }

    /// Fills `next` unless it is filled. Cancel-safe.
    async fn read_next(&mut self) {
        while self.next.is_none() {
            let line = match self.lines.next().await {
                Ok(line) => line,
                Err(error) => {
                    let _ = self.read_error.set(error);
                    Line::End
                }
            };
            self.next = self.judge(line);
        }
    }

    /// The next message for rmcp, or `None` at the end. Cancel-safe: until a turn and a place in the queue are there,
    /// the message stays in `next`.
    async fn next_message(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.read_next().await;
            if let Some(Next::Aside(message)) = self.next.take_if(|next| matches!(next, Next::Aside(_))) {
                self.note_cancellation(&message);
                return Some(message);
            }
            let turn = Arc::clone(&self.turn).acquire_owned().await.ok()?;
            let place = self.out.reserve().await?;
            match self.next.take()? {
                Next::Request(id, message) => {
                    self.in_flight = Some((id, turn));
                    return Some(message);
                }
                Next::Refusal(refusal) => place.send(&refusal.into_message()),
                Next::Aside(message) => return Some(message),
                Next::End => {
                    self.next = Some(Next::End);
                    return None;
                }
            }
        }
    }
}

impl<R: AsyncRead + Unpin + Send> Transport<RoleServer> for LineTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        let turn = answered.and_then(|answered| self.in_flight.take_if(|(id, _)| id == answered));
        let out = self.out.clone();
        async move {
            let sent = match out.reserve().await {
                Some(place) => {
                    place.send(&message);
                    Ok(())
                }
                None => Err(io::ErrorKind::BrokenPipe.into()),
            };
            // The turn ends once the answer has its place in the queue.
            drop(turn);
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let out = self.out.clone();
        tokio::select! {
            biased;
            // A client that can't be answered needn't be heard either.
            () = out.closed() => None,
            message = self.next_message() => message,
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        Ok(())
    }
}

impl Ending {
    /// Waits until everything is written, then tells how reading and writing ended. The transport must be gone.
    pub(crate) async fn settle(self) -> (Option<io::Error>, Option<io::Error>) {
        let written = self.writer.finish().await;
        let read = Arc::into_inner(self.read_error).and_then(OnceLock::into_inner);
        (read, written.err())
    }
}

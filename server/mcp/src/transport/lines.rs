//! Lines of bounded length from a byte stream.

use std::io;
use std::mem;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// How much is read at a time.
const READ_BYTES: usize = 64 * 1024;

/// What came next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its end.
    Text(Vec<u8>),
    /// A line over the limit, skipped to its end.
    TooLong,
    /// The end of the input.
    End,
}

/// Reads lines, holding at most `limit` bytes of one, so that no client can make it hold more.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    /// The beginning of the current line.
    held: Vec<u8>,
    /// Whether the current line is over the limit and is being skipped.
    skipping: bool,
    limit: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self { input: BufReader::with_capacity(READ_BYTES, input), held: Vec::new(), skipping: false, limit }
    }

    /// The next line. A last line without an end counts. Cancel-safe: what was read of a line is kept in `self`.
    pub(super) async fn next(&mut self) -> io::Result<Line> {
        loop {
            let bytes = self.input.fill_buf().await?;
            if bytes.is_empty() {
                return Ok(if self.skipping || !self.held.is_empty() { self.take() } else { Line::End });
            }
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let (text, used) = match end {
                Some(end) => (bytes.get(..end).unwrap_or_default(), end + 1),
                None => (bytes, bytes.len()),
            };
            if self.held.len() + text.len() > self.limit {
                self.skipping = true;
                self.held = Vec::new();
            } else if !self.skipping {
                self.held.extend_from_slice(text);
            }
            self.input.consume(used);
            if end.is_some() {
                return Ok(self.take());
            }
        }
    }

    fn take(&mut self) -> Line {
        if mem::take(&mut self.skipping) { Line::TooLong } else { Line::Text(mem::take(&mut self.held)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `input` in pieces of `piece` bytes.
    async fn lines(input: &[u8], limit: usize, piece: usize) -> Vec<Line> {
        let (mut client, server) = tokio::io::duplex(piece);
        let input = input.to_vec();
        let writing = tokio::spawn(async move {
            tokio::io::AsyncWriteExt::write_all(&mut client, &input).await.expect("the reader lives");
        });
        let mut lines = Lines::new(server, limit);
        let mut read = Vec::new();
        loop {
            match lines.next().await.expect("reads") {
                Line::End => break,
                line => read.push(line),
            }
        }
        assert_eq!(lines.next().await.expect("reads"), Line::End, "the end stays the end");
        writing.await.expect("writes");
        read
    }

    fn text(bytes: &[u8]) -> Line {
        Line::Text(bytes.to_vec())
    }

    #[tokio::test]
    async fn lines_are_the_same_however_they_arrive() {
        for piece in [1, 2, 3, 1024] {
            assert_eq!(
                lines(b"one\n\ntwo\r\nlast", 100, piece).await,
                [text(b"one"), text(b""), text(b"two\r"), text(b"last")]
            );
            assert_eq!(lines(b"", 100, piece).await, []);
            assert_eq!(lines(b"\n", 100, piece).await, [text(b"")]);
        }
    }

    #[tokio::test]
    async fn a_line_over_the_limit_is_skipped_and_the_next_one_read() {
        for piece in [1, 3, 1024] {
            assert_eq!(
                lines(b"12345\n123456\n12345678901234567890\nok\n", 5, piece).await,
                [text(b"12345"), Line::TooLong, Line::TooLong, text(b"ok")]
            );
            assert_eq!(lines(b"123456", 5, piece).await, [Line::TooLong], "at the end of input");
        }
    }
}

//! The framing of streams: server-sent events (WHATWG HTML, section 9.2.6), and lines.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

/// The byte before each record of a JSON text sequence (RFC 7464).
const RECORD_SEPARATOR: u8 = 0x1e;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The fields of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Empty if the server has reset it.
    pub id: Option<Arc<str>>,
    pub event: Option<String>,
    pub retry: Option<Duration>,
    /// In events, UTF-8 with U+FFFD for invalid bytes; in lines, the bytes as they were received.
    pub data: Vec<u8>,
    /// Whether the data may be the beginning of a longer number or literal (RFC 7464, section 2.4).
    pub may_be_cut: bool,
    /// The line that it begins in, counted from 1; 0 of an event.
    pub line: usize,
}

/// The part of a record of a JSON text sequence (RFC 7464) before a place.
#[derive(Debug, Default)]
struct Nesting {
    depth: usize,
    is_in_text: bool,
    is_escaped: bool,
}

impl Nesting {
    fn read(&mut self, byte: u8) {
        let is_escaped = mem::take(&mut self.is_escaped);
        match byte {
            _ if is_escaped => {}
            b'"' => self.is_in_text = !self.is_in_text,
            b'\\' => self.is_escaped = self.is_in_text,
            _ if self.is_in_text => {}
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// Splits bytes into messages.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact about the bytes before")]
pub struct Parser {
    pub is_events: bool,
    pub limit: usize,
    line: Vec<u8>,
    /// `None` outside of a record, which can have several lines.
    record: Option<Nesting>,
    /// Whether the last line ended with a carriage return, to which a line feed belongs.
    after_return: bool,
    is_first_line: bool,
    has_data: bool,
    next: Message,
    /// The identifier when the last event ended: the identifier of an incomplete event does not count. It is empty if the
    /// server has reset it.
    pub last_id: Option<Arc<str>>,
    is_too_long: bool,
    /// The number of lines that ended.
    lines: usize,
}

impl Parser {
    /// Reads events, or else lines.
    pub fn new(is_events: bool, limit: usize) -> Self {
        Self { is_events, limit, is_first_line: true, ..Self::default() }
    }

    /// Returns the last reconnection time.
    pub fn retry(&self) -> Option<Duration> {
        self.next.retry
    }

    /// Forgets an incomplete message, for a new connection.
    pub fn restart(&mut self) {
        self.line.clear();
        self.record = None;
        self.after_return = false;
        self.is_first_line = true;
        self.has_data = false;
        self.next.data.clear();
        self.next.event = None;
        self.next.id.clone_from(&self.last_id);
    }

    /// Reads bytes up to the end of the next message, and returns it, unless it is incomplete or longer than the limit.
    pub fn next(&mut self, bytes: &mut &[u8]) -> Option<Message> {
        let mut message = None;
        while let Some((byte, rest)) = bytes.split_first()
            && message.is_none()
            && !self.is_too_long
        {
            *bytes = rest;
            message = self.read(*byte);
        }
        message
    }

    /// Returns the limit, if the message after the last one is longer, in bytes.
    pub fn exceeded(&self) -> Option<usize> {
        self.is_too_long.then_some(self.limit)
    }

    /// Returns whether nothing was read since the beginning.
    pub fn is_at_start(&self) -> bool {
        self.is_first_line && self.line.is_empty()
    }

    /// Returns the line that is read, counted from 1, if messages are lines.
    pub fn line(&self) -> Option<usize> {
        (!self.is_events).then_some(self.lines + 1)
    }

    /// Returns the bytes that complete the message at the end of a stream: a last line needs no line feed, but an incomplete
    /// event is dropped.
    pub fn end(&self) -> &'static [u8] {
        if self.is_events || self.line.is_empty() { &[] } else { &[RECORD_SEPARATOR] }
    }

    fn read(&mut self, byte: u8) -> Option<Message> {
        let is_continued = mem::take(&mut self.after_return) && byte == b'\n';
        match byte {
            _ if is_continued => {}
            // White space before the value of a record.
            _ if self.record.is_some() && self.line.is_empty() && byte.is_ascii_whitespace() => {
                self.lines += usize::from(byte == b'\n');
            }
            b'\n' if self.record.as_ref().is_none_or(|record| record.depth == 0) => {
                return self.end_line(true);
            }
            RECORD_SEPARATOR if !self.is_events => {
                let message = self.end_line(false);
                self.record = Some(Nesting::default());
                return message;
            }
            b'\r' if self.is_events => {
                self.after_return = true;
                return self.end_line(true);
            }
            _ if self.line.len() + self.next.data.len() >= self.limit => self.is_too_long = true,
            byte => {
                if let Some(record) = &mut self.record {
                    record.read(byte);
                }
                self.line.push(byte);
            }
        }
        None
    }

    fn end_line(&mut self, is_ended: bool) -> Option<Message> {
        let line = mem::take(&mut self.line);
        let is_first = mem::take(&mut self.is_first_line);
        let line = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_first).unwrap_or(&line);
        if self.is_events {
            return self.field(&String::from_utf8_lossy(line));
        }
        let is_delimited = is_ended
            || line.last().is_none_or(|last| last.is_ascii_whitespace() || b"}]\"".contains(last));
        let may_be_cut = self.record.take().is_some() && !is_delimited;
        let data = line.trim_ascii().to_vec();
        let ends = line.split(|byte| *byte == b'\n').count() - 1;
        let line = self.lines + 1;
        self.lines += ends + usize::from(is_ended);
        (!data.is_empty()).then(|| Message { data, may_be_cut, line, ..Message::default() })
    }

    fn field(&mut self, line: &str) -> Option<Message> {
        if line.is_empty() {
            return self.dispatch();
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "data" => {
                if mem::replace(&mut self.has_data, true) {
                    self.next.data.push(b'\n');
                }
                self.next.data.extend_from_slice(value.as_bytes());
            }
            "event" => {
                let is_other = !matches!(value, "" | "message");
                self.next.event = is_other.then(|| value.to_owned());
            }
            "id" if !value.contains('\0') => self.next.id = Some(value.into()),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.next.retry = Some(Duration::from_millis(value.parse().unwrap_or(u64::MAX)));
            }
            // A comment, whose name is empty, or an unknown field.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Message> {
        let data = mem::take(&mut self.next.data);
        let event = self.next.event.take();
        self.last_id.clone_from(&self.next.id);
        let has_data = mem::take(&mut self.has_data);
        has_data.then(|| Message { event, data, ..self.next.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(is_events: bool, text: &str, cut: usize) -> Vec<Message> {
        let mut parser = Parser::new(is_events, 1_000);
        let (before, after) = text.as_bytes().split_at(cut);
        let mut messages = Vec::new();
        for mut part in [before, after] {
            messages.extend(std::iter::from_fn(|| parser.next(&mut part)));
        }
        messages.extend(parser.next(&mut parser.end()));
        assert!(parser.end().is_empty(), "there is one last line");
        messages
    }

    fn message(id: Option<&str>, event: Option<&str>, retry: Option<u64>, data: &str) -> Message {
        let owned = |text: &str| text.to_owned();
        let retry = retry.map(Duration::from_millis);
        Message {
            id: id.map(Arc::from),
            event: event.map(owned),
            retry,
            data: data.as_bytes().to_vec(),
            may_be_cut: false,
            line: 0,
        }
    }

    /// Wherever the text is cut, the events are as the standard defines them.
    #[test]
    fn events_are_read_wherever_the_stream_is_cut() {
        let text = "\u{feff}: hello\r\nid: 1\ndata: a\ndata:b\n\nevent: é\rdata\r\rretry: 10\nretry: x\n\nid\nevent: message\ndata: \u{1f600}\n\nevent: dropped\n\ndata:  c\n\ndata: incomplete";
        let expected = [
            message(Some("1"), None, None, "a\nb"),
            message(Some("1"), Some("é"), None, ""),
            message(Some(""), None, Some(10), "\u{1f600}"),
            message(Some(""), None, Some(10), " c"),
        ];
        for cut in 0..=text.len() {
            assert_eq!(messages(true, text, cut), expected, "cut at {cut}");
        }
    }

    #[test]
    fn lines_are_read_wherever_the_stream_is_cut() {
        let text = "{\"a\":1}\r\n\n\u{1e}[2]\n \"é\"";
        for cut in 0..=text.len() {
            assert_eq!(lines(text, cut), ["{\"a\":1}", "[2]", "\"é\""], "cut at {cut}");
        }
    }

    fn lines(text: &str, cut: usize) -> Vec<String> {
        let data = messages(false, text, cut).into_iter().map(|message| message.data);
        data.map(|data| String::from_utf8(data).unwrap()).collect()
    }

    /// A record ends with a line feed after it, or with the next one, even if it is incomplete.
    #[test]
    fn records_have_several_lines() {
        let text = "\u{1e}{\n \"a\": \"}\\\"\"\n}\n\u{1e}[1,\n\u{1e}2\n\u{1e}\u{1e}\r\n\n[[\n3]\n]";
        let expected = ["{\n \"a\": \"}\\\"\"\n}", "[1,", "2", "[[\n3]\n]"];
        for cut in 0..=text.len() {
            assert_eq!(lines(text, cut), expected, "cut at {cut}");
        }
    }

    #[test]
    fn messages_know_the_line_that_they_begin_in() {
        for (text, expected) in [
            ("1\n\n2\r\n3", &[1, 3, 4][..]),
            ("\u{1e}{\n\"a\":1\n}\n\u{1e}\n[\n\u{1e}2\n3\n", &[1, 5, 6, 7]),
        ] {
            let lines: Vec<_> = messages(false, text, 2).iter().map(|it| it.line).collect();
            assert_eq!(lines, expected, "{text:?}");
        }
    }

    /// The end of a number or a literal shows only by what follows it.
    #[test]
    fn records_that_may_be_cut_are_recognized() {
        let text = "\u{1e}1\n\u{1e}12\u{1e}3 \u{1e}true\u{1e}{}\u{1e}\"a\"\u{1e}[]\u{1e}4";
        let cut: Vec<_> = messages(false, text, 0).into_iter().map(|it| it.may_be_cut).collect();
        assert_eq!(cut, [false, true, false, true, false, false, false, true]);
        assert!(messages(false, "1\n2", 0).iter().all(|line| !line.may_be_cut));
    }

    /// The events of a piece share the last identifier, and are not created before they are taken.
    #[test]
    fn an_identifier_is_not_copied_into_each_event() {
        let mut parser = Parser::new(true, 1_000);
        let mut rest: &[u8] = b"id: 1\ndata\n\ndata\n\ndata\n\n";
        let mut next = || parser.next(&mut rest).unwrap();
        let (first, second) = (next(), next());
        assert!(Arc::ptr_eq(&first.id.unwrap(), &second.id.unwrap()));
        assert_eq!(rest, b"data\n\n");
    }

    #[test]
    fn a_message_has_a_limit() {
        for (is_events, within, beyond) in [
            (true, "data:1\n\ndata:2\n\n", "data:123456"),
            (false, "1\n\n234567890\n", "12345678901"),
            (true, "data:1\n\n", "data:1234\ndata:56"),
        ] {
            let mut parser = Parser::new(is_events, 10);
            let text = [within, beyond].concat();
            let mut rest = text.as_bytes();
            assert!(parser.next(&mut rest).is_some(), "the messages before are read");
            assert_eq!(parser.exceeded(), None);
            while parser.next(&mut rest).is_some() {}
            assert_eq!(parser.exceeded(), Some(10), "{beyond}");
        }
    }
}

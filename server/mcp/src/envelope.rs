//! One JSON-RPC message from its bytes, or the protocol's error for it.
//!
//! rmcp alone drops or misreads much of what is refused here: malformed JSON goes unanswered, a fractional id is
//! rounded, a cursor that is no text is taken for none. A client that sends such a thing should be told.

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ErrorData, RequestId};
use rmcp::service::TxJsonRpcMessage;
use serde_json::{Map, Value};

/// What a line turned out to be.
#[derive(Debug)]
pub(crate) enum Envelope {
    /// A message of the right shape.
    Message(Box<ClientJsonRpcMessage>),
    /// A message that gets an error.
    Refused(Refusal),
    /// Nothing that wants an answer: a blank line, a malformed notification, a malformed response.
    Ignored,
}

/// An error to be sent, with the request's id where it could be read.
#[derive(Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) id: Option<RequestId>,
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(id: Option<RequestId>, code: ErrorCode, message: impl Into<String>) -> Self {
        Self { id, code, message: message.into() }
    }

    pub(crate) fn into_message(self) -> TxJsonRpcMessage<RoleServer> {
        TxJsonRpcMessage::<RoleServer>::error(ErrorData::new(self.code, self.message, None), self.id)
    }
}

/// Reads one message.
pub(crate) fn read(line: &[u8]) -> Envelope {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return Envelope::Ignored;
    }
    let refused = |code, message: String| Envelope::Refused(Refusal::new(None, code, message));
    match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => read_object(fields),
        Ok(Value::Array(_)) => {
            refused(ErrorCode::INVALID_REQUEST, "batches are not supported; send one message a line".into())
        }
        Ok(_) => refused(ErrorCode::INVALID_REQUEST, "a message must be a JSON object".into()),
        Err(error) => refused(ErrorCode::PARSE_ERROR, format!("the message is not valid JSON: {error}")),
    }
}

fn read_object(fields: Map<String, Value>) -> Envelope {
    let answers = fields.contains_key("result") || fields.contains_key("error");
    if answers && !fields.contains_key("method") {
        return read_response(fields);
    }
    let refused = |id: Option<&RequestId>, code, message: &str| {
        Envelope::Refused(Refusal::new(id.cloned(), code, message))
    };
    let id = match fields.get("id").map(read_id) {
        None => None,
        Some(Some(id)) => Some(id),
        Some(None) => {
            return refused(None, ErrorCode::INVALID_REQUEST, "id must be a text or an integer of 64 bits");
        }
    };
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return refused(id.as_ref(), ErrorCode::INVALID_REQUEST, "jsonrpc must be \"2.0\"");
    }
    let Some(method) = fields.get("method").and_then(Value::as_str) else {
        return refused(id.as_ref(), ErrorCode::INVALID_REQUEST, "method must be a text");
    };
    if answers {
        let both = "a message with a method has neither result nor error";
        return refused(id.as_ref(), ErrorCode::INVALID_REQUEST, both);
    }
    // Without an id it is a notification, and those are never answered, right or wrong.
    let Some(id) = id else { return read_notification(fields) };
    let params = match fields.get("params") {
        None => None,
        Some(Value::Object(params)) => Some(params),
        Some(_) => return refused(Some(&id), ErrorCode::INVALID_PARAMS, "params must be an object"),
    };
    let cursor = params.and_then(|params| params.get("cursor"));
    if method.ends_with("/list") && !cursor.is_none_or(|cursor| cursor.is_string() || cursor.is_null()) {
        return refused(Some(&id), ErrorCode::INVALID_PARAMS, "cursor must be a text");
    }
    match serde_json::from_value(Value::Object(fields)) {
        Ok(message @ ClientJsonRpcMessage::Request(_)) => Envelope::Message(Box::new(message)),
        Ok(_) | Err(_) => refused(Some(&id), ErrorCode::INVALID_PARAMS, "params have the wrong shape"),
    }
}

fn read_id(id: &Value) -> Option<RequestId> {
    match id {
        Value::String(text) => Some(RequestId::String(text.as_str().into())),
        Value::Number(number) => number.as_i64().map(RequestId::Number),
        _ => None,
    }
}

fn read_notification(fields: Map<String, Value>) -> Envelope {
    match serde_json::from_value(Value::Object(fields)) {
        Ok(message @ ClientJsonRpcMessage::Notification(_)) => Envelope::Message(Box::new(message)),
        Ok(_) | Err(_) => Envelope::Ignored,
    }
}

fn read_response(fields: Map<String, Value>) -> Envelope {
    match serde_json::from_value(Value::Object(fields)) {
        Ok(message @ (ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_))) => {
            Envelope::Message(Box::new(message))
        }
        Ok(_) | Err(_) => Envelope::Ignored,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The answer to a refused line, as it would be sent.
    fn refusal(line: &str) -> Value {
        match read(line.as_bytes()) {
            Envelope::Refused(refusal) => serde_json::to_value(refusal.into_message()).expect("serializes"),
            other => panic!("{line} gave {other:?}"),
        }
    }

    fn error(id: Option<Value>, code: i32, message: &str) -> Value {
        match id {
            Some(id) => json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}),
            None => json!({"jsonrpc": "2.0", "error": {"code": code, "message": message}}),
        }
    }

    #[test]
    fn what_is_no_json_is_a_parse_error_without_an_id() {
        let deep = "[".repeat(200);
        for line in ["{not json", "{\"jsonrpc\":\"2.0\",\"id\":1", "\"", "{} {}", "nul", deep.as_str()] {
            assert_eq!(refusal(line)["error"]["code"], -32700, "{line}");
            assert_eq!(refusal(line).get("id"), None, "{line}");
        }
        let Envelope::Refused(refusal) = read(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}") else {
            panic!("invalid UTF-8 must be refused");
        };
        assert_eq!(refusal.code, ErrorCode::PARSE_ERROR);
    }

    #[test]
    fn what_is_no_single_object_is_an_invalid_request() {
        for line in ["[]", "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]"] {
            assert_eq!(
                refusal(line),
                error(None, -32600, "batches are not supported; send one message a line")
            );
        }
        for line in ["null", "1", "\"ping\"", "true"] {
            assert_eq!(refusal(line), error(None, -32600, "a message must be a JSON object"));
        }
    }

    #[test]
    fn an_id_is_a_text_or_an_integer() {
        for id in ["null", "1.5", "7.0", "true", "{}", "[1]", "9223372036854775808", "1e3"] {
            assert_eq!(
                refusal(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)),
                error(None, -32600, "id must be a text or an integer of 64 bits"),
                "{id}"
            );
        }
        for id in ["0", "-1", "9223372036854775807", "\"\"", "\"a\""] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            assert!(matches!(read(line.as_bytes()), Envelope::Message(_)), "{id}");
        }
    }

    #[test]
    fn a_readable_id_comes_back_with_the_error() {
        for (line, wanted) in [
            (r#"{"id":"a","method":"ping"}"#, error(Some(json!("a")), -32600, "jsonrpc must be \"2.0\"")),
            (
                r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
                error(Some(json!(1)), -32600, "jsonrpc must be \"2.0\""),
            ),
            (r#"{"jsonrpc":"2.0","id":1}"#, error(Some(json!(1)), -32600, "method must be a text")),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
                error(Some(json!(1)), -32600, "method must be a text"),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
                error(Some(json!(1)), -32600, "a message with a method has neither result nor error"),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#,
                error(Some(json!(1)), -32602, "params must be an object"),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#,
                error(Some(json!(1)), -32602, "params must be an object"),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}}"#,
                error(Some(json!(1)), -32602, "cursor must be a text"),
            ),
        ] {
            assert_eq!(refusal(line), wanted, "{line}");
        }
        assert_eq!(refusal("{}"), error(None, -32600, "jsonrpc must be \"2.0\""));
    }

    #[test]
    fn notifications_and_responses_are_never_answered() {
        for line in [
            "",
            " \t\r",
            "\u{feff}",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
            r#"{"id":1.5,"result":{}}"#,
        ] {
            assert!(!matches!(read(line.as_bytes()), Envelope::Refused(_)), "{line}");
        }
    }

    #[test]
    fn a_byte_order_mark_and_blanks_around_a_message_do_no_harm() {
        let line = "\u{feff} {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r";
        assert!(matches!(read(line.as_bytes()), Envelope::Message(_)));
    }

    #[test]
    fn arguments_keep_their_order() {
        let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"z":1,"a":2}}}"#;
        let Envelope::Message(message) = read(line) else { panic!("must be read") };
        let text = serde_json::to_string(&message).expect("serializes");
        assert!(text.contains(r#""arguments":{"z":1,"a":2}"#), "{text}");
    }
}

//! Which requests a connection may carry, and from when on.
//!
//! A connection opens in one of two ways: by `initialize` (revisions up to 2025-11-25), or by the first request with
//! complete metadata of its own (2026-07-28). Before that rmcp ends the whole service at the first notification or
//! response that it gets, so this gate has to agree with rmcp on the moment of opening.

use rmcp::model::{
    ClientRequest, ErrorCode, GetMeta, JsonRpcRequest, ProtocolVersion, RequestId, RequestMetaObject,
};

use crate::envelope::Refusal;

/// Whether a connection is open yet.
pub(super) struct Lifecycle {
    opened: bool,
    supported: Vec<ProtocolVersion>,
}

impl Lifecycle {
    /// A connection that isn't open and may be opened in a `supported` version.
    pub(super) fn new(supported: Vec<ProtocolVersion>) -> Self {
        Self { opened: false, supported }
    }

    /// Whether notifications and responses may pass.
    pub(super) fn is_open(&self) -> bool {
        self.opened
    }

    /// Lets a request through or refuses it.
    pub(super) fn admit(&mut self, request: &JsonRpcRequest<ClientRequest>) -> Result<(), Refusal> {
        let refuse = |code, message: &str| Err(Refusal::new(Some(request.id.clone()), code, message));
        match &request.request {
            // A probe and a sign of life: welcome at any time.
            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => Ok(()),
            asked if asked.method() == "initialize" => {
                if self.opened {
                    refuse(
                        ErrorCode::INVALID_REQUEST,
                        "the connection is open; initialize comes once, and first",
                    )
                } else if matches!(asked, ClientRequest::InitializeRequest(_)) {
                    self.opened = true;
                    Ok(())
                } else {
                    let wanted =
                        "initialize needs protocolVersion, capabilities and clientInfo {name, version}";
                    refuse(ErrorCode::INVALID_PARAMS, wanted)
                }
            }
            _ if self.opened => Ok(()),
            asked => self.open_inline(request.id.clone(), asked.get_meta()),
        }
    }

    /// The first request of a connection without a handshake. With part of the metadata, or another version, it
    /// passes too: rmcp then says what is missing or supported, and the connection stays closed.
    fn open_inline(&mut self, id: RequestId, meta: &RequestMetaObject) -> Result<(), Refusal> {
        let missing = meta.missing_required_keys(&ProtocolVersion::V_2026_07_28);
        if missing.len() == RequestMetaObject::DRAFT_REQUIRED_KEYS.len() {
            let message =
                format!("initialize first, or send _meta with {} (2026-07-28)", missing.join(" and "));
            return Err(Refusal::new(Some(id), ErrorCode::INVALID_PARAMS, message));
        }
        let supported = meta.protocol_version().is_some_and(|version| self.supported.contains(&version));
        self.opened = missing.is_empty() && supported;
        Ok(())
    }
}

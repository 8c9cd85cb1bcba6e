//! Serves the engine's operations over the Model Context Protocol.

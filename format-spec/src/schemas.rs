//! JSON Schemas of what openmind-pack reads and answers, as published in `schemas/`.

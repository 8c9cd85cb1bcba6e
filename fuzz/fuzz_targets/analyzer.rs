#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| openmind_pack_fuzz::analyzer::run(data));

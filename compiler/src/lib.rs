//! Compiles a .openmind directory into the bytes of a bundle.

//! Detached signatures, as `minisign -S` makes them: whether the owner of a key vouched for the bytes of a file.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};

use minisign_verify::{Error, PublicKey, Signature};
use serde::Serialize;

use crate::failure::Failure;

/// More than a key or a signature takes, in bytes. Comments are the only part without a length of its own.
const LONGEST: u64 = 64 * 1024;
/// Bytes of the signed file that are hashed at a time.
const CHUNK: usize = 256 * 1024;

/// A signature that holds.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Signed {
    /// The key's id, as `minisign` prints it.
    pub(crate) key_id: String,
    /// What the signer wrote beside the signature, and signed too.
    pub(crate) trusted_comment: String,
}

/// A public key.
#[derive(Debug)]
pub(super) struct Key {
    key: PublicKey,
    id: String,
}

impl Key {
    /// Takes a key as it was typed: the key itself, or else the path of a file such as `minisign.pub`. In this order: a
    /// file that somebody put into the working directory can't stand in for a key.
    ///
    /// # Errors
    ///
    /// Wrong usage where it is neither.
    pub(super) fn of(typed: &Path) -> Result<Self, Failure> {
        if let Some(text) = typed.to_str()
            && let (Ok(key), Some(id)) = (PublicKey::from_base64(text), key_id(text))
        {
            return Ok(Self { key, id });
        }
        let name = typed.display();
        let neither = |what: &str| {
            Failure::usage(format!("{name} {what}")).hint(
                "give --public-key the key itself (56 characters that begin with RW), or the path of a minisign.pub",
            )
        };
        let text = read_short(typed).map_err(|error| match error.kind() {
            ErrorKind::NotFound => neither("is no minisign public key, and no file"),
            ErrorKind::InvalidData => neither("holds no minisign public key"),
            _ => Failure::system(format_args!("cannot read the key in {name}"), &error),
        })?;
        match (PublicKey::decode(&text), text.lines().nth(1).and_then(key_id)) {
            (Ok(key), Some(id)) => Ok(Self { key, id }),
            _ => Err(neither("holds no minisign public key")),
        }
    }
}

/// Where `minisign` puts the signature of a file.
pub(super) fn beside(file: &Path) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(".minisig");
    name.into()
}

/// Checks the signature in `signature_path` over all bytes of `file`, from its beginning and back to it; `path` is for
/// messages.
///
/// # Errors
///
/// Why the file can't be taken for signed by the key's owner.
pub(super) fn check(
    mut file: &File,
    path: &Path,
    signature_path: &Path,
    key: &Key,
) -> Result<Signed, Failure> {
    let (name, signature_name) = (path.display(), signature_path.display());
    let no_signature =
        || Failure::refused("signature_malformed", format!("{signature_name} is no minisign signature"));
    let text = read_short(signature_path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::refused(
            "signature_missing",
            format!("{name} has no signature: {signature_name} isn't there"),
        )
        .hint("get it from where the bundle came from, or name it with --signature"),
        ErrorKind::InvalidData => no_signature(),
        _ => Failure::system(format_args!("cannot read {signature_name}"), &error),
    })?;
    let signature = Signature::decode(&text).map_err(|_| no_signature())?;
    let signer = text.lines().nth(1).and_then(key_id).ok_or_else(no_signature)?;
    let unreadable = |error: io::Error| Failure::system(format_args!("cannot read {name}"), &error);
    file.rewind().map_err(unreadable)?;
    let verdict = match key.key.verify_stream(&signature) {
        Ok(mut verifier) => {
            let mut chunk = vec![0; CHUNK];
            loop {
                match file.read(&mut chunk) {
                    Ok(0) => break verifier.finalize(),
                    Ok(length) => verifier.update(chunk.get(..length).unwrap_or_default()),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(unreadable(error)),
                }
            }
        }
        // The signatures of minisign before 0.8 are over the bytes and not over a hash of them.
        Err(Error::UnsupportedLegacyMode) => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(unreadable)?;
            key.key.verify(&bytes, &signature, true)
        }
        Err(error) => Err(error),
    };
    file.rewind().map_err(unreadable)?;
    match verdict {
        Ok(()) => Ok(Signed { key_id: signer, trusted_comment: signature.trusted_comment().to_owned() }),
        Err(Error::UnexpectedKeyId) => Err(Failure::refused(
            "signature_key",
            format!("{signature_name} is by the key {signer}, and not by {}, the one asked for", key.id),
        )),
        Err(_) => Err(Failure::refused(
            "signature_mismatch",
            format!("{signature_name} doesn't hold for {name}: the file or the signature was changed since it was made"),
        )
        .hint("don't use this bundle; get it and its signature again")),
    }
}

/// Reads a file of text that can't be long.
fn read_short(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST { Err(ErrorKind::InvalidData.into()) } else { Ok(text) }
}

/// The id within the Base64 text of a key or a signature: bytes 2 to 9, which `minisign` prints as a little-endian number.
fn key_id(base64: &str) -> Option<String> {
    /// Characters that hold 12 bytes.
    const CHARACTERS: usize = 16;
    let mut bits: u128 = 0;
    for character in base64.bytes().take(CHARACTERS) {
        let six = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u128::from(six);
    }
    let id = (bits >> 16) as u64;
    (base64.len() >= CHARACTERS).then(|| format!("{:016X}", id.swap_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of minisign's own releases, whose id the manual prints.
    const MINISIGN: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";

    #[test]
    fn an_id_is_read_as_minisign_prints_it() {
        // Bytes 2 to 9 are 1f e8 b4 42 18 0f 62 e7.
        assert_eq!(key_id(MINISIGN).as_deref(), Some("E7620F1842B4E81F"));
        assert_eq!(key_id("RWQf6LRCGA9i53"), None);
        assert_eq!(key_id("RWQf 6LRCGA9i53ml"), None);
    }

    #[test]
    fn a_key_may_be_typed_and_anything_else_is_wrong_usage() {
        assert_eq!(Key::of(Path::new(MINISIGN)).expect("a key").id, "E7620F1842B4E81F");
        for typed in ["RWQf", "", "no-such-file"] {
            let failure = Key::of(Path::new(typed)).expect_err("no key");
            assert_eq!(failure.exit, crate::exit::Exit::Usage, "{typed}");
        }
    }

    #[test]
    fn a_signature_lies_beside_its_file() {
        assert_eq!(beside(Path::new("a/x.ompack")), Path::new("a/x.ompack.minisig"));
    }
}

//! gzip and zstd, by a file's last ending. Both are pure Rust; a stream that stops short is an
//! [`io::ErrorKind::UnexpectedEof`]. Written bytes depend on nothing but the data.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// How a file is compressed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// gzip, `.gz`.
    Gzip,
    /// Zstandard, `.zst`.
    Zstd,
}

impl Compression {
    /// What the last ending of `path` names.
    #[must_use]
    pub fn from_path(path: &Path) -> Self {
        match path.extension() {
            Some(ending) if ending.eq_ignore_ascii_case("gz") => Self::Gzip,
            Some(ending) if ending.eq_ignore_ascii_case("zst") => Self::Zstd,
            _ => Self::None,
        }
    }

    pub(crate) fn reader(self, file: File) -> Box<dyn Read> {
        match self {
            Self::None => Box::new(file),
            Self::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(file))),
            Self::Zstd => Box::new(ZstdReader::new(BufReader::new(file))),
        }
    }

    /// Has `write` write to `out` through the compressor.
    pub(crate) fn write<E: From<io::Error>>(
        self,
        out: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::None => write(out)?,
            Self::Gzip => {
                let mut encoder = GzEncoder::new(&mut *out, flate2::Compression::default());
                write(&mut encoder)?;
                encoder.finish()?;
            }
            Self::Zstd => {
                let mut encoder = ZstdWriter { out: &mut *out, pending: Vec::new() };
                write(&mut encoder)?;
                encoder.end_frame()?;
            }
        }
        Ok(out.flush()?)
    }
}

/// Decodes frame after frame, as `zstd` itself does; checks their checksums.
struct ZstdReader<R> {
    source: Watched<R>,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> ZstdReader<R> {
    fn new(inner: R) -> Self {
        Self { source: Watched { inner, ended: false }, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Goes to the next frame; false at the end.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.inner.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped = io::copy(&mut (&mut self.source).take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(self.fault(&error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.in_frame = false;
        let expected = self.decoder.get_checksum_from_data();
        if expected.is_some() && expected != self.decoder.get_calculated_checksum() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a zstd checksum is wrong"));
        }
        Ok(())
    }

    fn fault(&self, error: &FrameDecoderError) -> io::Error {
        if self.source.ended {
            return io::ErrorKind::UnexpectedEof.into();
        }
        io::Error::new(io::ErrorKind::InvalidData, format!("damaged zstd data: {error}"))
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !buffer.is_empty() && (self.in_frame || self.next_frame()?) {
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                if let Err(error) = self.decoder.decode_blocks(&mut self.source, one) {
                    return Err(self.fault(&error));
                }
            }
            match self.decoder.read(buffer)? {
                0 => self.end_frame()?,
                length => return Ok(length),
            }
        }
        Ok(0)
    }
}

/// Notes whether a reader has come to its end, which the decoder's errors do not tell.
struct Watched<R> {
    inner: R,
    ended: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.ended |= length == 0 && !buffer.is_empty();
        Ok(length)
    }
}

/// One frame for every few megabytes: the encoder works on whole slices, and a file of frames is a file.
struct ZstdWriter<'a> {
    out: &'a mut dyn Write,
    pending: Vec<u8>,
}

impl ZstdWriter<'_> {
    const FRAME: usize = 1 << 22;

    fn end_frame(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let frame = compress_to_vec(self.pending.as_slice(), CompressionLevel::Fastest);
        self.pending.clear();
        self.out.write_all(&frame)
    }
}

impl Write for ZstdWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len().min(Self::FRAME - self.pending.len());
        self.pending.extend_from_slice(&bytes[..length]);
        if self.pending.len() == Self::FRAME {
            self.end_frame()?;
        }
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

// The smallest files of the formats in which platforms export recordings, made byte by byte, with a known duration.

export interface WaveOptions {
  /** WAVE_FORMAT_...: 1 PCM, 6 A-law, 7 mu-law, 0x31 GSM 6.10. */
  readonly format?: number;
  readonly seconds?: number;
  /** The wrong size in the RIFF header, as recorders write it that cannot return to the header. */
  readonly riffSize?: number;
  readonly dataSize?: number;
  /** A chunk of this text before the data; of odd length it is followed by a byte that its size does not count. */
  readonly comment?: string;
}

const RATE = 8_000;

// Bytes for a second of 8 kHz, and bytes that belong together.
const FORMATS: Readonly<Record<number, { bytesPerSecond: number; align: number; bits: number }>> = {
  1: { bytesPerSecond: 16_000, align: 2, bits: 16 },
  6: { bytesPerSecond: 8_000, align: 1, bits: 8 },
  7: { bytesPerSecond: 8_000, align: 1, bits: 8 },
  0x31: { bytesPerSecond: 1_625, align: 65, bits: 0 }, // 65 bytes hold 320 samples
};

export function toWave(options: WaveOptions = {}): Buffer {
  const { format = 1, seconds = 2, comment } = options;
  const { bytesPerSecond = 0, align = 1, bits = 0 } = FORMATS[format] ?? {};
  const isGsm = format === 0x31;
  const head = Buffer.alloc(isGsm ? 20 : format === 1 ? 16 : 18);
  head.writeUInt16LE(format, 0);
  head.writeUInt16LE(1, 2);
  head.writeUInt32LE(RATE, 4);
  head.writeUInt32LE(bytesPerSecond, 8);
  head.writeUInt16LE(align, 12);
  head.writeUInt16LE(bits, 14);
  if (isGsm) {
    head.writeUInt16LE(2, 16);
    head.writeUInt16LE(320, 18);
  }
  const data = Buffer.alloc(Math.ceil((seconds * bytesPerSecond) / align) * align);
  // Not the same everywhere, or it would be silence.
  for (const at of data.keys()) data[at] = (at * 73) & 0xff;
  const chunks = [
    toChunk("fmt ", head),
    ...(comment === undefined ? [] : [toChunk("LIST", Buffer.from(comment))]),
    toChunk("data", data, options.dataSize),
  ];
  const body = Buffer.concat([Buffer.from("WAVE"), ...chunks]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(options.riffSize ?? body.length);
  return Buffer.concat([Buffer.from("RIFF"), size, body]);
}

function toChunk(name: string, content: Buffer, says = content.length): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(says);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}

/** Frames of MPEG-1 Layer III at 128 kbit/s and 44.1 kHz: 1,152 samples in 417 bytes each. */
export function toMp3(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** Ogg pages with the head of an Opus stream; the last page says how many samples of 48 kHz there are. */
export function toOpus(seconds: number): Buffer {
  const head = Buffer.from("OpusHead\u0001\u0001\0\0\0\0\0\0\0\0\0", "latin1");
  head.writeUInt32LE(RATE, 12);
  const tags = Buffer.concat([Buffer.from("OpusTags"), Buffer.alloc(8)]);
  return Buffer.concat([
    toOggPage(head, { flags: 2, position: 0, sequence: 0 }),
    toOggPage(tags, { flags: 0, position: 0, sequence: 1 }),
    toOggPage(Buffer.from([0xf8, 0xff, 0xfe]), {
      flags: 4,
      position: seconds * 48_000,
      sequence: 2,
    }),
  ]);
}

// RFC 3533, section 6; nobody here checks the checksum.
function toOggPage(
  packet: Buffer,
  { flags, position, sequence }: { flags: number; position: number; sequence: number },
): Buffer {
  const header = Buffer.alloc(28);
  header.write("OggS", 0, "latin1");
  header[5] = flags;
  header.writeBigUInt64LE(BigInt(position), 6);
  header.writeUInt32LE(1, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = 1;
  header[27] = packet.length;
  return Buffer.concat([header, packet]);
}

/** A FLAC stream of which only the STREAMINFO block is there (RFC 9639, section 8.2). */
export function toFlac(seconds: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4_096, 0);
  info.writeUInt16BE(4_096, 2);
  // 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of samples.
  info.writeBigUInt64BE((BigInt(RATE) << 44n) | (15n << 36n) | BigInt(seconds * RATE), 10);
  return Buffer.concat([Buffer.from("fLaC"), Buffer.from([0x80, 0, 0, 34]), info]);
}

// Silence, as an encoder writes it: a frame of AAC-LC of one channel (ISO/IEC 14496-3).
const AAC_FRAME = Buffer.from([0x00, 0xc8, 0x00, 0x80, 0x23, 0x80]);
const SAMPLES_OF_A_FRAME = 1_024;

/** A whole MPEG-4 file with a track of AAC (ISO/IEC 14496-12): every box that players ask for. */
export function toM4a(seconds: number): Buffer {
  const samples = seconds * RATE;
  const frames = Math.ceil(samples / SAMPLES_OF_A_FRAME);
  const sound = Buffer.concat(Array.from({ length: frames }, () => AAC_FRAME));
  const brand = toBox("ftyp", Buffer.from("M4A \0\0\0\0M4A isom", "latin1"));
  const data = toBox("mdat", sound);
  const track = toBox(
    "trak",
    toBox("tkhd", toFields(7, 0, 0, 1, 0, seconds * 1_000, Buffer.alloc(60))),
    toBox(
      "mdia",
      toBox("mdhd", toFields(0, 0, 0, RATE, samples, 0x55c4_0000)),
      toBox("hdlr", toFields(0, 0, Buffer.from("soun"), Buffer.alloc(13))),
      toBox("minf", toBox("smhd", toFields(0, 0)), toSampleTable(frames, brand.length + 8)),
    ),
  );
  const length = toFields(0, 0, 0, 1_000, seconds * 1_000, Buffer.alloc(80));
  return Buffer.concat([brand, data, toBox("moov", toBox("mvhd", length), track)]);
}

/** Which frames there are, how long each is, and that they lie in one chunk from `offset` on. */
function toSampleTable(frames: number, offset: number): Buffer {
  const entry = Buffer.alloc(28);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(1, 16);
  entry.writeUInt16BE(16, 18);
  entry.writeUInt16BE(RATE, 24);
  // Object type 2 (LC), rate 11 (8 kHz), one channel.
  const decoder = Buffer.from("031900000004114015000000000000000000000005021588060102", "hex");
  const format = toBox("mp4a", entry, toBox("esds", toFields(0), decoder));
  return toBox(
    "stbl",
    toBox("stsd", toFields(0, 1), format),
    toBox("stts", toFields(0, 1, frames, SAMPLES_OF_A_FRAME)),
    toBox("stsc", toFields(0, 1, 1, frames, 1)),
    toBox("stsz", toFields(0, AAC_FRAME.length, frames)),
    toBox("stco", toFields(0, 1, offset)),
  );
}

function toFields(...fields: readonly (number | Buffer)[]): Buffer {
  const toBytes = (field: number | Buffer) => {
    if (typeof field !== "number") return field;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(field);
    return bytes;
  };
  return Buffer.concat(fields.map(toBytes));
}

function toBox(name: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([toFields(content.length + 8), Buffer.from(name), content]);
}

// The smallest files of the formats in which platforms export recordings, made byte by byte, with a known duration.

export interface WaveOptions {
  /** WAVE_FORMAT_...: 1 PCM, 6 A-law, 7 mu-law, 0x31 GSM 6.10. */
  readonly format?: number;
  readonly seconds?: number;
  /** What the RIFF header says instead of the truth, as recorders do that cannot go back to it. */
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
  const data = Buffer.alloc(Math.ceil((seconds * bytesPerSecond) / align) * align, 0x55);
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

/** An MPEG-4 file of sound: its brand and its length (ISO/IEC 14496-12). */
export function toM4a(seconds: number): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1_000, 12);
  header.writeUInt32BE(seconds * 1_000, 16);
  return Buffer.concat([
    toBox("ftyp", Buffer.from("M4A \0\0\0\0M4A isom", "latin1")),
    toBox("moov", toBox("mvhd", header)),
    toBox("mdat", Buffer.alloc(16)),
  ]);
}

function toBox(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length + 8);
  return Buffer.concat([size, Buffer.from(name), content]);
}

// The coding of a recording's samples.

/** The samples of one recording. */
export interface Format {
  /** Such as "pcm", "mulaw" or "gsm"; "0x2a" for a WAV code without a name here. */
  readonly codec: string;
  readonly rate: number;
  readonly channels: number;
  /** Bytes of one sample of one channel; 0 if samples cannot be addressed individually. */
  readonly sampleBytes: number;
  /** Bytes of one sample of all channels, or of one block of a codec with blocks. */
  readonly blockBytes: number;
  /** 0 if the header does not say. */
  readonly samplesPerBlock: number;
  readonly isBigEndian: boolean;
  /** 8-bit samples whose middle is 128. */
  readonly isUnsigned: boolean;
}

/** The loudness of a coded stream that is visible without decoding. */
export interface Loudness {
  readonly isSilent: boolean;
  readonly isQuiet: boolean;
}

const LINEAR: ReadonlySet<string> = new Set(["pcm", "float", "mulaw", "alaw"]);

/** True if every sample has its place in the file. */
export const isLinear = ({ codec }: Pick<Format, "codec">): boolean => LINEAR.has(codec);

/** Recorders write these lengths before they know the real one: 0, all ones, and the largest 31-bit numbers. */
export const isOpenLength = (length: number): boolean => length === 0 || length >= 0x7f_ff_f0_00;

export const toDurationMs = (samples: number, rate: number): number | undefined =>
  rate > 0 ? Math.round((samples / rate) * 1000) : undefined;

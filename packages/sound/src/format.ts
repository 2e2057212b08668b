// How the samples of a recording are coded.

/** The samples of one recording. */
export interface Format {
  /** Such as "pcm", "mulaw" or "gsm"; "0x2a" for a code of WAV without a name here. */
  readonly codec: string;
  readonly rate: number;
  readonly channels: number;
  /** Bytes of one sample of one channel; 0 where samples cannot be addressed. */
  readonly sampleBytes: number;
  /** Bytes of one sample of all channels, or of one block of a codec with blocks. */
  readonly blockBytes: number;
  /** 0 where the header does not say. */
  readonly samplesPerBlock: number;
  readonly isBigEndian: boolean;
  /** Samples of 8 bits whose middle is 128. */
  readonly isUnsigned: boolean;
}

/** The loudness of a coded stream, as far as it shows without decoding. */
export interface Loudness {
  readonly isSilent: boolean;
  readonly isQuiet: boolean;
}

const LINEAR: ReadonlySet<string> = new Set(["pcm", "float", "mulaw", "alaw"]);

/** True if every sample has its place in the file. */
export const isLinear = ({ codec }: Pick<Format, "codec">): boolean => LINEAR.has(codec);

/** Recorders write these lengths before they know better: 0, all ones, and the largest numbers of 31 bits. */
export const isOpenLength = (length: number): boolean => length === 0 || length >= 0x7f_ff_f0_00;

export const toDurationMs = (samples: number, rate: number): number | undefined =>
  rate > 0 ? Math.round((samples / rate) * 1000) : undefined;

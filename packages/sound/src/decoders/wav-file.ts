// Decoded samples, and the WAV file of them that every browser plays.

/** Samples of 16 bits, those of one instant side by side. */
export interface Sound {
  readonly samples: Int16Array;
  readonly channels: number;
  readonly rate: number;
}

/** -32,768 to 32,767. */
export const clip = (value: number): number => Math.max(-0x80_00, Math.min(0x7f_ff, value));

const HEAD_BYTES = 44;

export function toWav({ samples, channels, rate }: Sound): Blob {
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  const write = (at: number, text: string) => {
    for (const [index, letter] of Array.from(text).entries())
      head.setUint8(at + index, letter.charCodeAt(0));
  };
  write(0, "RIFF");
  head.setUint32(4, HEAD_BYTES - 8 + samples.byteLength, true);
  write(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, channels, true);
  head.setUint32(24, rate, true);
  head.setUint32(28, rate * channels * 2, true);
  head.setUint16(32, channels * 2, true);
  head.setUint16(34, 16, true);
  write(36, "data");
  head.setUint32(40, samples.byteLength, true);
  return new Blob([head, Int16Array.from(samples)], { type: "audio/wav" });
}

// The codes of telephony, A-law and mu-law (ITU-T G.711).

/** Decodes an A-law code to 16 bits. */
export function decodeAlaw(code: number): number {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 15) << 4) + 8;
  const level = exponent === 0 ? mantissa : (mantissa + 0x1_00) << (exponent - 1);
  return bits & 0x80 ? level : -level;
}

/** Decodes a mu-law code to 16 bits. */
export function decodeMulaw(code: number): number {
  const bits = ~code & 0xff;
  const level = (((bits & 15) << 3) + 0x84) << ((bits >> 4) & 7);
  return bits & 0x80 ? 0x84 - level : level - 0x84;
}

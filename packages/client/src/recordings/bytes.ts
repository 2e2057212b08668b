// Conversions between bytes and text.

/** `Uint8Array<ArrayBuffer>`, also before TypeScript 5.7, where `Uint8Array` accepts no type argument. */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;

/** @throws DOMException, which quotes `base64`, if it is invalid. */
export function toBytes(base64: string): Bytes {
  const binary = atob(base64);
  // Uint8Array.from takes many times as long.
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Bytes as hexadecimal digits, two each. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// SHA-256 of what is whole in memory, by the browser itself.

/** Hexadecimal. */
export async function toSha256(content: Blob): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await content.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

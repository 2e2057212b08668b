// SHA-256 of content that is complete in memory, computed by the browser.

/** Returns hexadecimal digits. */
export async function toSha256(content: Blob): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await content.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

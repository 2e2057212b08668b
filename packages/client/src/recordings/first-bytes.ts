// What some bytes are that no recording begins with: pages and files that a proxy or a mix-up puts in its place.

const KINDS: readonly (readonly [what: string, beginning: RegExp])[] = [
  ["a page of HTML", /^(?:\u00EF\u00BB\u00BF)?\s*<(?:!doctype|html|head|body|!--)/i],
  ["XML", /^(?:\u00EF\u00BB\u00BF)?\s*<\?xml/i],
  ["JSON", /^(?:\u00EF\u00BB\u00BF)?\s*[[{]\s*(?:"[^"]*"\s*:|\{)[\t\n\r -~]*$/],
  ["a PDF", /^%PDF-/],
  ["a program", /^(?:\u007FELF|MZ[^]{56,}PE\0\0)/],
  ["an archive of files", /^PK\p{Cc}{2}/u],
  ["a picture", /^(?:GIF8[79]a|\u0089PNG\r\n|\u00FF\u00D8\u00FF)/],
];

/** So many bytes tell. */
export const HEAD_BYTES = 512;

/** What the beginning of a file shows; undefined where it may be sound. */
export function describeOther(head: Uint8Array): string | undefined {
  // A character for each byte.
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES));
  return KINDS.find(([, beginning]) => beginning.test(text))?.[0];
}

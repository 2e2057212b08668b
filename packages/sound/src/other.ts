// Recognizes bytes that no recording begins with: pages and files that a proxy or a mix-up puts in its place.

// Samples without a header may begin like text, but do not continue like it.
const REST = String.raw`[^\0-\u0008\v\u000E-\u001F\u007F]*$`;

const KINDS: readonly (readonly [what: string, beginning: RegExp])[] = [
  ["an HTML page", /^\s*<(?:!doctype|html|head|body|script|!--)/i],
  ["XML", new RegExp(String.raw`^\s*<(?:\?xml|[a-z][\w:.-]*[\s/>])${REST}`, "i")],
  ["JSON", new RegExp(String.raw`^\s*[[{]\s*(?:"[^"]*"\s*[:,\]]|[[{\]}])${REST}`)],
  ["a PDF", /^%PDF-/],
  ["a program", /^(?:\u007FELF|MZ[^]{56,}PE\0\0)/],
  ["an archive of files", /^PK\p{Cc}{2}/u],
  ["a picture", /^(?:GIF8[79]a|\u0089PNG\r\n|\u00FF\u00D8\u00FF)/],
];

/** The number of bytes needed. */
export const OTHER_BYTES = 512;

/** The kind of file by its beginning, such as "an HTML page"; undefined if it may be sound. A text must be the decoded file. */
export function describeOther(head: Uint8Array | string): string | undefined {
  // One character for each byte, whatever the encoding.
  const text =
    typeof head === "string" ? head : String.fromCharCode(...head.subarray(0, OTHER_BYTES));
  const begun = text.slice(0, OTHER_BYTES).replace(/^\u00EF\u00BB\u00BF/, "");
  return KINDS.find(([, beginning]) => beginning.test(begun))?.[0];
}

// Removes the escapes of a text and keeps the original position of each character.

/** A text and, for each of its characters, the start and end in the original text. */
export interface Written {
  readonly text: string;
  readonly places?: readonly (readonly [from: number, to: number])[];
}

const ESCAPES =
  /%[0-7][\da-f]|(?:%[89a-f][\da-f])+|\\u[\da-f]{4}|\\u\{[\da-f]{1,6}\}|\\x[\da-f]{2}|\\[\\/"'bfnrt]|&#x?[\da-f]+;|&(?:amp|lt|gt|quot|apos);/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};
const CONTROLS: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Handles the escapes of URLs, JSON, programming languages and markup. Undefined if the text has none. */
export function unescape({ text, places }: Written): Written | undefined {
  const plain: string[] = [];
  const origins: (readonly [number, number])[] = [];
  const toPlace = (from: number, to: number) =>
    [places?.[from]?.[0] ?? from, places?.[to - 1]?.[1] ?? to] as const;
  let end = 0;
  const take = (to: number) => {
    plain.push(text.slice(end, to));
    for (let at = end; at < to; at += 1) origins.push(toPlace(at, at + 1));
  };
  for (const { 0: found, index } of text.matchAll(ESCAPES)) {
    take(index);
    end = index + found.length;
    const decoded = fromEscape(found);
    plain.push(decoded);
    origins.push(...decoded.split("").map(() => toPlace(index, end)));
  }
  if (end === 0) return undefined;
  take(text.length);
  return { text: plain.join(""), places: origins };
}

function fromEscape(found: string): string {
  if (found.startsWith("%")) return Buffer.from(found.replaceAll("%", ""), "hex").toString();
  const [, named = ""] = /^&(\w+);$/.exec(found) ?? [];
  if (named !== "") return NAMED[named.toLowerCase()] ?? found;
  const [, decimal] = /^&#(\d+);$/.exec(found) ?? [];
  const [, hex] = /^(?:&#x|\\u\{?|\\x)([\da-f]+)[;}]?$/i.exec(found) ?? [];
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  if (code >= 0 && code <= 0x10_ff_ff) return String.fromCodePoint(code);
  return CONTROLS[found.slice(1)] ?? found.slice(1);
}

// A dictionary in a header: integers and display strings (RFC 9651, sections 3.2, 3.3.1 and 3.3.8).
import type { ResponseHeaders } from "./errors.ts";

/** Longer ones could exceed what clients and proxies accept as response headers. */
const MAX_BYTES = 4096;

/** Leaves out null members. Returns no header for an empty dictionary, or for one that is too long. */
export function toDictionaryHeader(
  name: string,
  members: Readonly<Record<string, string | number | null>>,
): ResponseHeaders {
  const value = Object.entries(members)
    .filter(([, member]) => member !== null)
    .map(([key, member]) => `${key}=${typeof member === "string" ? toDisplay(member) : member}`)
    .join(", ");
  return value === "" || value.length > MAX_BYTES ? {} : { [name]: value };
}

const toDisplay = (text: string): string => {
  const encoded = Buffer.from(text)
    .toString("latin1")
    .replaceAll(/[^ !#$&-~]/g, (byte) => `%${Buffer.from(byte, "latin1").toString("hex")}`);
  return `%"${encoded}"`;
};

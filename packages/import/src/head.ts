// The first 64 KiB of a file, which show its format: as text, as the first line of a table, as JSON.
import { JSONParser } from "@streamparser/json";
import { isObject } from "./json.ts";
import { isXml, parseXmlBeginning } from "./xml.ts";

export const HEAD_BYTES = 65_536;

export interface Head {
  /** Whole characters. */
  readonly text: string;
  /** False if some bytes are not UTF-8; U+FFFD stands for them in the text. */
  readonly isUtf8: boolean;
  /** The first line that is not blank. */
  readonly firstLine: string;
  /** The first JSON value or the XML document, as much of it as there is in the head; undefined when the file begins with none. */
  readonly json: unknown;
}

export function createHead(bytes: Buffer): Head {
  const { text, isUtf8 } = decode(bytes.subarray(0, HEAD_BYTES));
  let json: { readonly value: unknown } | undefined;
  return {
    text,
    isUtf8,
    firstLine: findFirstLine(text, []),
    get json() {
      json ??= { value: parseBeginning(text) };
      return json.value;
    },
  };
}

// Streaming leaves out a character that is cut off.
function decode(bytes: Buffer): Pick<Head, "text" | "isUtf8"> {
  const text = new TextDecoder().decode(bytes, { stream: true });
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, {
      stream: bytes.length === HEAD_BYTES,
    });
    return { text, isUtf8: true };
  } catch {
    return { text, isUtf8: false };
  }
}

type Lines = Pick<RegExp, "test">;

const findFirstLine = (text: string, skip: readonly Lines[]) =>
  text
    .split(/\r?\n/)
    .find((line) => line.trim() !== "" && !skip.some((pattern) => pattern.test(line))) ?? "";

/** As if lines such as a title did not stand above the first one of a table. */
export function withoutLines(head: Head, skip: readonly Lines[]): Head {
  if (skip.length === 0) return head;
  const { text, isUtf8 } = head;
  return { text, isUtf8, firstLine: findFirstLine(text, skip), json: head.json };
}

/** The value at a path such as `calls.*`, where `*` is the first element; "" is the value itself. */
export function pick(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path === "" ? [] : path.split(".")) {
    if (step === "*" && Array.isArray(found)) found = found[0];
    else if (isObject(found)) found = step === "*" ? Object.values(found)[0] : found[step];
    else return undefined;
  }
  return found;
}

function parseBeginning(text: string): unknown {
  if (isXml(text)) return parseXmlBeginning(text);
  if (!/^\s*[[{]/.test(text)) return undefined;
  const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
  let root: unknown;
  parser.onValue = ({ value, parent, stack }) => {
    root = stack[1]?.value ?? parent ?? value; // the last is the root itself, the others what lies in it
  };
  parser.onError = () => {}; // what stands before the fault tells the format
  parser.write(text);
  return root;
}

// Parses a JSON body strictly: it rejects text that RFC 8259 lets readers interpret differently, because a proxy may
// have interpreted it otherwise.
import { bodyInvalid, bodyNotJson } from "./errors.ts";

/**
 * The value that the bytes hold. A leading byte order mark is ignored, as RFC 8259, section 8.1 allows. Throws 400 for
 * text that is not JSON in UTF-8, for a duplicate name (section 4), and for a string with a lone surrogate (section
 * 8.2).
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw bodyNotJson("The body must be a JSON object");
  const { text, value } = decode(bytes);
  const doubled = findDoubledName(text);
  if (doubled !== undefined) throw bodyInvalid(`${doubled} is given twice`);
  const broken = findBrokenText(value);
  if (broken !== undefined)
    throw bodyInvalid(`${broken} holds half of a surrogate pair, which is not a character`);
  return value;
}

function decode(bytes: Uint8Array): { text: string; value: unknown } {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    throw bodyNotJson("The body is not JSON in UTF-8");
  }
}

// The strings and the structure of valid JSON.
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

// The contract's bodies are flat: a nested name is rejected because of its place.
function findDoubledName(text: string): string | undefined {
  const names = new Set<string>();
  let depth = 0;
  let lastString = "";
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (token !== ":") lastString = token;
    else if (depth === 1) {
      const name = String(JSON.parse(lastString)); // "agent" and "\u0061gent" are the same name
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

function findBrokenText(value: unknown): string | undefined {
  return Object.entries(value ?? {}).find(
    ([, field]) => typeof field === "string" && !field.isWellFormed(),
  )?.[0];
}

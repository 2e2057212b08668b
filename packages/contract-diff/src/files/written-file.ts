// A file that a person wrote, JSON or YAML, and the line of each value in it.
import { readFile } from "node:fs/promises";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";

/** What is wrong with a file; the message names it. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

export interface WrittenFile {
  readonly value: unknown;
  /** The line, from 1, of what these keys lead to, or of what encloses it where it is not written. */
  readonly lineOf: (keys: readonly (string | number)[]) => number;
}

/**
 * JSON is YAML 1.2, so one parser reads both.
 *
 * @throws FileFault with the place of a fault and never with the content, which may be a secret.
 */
export async function readWrittenFile(file: string): Promise<WrittenFile> {
  const lines = new LineCounter();
  const parsed = parseDocument(await readText(file), { lineCounter: lines, prettyErrors: true });
  const value = toValue(file, parsed);
  const lineOf = (keys: readonly (string | number)[]): number => {
    const node = keys.length === 0 ? parsed.contents : parsed.getIn(keys, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return keys.length === 0 ? 1 : lineOf(keys.slice(0, -1));
  };
  return { value, lineOf };
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const fault =
      error.code === "ENOENT"
        ? "does not exist"
        : `cannot be read (${error.code ?? error.message})`;
    throw new FileFault(`${file} ${fault}`, { cause: error });
  });
}

function toValue(file: string, parsed: Document): unknown {
  const [fault] = parsed.errors;
  if (fault !== undefined) {
    const [{ line, col }] = fault.linePos ?? [{ line: 1, col: 1 }];
    throw new FileFault(`${file}:${line}:${col} is neither JSON nor YAML`);
  }
  try {
    const value: unknown = parsed.toJS();
    JSON.stringify(value); // throws where an alias stands for what it is in
    return value;
  } catch {
    // The error names what the alias should stand for.
    throw new FileFault(`${file} has an alias, *name, that stands for nothing or for too much`);
  }
}

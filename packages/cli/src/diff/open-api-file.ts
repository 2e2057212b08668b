// An OpenAPI document in a file, JSON or YAML, and the lines of what stands in it.
import { isObject, type JsonObject, parsePointer } from "@call-media/contract-diff";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { UsageError } from "../failures/usage-error.ts";
import { readTextFile, toValue } from "../files/document-file.ts";

export interface OpenApiFile {
  /** As it was given. */
  readonly file: string;
  readonly document: JsonObject;
  /** The line, from 1, of what stands at a pointer; of what it would stand in, where it is not in this file. */
  readonly lineOf: (pointer: string) => number;
}

/** @throws UsageError that names the file and the fault. */
export async function readOpenApiFile(file: string): Promise<OpenApiFile> {
  const lines = new LineCounter();
  const parsed = parseDocument(await readTextFile(file), {
    lineCounter: lines,
    prettyErrors: true,
  });
  const document = toValue(file, parsed);
  if (!isObject(document)) throw new UsageError(`${file} is no OpenAPI document`);
  return { file, document, lineOf: (pointer) => findLine(parsed, lines, parsePointer(pointer)) };
}

function findLine(parsed: Document, lines: LineCounter, keys: readonly string[]): number {
  const node = parsed.getIn(keys, true);
  if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  return keys.length === 0 ? 1 : findLine(parsed, lines, keys.slice(0, -1));
}

// Reads a file that a person wrote, JSON or YAML, and names the place of a fault without showing what stands there.
import { readFile, stat } from "node:fs/promises";
import type { Document, YAMLError } from "yaml";
import { UsageError } from "../failures/usage-error.ts";

/**
 * The value in a JSON or YAML file.
 *
 * @throws UsageError with file, line and column; never with the content, which may be a secret.
 */
export async function readDocumentFile(file: string): Promise<unknown> {
  const text = await readTextFile(file);
  // Not before it is needed: it takes 9 MB of memory. JSON is YAML 1.2, so one parser reads both.
  const { parseDocument } = await import("yaml");
  const parsed = parseDocument(text, { prettyErrors: true });
  return toValue(file, parsed);
}

/** @throws UsageError with the place of the first fault; what stands there may be a secret. */
export function toValue(file: string, parsed: Document): unknown {
  const [fault] = parsed.errors;
  if (fault !== undefined) throw toSyntaxError(file, fault);
  try {
    const value: unknown = parsed.toJS();
    JSON.stringify(value); // throws where an alias stands for what it is in
    return value;
  } catch {
    // The error names what the alias should stand for.
    throw new UsageError(`${file} has an alias, *name, that stands for nothing or for too much`);
  }
}

/** @throws UsageError when the file cannot be read. */
export function readTextFile(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const fault =
      error.code === "ENOENT"
        ? "does not exist"
        : `cannot be read (${error.code ?? error.message})`;
    throw new UsageError(`${file} ${fault}`, { cause: error });
  });
}

function toSyntaxError(file: string, { linePos }: YAMLError): UsageError {
  const [{ line, col }] = linePos ?? [{ line: 1, col: 1 }];
  return new UsageError(`${file}:${line}:${col} is neither JSON nor YAML`);
}

/** Whether others than its owner may read the file. Windows keeps no such bits: there it is false. */
export async function isReadableByOthers(file: string): Promise<boolean> {
  return process.platform !== "win32" && ((await stat(file)).mode & 0o077) !== 0;
}

export type Mapping = Readonly<Record<string, unknown>>;

/** @throws UsageError when `value` is not a mapping, or has a key that is not known. */
export function parseMapping(value: unknown, where: string, known: readonly string[]): Mapping {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${where} must be an object`);
  const unknownKey = Object.keys(value).find((key) => !known.includes(key));
  if (unknownKey !== undefined)
    throw new UsageError(
      `${where} has an unknown field ${unknownKey}: it may have ${known.join(", ")}`,
    );
  return value as Mapping; // an object that is no array has text keys
}

/** @throws UsageError when the field is there and is not a text, or is empty. */
export function parseText(mapping: Mapping, field: string, where: string): string | undefined {
  const value = mapping[field];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.trim() === "")
    throw new UsageError(`${where}: ${field} must be a text that is not empty`);
  return value;
}

// Reads JSON or YAML that a person wrote. Errors name the place of a fault, never the content.
import { stat } from "node:fs/promises";
import type { OpenApiFile, ReadOptions } from "@call-media/contract-diff/files";
import { UsageError } from "@call-media/terminal";

/**
 * The value in a JSON or YAML file.
 *
 * @throws UsageError with file, line and column; never with the content, which may be a secret.
 */
export async function readDocumentFile(file: string): Promise<unknown> {
  // Loaded only if needed: its parser takes 9 MB of memory.
  const { readWrittenFile } = await import("@call-media/contract-diff/files");
  return (await asUsage(readWrittenFile(file))).value;
}

/** A document with all files that it refers to. @throws UsageError as above, also for a reference to another host. */
export async function readOpenApiFile(file: string, options?: ReadOptions): Promise<OpenApiFile> {
  const files = await import("@call-media/contract-diff/files");
  return asUsage(files.readOpenApiFile(file, options));
}

/** Turns a fault of a file into a message for the user. */
export function asUsage<Value>(reading: Promise<Value>): Promise<Value> {
  return reading.catch((error: unknown) => {
    const isFault = error instanceof Error && error.name === "FileFault";
    throw isFault ? new UsageError(error.message, { cause: error.cause }) : error;
  });
}

/** True if others than the owner may read the file. False on Windows, which has no such bits. */
export async function isReadableByOthers(file: string): Promise<boolean> {
  return process.platform !== "win32" && ((await stat(file)).mode & 0o077) !== 0;
}

export type Mapping = Readonly<Record<string, unknown>>;

/** @throws UsageError if `value` is not a mapping, or has an unknown key. */
export function parseMapping(value: unknown, where: string, known: readonly string[]): Mapping {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${where} must be an object`);
  const unknownKey = Object.keys(value).find((key) => !known.includes(key));
  if (unknownKey !== undefined)
    throw new UsageError(
      `${where} has an unknown field ${unknownKey}: it may have ${known.join(", ")}`,
    );
  return value as Mapping; // an object that is not an array has string keys
}

/** @throws UsageError if the field is present and is not a string, or is empty. */
export function parseText(mapping: Mapping, field: string, where: string): string | undefined {
  const value = mapping[field];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value.trim() === "")
    throw new UsageError(`${where}: ${field} must be a text that is not empty`);
  return value;
}

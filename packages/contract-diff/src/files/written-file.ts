// A handwritten file, JSON or YAML, with the line of each value.
import { readFile, stat } from "node:fs/promises";
import { createJsonLines } from "./json-lines.ts";
import { parseYaml, YamlFault } from "./yaml-file.ts";

/** A fault in a file; the message names the file. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

export interface WrittenFile {
  readonly value: unknown;
  /** The line, from 1, of the value at these keys. If it does not exist, the line of the enclosing value. */
  readonly lineOf: (keys: readonly (string | number)[]) => number;
}

/** @throws FileFault with the place of a fault and never with the content, which may be a secret. */
export async function readWrittenFile(file: string): Promise<WrittenFile> {
  return parseWritten(file, await readText(file));
}

/** Reads a file from another host. @throws FileFault as above, also if it does not arrive within {@link TIMEOUT_MS}. */
export async function readRemoteFile(url: string): Promise<WrittenFile> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new FileFault(`${url} is answered ${response.status}`);
    return parseWritten(url, await response.text());
  } catch (error) {
    if (error instanceof FileFault) throw error;
    const { cause, message } = error as Error; // what fetch throws
    const why = cause instanceof Error ? cause.message : message;
    throw new FileFault(`${url} cannot be fetched (${why})`, { cause: error });
  }
}

const TIMEOUT_MS = 30_000;

/** The content of a file as it was read. @throws FileFault as above. */
export function parseWritten(file: string, text: string): WrittenFile {
  const value = parseJson(text);
  return value === undefined ? readYaml(file, text) : { value, lineOf: createJsonLines(text) };
}

// Files that the shell opened, as by `<(git show v1:openapi.yaml)`.
const OPENED = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/;

/** Refuses pipes, which may never deliver anything, and devices, which may have no end. */
async function readText(file: string): Promise<string> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new FileFault(`${file} is a folder`);
    if (!found.isFile() && !(found.isFIFO() && OPENED.test(file)))
      throw new FileFault(`${file} is a pipe or device and not a file`);
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof FileFault) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const fault = code === "ENOENT" ? "does not exist" : `cannot be read (${code ?? message})`;
    throw new FileFault(`${file} ${fault}`, { cause: error });
  }
}

/**
 * Parses JSON separately, because parsing it as YAML takes twenty times as long. Undefined for other texts: the YAML parser then locates
 * the fault.
 */
function parseJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readYaml(file: string, text: string): WrittenFile {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const { at, message } = error;
    throw new FileFault(
      at === undefined ? `${file} ${message}` : `${file}:${at.line}:${at.column} ${message}`,
    );
  }
}

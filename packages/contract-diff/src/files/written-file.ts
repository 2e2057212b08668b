// A file that a person wrote, JSON or YAML, and the line of each value in it.
import { readFile, stat } from "node:fs/promises";
import { createJsonLines } from "./json-lines.ts";
import { parseYaml, YamlFault } from "./yaml-file.ts";

/** What is wrong with a file; the message names it. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

export interface WrittenFile {
  readonly value: unknown;
  /** The line, from 1, of what these keys lead to, or of what encloses it where it is not written. */
  readonly lineOf: (keys: readonly (string | number)[]) => number;
}

/** @throws FileFault with the place of a fault and never with the content, which may be a secret. */
export async function readWrittenFile(file: string): Promise<WrittenFile> {
  return parseWritten(file, await readText(file));
}

/** A file of another host. @throws FileFault as above, also where it is not given within {@link TIMEOUT_MS}. */
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

function parseWritten(file: string, text: string): WrittenFile {
  const value = parseJson(text);
  return value === undefined ? readYaml(file, text) : { value, lineOf: createJsonLines(text) };
}

// What the shell has opened for us, as by `<(git show v1:openapi.yaml)`.
const OPENED = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/;

/** Nothing may ever come from a pipe, and a device may have no end: neither is read. */
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

/** JSON is YAML, too, but read so it takes twenty times as long. What is no JSON is read as YAML, which tells where it is at fault. */
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

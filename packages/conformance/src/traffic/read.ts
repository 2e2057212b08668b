// Reads the exchanges of a file one by one, so that a large file needs no more memory than its largest entry.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { JSONParser } from "@streamparser/json";
import { parseJson } from "../ask.ts";

/** An entry as it stands in the file. */
export interface Read {
  /** Its place, for people and for `jq`. */
  readonly entry: string;
  readonly value: unknown;
}

/** A fault of a file of recorded traffic; the message names the file and, where it can, the place. */
export class TrafficFault extends Error {
  override readonly name = "FileFault";
}

/**
 * A HAR 1.2 file by its ending `.har`, NDJSON by `.ndjson` or `.jsonl`.
 *
 * @throws TrafficFault if the file cannot be read, or is in none of these formats. Entries before a fault come first.
 */
export async function* readTraffic(file: string): AsyncGenerator<Read> {
  const reader = /\.har$/i.test(file)
    ? readHar
    : /\.(?:ndjson|jsonl)$/i.test(file)
      ? readLines
      : undefined;
  if (reader === undefined)
    throw new TrafficFault(`${file}: the name of recorded traffic ends in .har, .ndjson or .jsonl`);
  try {
    yield* reader(file);
  } catch (error) {
    if (error instanceof TrafficFault || !isOfSystem(error)) throw error;
    throw new TrafficFault(`${file} cannot be read: ${error.message}`, { cause: error });
  }
}

const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "code" in error;

async function* readLines(file: string): AsyncGenerator<Read> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (text.trim() !== "") yield { entry: `line ${number}`, value: parseJson(text) };
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

async function* readHar(file: string): AsyncGenerator<Read> {
  const entries = createFinder(file);
  let isFirst = true;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const isMarked = isFirst && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK);
    isFirst = false;
    yield* entries.find(isMarked ? chunk.subarray(3) : chunk);
  }
  entries.end();
}

/** Finds the entries in the chunks of a HAR file, and holds none that was found. */
function createFinder(file: string) {
  const parser = new JSONParser({ paths: ["$.log.entries.*", "$.log.entries"], keepStack: false });
  let found: Read[] = [];
  let count = 0;
  let isListed = false;
  let fault: string | undefined;
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length < 3) isListed = Array.isArray(value);
    else {
      count += 1;
      found.push({ entry: `log.entries[${String(key)}]`, value });
      // The parser keeps the elements of a list that it emits.
      if (Array.isArray(parent)) parent[Number(key)] = null;
    }
  };
  parser.onError = () => {
    fault ??= count === 0 ? "it is not JSON" : `its JSON is broken after log.entries[${count - 1}]`;
  };
  const check = () => {
    if (fault !== undefined) throw new TrafficFault(`${file}: ${fault}`);
  };
  return {
    find: function* find(chunk: Uint8Array): Generator<Read> {
      parser.write(chunk);
      const ready = found;
      found = [];
      yield* ready;
      check();
    },
    end: () => {
      if (!parser.isEnded)
        fault ??= `it ends in the middle of its JSON, ${count === 0 ? "before its first entry" : `after log.entries[${count - 1}]`}`;
      if (!isListed) fault ??= "it has no list log.entries, so it is not a HAR file";
      check();
    },
  };
}

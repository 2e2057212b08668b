// Reads the report and the records of a hand-over without unpacking it. The zip may be forged, so nothing in it is trusted.
import { METADATA, REPORT } from "../export/layout.ts";
import { toFoundText } from "../export/found.ts";
import type { Report } from "../export/report.ts";
import { EXPORT } from "./layout.ts";

export interface OpenedHandOver {
  readonly report: Report;
  /** The first records. */
  readonly records: readonly OpenedRecord[];
}

/** The fields that distinguish records. A value that is not text is empty. */
export interface OpenedRecord {
  readonly call_id: string;
  readonly datetime: string;
  readonly agent_name: string;
}

function toRecord(line: string): OpenedRecord {
  const record = Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  const read = (field: string) => (typeof record[field] === "string" ? record[field] : "");
  return {
    call_id: read("call_id"),
    datetime: read("datetime"),
    agent_name: read("agent_name"),
  };
}

const MOST_RECORDS = 1000;
const MOST_BYTES = 50_000_000;

/** Undefined if the file is not a hand-over. */
export async function openHandOver(zip: Blob): Promise<OpenedHandOver | undefined> {
  try {
    const files = await listFiles(zip);
    const report = JSON.parse(await readText(zip, files.get(`${EXPORT}/${REPORT}`))) as Report;
    const lines = await readText(zip, files.get(`${EXPORT}/${METADATA.jsonl}`));
    const records = lines
      // Without the rest of a line that was not read to its end.
      .slice(0, lines.lastIndexOf("\n") + 1)
      .split("\n", MOST_RECORDS)
      .filter((line) => line !== "")
      .map(toRecord);
    // Throws if the report lacks what it needs.
    toFoundText(report);
    return { report, records };
  } catch {
    return undefined;
  }
}

/** Where a file of the zip is (APPNOTE 4.3.12). */
interface Entry {
  readonly at: number;
  readonly packed: number;
  readonly method: number;
}

const [END, CENTRAL, STORED, DEFLATED] = [0x06054b50, 0x02014b50, 0, 8];
const END_BYTES = 22;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;

async function listFiles(zip: Blob): Promise<ReadonlyMap<string, Entry>> {
  const end = await readView(zip, zip.size - END_BYTES, END_BYTES);
  if (end.getUint32(0, true) !== END) throw new TypeError("The zip has no end, or a comment");
  const central = await readView(zip, end.getUint32(16, true), end.getUint32(12, true));
  const files = new Map<string, Entry>();
  for (let at = 0; at < central.byteLength;) {
    if (central.getUint32(at, true) !== CENTRAL) throw new TypeError("The directory is damaged");
    const name = central.getUint16(at + 28, true);
    const path = new Uint8Array(central.buffer, at + CENTRAL_BYTES, name);
    files.set(new TextDecoder().decode(path), {
      at: central.getUint32(at + 42, true),
      packed: central.getUint32(at + 20, true),
      method: central.getUint16(at + 10, true),
    });
    at +=
      CENTRAL_BYTES + name + central.getUint16(at + 30, true) + central.getUint16(at + 32, true);
  }
  return files;
}

const readView = async (zip: Blob, at: number, length: number): Promise<DataView> =>
  new DataView(await zip.slice(at, at + length).arrayBuffer());

/** Reads no more than a page can show, whatever the zip unpacks to. */
async function readText(zip: Blob, entry: Entry | undefined): Promise<string> {
  if (entry === undefined) throw new TypeError("The zip lacks a file");
  const { at, packed, method } = entry;
  const local = await readView(zip, at, LOCAL_BYTES);
  const begins = at + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
  const bytes = zip.slice(begins, begins + packed).stream();
  if (method !== STORED && method !== DEFLATED) throw new TypeError("The file is packed otherwise");
  const content =
    method === STORED ? bytes : bytes.pipeThrough(new DecompressionStream("deflate-raw"));
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  for await (const chunk of content) {
    length += chunk.length;
    if (length > MOST_BYTES) break;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

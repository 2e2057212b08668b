// Turns the media of the corpus into calls with one recording each: files described in LINKS.jsonl, and all others.
import { readFile, readdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { type CorpusSource, type ExpectedCall, type JsonlEntry, writeJsonl } from "./source.ts";

// The source of files without a link.
const OTHER = "other-media";

interface Link {
  readonly id: string;
  readonly source: string;
  readonly media: readonly string[];
  readonly transcript?: string | null;
  readonly metadata?: string;
}

type Fields = Readonly<Record<string, string>>;

/** Recordings of `source` according to its links; without a source, the files without a link. */
export function loadRecordings(source?: string) {
  return async (corpus: string, scratch: string): Promise<CorpusSource> => {
    const links = await readLinks(corpus);
    const found = source === undefined ? await findUnlinked(corpus, links) : links;
    const readText = createTextReader(corpus);
    const entries: JsonlEntry[] = [];
    const calls: ExpectedCall[] = [];
    for (const link of found.filter((candidate) => candidate.source === (source ?? OTHER))) {
      const record = { campaign: link.source, ...toFileFields(link), ...(await readText(link)) };
      const media = link.media.map((file) => ({ file }));
      entries.push({ kind: "call", call_id: link.id, ...record, media });
      const recordings = link.media.map((file) => join(corpus, file));
      calls.push({ call_id: link.id, record, chat: [], recordings });
    }
    const paths = [await writeJsonl(scratch, source ?? OTHER, entries)];
    return {
      import: { format: "jsonl", paths, mediaDirectory: corpus },
      rows: entries.length,
      rejected: [],
      calls,
    };
  };
}

async function readLinks(corpus: string): Promise<Link[]> {
  const lines = (await readFile(join(corpus, "LINKS.jsonl"), "utf8")).trim().split("\n");
  return lines.map((line): Link => JSON.parse(line)).filter(({ media }) => media.length > 0);
}

async function findUnlinked(corpus: string, links: readonly Link[]): Promise<Link[]> {
  const linked = new Set(links.flatMap(({ media }) => media));
  const entries = await readdir(join(corpus, "media"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(corpus, join(entry.parentPath, entry.name)))
    .filter((file) => !linked.has(file))
    .map((file) => ({ id: file, source: OTHER, media: [file] }));
}

/** The facts in a file name that follows a recorder's template. */
function toFileFields({ media: [file = ""] }: Link): Fields {
  const [, guid, agent, day, time] =
    /GUID_(\d+)_AGENT_(\w+?)_DT_([\d-]+)T([\d-]+)/.exec(basename(file)) ?? [];
  if (guid === undefined || agent === undefined || time === undefined) return {};
  return { ref_id: guid, agent, datetime: `${day}T${time.replaceAll("-", ":")}` };
}

/** Reads the transcript, if a link names a line of a text file. */
function createTextReader(corpus: string): (link: Link) => Promise<Fields> {
  const files = new Map<string, Promise<Buffer>>();
  const read = async (path: string) => {
    const content = files.get(path) ?? readFile(join(corpus, path));
    files.set(path, content);
    const bytes = path.endsWith(".gz") ? gunzipSync(await content) : await content;
    return bytes.toString("utf8").replace(/^\ufeff/, "");
  };
  return async ({ transcript, metadata }) => {
    const [path = "", key = ""] = (transcript ?? metadata ?? "").split("#");
    if (path.endsWith(".txt.gz")) return findText(await read(path), `${key}: `);
    if (path.endsWith("trans.txt")) return findText(await read(path), "audio.wav\t");
    if (path.endsWith(".csv")) return findCell(await read(path), key);
    return {};
  };
}

function findText(text: string, prefix: string): Fields {
  const line = text.split(/\r?\n/).find((candidate) => candidate.startsWith(prefix));
  return line === undefined ? {} : { transcript: line.slice(prefix.length) };
}

function findCell(text: string, key: string): Fields {
  const rows: string[][] = parse(text, { relaxColumnCount: true });
  const [, transcript] = rows.find(([name]) => name === key) ?? [];
  return transcript === undefined ? {} : { transcript };
}

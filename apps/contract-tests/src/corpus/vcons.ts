// The vCons of the corpus, read without the importer, and two invalid ones.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CorpusSource, ExpectedCall } from "./source.ts";

interface Vcon {
  readonly uuid: string;
  readonly parties: readonly { readonly role?: string; readonly mailto?: string }[];
  readonly dialog: readonly {
    readonly type: string;
    readonly start: string;
    readonly body?: string;
    readonly filename?: string;
  }[];
  readonly analysis: readonly { readonly type: string; readonly body?: unknown }[];
}

/** Every vCon below metadata/, and in `scratch` a truncated one and one without its uuid. */
export async function loadVcons(corpus: string, scratch: string): Promise<CorpusSource> {
  const files = await findVcons(join(corpus, "metadata"));
  const paths = [...files, ...(await breakVcon(files[0] ?? "", scratch))];
  const rejected: CorpusSource["rejected"][number][] = [];
  const calls: ExpectedCall[] = [];
  for (const file of paths) {
    const vcon = parseVcon(await readFile(file, "utf8"));
    if (typeof vcon === "string") rejected.push({ file, reason: vcon });
    else calls.push(toCall(vcon));
  }
  return { import: { format: "vcon", paths }, rows: paths.length, rejected, calls };
}

async function breakVcon(file: string, scratch: string): Promise<string[]> {
  const text = await readFile(file, "utf8");
  const cutOff = join(scratch, "cut-off.vcon");
  const nameless = join(scratch, "nameless.vcon");
  await writeFile(cutOff, text.slice(0, text.length / 2));
  await writeFile(nameless, JSON.stringify({ ...JSON.parse(text), uuid: undefined }));
  return [cutOff, nameless];
}

/** Returns the vCon, or the reason why it is invalid. */
function parseVcon(text: string): Vcon | string {
  try {
    const vcon: Partial<Vcon> = JSON.parse(text);
    const { uuid, parties = [], dialog = [], analysis = [] } = vcon;
    return uuid === undefined ? "uuid: must be a string" : { uuid, parties, dialog, analysis };
  } catch {
    return "not valid JSON";
  }
}

async function findVcons(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((name) => /\.vcon(?:\.json)?$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

function toCall({ uuid, parties, dialog, analysis }: Vcon): ExpectedCall {
  const inOrder = dialog.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
  const agent = parties.find(({ role }) => role === "agent")?.mailto;
  const file = dialog.find(({ type }) => type === "recording")?.filename;
  const summary = analysis.find(({ type }) => type === "summary")?.body;
  const spoken = analysis.find(({ type }) => type === "transcript")?.body;
  return {
    call_id: uuid,
    record: {
      ref_id: uuid,
      datetime: inOrder[0]?.start ?? null,
      ...(agent ? { agent } : {}),
      // A recording that the corpus lacks keeps its name.
      ...(file ? { recordings: file } : {}),
      ...(typeof summary === "string" ? { notes: summary } : {}),
      ...(isTranscript(spoken) ? { transcript: spoken.transcript } : {}),
    },
    chat: inOrder.flatMap(({ type, body }) => (type === "text" && body ? [body] : [])),
  };
}

function isTranscript(body: unknown): body is { transcript: string } {
  return typeof body === "object" && body !== null && "transcript" in body;
}

// An archive written out in a form that an import reads back: the formats, and the way there.
import type { ArchiveItem } from "@call-media/store";
import type { ExportedLine, ExportFormat } from "./format.ts";
import { toCallEntry, toFlagEntry } from "./to-entry.ts";
import { toExportedVcon } from "./to-vcon.ts";

export { exportArchive, type ExportOptions, type ExportReport } from "./export-archive.ts";

export type ExportFormatName = "jsonl" | "vcon";

const ARCHIVE_FILE = "archive.jsonl";
const VCON_FILE = "vcons.jsonl";
// Users, flags and chats without a call, in the archive's own format.
const OTHERS_FILE = "others.jsonl";

/** The archive's own format (README, "jsonl"): everything in one file. */
const jsonl: ExportFormat = {
  name: "jsonl",
  mainFile: ARCHIVE_FILE,
  lines: async function* ({ scan, recordingsOf }) {
    for await (const { items, bytes } of scan.rows())
      for (const [index, item] of items.entries()) {
        const ownBytes = index === 0 ? bytes : 0;
        if (item.kind !== "call") yield toLine(ARCHIVE_FILE, item, ownBytes);
        else {
          const value = toCallEntry(item, await recordingsOf(item));
          yield { file: ARCHIVE_FILE, kind: "calls", value, bytes: ownBytes };
        }
      }
  },
};

/** A vCon a line: a call with its chat. */
const vcon: ExportFormat = {
  name: "vcon",
  mainFile: VCON_FILE,
  lines: async function* (archive) {
    for await (const { id, items, bytes } of archive.scan.rows()) {
      const [call, ...chat] = items;
      if (call === undefined) continue;
      if (call.kind !== "call") {
        // A damaged call leaves its messages.
        for (const item of items)
          if (item.kind !== "call") yield toLine(OTHERS_FILE, item, item === call ? bytes : 0);
        continue;
      }
      const messages = chat.flatMap((item) => (item.kind === "chat" ? [item.record] : []));
      const recordings = await archive.recordingsOf(call);
      const value = await toExportedVcon({ id, call, messages, recordings }, archive);
      yield { file: VCON_FILE, kind: "calls", chats: messages.length, value, bytes };
    }
  },
};

export const EXPORT_FORMATS: Readonly<Record<ExportFormatName, ExportFormat>> = { jsonl, vcon };

const KINDS = { user: "users", flag: "flags", chat: "chats" } as const;

function toLine(
  file: string,
  item: Exclude<ArchiveItem, { kind: "call" }>,
  bytes: number,
): ExportedLine {
  const value = item.kind === "flag" ? toFlagEntry(item) : { kind: item.kind, ...item.record };
  return { file, kind: KINDS[item.kind], value, bytes };
}

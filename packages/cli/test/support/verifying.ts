// Exports that are looked at again, and changed as somebody might change them.
import { hash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "@call-media/handover";
import { openFolder } from "../../src/export/proof/contents.ts";
import { verifyExport } from "../../src/export/proof/verify.ts";
import { type FakeCall, readManifest, readReport, toBytes } from "./exporting.ts";

export const CALLS: readonly FakeCall[] = Array.from({ length: 5 }, (_, index) => ({
  call_id: String(1000 + index),
  datetime: `2026-03-0${index + 1}T06:14:00Z`,
  recordings: [{ filename: "a.wav", bytes: toBytes(900 + index) }],
}));

export const verify = (out: string, seal?: string) =>
  verifyExport(openFolder(out), {
    seal,
    signal: new AbortController().signal,
    onFile: () => {},
  });

export type Changeable = { -readonly [Key in keyof Report]: Report[Key] };

export async function changeReport(
  out: string,
  change: (report: Changeable) => void,
): Promise<void> {
  const report = await readReport(out);
  change(report);
  await writeFile(join(out, "report.json"), `${JSON.stringify(report, undefined, 2)}\n`);
}

const toWritten = (file: string, text: string) => ({
  file,
  bytes: Buffer.byteLength(text),
  sha256: hash("sha256", text),
});

/** Other metadata, with all that says what is in it made to fit: only the count of the records is left as it was. */
export async function forgeMetadata(out: string, file: string, change: (text: string) => string) {
  const text = change(await readFile(join(out, file), "utf8"));
  await writeFile(join(out, file), text);
  const metadata = toWritten(file, text);
  const entries = (await readManifest(out)).map((entry) =>
    entry.kind === "metadata" ? { ...entry, ...metadata } : entry,
  );
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  await writeFile(join(out, "manifest.jsonl"), lines);
  await changeReport(out, (report) => {
    report.metadata = metadata;
    report.manifest = toWritten("manifest.jsonl", lines);
  });
}

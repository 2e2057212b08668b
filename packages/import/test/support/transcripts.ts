// Transcripts for tests, imported into an archive that has the call they belong to.
import type { CallStore } from "@call-media/store";
import { importFiles } from "../../src/index.ts";
import { createArchive, writeLines } from "./archives.ts";
import { call, fill } from "./records.ts";

/** When the call 4711 began. */
export const START = "2026-08-21T09:00:00Z";

/** The messages of a chat: time, party_type, label and text of each. */
export async function chatOf(store: CallStore, callId: string) {
  const messages = await store.calls.chat(callId, "everything");
  return messages.map(({ datetime, party_type, label, transcript }) => [
    datetime,
    party_type,
    label,
    transcript,
  ]);
}

/** Imports a file of that name and of these lines; `chat` is that of the call 4711. */
export async function importTranscript(
  name: string,
  lines: readonly (string | object)[],
  timeZone?: string,
) {
  const store = createArchive();
  await fill(store, [call({ call_id: "4711", datetime: START })]);
  const path = await writeLines(name, lines);
  const report = await importFiles({ store, paths: [path], timeZone });
  return { report, chat: await chatOf(store, "4711") };
}

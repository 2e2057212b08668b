// Maintenance of the archive in a folder, as tests ask for it.
import { createStore } from "@call-media/store/sqlite";
import { createFolder } from "./archives.ts";
import { call, fill } from "./records.ts";
import type { CopyOptions, ErasureFilter, OnProgress, VerifyOptions } from "@call-media/store";
import { verifyMedia as verify } from "@call-media/store";
import { openMaintenance } from "@call-media/store/open";
import { exportArchive as writeOut, type ExportOptions } from "../../src/export/index.ts";

const open = (directory: string) => openMaintenance({ records: directory });

function unable(): never {
  throw new Error("an archive in a folder is copied");
}

interface Copied extends CopyOptions {
  readonly from: string;
  readonly to: string;
}

export async function backUp({ from, to, ...options }: Copied) {
  return (await (await open(from)).snapshot?.(to, options)) ?? unable();
}

export async function restore({ from, to, ...options }: Copied) {
  return (await (await open(to)).restore?.(from, options)) ?? unable();
}

export const examine = async (directory: string) => await (await open(directory)).check();

export async function planPurge(of: { directory: string; filter: ErasureFilter }) {
  return await (await open(of.directory)).planErasure(of.filter);
}

interface Purged {
  readonly directory: string;
  readonly filter: ErasureFilter;
  readonly operator: string;
  readonly onProgress?: OnProgress;
}

export async function purge({ directory, filter, ...by }: Purged) {
  return await (await open(directory)).erase(filter, by);
}

export async function verifyMedia({
  directory,
  ...options
}: VerifyOptions & { directory: string }) {
  return await verify(await open(directory), options);
}

export type FolderExport = Omit<ExportOptions, "archive"> & { readonly directory: string };

export async function exportArchive({ directory, ...options }: FolderExport) {
  return await writeOut({ archive: await open(directory), ...options });
}

/** The folder of an archive with a call that has a recording, which nobody has open. */
export async function createClosedArchive(callId: string): Promise<string> {
  const directory = await createFolder();
  await using store = await createStore({ directory });
  const media = await store.media.put({ name: callId, content: Buffer.from(callId) });
  const recordings = [{ filename: `${callId}.wav`, media }];
  await fill(store, [call({ call_id: callId, datetime: "2025-05-01T10:00:00Z" }, { recordings })]);
  return directory;
}

// Maintenance of the archive in a folder, as tests ask for it; also in processes of their own.
import type { CopyOptions, ErasureFilter, OnProgress } from "../../src/port/index.ts";
import { createMaintenance } from "../../src/sqlite/maintenance/maintenance.ts";
import { verifyMedia as verify, type VerifyOptions } from "../../src/verify-media.ts";

export type { ErasureFilter, Finding, Progress } from "../../src/port/index.ts";

interface Of {
  readonly directory: string;
}

interface Watched extends Of {
  readonly onProgress?: OnProgress | undefined;
}

interface Copied extends CopyOptions {
  readonly from: string;
  readonly to: string;
}

export async function backUp({ from, to, ...options }: Copied) {
  return (await createMaintenance(from).snapshot?.(to, options)) ?? unable();
}

export async function restore({ from, to, ...options }: Copied) {
  return (await createMaintenance(to).restore?.(from, options)) ?? unable();
}

export async function rebuildIndex({ directory, onProgress }: Watched) {
  return (await createMaintenance(directory).reindex?.(onProgress)) ?? unable();
}

function unable(): never {
  throw new Error("an archive in a folder can do that");
}

interface ExamineOptions {
  readonly now?: () => number;
  readonly onProgress?: OnProgress;
  /** The disk of the tests may be small, which is no finding unless a test is about it. */
  readonly isOfRoom?: boolean;
}

export async function examine(
  directory: string,
  { now, onProgress, isOfRoom = false }: ExamineOptions = {},
) {
  const readRoom = isOfRoom ? undefined : () => Promise.resolve(Number.MAX_SAFE_INTEGER);
  return await createMaintenance(directory, { now, readRoom }).check(onProgress);
}

export async function planPurge({ directory, filter }: Of & { readonly filter: ErasureFilter }) {
  return await createMaintenance(directory).planErasure(filter);
}

interface Purged extends Of {
  readonly filter: ErasureFilter;
  readonly operator: string;
  readonly onProgress?: OnProgress;
}

export async function purge({ directory, filter, ...by }: Purged) {
  return await createMaintenance(directory).erase(filter, by);
}

export async function verifyMedia({ directory, ...options }: Of & VerifyOptions) {
  return await verify(createMaintenance(directory), options);
}

interface Decision extends Of {
  readonly operator: string;
}

export async function beginAccessLogAnew({ directory, operator }: Decision) {
  await createMaintenance(directory).lostLog?.beginAnew(operator);
}

export async function acceptLostAccessRows({ directory, operator }: Decision) {
  return await createMaintenance(directory).lostLog?.acceptLoss(operator);
}

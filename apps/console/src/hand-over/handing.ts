// One hand-over from listing its calls to its seal, as its page shows it.
import {
  type Field,
  FILE_KINDS,
  type FileKind,
  type HandedOver,
  MAX_ZIP,
  TooLarge,
  writeHandOver,
} from "@call-media/handover";
import type { CallMediaClient } from "@call-media/client";
import { sha256 } from "@noble/hashes/sha2.js";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Fault, isAbort, toFault } from "../faults.ts";
import { markedAs, toHandOver } from "../marked.ts";
import { keepPlaces } from "../mute/keep-places.ts";
import { type MutedPlace, mutedPlaces } from "../mute/muted-places.ts";
import { toSpans } from "../mute/places.ts";
import { isBusy } from "../player/playing.ts";
import { quote, toCommand, toWhere } from "../search/command.ts";
import { noticeRefusal, type SignedIn } from "../session.ts";
import { type Changes, type Contents, findChanges } from "./changes.ts";
import { type Listing, listRecords, type Selection, weigh } from "./listing.ts";
import { openSource, type Order, type Progress, type Receiving } from "./receive.ts";
import { hasFiles, MOST_IN_MEMORY, openTarget, type Target } from "./target.ts";

/** Defined in vite.config.ts. */
declare const SERVER_VERSION: string;

export type Step =
  | { readonly kind: "reading"; readonly done: number; readonly total: number | undefined }
  | { readonly kind: "weighing"; readonly done: number; readonly total: number }
  | ({ readonly kind: "ready" } & Ready)
  | { readonly kind: "writing"; readonly listing: Listing; readonly progress: Progress }
  | { readonly kind: "done"; readonly handedOver: HandedOver; readonly listing: Listing }
  | { readonly kind: "stopped" }
  | { readonly kind: "too large" }
  | { readonly kind: "failed"; readonly fault: Fault };

/** The calls and files to hand over. */
export interface Ready extends Contents {
  /** The changes since the listing that was shown before. */
  readonly changes?: Changes | undefined;
}

/** Why a hand-over cannot be written, known before anything is downloaded. */
export type Obstacle = "nothing" | "left out" | "zip" | "memory";

export interface Choices {
  readonly files: readonly FileKind[];
  readonly redact: readonly Field[];
  /** The purpose; empty if the user gives none. */
  readonly purpose: string;
}

export interface Handing {
  readonly name: string;
  readonly selection: Selection;
  readonly step: ReadonlySignal<Step>;
  readonly choices: Signal<Choices>;
  /** Lists the records and asks for their recordings. */
  readonly prepare: () => Promise<void>;
  /** The same, unless what is listed is recent, or written. */
  readonly refresh: () => Promise<void>;
  /** Writes nothing if what was listed some time ago has changed, but shows how. */
  readonly write: (ready: Ready) => Promise<void>;
  readonly stop: () => void;
}

const toName = (nowMs: number): string => `calls-${new Date(nowMs).toISOString().slice(0, 10)}.zip`;

/** The command that verifies the hand-over. */
export const toVerifyCommand = (name: string, seal: string): string =>
  `call-media verify ${name} --seal ${seal}`;

/** The command that makes the same hand-over. */
export function toHandOverCommand({ name, selection, choices }: Handing, listing: Listing): string {
  const mute = toSpans(toMutedOf(listing));
  return toCommand({ ...selection, mute }, toOptions(name, choices.value));
}

/** Estimates the number of files and bytes, with sheet, page and manifest. */
export function estimate(
  { listing: { records }, weighed: { count, bytes } }: Ready,
  { files }: Choices,
) {
  const sounds = files.includes("recordings") ? count : 0;
  const transcripts = files.includes("transcripts") ? records.length : 0;
  const RECORD_BYTES = 6000;
  return {
    files: sounds + transcripts,
    bytes: (sounds === 0 ? 0 : bytes) + records.length * RECORD_BYTES,
  };
}

/** The places to mute in these calls. */
export function toMutedOf({ records }: Listing): readonly MutedPlace[] {
  const calls = new Set(records.map(({ raw }) => raw.call_id));
  return mutedPlaces.value.filter(({ span }) => calls.has(span.call_id));
}

function toOptions(name: string, { files, redact, purpose }: Choices): readonly string[] {
  const isUsual = files.length === 2 && redact.length === 0;
  return [
    `--hand-over ${name}`,
    ...(isUsual ? [] : [`--files ${files.length === 0 ? "none" : files.join(",")}`]),
    ...(redact.length === 0 ? [] : [`--redact ${redact.join(",")}`]),
    ...(purpose === "" ? [] : [`--for ${quote(purpose)}`]),
  ];
}

export function findObstacle(ready: Ready, choices: Choices): Obstacle | undefined {
  const { records, leftOut } = ready.listing;
  if (records.length === 0) return leftOut.calls.length > 0 ? "left out" : "nothing";
  const { files, bytes } = estimate(ready, choices);
  if (files > MAX_ZIP.files || bytes > MAX_ZIP.bytes) return "zip";
  return !hasFiles() && bytes > MOST_IN_MEMORY ? "memory" : undefined;
}

export const createChoices = (): Signal<Choices> =>
  signal<Choices>({ files: FILE_KINDS, redact: [], purpose: "" });

export function createHanding(
  who: SignedIn,
  selection: Selection,
  choices: Signal<Choices>,
): Handing {
  keepPlaces();
  const { client } = who.access;
  const name = toName(Date.now());
  const step = signal<Step>({ kind: "reading", done: 0, total: undefined });
  const job = createJob(step);
  const read = (stopping: AbortSignal, before: Ready | undefined) =>
    readAll(client, selection, { step, stopping, before });
  const show = (ready: Ready) => void (step.value = { kind: "ready", ...ready });
  const prepare = () => {
    const { value: before } = step;
    return job.run(async (stopping) =>
      show(await read(stopping, before.kind === "ready" ? before : undefined)),
    );
  };
  return {
    name,
    selection,
    step,
    choices,
    prepare,
    async refresh() {
      const { value: now } = step;
      if (now.kind !== "done" && !(now.kind === "ready" && isRecent(now))) await prepare();
    },
    write: (ready) =>
      job.run(async (stopping) => {
        // Before anything is read: browsers ask for a file only right after a click.
        const target = await openTarget(name);
        if (target === undefined) return;
        const current = isRecent(ready) ? ready : await orAbort(target, read(stopping, ready));
        if (current !== ready && current.changes !== undefined) {
          await target.abort();
          show(current);
          return;
        }
        const { listing } = current;
        const onProgress = (progress: Progress) =>
          (step.value = { kind: "writing", listing, progress });
        onProgress({ calls: 0, bytes: 0, failures: 0 });
        const order = toOrder(who, selection, { listing, ...choices.value });
        const { client: marked } = markedAs(who.access, toHandOver(order.purpose));
        const receiving = { client: marked, signal: stopping, onProgress };
        const handedOver = await orAbort(target, writeTo(target, order, receiving));
        step.value = { kind: "done", handedOver, listing };
      }),
    stop: job.stop,
  };
}

/** Work that can be stopped. `step` shows how it ended if it failed or was stopped. */
function createJob(step: Signal<Step>) {
  let aborter = new AbortController();
  return {
    async run(work: (stopping: AbortSignal) => Promise<void>): Promise<void> {
      aborter = new AbortController();
      const { signal: stopping } = aborter;
      isBusy.value = true;
      try {
        await work(stopping);
      } catch (error) {
        noticeRefusal(error);
        if (isAbort(error) || stopping.aborted) step.value = { kind: "stopped" };
        else if (error instanceof TooLarge) step.value = { kind: "too large" };
        else step.value = { kind: "failed", fault: toFault(error) };
      }
      isBusy.value = false;
    },
    stop: () => aborter.abort(),
  };
}

/** Later, records may have been corrected, erased, or hidden from this user. */
const RECENT_MS = 5 * 60_000;

const isRecent = ({ listing }: Ready): boolean =>
  Date.now() - Date.parse(listing.listed.asOf) < RECENT_MS;

interface Reading {
  readonly step: Signal<Step>;
  readonly stopping: AbortSignal;
  readonly before: Ready | undefined;
}

async function readAll(
  client: CallMediaClient,
  selection: Selection,
  { step, stopping, before }: Reading,
): Promise<Ready> {
  const show = (kind: "reading" | "weighing") => (done: number, total: number | undefined) =>
    (step.value =
      kind === "reading" ? { kind, done, total } : { kind, done, total: total ?? done });
  const listing = await listRecords(client, selection, {
    signal: stopping,
    onProgress: show("reading"),
  });
  // A zip with too many files is rejected whatever their size.
  const weighed =
    listing.recordings > MAX_ZIP.files
      ? { count: listing.recordings, bytes: 0, lacking: [] }
      : await weigh(client, listing, { signal: stopping, onProgress: show("weighing") });
  const ready = { listing, weighed };
  return { ...ready, changes: before && findChanges(before, ready) };
}

function toOrder(
  { access, person }: SignedIn,
  selection: Selection,
  { listing, files, redact, purpose }: Choices & { readonly listing: Listing },
): Order {
  const { words, body } = selection.query;
  const username = person.username === "" ? null : person.username;
  return {
    listing,
    // The URL of the service itself, without the paths of the console.
    baseUrl: access.baseUrl.replace(/\/console\/api$/, ""),
    filter: body,
    words: words === "" ? undefined : words,
    where: toWhere(selection),
    files,
    redact,
    mute: toSpans(toMutedOf(listing)),
    purpose: purpose === "" ? undefined : purpose,
    // The user name may be one of the masked names.
    exportedBy: {
      by: person.by,
      user: redact.length > 0 ? null : username,
      program: `call-media-server ${SERVER_VERSION}, console`,
    },
    beganAt: new Date().toISOString(),
    now: () => new Date(),
  };
}

async function writeTo(target: Target, order: Order, receiving: Receiving): Promise<HandedOver> {
  const handedOver = await writeHandOver(await openSource(order, receiving), {
    // fflate allocates no shared memory.
    write: (bytes) => target.write(bytes as Uint8Array<ArrayBuffer>),
    createDigest: () => sha256.create(),
  });
  await target.close();
  return handedOver;
}

async function orAbort<Result>(target: Target, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await target.abort();
    throw error;
  }
}

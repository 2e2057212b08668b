// One hand-over from the first look at its calls to its seal, as the dialog shows it.
import {
  type Field,
  type FileKind,
  type HandedOver,
  MAX_ZIP,
  TooLarge,
  writeHandOver,
} from "@call-media/handover";
import { sha256 } from "@noble/hashes/sha2.js";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { type Fault, isAbort, toFault } from "../faults.ts";
import { isBusy } from "../player/playing.ts";
import { toCommand, toWhere } from "../search/command.ts";
import { noticeRefusal, type SignedIn } from "../session.ts";
import { type Listing, listRecords, type Selection, toRange, weigh } from "./listing.ts";
import { hasFiles, MOST_IN_MEMORY, openTarget } from "./target.ts";
import { openSource, type Progress } from "./receive.ts";

/** vite.config.ts has it. */
declare const SERVER_VERSION: string;

export type Step =
  | { readonly kind: "reading"; readonly done: number; readonly total: number | undefined }
  | { readonly kind: "weighing"; readonly done: number; readonly total: number }
  | { readonly kind: "ready"; readonly listing: Listing }
  | { readonly kind: "writing"; readonly listing: Listing; readonly progress: Progress }
  | { readonly kind: "done"; readonly handedOver: HandedOver }
  | { readonly kind: "stopped" }
  | { readonly kind: "too large" }
  | { readonly kind: "failed"; readonly fault: Fault };

/** Why a hand-over cannot be written, known before anything is downloaded. */
export type Obstacle = "nothing" | "zip" | "memory";

export interface Choices {
  readonly files: readonly FileKind[];
  readonly redact: readonly Field[];
}

export interface Handing {
  readonly name: string;
  readonly step: ReadonlySignal<Step>;
  readonly command: (choices: Choices) => string;
  readonly obstacle: (listing: Listing, choices: Choices) => Obstacle | undefined;
  /** Reads and adds up what is to be handed over. */
  readonly prepare: () => Promise<void>;
  readonly write: (listing: Listing, choices: Choices) => Promise<void>;
  readonly stop: () => void;
}

const toName = (nowMs: number): string => `calls-${new Date(nowMs).toISOString().slice(0, 10)}.zip`;

/** How it is checked. */
export const toVerifyCommand = (name: string, seal: string): string =>
  `call-media verify ${name} --seal ${seal}`;

/** About that many files and bytes, with sheet, page and manifest. */
export function estimate({ records, recordings, bytes }: Listing, { files }: Choices) {
  const sounds = files.includes("recordings") ? recordings : 0;
  const transcripts = files.includes("transcripts") ? records.length : 0;
  const RECORD_BYTES = 6000;
  return {
    files: sounds + transcripts,
    bytes: (sounds === 0 ? 0 : bytes) + records.length * RECORD_BYTES,
  };
}

export function createHanding({ access, person }: SignedIn, selection: Selection): Handing {
  const { client } = access;
  const name = toName(Date.now());
  const step = signal<Step>({ kind: "reading", done: 0, total: undefined });
  let aborter = new AbortController();
  const narrow = computed(() => ({
    query: { ...selection.query, range: toRange(selection) },
    picked: selection.picked,
  }));

  /** Does the work, and says how it ended if not well. */
  async function run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
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
  }

  return {
    name,
    step,
    command: ({ files, redact }) =>
      toCommand(narrow.value, [
        `--hand-over ${name}`,
        ...(files.length === 2 && redact.length === 0
          ? []
          : [`--files ${files.length === 0 ? "none" : files.join(",")}`]),
        ...(redact.length === 0 ? [] : [`--redact ${redact.join(",")}`]),
      ]),
    obstacle(listing, choices) {
      if (listing.records.length === 0) return "nothing";
      const { files, bytes } = estimate(listing, choices);
      if (files > MAX_ZIP.files || bytes > MAX_ZIP.bytes) return "zip";
      return !hasFiles() && bytes > MOST_IN_MEMORY ? "memory" : undefined;
    },
    prepare: () =>
      run(async (stopping) => {
        const read = (done: number, total: number | undefined) =>
          (step.value = { kind: "reading", done, total });
        const listing = await listRecords(client, selection, {
          signal: stopping,
          onProgress: read,
        });
        const add = (done: number, total: number | undefined) =>
          (step.value = { kind: "weighing", done, total: total ?? done });
        // A zip with too many files is refused, however small they are.
        const bytes =
          listing.recordings > MAX_ZIP.files
            ? 0
            : await weigh(client, listing, { signal: stopping, onProgress: add });
        step.value = { kind: "ready", listing: { ...listing, bytes } };
      }),
    write: (listing, { files, redact }) =>
      run(async (stopping) => {
        const target = await openTarget(name);
        if (target === undefined) return;
        const show = (progress: Progress) => (step.value = { kind: "writing", listing, progress });
        show({ calls: 0, bytes: 0, failures: 0 });
        const username = person.username === "" ? null : person.username;
        try {
          const { words } = selection.query;
          const order = {
            listing,
            // The service itself, without the paths of the console.
            baseUrl: access.baseUrl.replace(/\/console\/api$/, ""),
            filter: selection.query.body,
            words: words === "" ? undefined : words,
            where: toWhere(selection),
            files,
            redact,
            // The name may be one of those that are masked.
            exportedBy: {
              by: person.by,
              user: redact.length > 0 ? null : username,
              program: `call-media-server ${SERVER_VERSION}, console`,
            },
            beganAt: new Date().toISOString(),
            now: () => new Date(),
          };
          const handedOver = await writeHandOver(
            await openSource(order, { client, signal: stopping, onProgress: show }),
            {
              // fflate allocates no shared memory.
              write: (bytes) => target.write(bytes as Uint8Array<ArrayBuffer>),
              createDigest: () => sha256.create(),
            },
          );
          await target.close();
          step.value = { kind: "done", handedOver };
        } catch (error) {
          await target.abort();
          throw error;
        }
      }),
    stop: () => aborter.abort(),
  };
}

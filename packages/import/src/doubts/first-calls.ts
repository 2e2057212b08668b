// Compares the first calls of an import with their recordings and with the archive, before a call is written.
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { type CallStore, describeNonAudio, readHead } from "@call-media/store";
import { parseDatetime, parseSourceTime } from "@call-media/store/values";
import type { NotSound } from "../entry/media-entry.ts";
import { createMediaFolder } from "../media-folder.ts";
import { createTally, type Doubt, type JudgedCall, toValueText } from "./doubt.ts";
import { listFiles } from "./orphans.ts";
import { FARTHEST_ZONE_MS, ZONE_STEP_MS } from "./zone.ts";

const CALLS = 200;
const RECORDINGS = 50;
// Among fewer recordings, a single broken one would be a large share.
const FEW = 10;

export interface FirstCalls {
  /** `directory` is where its recordings are. */
  readonly see: (call: JudgedCall, directory: string) => void;
  readonly judge: () => Promise<readonly Doubt[]>;
}

/**
 * Without `openArchive` nothing is compared with it. `timeZone` is how times without an offset are read. `notSound` is what the
 * operator said of recordings that are not audio.
 */
export function createFirstCalls({
  timeZone,
  notSound,
  openArchive,
}: {
  readonly timeZone: string;
  readonly notSound?: NotSound | undefined;
  readonly openArchive: (() => Promise<CallStore>) | undefined;
}): FirstCalls {
  const calls: JudgedCall[] = [];
  const recordings: Named[] = [];
  return {
    see: (call, directory) => {
      if (calls.length < CALLS) calls.push(call);
      for (const name of listFiles(call.entry))
        if (recordings.length < RECORDINGS && !recordings.some((one) => one.name === name))
          recordings.push({ call, name, directory });
    },
    judge: async () => [
      ...(await judgeRecordings(recordings, notSound === "keep")),
      ...(openArchive === undefined || calls.length === 0
        ? []
        : await judgeMoments(calls, await openArchive(), timeZone)),
    ],
  };
}

interface Named {
  readonly call: JudgedCall;
  readonly name: string;
  readonly directory: string;
}

async function judgeRecordings(
  recordings: readonly Named[],
  areKept: boolean,
): Promise<readonly Doubt[]> {
  const others = createTally();
  let [known, foreign] = [0, false];
  for (const { call, name, directory } of recordings) {
    const path = await createMediaFolder(directory)
      .resolve(name)
      .catch(() => undefined);
    if (path === undefined) continue; // its row is rejected, or keeps the name
    known += 1;
    foreign ||= call.isForeign;
    const what = await describe(path).catch(() => undefined);
    if (what !== undefined) others.add(call, `${name} is ${what}`);
  }
  if (known < FEW || others.count() * 2 <= known) return [];
  return others.toDoubts({
    name: "media",
    effect: foreign && !areKept ? "stop" : "warn",
    text: "the file of a recording is not audio, as most of the first ones are not",
    advice:
      "Look whether their download failed, and whether the mapping names the column of the recordings",
  });
}

const describe = async (path: string) =>
  await describeNonAudio({
    head: await readHead(path),
    bytes: (await stat(path)).size,
    filename: basename(path),
  });

const MINUTE_MS = 60_000;
// Fewer may be corrections.
const ALIKE = 3;

/** A call that the archive has at another time: one that is corrected, or all by one distance that zones have. */
async function judgeMoments(
  calls: readonly JudgedCall[],
  store: CallStore,
  timeZone: string,
): Promise<readonly Doubt[]> {
  const moved = createTally();
  const steps = new Map<number, number>();
  const rows = Map.groupBy(calls, ({ entry }) => entry["call_id"]);
  for (const [callId, [call, ...legs]] of rows) {
    if (typeof callId !== "string" || call === undefined || call.isLeg || legs.length > 0) continue;
    const { datetime, revised } = call.entry;
    if (typeof datetime !== "string" || revised !== undefined) continue;
    const parsed = parseSourceTime(datetime.trim(), timeZone);
    if (typeof parsed === "string") continue;
    const [known, ...others] = await listMoments(store, callId);
    if (known === undefined || others.length > 0) continue;
    const distance = parsed.instantMs - known;
    if (Math.abs(distance) <= MINUTE_MS) continue;
    moved.add(call, `call ${callId}, ${toValueText("datetime", datetime)}`);
    // Identifiers that are used again each day, and dates without a time, lie whole days apart.
    if (distance % ZONE_STEP_MS === 0 && Math.abs(distance) <= FARTHEST_ZONE_MS)
      steps.set(distance, (steps.get(distance) ?? 0) + 1);
  }
  const most = Math.max(0, ...steps.values());
  return moved.toDoubts({
    name: "moved",
    effect: most >= ALIKE && most * 2 > moved.count() ? "stop" : "warn",
    text: `the archive has the call at another time${most >= ALIKE ? ", as it has others by as many hours" : ""}`,
    advice:
      "Look whether the time zone is the one of the imports before; if those were wrong, this import corrects them",
  });
}

async function listMoments(store: CallStore, callId: string): Promise<readonly number[]> {
  // Other checks report damage.
  const records = await store.calls.byCallId(callId, "everything").catch(() => []);
  return records.flatMap(({ datetime }) => {
    const parsed = datetime === null ? "" : parseDatetime(datetime, store.timeZone);
    return typeof parsed === "string" ? [] : [parsed.instantMs];
  });
}

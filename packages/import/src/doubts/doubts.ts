// Judges the rows of an import: every probe sees every call, and the first rows decide if it goes on.
import { dirname } from "node:path";
import type { CallStore } from "@call-media/store";
import type { NotSound } from "../entry/media-entry.ts";
import { isObject } from "../json.ts";
import type { Mapped, Reader, Row, SourceFile } from "../source-row.ts";
import { type Allowance, isAllowed } from "./allowance.ts";
import { createEnd } from "./cut.ts";
import { createDateProbe } from "./dates.ts";
import { createDayOrderProbe } from "./day-order.ts";
import { createTally, type Doubt, type JudgedCall, type Probe, toDoubts } from "./doubt.ts";
import { createDurationProbes } from "./durations.ts";
import { createEqualRowsProbe } from "./equal-rows.ts";
import { createExchangedNumbersProbe } from "./exchanged-numbers.ts";
import { createFirstCalls } from "./first-calls.ts";
import { createIdProbe } from "./ids.ts";
import { ImportStopped } from "./import-stopped.ts";
import { createMessagesProbe } from "./messages.ts";
import { createOrphans } from "./orphans.ts";
import { createWrongZoneProbe } from "./wrong-zone.ts";
import { createZoneProbe, type ZoneSource } from "./zone.ts";

export interface Doubts {
  /** Reads a file; its rows are judged on their way. */
  readonly read: (file: SourceFile, read: Reader) => AsyncGenerator<Row, void>;
  /** After the first rows. Throws `ImportStopped` for a doubt that stops and is not allowed. */
  readonly judge: () => Promise<void>;
  /** All that is in doubt; what was allowed only warns. */
  readonly list: () => readonly Doubt[];
  /** Recordings that no row names; to be asked when all rows were read. */
  readonly listOrphans: () => readonly string[];
}

interface DoubtOptions {
  readonly readers: Iterable<Reader>;
  readonly allow: readonly Allowance[];
  readonly mediaDirectory: string | undefined;
  /** The operator's choice for recordings that are not audio. */
  readonly notSound?: NotSound | undefined;
  readonly zone: ZoneSource;
  /** IANA name: how times without an offset are read. */
  readonly timeZone: string;
  /** The archive to compare the first calls with; undefined if there is none yet. */
  readonly openArchive?: (() => Promise<CallStore>) | undefined;
}

export function createDoubts({
  readers,
  allow,
  mediaDirectory,
  notSound,
  zone: zoneSource,
  timeZone,
  openArchive,
}: DoubtOptions): Doubts {
  const probes: readonly Probe[] = [
    createIdProbe(),
    createDateProbe(Date.now()),
    createDayOrderProbe(Date.now()),
    ...createDurationProbes(),
    createEqualRowsProbe(),
    createExchangedNumbersProbe(),
  ];
  const headers = createTally();
  const skipped = createTally();
  const totals = createTally();
  const zone = createZoneProbe(zoneSource);
  const times = { timeZone, zone: zoneSource, nowMs: Date.now() };
  const wrongZone = createWrongZoneProbe(times);
  const messages = createMessagesProbe(times);
  const first = createFirstCalls({ timeZone, notSound, openArchive });
  const compared: Doubt[] = [];
  const ends: Doubt[] = [];
  const bare: Record<"empty" | "missed", string[]> = { empty: [], missed: [] };
  const orphans = createOrphans(mediaDirectory);
  const judges = [...new Set([...readers].flatMap(({ judge }) => judge ?? []))];
  const list = () => {
    const judged = judges.flatMap((judge) => judge());
    const isAstray = judged.some(({ name }) => name === "no-rows");
    const all: readonly Doubt[] = [
      ...judged,
      ...zone.judge(),
      ...wrongZone.judge(),
      ...messages.judge(),
      ...compared,
      ...probes.flatMap(({ judge }) => judge()),
      ...headers.toDoubts(REPEATED_HEADER, "line"),
      ...skipped.toDoubts(SKIPPED, "line"),
      ...totals.toDoubts(TOTALS, "line"),
      ...ends,
      ...(isAstray
        ? []
        : [...toBareDoubts(bare.missed, "stop"), ...toBareDoubts(bare.empty, "warn")]),
    ];
    return all.map((doubt) =>
      isAllowed(doubt, allow) ? { ...doubt, effect: "warn" as const } : doubt,
    );
  };
  let isJudged = false;
  let rows = 0;
  return {
    read: async function* (file, read) {
      const { mapped } = read;
      const isMapped = mapped !== undefined;
      const isForeign = read.judge !== undefined;
      const isOrderOpen = mapped?.isOrderOpen;
      const sides = mapped?.sides;
      const from = { file: file.name, isMapped, isForeign, sides };
      const end = createEnd();
      const directory = mediaDirectory ?? dirname(file.path);
      const before = rows;
      const left = new Set<string>();
      for await (const row of read({ ...file, chunks: () => end.watch(file.chunks()) })) {
        if ("isHeader" in row) {
          const { line, isHeader, isTotal = false } = row;
          const tally = isHeader ? headers : isTotal ? totals : skipped;
          tally.add({ ...from, line }, "left out");
          if (row.isRowLike && left.size < SEVERAL) left.add(row.raw);
          continue;
        }
        const records = listRecords(from, isOrderOpen, row);
        messages.see(records);
        for (const call of records) {
          zone.see(call);
          if (call.entry["kind"] !== "call") continue;
          for (const probe of probes) probe.see(call);
          wrongZone.see(call, directory);
          if (!isJudged) first.see(call, directory);
          orphans.see(call, file.path);
          end.see(call);
        }
        rows += 1;
        yield row;
      }
      ends.push(...end.judge());
      const hasOthers = left.size >= SEVERAL || file.leftOut?.some(({ hasCalls }) => hasCalls);
      if (rows === before) bare[hasOthers === true ? "missed" : "empty"].push(file.name);
    },
    judge: async () => {
      if (isJudged) return;
      isJudged = rows > 0; // more files may follow those that have none
      compared.push(...(await first.judge()));
      const doubts = list();
      if (doubts.some(({ effect }) => effect === "stop")) throw new ImportStopped(doubts);
    },
    list,
    listOrphans: orphans.list,
  };
}

const FIRST = 3;
// A single one, however often it comes, describes the columns, as their types or units.
const SEVERAL = 2;

const toBareDoubts = (files: readonly string[], effect: Doubt["effect"]) =>
  toDoubts(
    files,
    {
      name: "no-rows",
      effect,
      text: `there are no rows in the file${effect === "stop" ? ", and there is something that is not read" : ""}`,
      advice:
        effect === "stop"
          ? "Put the sheet of the calls first, or correct what the mapping skips"
          : "Nothing has to be done where there was nothing to export; else export it again",
    },
    { unit: "file", shown: FIRST },
  );

const REPEATED_HEADER = {
  name: "headers",
  effect: "warn",
  text: "the header repeats, and is no call",
  advice: "Nothing has to be done where several exports were joined to one file",
} as const;

const SKIPPED = {
  name: "skipped",
  effect: "warn",
  text: "the mapping says that the line is no row",
  advice: "Nothing has to be done if these lines hold no calls",
} as const;

const TOTALS = {
  name: "skipped",
  effect: "warn",
  text: "the line has no call_id and no time, but sums or nothing at all, and is left out",
  advice: "Nothing has to be done if it is not a call",
} as const;

/** Its calls and messages. */
function listRecords(
  from: Pick<JudgedCall, "file" | "isMapped" | "isForeign" | "sides">,
  isOrderOpen: Mapped["isOrderOpen"] | undefined,
  row: Row,
): readonly JudgedCall[] {
  if ("reason" in row) return [];
  const { line, raw, entries, areLegs = false } = row;
  const isLeg = areLegs || entries.length > 1;
  const records = entries.filter(isObject).filter(({ kind }) => kind === "call" || kind === "chat");
  return records.map((entry) => {
    const isOpen = isOrderOpen?.[entry["kind"] === "chat" ? "chat" : "call"] === true;
    return { ...from, line, raw, entry, isLeg, isOrderOpen: isOpen };
  });
}

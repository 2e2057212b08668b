// Judges the rows of an import: every probe sees every call, and the first rows decide if it goes on.
import { dirname } from "node:path";
import { isObject } from "../json.ts";
import type { Reader, Row, SourceFile } from "../source-row.ts";
import { createEnd } from "./cut.ts";
import { createDateProbe } from "./dates.ts";
import { createDayOrderProbe } from "./day-order.ts";
import { createTally, type Doubt, type DoubtName, type JudgedCall, type Probe } from "./doubt.ts";
import { createDurationProbes } from "./durations.ts";
import { createEqualRowsProbe } from "./equal-rows.ts";
import { createIdProbe } from "./ids.ts";
import { ImportStopped } from "./import-stopped.ts";
import { createOrphans } from "./orphans.ts";
import { createZoneProbe, type ZoneSource } from "./zone.ts";

export interface Doubts {
  /** Reads a file; its rows are judged on their way. */
  readonly read: (file: SourceFile, read: Reader) => AsyncGenerator<Row, void>;
  /** After the first rows. Throws `ImportStopped` for a doubt that stops and is not allowed. */
  readonly judge: () => void;
  /** All that is in doubt; what was allowed only warns. */
  readonly list: () => readonly Doubt[];
  /** Recordings that no row names; to be asked when all rows were read. */
  readonly listOrphans: () => readonly string[];
}

interface DoubtOptions {
  readonly readers: Iterable<Reader>;
  readonly allow: readonly DoubtName[];
  readonly mediaDirectory: string | undefined;
  readonly zone: ZoneSource;
}

export function createDoubts({
  readers,
  allow,
  mediaDirectory,
  zone: zoneSource,
}: DoubtOptions): Doubts {
  const probes: readonly Probe[] = [
    createIdProbe(),
    createDateProbe(Date.now()),
    createDayOrderProbe(Date.now()),
    ...createDurationProbes(),
    createEqualRowsProbe(),
  ];
  const headers = createTally();
  const skipped = createTally();
  const zone = createZoneProbe(zoneSource);
  const ends: Doubt[] = [];
  const bare: string[] = [];
  const orphans = createOrphans(mediaDirectory);
  const judges = [...new Set([...readers].flatMap(({ judge }) => judge ?? []))];
  const list = () => {
    const judged = judges.flatMap((judge) => judge());
    const isAstray = judged.some(({ name }) => name === "no-rows");
    const all: readonly Doubt[] = [
      ...judged,
      ...zone.judge(),
      ...probes.flatMap(({ judge }) => judge()),
      ...headers.toDoubts(REPEATED_HEADER, "line"),
      ...skipped.toDoubts(SKIPPED, "line"),
      ...ends,
      ...(isAstray ? [] : toBareDoubts(bare)),
    ];
    return all.map((doubt) =>
      allow.includes(doubt.name) ? { ...doubt, effect: "warn" as const } : doubt,
    );
  };
  let isJudged = false;
  let rows = 0;
  return {
    read: async function* (file, read) {
      const { mapped } = read;
      const isMapped = mapped !== undefined;
      const from = { file: file.name, isMapped, isOrderOpen: mapped?.isOrderOpen === true };
      const end = createEnd();
      const before = rows;
      for await (const row of read({ ...file, chunks: () => end.watch(file.chunks()) })) {
        if ("isHeader" in row) {
          (row.isHeader ? headers : skipped).add({ ...from, line: row.line }, "left out");
          continue;
        }
        for (const call of listRecords(from, row)) {
          zone.see(call);
          if (call.entry["kind"] !== "call") continue;
          for (const probe of probes) probe.see(call);
          orphans.see(call, dirname(file.path));
          end.see(call);
        }
        rows += 1;
        yield row;
      }
      ends.push(...end.judge());
      if (rows === before) bare.push(file.name);
    },
    judge: () => {
      if (isJudged) return;
      isJudged = rows > 0; // more files may follow those that have none
      const doubts = list();
      if (doubts.some(({ effect }) => effect === "stop")) throw new ImportStopped(doubts);
    },
    list,
    listOrphans: orphans.list,
  };
}

const FIRST = 3;

function toBareDoubts(files: readonly string[]): readonly Doubt[] {
  if (files.length === 0) return [];
  const doubt: Doubt = {
    name: "no-rows",
    effect: "warn",
    text: "there are no rows in the file",
    count: files.length,
    unit: "file",
    first: files.slice(0, FIRST),
    advice: "Nothing has to be done where there was nothing to export; else export it again",
  };
  return [doubt];
}

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

/** Its calls and messages. */
function listRecords(
  from: Pick<JudgedCall, "file" | "isMapped" | "isOrderOpen">,
  row: Row,
): readonly JudgedCall[] {
  if ("reason" in row) return [];
  const { line, raw, entries, areLegs = false } = row;
  const isLeg = areLegs || entries.length > 1;
  const records = entries.filter(isObject).filter(({ kind }) => kind === "call" || kind === "chat");
  return records.map((entry) => ({ ...from, line, raw, entry, isLeg }));
}

// Judges the rows of an import: every probe sees every call, and the first rows decide if it goes on.
import { isObject } from "../json.ts";
import type { Reader, SourceRow } from "../source-row.ts";
import { createDateProbe } from "./dates.ts";
import { type Doubt, type DoubtName, ImportStopped, type JudgedCall, type Probe } from "./doubt.ts";
import { createDurationProbes } from "./durations.ts";
import { createEqualRowsProbe } from "./equal-rows.ts";
import { createIdProbe } from "./ids.ts";

export interface Doubts {
  readonly see: (from: Pick<JudgedCall, "file" | "isMapped">, row: SourceRow) => void;
  /** After the first rows. Throws `ImportStopped` for a doubt that stops and is not allowed. */
  readonly judge: () => void;
  /** All that is in doubt; what was allowed only warns. */
  readonly list: () => readonly Doubt[];
}

interface DoubtOptions {
  readonly readers: Iterable<Reader>;
  readonly allow: readonly DoubtName[];
}

export function createDoubts({ readers, allow }: DoubtOptions): Doubts {
  const probes: readonly Probe[] = [
    createIdProbe(),
    createDateProbe(Date.now()),
    ...createDurationProbes(),
    createEqualRowsProbe(),
  ];
  const judges = [...new Set([...readers].flatMap(({ judge }) => judge ?? []))];
  const list = () =>
    [...judges.flatMap((judge) => judge()), ...probes.flatMap(({ judge }) => judge())].map(
      (doubt): Doubt => (allow.includes(doubt.name) ? { ...doubt, effect: "warn" } : doubt),
    );
  let isJudged = false;
  return {
    see: (from, row) => {
      if ("reason" in row) return;
      const { line, raw, entries, areLegs = false } = row;
      const isLeg = areLegs || entries.length > 1;
      for (const entry of entries)
        if (isObject(entry) && entry["kind"] === "call")
          for (const probe of probes) probe.see({ ...from, line, raw, entry, isLeg });
    },
    judge: () => {
      if (isJudged) return;
      isJudged = true;
      const doubts = list();
      if (doubts.some(({ effect }) => effect === "stop")) throw new ImportStopped(doubts);
    },
    list,
  };
}

// The error of an import that a doubt stops.
import { ImportError } from "../import-error.ts";
import type { Doubt } from "./doubt.ts";

/** Thrown before anything is written. */
export class ImportStopped extends ImportError {
  /** Those that stop the import, and those of the first rows that only warn. */
  readonly doubts: readonly Doubt[];

  constructor(doubts: readonly Doubt[]) {
    const stops = doubts.filter(({ effect }) => effect === "stop");
    super(stops.map(toSentence).join(" "));
    this.doubts = doubts;
  }
}

const toSentence = ({ name, text, first, advice }: Doubt) =>
  `${name}: ${text} (${first.join("; ")}). ${advice}.`;

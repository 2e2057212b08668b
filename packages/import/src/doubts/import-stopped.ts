// The error of an import that a doubt stops.
import { ImportError } from "../import-error.ts";
import type { Doubt } from "./doubt.ts";

/** Thrown before anything is written. */
export class ImportStopped extends ImportError {
  /** The doubts that stop the import, and the warnings about its first rows. */
  readonly doubts: readonly Doubt[];

  constructor(doubts: readonly Doubt[]) {
    const stops = doubts.filter(({ effect }) => effect === "stop");
    super(stops.map(toSentence).join(" "));
    this.doubts = doubts;
  }
}

const toSentence = ({ name, text, first, advice }: Doubt) =>
  `${name}: ${text} (${first.join("; ")}). ${advice}.`;

// Faults in the sound of a recording, for the report. Hints are not counted, because music and silence are sound, too.
import { describeFinding, type FindingKind, isFault } from "@call-media/sound";
import type { Media } from "@call-media/store";
import type { RowNotice } from "../source-row.ts";

const TEXTS: Partial<Readonly<Record<FindingKind, string>>> = {
  truncated: "a recording ends early",
  malformed: "a recording cannot be read",
  "no-samples": "a recording has a header and no sound",
  silent: "a recording is silent from beginning to end",
  "channel-silent": "a recording is silent in one of its channels",
  "not-sound": "the file of a recording is not audio",
};

/** One for each fault of a recording, by its name. */
export function listSoundNotices({ sound }: Media, name: string): RowNotice[] {
  const faults = sound?.findings.filter(isFault) ?? [];
  return faults.map((fault) => {
    const what = describeFinding(fault);
    return { text: TEXTS[fault.kind] ?? what, name: `${name} ${what}`, fault: fault.kind };
  });
}

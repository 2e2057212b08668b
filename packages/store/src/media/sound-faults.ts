// Describes audio faults of stored recordings: those that are not audio, and those with another fault.
import { describeFinding, FACTS_VERSION, isFault, type SoundFacts } from "@call-media/sound";
import type { Finding } from "../port/finding.ts";
import type { Media } from "../port/media.ts";

/** True for facts by the current rules; older ones deserve another inspection. */
export const isKnown = (sound: Media["sound"]): sound is SoundFacts =>
  sound !== undefined && sound.version >= FACTS_VERSION;

export interface SoundFaults {
  /** What the content is, such as "an HTML page", if it is not audio; undefined for audio. */
  readonly nonAudio: string | undefined;
  /** The end of a sentence about it, with the kind of the fault. */
  readonly faults: readonly { readonly kind: FaultKind; readonly what: string }[];
}

export function toSoundFaults({ findings }: SoundFacts): SoundFaults {
  const page = findings.find(({ kind }) => kind === "not-sound");
  const header = findings.find(({ kind }) => kind === "no-samples");
  const nonAudio = page === undefined ? header && "a header alone" : page.detail;
  const faults = findings.filter(isFault).flatMap((finding) => {
    const { kind } = finding;
    return nonAudio === undefined && kind in KINDS
      ? [{ kind: kind as FaultKind, what: describeFinding(finding) }]
      : [];
  });
  return { nonAudio, faults };
}

type Kind = Pick<Finding, "level" | "what" | "todo">;

const toKind = (what: string): Kind => ({
  level: "warning",
  what,
  todo: 'compare them with where they came from, and import what is better there; "verify" names all of them',
});

/** For a check of the archive. */
export const KINDS = {
  truncated: toKind("recordings end early"),
  malformed: toKind("recordings cannot be read as sound"),
  silent: toKind("recordings are silent from beginning to end"),
  "channel-silent": toKind("recordings are silent in one of their channels"),
} as const;

export type FaultKind = keyof typeof KINDS;

/** Collects the names of recordings by the kind of their fault. */
export function createFaultLists() {
  const lists = new Map<FaultKind, string[]>();
  return {
    add: (name: string, { faults }: SoundFaults) => {
      for (const { kind, what } of faults) {
        const list = lists.get(kind) ?? [];
        list.push(`${name} (${what})`);
        lists.set(kind, list);
      }
    },
    entries: (): readonly (readonly [Kind, readonly string[]])[] =>
      [...lists].map(([kind, names]) => [KINDS[kind], names]),
  };
}

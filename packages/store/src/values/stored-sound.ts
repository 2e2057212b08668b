// The facts about the audio of a recording, as adapters store them: JSON next to the recording's row.
import { FINDINGS, type SoundFacts } from "@call-media/sound";

export const toStoredSound = (sound: SoundFacts | undefined): string | undefined =>
  sound && JSON.stringify(sound);

/** Empty if the recording was not inspected, or if the facts are unreadable: they can be determined again. */
export function toKnownSound(text: string | null): { readonly sound?: SoundFacts } {
  try {
    const stored: unknown = text === null ? undefined : JSON.parse(text);
    return isFacts(stored) ? { sound: stored } : {};
  } catch {
    return {};
  }
}

/** A disk may have changed them. */
function isFacts(stored: unknown): stored is SoundFacts {
  if (typeof stored !== "object" || stored === null) return false;
  const {
    version,
    container,
    findings,
    durationMs = 0,
  }: Partial<Record<keyof SoundFacts, unknown>> = stored;
  const isFinding = (one: unknown) =>
    typeof one === "object" && one !== null && "kind" in one && String(one.kind) in FINDINGS;
  return (
    typeof version === "number" &&
    typeof container === "string" &&
    Number.isFinite(durationMs) &&
    Array.isArray(findings) &&
    findings.every(isFinding)
  );
}

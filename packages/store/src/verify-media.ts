// Reads every recording of an archive again, to verify that it is still what was imported.
import { isFault } from "./port/faults.ts";
import { createInspector } from "@call-media/sound";
import { createHead, describeNonAudio, toSound } from "./media/non-audio.ts";
import { isKnown, toSoundFaults } from "./media/sound-faults.ts";
import type { Damage, Maintenance, OnProgress } from "./port/maintenance.ts";
import type { Media } from "./port/media.ts";
import { findStrayMedia } from "./values/stray-media.ts";

export interface MediaReport {
  /** Contents that records name; equal recordings count once. */
  readonly files: number;
  readonly bytes: number;
  readonly damages: readonly Damage[];
  /** Contents whose state is unknown because their place could not be reached or read; `fault` gives the reason. */
  readonly unchecked: readonly Damage[];
  /** Undamaged contents that are not audio; `fault` describes them. */
  readonly nonAudio: readonly Damage[];
  /** Undamaged contents that are audio with a fault; `fault` is the end of a sentence about it. */
  readonly soundFaults: readonly Damage[];
  /** Contents whose audio was not inspected. */
  readonly unheard: number;
  /** Files of the media store that no record names, by their names there. */
  readonly unreferenced: readonly string[];
  /** The same for unfinished files. */
  readonly leftovers: readonly string[];
}

export interface VerifyOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Also deletes unfinished files; they are listed in any case. */
  readonly removesLeftovers?: boolean | undefined;
  /** Inspects the audio of contents that were not inspected, or by older rules, and stores the result. */
  readonly hears?: boolean | undefined;
}

// Each write of verified states has a cost, so they are written in groups.
const NOTED_AT_ONCE = 200;

/**
 * Reads every content that a record of the archive names, and stores which are intact. So the service does not have to
 * read them before it sends them. May run while the service and imports run. Throws `ArchiveError`.
 */
export async function verifyMedia(
  archive: Maintenance,
  { onProgress = () => {}, removesLeftovers = false, hears = false }: VerifyOptions = {},
): Promise<MediaReport> {
  await using referenced = await archive.referencedMedia();
  const { files, bytes } = referenced;
  const damages: Damage[] = [];
  const unchecked: Damage[] = [];
  const nonAudio: Damage[] = [];
  const soundFaults: Damage[] = [];
  let unheard = 0;
  let verified: Media[] = [];
  let bytesDone = 0;
  for await (const reference of referenced) {
    const { media, filename } = reference;
    const head = createHead();
    const inspector =
      hears && !isKnown(media.sound)
        ? createInspector({ filename, contentType: media.type })
        : undefined;
    const onRead = (piece: Uint8Array) => {
      head.add(piece);
      inspector?.push(piece);
      onProgress({ step: "recordings", bytesDone: (bytesDone += piece.length), bytesTotal: bytes });
    };
    try {
      const found = await archive.media.verify(media, onRead);
      const heard = { ...reference, ...media, head: head.toBytes() };
      const sound = inspector ? await toSound(inspector.end(), heard) : media.sound;
      const known = isKnown(sound) ? toSoundFaults(sound) : undefined;
      if (known === undefined) unheard++;
      const fault = known ? known.nonAudio : await describeNonAudio(heard);
      if (fault !== undefined) nonAudio.push({ ...reference, fault });
      for (const { what } of known?.faults ?? []) soundFaults.push({ ...reference, fault: what });
      if (found.version !== media.version || inspector) verified.push({ ...found, sound });
    } catch (error) {
      if (!isFault(error, "damaged", "lost", "unavailable")) throw error;
      const list = isFault(error, "unavailable") ? unchecked : damages;
      list.push({ ...reference, fault: error.message });
    }
    if (verified.length < NOTED_AT_ONCE) continue;
    await archive.noteVerified(verified);
    verified = [];
  }
  if (verified.length > 0) await archive.noteVerified(verified);
  const strays = await findStrayMedia(archive.media.list(), (sha256) => referenced.has(sha256));
  const unreferenced = strays.unreferenced.map(({ name }) => name);
  const leftovers = strays.leftovers.map(({ name }) => name);
  if (removesLeftovers) for (const name of leftovers) await archive.media.delete(name);
  const found = { damages, unchecked, nonAudio, soundFaults, unheard, unreferenced, leftovers };
  return { files, bytes, ...found };
}

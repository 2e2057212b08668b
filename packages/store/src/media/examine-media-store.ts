// Examines the recordings of an archive by their names and lengths, wherever they are stored. `verifyMedia` reads their contents.
import { isFault } from "../port/faults.ts";
import type { Finding } from "../port/finding.ts";
import type { OnProgress, Reference, ReferencedMedia } from "../port/maintenance.ts";
import type { Media, MediaStore, StoredMedia } from "../port/media.ts";
import { createHead, describeNonAudio, HEAD_BYTES, isDoubtful } from "./non-audio.ts";
import { createFaultLists, isKnown, toSoundFaults } from "./sound-faults.ts";
import { findStrayMedia } from "../values/stray-media.ts";

type Referenced = Pick<ReferencedMedia, "bytes" | "has"> &
  (AsyncIterable<Expected> | Iterable<Expected>);

type Expected = Pick<Reference, "media" | "filename">;

/** One finding for each kind of damage, with the first recording of that kind. Faults of the place itself come first. */
export async function examineMediaStore(
  media: MediaStore,
  referenced: Referenced,
  onProgress: OnProgress,
): Promise<Finding[]> {
  const place = (await media.check?.()) ?? [];
  if (place.some(({ level }) => level === "error")) return [...place];
  try {
    const listed = new Map<string, number>();
    const strays = await findStrayMedia(noting(media.list(), listed), (one) => referenced.has(one));
    return [
      ...place,
      ...(await compare(media, listed, { referenced, onProgress })),
      ...toFindings(strays.unreferenced, UNREFERENCED),
      ...toFindings(strays.leftovers, LEFTOVERS),
    ];
  } catch (fault) {
    if (!isFault(fault, "unavailable")) throw fault;
    const what = "the recordings cannot be listed";
    return [...place, { level: "error", what, where: fault.message, todo: "make it reachable" }];
  }
}

async function* noting(
  stored: AsyncIterable<StoredMedia>,
  listed: Map<string, number>,
): AsyncGenerator<StoredMedia> {
  for await (const one of stored) {
    if (one.sha256 !== undefined) listed.set(one.sha256, one.bytes);
    yield one;
  }
}

async function compare(
  place: MediaStore,
  listed: ReadonlyMap<string, number>,
  { referenced, onProgress }: { referenced: Referenced; onProgress: OnProgress },
): Promise<Finding[]> {
  const missing: Stray[] = [];
  const otherLength: Stray[] = [];
  const nonAudio: Stray[] = [];
  const ofSound = createFaultLists();
  let bytesDone = 0;
  for await (const { media, filename } of referenced) {
    const found = listed.get(media.sha256);
    if (found === undefined) missing.push({ name: media.sha256 });
    else if (found !== media.bytes) otherLength.push({ name: media.sha256 });
    else if (isKnown(media.sound)) {
      const faults = toSoundFaults(media.sound);
      ofSound.add(`${media.sha256}: ${filename}`, faults);
      if (faults.nonAudio !== undefined)
        nonAudio.push({ name: `${media.sha256} (${filename}: ${faults.nonAudio})` });
    } else if (isDoubtful(media)) {
      const what = await describeNonAudio({
        ...media,
        filename,
        head: await fetchHead(place, media),
      });
      if (what !== undefined) nonAudio.push({ name: `${media.sha256} (${filename}: ${what})` });
    }
    bytesDone += media.bytes;
    onProgress({ step: "recordings", bytesDone, bytesTotal: referenced.bytes });
  }
  return [
    ...toFindings(missing, MISSING),
    ...toFindings(otherLength, OTHER_LENGTH),
    ...toFindings(nonAudio, NON_AUDIO),
    ...ofSound.entries().flatMap(([kind, names]) => toFindings(names.map(toStray), kind)),
  ];
}

/** Empty if the file cannot be read: `verifyMedia` reports that. */
async function fetchHead(place: MediaStore, media: Media): Promise<Uint8Array> {
  const head = createHead();
  try {
    const file = await place.open(media, { first: 0, last: Math.min(media.bytes, HEAD_BYTES) - 1 });
    try {
      const buffer = new Uint8Array(HEAD_BYTES);
      for (let read; (read = await file.read(buffer)) > 0;) head.add(buffer.subarray(0, read));
    } finally {
      await file.close();
    }
  } catch (fault) {
    if (!isFault(fault, "damaged", "lost", "unavailable")) throw fault;
  }
  return head.toBytes();
}

type Stray = Pick<StoredMedia, "name">;
const toStray = (name: string): Stray => ({ name });
type Kind = Pick<Finding, "level" | "what" | "todo">;

const GET_BACK = 'import the recording again; "verify" names all that are damaged';

const MISSING: Kind = { level: "error", what: "recordings are missing", todo: GET_BACK };

const OTHER_LENGTH: Kind = {
  level: "error",
  what: "recordings have another length than was imported",
  todo: GET_BACK,
};

export const NON_AUDIO: Kind = {
  level: "warning",
  what: "recordings are not audio",
  todo: 'get them from where they came from, and import them again; "verify" names all of them',
};

export const UNREFERENCED: Kind = {
  level: "warning",
  what: "no record names what lies here",
  todo: 'they come from rejected rows, replaced calls, or an import that is under way or was cut off: run that again. Every "purge" removes what is left, as one does that finds no call: purge --before 1900-01-01',
};

const LEFTOVERS: Kind = {
  level: "warning",
  what: "an import was cut off and left behind",
  todo: 'remove them with "verify --remove-leftovers"',
};

function toFindings(strays: readonly Stray[], { level, what, todo }: Kind): Finding[] {
  const [first, ...more] = strays;
  if (first === undefined) return [];
  const where = more.length === 0 ? first.name : `${first.name} and ${more.length} more`;
  const files = strays.length === 1 ? "1 file" : `${strays.length} files`;
  return [{ level, what: `${what}: ${files}`, where, todo }];
}

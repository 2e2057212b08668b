// Examines the files of the recordings by name and length; `verifyMedia` reads their contents.
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { NON_AUDIO, UNREFERENCED } from "../../../media/examine-media-store.ts";
import { describeNonAudio, isDoubtful, readHead, UNKNOWN_TYPE } from "../../../media/non-audio.ts";
import { MEDIA, toMediaFile } from "../../../media/media-path.ts";
import { createFaultLists, isKnown, toSoundFaults } from "../../../media/sound-faults.ts";
import { DATABASE } from "../../files/database.ts";
import type { OnProgress } from "../../../port/maintenance.ts";
import type { StoredMedia } from "../../../port/media.ts";
import type { ListedMedia } from "../referenced-media.ts";
import { createMediaFolder } from "../../../media/media-folder.ts";
import { isFault } from "../../../port/faults.ts";
import { findStrayMedia } from "../../../values/stray-media.ts";
import { error, type Finding, warning } from "./finding.ts";

const GET_BACK =
  'put the file back from a backup, or import the recording again; "verify" names all that are damaged';

/** One finding for each kind of damage, with the first file of that kind. */
export async function examineMedia(
  directory: string,
  referenced: ListedMedia,
  onProgress: OnProgress,
): Promise<Finding[]> {
  const media = join(directory, MEDIA);
  if ((await stat(media).catch(() => undefined)) === undefined) return [];
  try {
    // Comes first: files in an unreadable directory are not missing.
    const strays = await examineStrays(directory, referenced);
    return [...(await examineFiles(directory, referenced, onProgress)), ...strays];
  } catch (fault) {
    const of = isFault(fault, "unavailable") ? fault.cause : fault;
    if (!isOfFile(of)) throw fault;
    return [
      error(
        `a folder of recordings cannot be read: ${of.code}`,
        of.path,
        "give it to the user that runs the service (chown); if it is theirs, look at the disk",
      ),
    ];
  }
}

function isOfFile(fault: unknown): fault is { readonly code: string; readonly path: string } {
  return fault instanceof Error && "code" in fault && "path" in fault;
}

async function examineFiles(
  directory: string,
  referenced: ListedMedia,
  onProgress: OnProgress,
): Promise<Finding[]> {
  let bytesDone = 0;
  const missing: string[] = [];
  const unlinked: string[] = [];
  const otherLength: string[] = [];
  const ofOthers: string[] = [];
  const nonAudio: string[] = [];
  const ofSound = createFaultLists();
  const { uid } = await stat(join(directory, DATABASE));
  for (const { media: file, filename } of referenced) {
    const path = toMediaFile(join(directory, MEDIA), file);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) (file.location === undefined ? missing : unlinked).push(path);
    else if (found.size !== file.bytes) otherLength.push(path);
    else if (file.location === undefined && isKeptFrom(uid, found)) ofOthers.push(path);
    else if (isKnown(file.sound)) {
      const faults = toSoundFaults(file.sound);
      ofSound.add(`${path}: ${filename}`, faults);
      if (faults.nonAudio !== undefined) nonAudio.push(`${path} (${filename}: ${faults.nonAudio})`);
    } else if (isDoubtful(file) || file.type === UNKNOWN_TYPE) {
      const head = await readHead(path).catch(() => new Uint8Array());
      const what = await describeNonAudio({ ...file, filename, head });
      if (what !== undefined) nonAudio.push(`${path} (${filename}: ${what})`);
    }
    bytesDone += file.bytes;
    onProgress({ step: "recordings", bytesDone, bytesTotal: referenced.bytes });
  }
  return [
    ...toFindings(missing, (count) => error(`recordings are missing: ${count}`, "", GET_BACK)),
    ...toFindings(unlinked, (count) =>
      error(
        `linked recordings are not where they were: ${count}`,
        "",
        "put the file back, or import the recording again from where it lies now",
      ),
    ),
    ...toFindings(otherLength, (count) =>
      error(`recordings have another length than was imported: ${count}`, "", GET_BACK),
    ),
    ...toFindings(ofOthers, (count) =>
      error(
        `recordings belong to another user than ${DATABASE}, who may not read them: ${count}`,
        "",
        "give them to the user that runs the service (chown -R), and import as that user",
      ),
    ),
    ...[[NON_AUDIO, nonAudio] as const, ...ofSound.entries()].flatMap(([{ what, todo }, names]) =>
      toFindings(names, (count) => warning(`${what}: ${count}`, "", todo)),
    ),
  ];
}

// An import by root leaves such files in the archive of a service that does not run as root. Root itself can read them.
function isKeptFrom(uid: number, file: Stats): boolean {
  return uid !== 0 && file.uid !== uid && (file.mode & 0o077) === 0;
}

async function examineStrays(directory: string, referenced: ListedMedia): Promise<Finding[]> {
  const stored = createMediaFolder(join(directory, MEDIA)).list();
  const { unreferenced, leftovers } = await findStrayMedia(stored, (sha256) =>
    referenced.has(sha256),
  );
  const toPaths = (strays: readonly StoredMedia[]) =>
    strays.map(({ name }) => join(directory, name));
  return [
    ...toFindings(toPaths(unreferenced), (count) =>
      warning(`${UNREFERENCED.what}: ${count}`, "", UNREFERENCED.todo),
    ),
    ...toFindings(toPaths(leftovers), (count) =>
      warning(
        `an import or a backup was cut off and left behind: ${count}`,
        "",
        'remove them with "verify --remove-leftovers"',
      ),
    ),
  ];
}

function toFindings(paths: readonly string[], describe: (count: string) => Finding): Finding[] {
  const [first] = paths;
  if (first === undefined) return [];
  const count = paths.length === 1 ? "1 file" : `${paths.length} files`;
  const where = paths.length === 1 ? first : `${first} and ${paths.length - 1} more`;
  return [{ ...describe(count), where }];
}

// `call-media-server verify`: reads every recording of an archive, and the databases of a backup, and names what has changed.
import { type MediaReport, verifyMedia } from "@call-media/store";
import { openMaintenance } from "@call-media/store/open";
import type { Command } from "commander";
import { console, io, toCounted, toSize } from "@call-media/terminal";
import { toDamageLine } from "../command-line/damage.ts";
import { noteDone } from "../command-line/note-done.ts";
import { createProgress } from "../command-line/progress.ts";
import { recorded } from "../command-line/recorded.ts";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";

const HELP = `
Every file is hashed and compared with what was imported; the service may keep running. A file that is missing,
incomplete or changed is listed with its call: restore it from a backup, or import the recording again, and the
service sends it again. A file that is what was imported, but not audio, such as an HTML page or a header alone, is
listed as well: get it from where it came from, and import it again. So is one that ends early or is silent: that
changes nothing of the exit code, because it was imported like that. Files that belong to no record, and those left
behind by an interrupted import or backup, are listed too.

  $ call-media-server verify --data ./archive
  $ call-media-server verify --data ./archive --sound   looks at sound that no import has looked at
  $ call-media-server verify --data ./backup            checks a backup, unchanged

After an archive was copied by other means than "restore", the service hashes each recording once before it first
sends it; verify does that beforehand.

Of a backup its databases are compared with what the backup noted of them as well.

Exit code: 0 every recording is right, 1 some are damaged, not audio, or could not be reached and checked.`;

export function configureVerify(command: Command): void {
  addPlaces(command, "the folder of the archive, or of a backup")
    .option("--remove-leftovers", "remove unfinished files that were not touched for an hour")
    .option(
      "--sound",
      "look at the sound of recordings at which no import has looked, and keep what is found",
    )
    .addHelpText("after", HELP)
    .action(async (flags: PlaceFlags & { removeLeftovers?: true; sound?: true }) => {
      using progress = createProgress();
      const maintenance = await openMaintenance(toPlaces(flags));
      const seals = (await maintenance.checkSeals?.()) ?? [];
      const removesLeftovers = flags.removeLeftovers ?? false;
      const verify = () =>
        verifyMedia(maintenance, {
          onProgress: progress.update,
          removesLeftovers,
          hears: flags.sound,
        });
      const act = { operation: "verify", asked: { remove_leftovers: true } } as const;
      // Otherwise it changes nothing.
      const report = removesLeftovers
        ? await recorded({ log: maintenance, ...act, toEnding }, verify)
        : await verify();
      progress[Symbol.dispose]();
      for (const { what, where, todo } of seals) console.error(`${where}: ${what}: ${todo}`);
      console.log(toAccount(report, removesLeftovers));
      const { damages, nonAudio, unchecked } = report;
      await noteDone(maintenance, "verify", damages.length);
      const faults = [seals, damages, nonAudio, unchecked];
      if (faults.some(({ length }) => length > 0)) io().exitCode = 1;
    });
}

const toEnding = ({ leftovers }: MediaReport) => ({ counts: { removed: leftovers.length } });

function toAccount(report: MediaReport, isRemoved: boolean): string {
  const { files, bytes, damages, unchecked, nonAudio, unreferenced, leftovers } = report;
  const { soundFaults, unheard } = report;
  return [
    ...damages.map((damage) => toDamageLine(damage)),
    ...unchecked.map((one) => toDamageLine(one, "not checked")),
    ...nonAudio.map((one) => toDamageLine(one, "not audio")),
    ...soundFaults.map((one) => toDamageLine(one, "sound")),
    ...unreferenced.map((path) => `no record names it: ${path}`),
    ...leftovers.map((path) => `${isRemoved ? "removed" : "never finished"}: ${path}`),
    `${toCounted(files, "file")}, ${toSize(bytes)}: ${toVerdict(report)}.`,
    ...(unheard === 0
      ? []
      : [
          `The sound of ${toCounted(unheard, "file")} was never looked at: verify --sound does that.`,
        ]),
    UNCOMPARED,
  ].join("\n");
}

const UNCOMPARED = 'Records: not compared with what was imported; "doctor" compares them.';

function toVerdict({ files, damages, unchecked, nonAudio, soundFaults }: MediaReport): string {
  const right = files === 1 ? "it is what was imported" : "all are what was imported";
  const faults = Object.entries({ damaged: damages, "not checked": unchecked }).flatMap(
    ([what, { length }]) => (length === 0 ? [] : [`${length.toLocaleString("en")} ${what}`]),
  );
  const others = [
    ...(nonAudio.length === 0 ? [] : [`${nonAudio.length.toLocaleString("en")} not audio`]),
    ...(soundFaults.length === 0 ? [] : [`${toCounted(soundFaults.length, "fault")} of sound`]),
  ];
  return [...(faults.length === 0 ? [right] : faults), ...others].join(", ");
}

// `call-media-server doctor`: finds what is wrong with an archive's directory, and says what to do about it.
import type { Finding } from "@call-media/store";
import { openMaintenance } from "@call-media/store/open";
import type { Command } from "commander";
import { NOT_PROVED } from "../command-line/not-proved.ts";
import { createProgress } from "../command-line/progress.ts";
import { addPlaces, addReplica, type ReplicaFlags, toReplicated } from "../command-line/places.ts";
import { console, io } from "@call-media/terminal";
import { toPrintable } from "@call-media/service/printable";

const HELP = `
doctor only looks; the service may keep running. It checks the folder and who may read it, the databases with their
tables, indexes and triggers, whether searches and counts agree with the records, whether every recording has its file,
the credentials, the clock and the access log. It reads every call, which takes some minutes for millions. The contents
of recordings are checked by "verify".

  $ call-media-server doctor --data ./archive
  $ call-media-server doctor --data ./archive --json | jq '.[].what'

Exit code: 0 no errors, 1 errors.`;

export function configureDoctor(command: Command): void {
  addReplica(addPlaces(command, "the folder of the archive, or of a backup"))
    .option("--json", "print the findings as one JSON array")
    .addHelpText("after", HELP)
    .action(async (flags: ReplicaFlags & { json?: true }) => {
      using progress = createProgress();
      const archive = await openMaintenance(toReplicated(flags));
      const findings = await archive.check(progress.update);
      progress[Symbol.dispose]();
      console.log(
        flags.json
          ? JSON.stringify(findings)
          : `${toText(findings)}\n${NOT_PROVED} ${BEFORE}\n${UNREAD}`,
      );
      if (findings.some(({ level }) => level === "error")) io().exitCode = 1;
    });
}

// Before that version, only records had digests.
const BEFORE =
  "Nor what was damaged before an upgrade gave rows their digests: that was taken as it was.";

const UNREAD = 'Not read: the contents of recordings; "verify" reads them.';

function toText(findings: readonly Finding[]): string {
  if (findings.length === 0) return "Nothing is wrong.";
  return findings
    .map(({ level, what, where, todo }) =>
      [`${level}: ${what}`, `  where: ${where}`, `  do: ${todo}`].map(toPrintable).join("\n"),
    )
    .join("\n\n");
}

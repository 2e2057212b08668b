// `call-media probe`: shows how a running service behaves where the interface is silent.
import { writeFile } from "node:fs/promises";
import type { ApiReport } from "@call-media/conformance";
import { type Command, Option } from "commander";
import { toObservationTable, toObservationText } from "../check/observations.ts";
import { toProfile } from "../check/profile.ts";
import { addRunOptions } from "../check/run-options.ts";
import { checkSubject, type SubjectFlags } from "../check/subject.ts";
import { CHECK_ACCESS_HELP } from "../command-line/access-help.ts";
import { createJsonOption } from "../command-line/json-option.ts";
import { UNABLE } from "../exit-codes.ts";
import { checkWritable } from "../files/output-file.ts";
import { console, createPaint, io, toTextWidth } from "@call-media/terminal";
import { PROGRAM } from "../version.ts";

const HELP = `
The interface leaves some questions open. The decisions are the answers of this project; another service may answer
otherwise and still keep the interface. probe shows how it answers, and can save that for the client.
  $ call-media probe --base-url https://archive.example.com
  $ call-media probe --base-url https://archive.example.com --profile-out profile.json

Exit code: 0 the service answered, whatever it answered; 2 it could not be asked.
${CHECK_ACCESS_HELP}`;

const FORMATS = {
  text: (report: ApiReport) =>
    toObservationText(report, { width: toTextWidth(), paint: createPaint(io().stdout) }),
  json: toProfile,
  markdown: toObservationTable,
} as const;

interface ProbeFlags extends SubjectFlags {
  readonly profileOut?: string;
  readonly format: keyof typeof FORMATS;
}

export function configureProbe(command: Command): void {
  addRunOptions(command)
    .addOption(
      new Option("--format <format>", "of the table").choices(Object.keys(FORMATS)).default("text"),
    )
    .addOption(createJsonOption())
    .addHelpText("after", HELP)
    .action(probe);
}

async function probe(flags: ProbeFlags): Promise<void> {
  checkWritable("--profile-out", flags.profileOut);
  const { found: report } = await checkSubject(flags, undefined);
  if (flags.profileOut !== undefined) await writeFile(flags.profileOut, `${toProfile(report)}\n`);
  if (report.questions.length > 0) console.log(FORMATS[flags.format](report));
  const reason = report.reason ?? findSilence(report);
  if (reason === undefined) return;
  console.error(`${PROGRAM}: ${reason}`);
  io().exitCode = UNABLE;
}

// If the key is rejected, for example, every question has the same answer, which means nothing.
function findSilence({ operations }: ApiReport): string | undefined {
  return operations.seen > 0 ? undefined : "no request was answered with success";
}

// `call-media verify`: whether an export still is what its manifest says, without asking anybody.
import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { REPORT, type Report, toExporterWords } from "@call-media/handover";
import { FAILED } from "../exit-codes.ts";
import { type ExportFolder, toExportFolder } from "../export/folder/export-folder.ts";
import { OTHER_SEAL, type Verified, verifyExport } from "../export/proof/verify.ts";
import { createInterrupt } from "../interrupt.ts";
import { console, io } from "../io.ts";
import { toCounted } from "../terminal/counted.ts";
import { foldLabelled } from "../terminal/labelled.ts";
import { toPrintable } from "../terminal/paint.ts";
import { createProgressLine } from "../terminal/progress-line.ts";
import { toShellWord } from "../terminal/shell-word.ts";
import { toTableWidth } from "../terminal/terminal-width.ts";

const HELP = `
  $ call-media export --last 7d --out week
  $ call-media verify week

Every file is compared with its length and SHA-256 in manifest.jsonl, and manifest and metadata with report.json, whose
counts must follow from them. A file that is not in the manifest, or cannot be read, counts as a difference.
The service is not asked, and no credentials are needed.

The folder itself cannot tell whether somebody changed files, manifest and report so that they fit again. That takes
the seal, the SHA-256 of report.json, which export and sync print: keep it elsewhere, and give it to verify by --seal.
A run that does nothing new leaves it as it is; each sync has asked again and gives another one. Nor is .call-media
looked at, which is for export --resume and sync.

Exit code: 0 no difference, 1 differences, one on each line.`;

interface VerifyFlags {
  readonly seal?: string;
  readonly json?: boolean;
}

export function configureVerify(command: Command): void {
  command
    .argument("<folder>", "of an export")
    .option("--seal <sha256>", "the SHA-256 of report.json, as export or sync printed it", toSeal)
    .option("--json", "print the result as JSON")
    .addHelpText("after", HELP)
    .action(verify);
}

async function verify(path: string, { seal, json }: VerifyFlags): Promise<void> {
  using progress = createProgressLine(io().stderr);
  const folder = toExportFolder(path);
  const verified = await verifyExport(folder, {
    seal,
    signal: createInterrupt(),
    onFile: (files, bytes) =>
      progress.show(`${toCounted(files, "file")}, ${toCounted(bytes, "byte")}`),
  });
  progress.show("");
  const { report: _, ...result } = verified;
  if (json) console.log(JSON.stringify(result, undefined, 2));
  else console.log(foldLabelled(toText(verified, folder, seal), toTableWidth()));
  if (verified.differences.length > 0) io().exitCode = FAILED;
}

function toText(verified: Verified, folder: ExportFolder, seal: string | undefined): string {
  const { files, bytes, notReceived, differences, report } = verified;
  const count =
    differences.length === 0 ? "no differences" : toCounted(differences.length, "difference");
  const isOther = differences.some(({ what }) => what === OTHER_SEAL);
  const read = `${toCounted(files, "file")} of ${toCounted(bytes, "byte")} read`;
  return [
    ...differences.map(({ file, what }) => toPrintable(`${file} ${what}`)),
    `${count}; ${read}, ${notReceived.toLocaleString("en")} had not been received`,
    ...(report === undefined ? [] : toReportLines(report)),
    ...(verified.seal === null ? [] : [`seal     ${verified.seal} is the SHA-256 of ${REPORT}`]),
    ...(seal === undefined ? [UNTOLD] : []),
    ...(isOther ? [OTHER] : []),
    ...(differences.length > (isOther ? 1 : 0) && existsSync(folder.plan) ? [toMend(folder)] : []),
  ].join("\n");
}

const toMend = ({ path }: ExportFolder) =>
  `mend     move what is named above out of the folder; then call-media export --resume --out ${toShellWord(path)} gets it from the archive again`;

const UNTOLD = `untold   whether files, manifest and report were changed together: compare the seal with what the export printed`;

const OTHER = `other    the seal that was given is of another ${REPORT}: ask whoever gave it for that of the latest run, as each that did something new has its own; if there was none since, the report was changed, and no run gives it that seal again`;

/** What the folder says of itself. */
function toReportLines({ verdict, from, to, baseUrl, exportedBy, finishedAt, ...rest }: Report) {
  const lines = [
    `report   ${verdict}: ${from} to ${to} of ${baseUrl}, ${finishedAt}, by ${toExporterWords(exportedBy)}`,
    ...rest.unproved.map((sentence) => `unproved ${sentence}`),
    ...rest.faults.map((sentence) => `fault    ${sentence}`),
  ];
  return lines.map(toPrintable);
}

function toSeal(text: string): string {
  if (/^[\da-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError(
    "It must be a SHA-256 of 64 digits, as export or sync printed it.",
  );
}

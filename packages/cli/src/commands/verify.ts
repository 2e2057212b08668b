// `call-media verify`: compares an export or a hand-over with its manifest and report, without the service.
import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { REPORT, type Report, toExporterWords, toFoundText } from "@call-media/handover";
import { addServiceOptions } from "../access/connect.ts";
import { readTarget, type TargetFlags } from "../access/target.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { addGroupOption } from "../command-line/common-options.ts";
import { FAILED } from "../exit-codes.ts";
import { DEFAULT_CONCURRENCY } from "../export/command.ts";
import { runExport } from "../export/export.ts";
import { toExportFailure } from "../export/failure.ts";
import {
  type ExportFolder,
  FolderGone,
  INDEX,
  toExportFolder,
} from "../export/folder/export-folder.ts";
import { checkService } from "../export/plan/export-plan.ts";
import { readPlan } from "../export/plan/plan.ts";
import { checkRepairable, moveAside } from "../export/proof/repair.ts";
import { openFolder } from "../export/proof/contents.ts";
import { findUnpacked, verifyUnpacked, verifyZip } from "../export/proof/verify-hand-over.ts";
import { toRunWords } from "../export/proof/report-text.ts";
import { OTHER_SEAL, type Verified, verifyExport } from "../export/proof/verify.ts";
import { createInterrupt } from "../interrupt.ts";
import {
  console,
  createProgressLine,
  io,
  printAccount,
  toCounted,
  toPrintable,
  toProgressOutput,
  toShellWord,
  toTableWidth,
} from "@call-media/terminal";
import { foldLabelled } from "../terminal/labelled.ts";

const HELP = `
  $ call-media export --last 7d --out week
  $ call-media verify week
  $ call-media export --last 7d --hand-over week.zip
  $ call-media verify week.zip --seal SHA256

Every file is compared with its length and SHA-256 in manifest.jsonl, and manifest and metadata with report.json, whose
counts must follow from them. A file that is not in the manifest, or cannot be read, counts as a difference; what a
system leaves in a folder, such as .DS_Store, and words.db, which call-media index makes, are only named.
Of a hand-over, which need not be unpacked, every file is also compared with SHA256SUMS. No service and no credentials are
needed.

If files, manifest and report were changed together, they alone do not show it. The seal does, which export and sync
print: the SHA-256 of report.json, or of a hand-over that of the zip, which covers its page and spreadsheet, too, and which
any tool makes. Of an unpacked hand-over no seal proves anything: give the zip. Keep the seal elsewhere,
and pass it with --seal. A run that changes nothing in a folder keeps its seal; every sync and every hand-over makes another.
verify ignores .call-media, which only export --resume and sync need.

--originals is for whoever has what call-media export --mute muted. The same recording and spans give the same bytes
on any machine, so that a difference is a change elsewhere. A muted recording whose original is not there is named, and
the exit code is 1: call-media verify muted --originals FOLDER.

--repair mends the folder that was exported into: what differs is moved into FOLDER.aside, fetched again from the
service, and verified. Nothing is deleted, and what was as it should be is not fetched again.
  $ call-media verify --repair week

Exit code: 0 no difference, 1 differences, one on each line, or a file that the seal does not cover. What the export could
not prove of the service is in its report, and does not count.
${ACCESS_HELP}`;

interface VerifyFlags extends TargetFlags {
  readonly seal?: string;
  readonly originals?: string;
  readonly repair?: boolean;
  readonly json?: boolean;
}

export function configureVerify(command: Command): void {
  addGroupOption(addServiceOptions(command))
    .argument("<file>", "the folder of an export, or the zip of a hand-over")
    .option("--repair", "fetch again what is missing or differs; the service is needed for that")
    .option(
      "--originals <folder>",
      "mute the originals in this folder again, and compare them with the muted recordings",
    )
    .option("--seal <sha256>", "the SHA-256 that export or sync printed", toSeal)
    .option("--json", "print the result as JSON")
    .addHelpText("after", HELP)
    .action(verify);
}

async function verify(path: string, given: VerifyFlags): Promise<void> {
  const { seal, json, repair, originals, ...flags } = given;
  const folder = toExportFolder(path);
  if (repair) checkRepairable(folder);
  const signal = createInterrupt();
  using progress = createProgressLine(toProgressOutput());
  const options = {
    seal,
    originals,
    signal,
    onFile: (files: number, bytes: number) =>
      progress.show(`${toCounted(files, "file")}, ${toCounted(bytes, "byte")}`),
  };
  const check = async () => {
    const unpacked = findUnpacked(path);
    const found = isZip(path)
      ? await verifyZip(path, options)
      : unpacked === undefined
        ? await verifyExport(openFolder(path), options)
        : await verifyUnpacked(unpacked, options);
    progress.show("");
    return found;
  };
  let verified = await check();
  if (repair && verified.differences.length > 0) {
    for (const { file, what } of verified.differences) console.info(toPrintable(`${file} ${what}`));
    await repairExport(folder, verified, { flags, signal });
    verified = await check();
  }
  const { report: _, ...result } = verified;
  const isProved = seal === undefined || verified.unproved.length === 0;
  const { missing = [], decoded = [] } = verified.originals ?? {};
  const isCompared = missing.length + decoded.length === 0;
  const isRight = verified.differences.length === 0 && isProved && isCompared;
  if (json) console.log(JSON.stringify(result, undefined, 2));
  else printAccount(foldLabelled(toText(verified, path), toTableWidth()), isRight);
  if (!isRight) io().exitCode = FAILED;
}

const isZip = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** @throws the error that interrupted it. Running the same command again continues. */
async function repairExport(
  folder: ExportFolder,
  { differences }: Verified,
  { flags, signal }: { readonly flags: TargetFlags; readonly signal: AbortSignal },
): Promise<void> {
  // Checked before anything is moved: without the service, nothing could be repaired.
  const target = await readTarget(flags, io().env);
  const plan = await readPlan(folder);
  if (plan !== undefined) checkService(plan, { path: folder.path, baseUrl: target.target.baseUrl });
  const aside = await moveAside(folder, differences);
  if (aside !== undefined) console.info(`moved what differs to ${aside}`);
  await runExport({
    folder,
    target,
    interrupt: signal,
    limits: { max: DEFAULT_CONCURRENCY, maxBytesPerSecond: Infinity },
    toPlan: (there) => {
      if (there === undefined) throw new FolderGone(folder.path);
      return there;
    },
  }).catch((error: unknown) => {
    throw toExportFailure(error, { folder, signal, flags });
  });
}

function toText(verified: Verified, path: string): string {
  const { files, bytes, notReceived, differences, report } = verified;
  const count =
    differences.length === 0 ? "no differences" : toCounted(differences.length, "difference");
  const isOther = differences.some(({ what }) => what === OTHER_SEAL);
  const read = `${toCounted(files, "file")} of ${toCounted(bytes, "byte")} read`;
  const canRepair = differences.length > (isOther ? 1 : 0) && existsSync(toExportFolder(path).plan);
  const sealed = isZip(path) ? basename(path) : REPORT;
  return [
    ...differences.map(({ file, what }) => toPrintable(`${file} ${what}`)),
    `${count}; ${read}, ${notReceived.toLocaleString("en")} had not been received`,
    ...(report === undefined ? [] : toReportLines(report)),
    ...(verified.originals === undefined ? [] : toOriginalsLines(verified.originals)),
    ...verified.ignored.map((file) =>
      toPrintable(`ignored  ${file} is not part of the export: ${toReason(file)}`),
    ),
    ...(verified.seal === null ? [] : [`seal     ${verified.seal} is the SHA-256 of ${sealed}`]),
    ...verified.unproved.map((clause) => `unproved ${clause}`),
    ...(isOther ? [OTHER] : []),
    ...(canRepair ? [toRepair(path)] : []),
  ].join("\n");
}

function toOriginalsLines({ same, missing, decoded }: Required<Verified>["originals"]): string[] {
  const are = same === 1 ? "is what its original gives" : "are what their originals give";
  return [
    `muted    ${toCounted(same, "recording")} ${are} with the spans muted`,
    ...missing.map((file) => toPrintable(`missing  the original of ${file} is not there`)),
    ...decoded.map((file) =>
      toPrintable(`unproved ${file} was decoded by a browser before it was muted: listen to both`),
    ),
  ];
}

const toReason = (file: string) =>
  basename(file).startsWith(INDEX)
    ? "call-media index makes it, and builds it again if it came with the folder"
    : "a system left it there";

const toRepair = (path: string) =>
  `repair   call-media verify --repair ${toShellWord(path)} fetches them again`;

const OTHER = `other    the seal belongs to another run: ask its sender for the seal of the latest run, because each run that changes something has its own. If it is the latest, the folder was changed, and no run repairs that`;

/** The content of the report. */
function toReportLines(report: Report) {
  const { verdict, from, to, baseUrl, exportedBy } = report;
  const lines = [
    `report   ${verdict}: ${from} to ${to} of ${baseUrl}, by ${toExporterWords(exportedBy)}`,
    `found    ${toFoundText(report)}`,
    ...(report.purpose === undefined ? [] : [`for      ${report.purpose}`]),
    `run      ${toRunWords(report)}`,
    ...report.unproved.map((sentence) => `unproved ${sentence}`),
    ...report.faults.map((sentence) => `fault    ${sentence}`),
  ];
  return lines.map(toPrintable);
}

function toSeal(text: string): string {
  // The console shows it in groups of four.
  const digits = text.replaceAll(/\s/g, "");
  if (/^[\da-f]{64}$/i.test(digits)) return digits.toLowerCase();
  throw new InvalidArgumentError(
    "It must be a SHA-256 of 64 digits, as export or sync printed it.",
  );
}

// `call-media verify`: whether an export still is what its manifest says, without asking anybody.
import type { Command } from "commander";
import { FAILED } from "../exit-codes.ts";
import { toExportFolder } from "../export/files.ts";
import { verifyExport } from "../export/verify.ts";
import { toPrintable } from "../formats/paint.ts";
import { createInterrupt } from "../interrupt.ts";
import { createProgressLine } from "../progress-line.ts";

const HELP = `
  $ call-media export --from 2026-03-01 --to 2026-03-31 --out march
  $ call-media verify march

Every file is compared with its length and SHA-256 in manifest.jsonl, and the manifest with report.json. A file that
is not in the manifest counts as a difference. The service is not asked, and no credentials are needed.

Exit code: 0 no difference, 1 differences, one on each line.`;

interface VerifyFlags {
  readonly json?: boolean;
}

export function configureVerify(command: Command): void {
  command
    .argument("<folder>", "of an export")
    .option("--json", "print the result as JSON")
    .addHelpText("after", HELP)
    .action(verify);
}

async function verify(path: string, { json }: VerifyFlags): Promise<void> {
  using progress = createProgressLine(process.stderr);
  const verified = await verifyExport(toExportFolder(path), {
    signal: createInterrupt(),
    onFile: (files, bytes) =>
      progress.show(`${files.toLocaleString("en")} files, ${bytes.toLocaleString("en")} bytes`),
  });
  progress.show("");
  const { files, bytes, notReceived, differences } = verified;
  if (json) console.log(JSON.stringify(verified, undefined, 2));
  else {
    for (const { file, what } of differences) console.log(toPrintable(`${file} ${what}`));
    const count = differences.length === 0 ? "no" : differences.length.toLocaleString("en");
    console.log(
      `${count} ${differences.length === 1 ? "difference" : "differences"}; ${files.toLocaleString("en")} files of ${bytes.toLocaleString("en")} bytes were read, ${notReceived.toLocaleString("en")} had not been received`,
    );
  }
  if (differences.length > 0) process.exitCode = FAILED;
}

// Verifies an unpacked bundle: its export, and every file by its line in SHA256SUMS.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { EXPORT, REPORT, SUMS } from "@call-media/handover";
import { toExportFolder } from "../folder/export-folder.ts";
import { isLitter } from "../folder/litter.ts";
import { hashFile, readLines, readSize } from "../folder/read.ts";
import { findFault } from "./compare-file.ts";
import { OTHER_SEAL, type Verified, type VerifyOptions, verifyExport } from "./verify.ts";

export const isBundle = (path: string): boolean =>
  existsSync(join(path, SUMS)) && existsSync(join(path, EXPORT));

/** The unpacked bundle that a folder is, or whose export it is. */
export function findBundle(path: string): string | undefined {
  const whole = resolve(path);
  return (basename(whole) === EXPORT ? [path, dirname(whole)] : [path]).find(isBundle);
}

/**
 * The seal of a bundle is the SHA-256 of its check sums, which have every file. The seal of its report alone proves less.
 *
 * @throws UsageError if the export has no manifest.
 */
export async function verifyBundle(
  path: string,
  { seal: expectedSeal, ...options }: VerifyOptions,
): Promise<Verified> {
  const verified = await verifyExport(toExportFolder(join(path, EXPORT)), options);
  const digest = createHash("sha256");
  await hashFile(join(path, SUMS), digest);
  const seal = digest.digest("hex");
  const isOfReport = expectedSeal === verified.seal;
  let { files, bytes } = verified;
  const differences = verified.differences.map(({ file, what }) => ({
    file: `${EXPORT}/${file}`,
    what,
  }));
  const add = (file: string, what: string) => {
    // The manifest knows more of a file than its check sum.
    if (!differences.some((one) => one.file === file)) differences.push({ file, what });
  };
  if (!isOfReport && seal !== (expectedSeal ?? seal)) add(SUMS, OTHER_SEAL);
  const listed = new Set([EXPORT, SUMS]);
  for await (const { file, sha256, fault } of readSums(path)) {
    options.signal.throwIfAborted();
    if (fault !== undefined) add(SUMS, fault);
    else {
      listed.add(file);
      const what = await findFault(join(path, file), { sha256 });
      if (what !== undefined) add(file, what);
      if (file.startsWith(`${EXPORT}/`)) continue;
      bytes += (await readSize(join(path, file))) ?? 0;
      options.onFile(++files, bytes);
    }
  }
  const ignored = verified.ignored.map((file) => `${EXPORT}/${file}`);
  for (const file of await readdir(path))
    if (!listed.has(file))
      if (isLitter(file)) ignored.push(file);
      else add(file, `is not in ${SUMS}`);
  const unproved =
    expectedSeal === undefined
      ? [...verified.unproved, UNSEALED]
      : isOfReport
        ? [REPORT_ALONE]
        : [];
  return { ...verified, files, bytes, differences, ignored, seal, unproved };
}

const UNSEALED = `that the files next to ${EXPORT}/ were not changed together with ${SUMS}: compare the seal with the one that the export printed`;

const REPORT_ALONE = `that the files next to ${EXPORT}/ were not changed together with ${SUMS}: this seal is of ${REPORT}; ask the sender for the one of ${SUMS}, which covers them`;

/** A line of SHA256SUMS, or what is wrong with it. */
type Sum =
  | { readonly file: string; readonly sha256: string; readonly fault?: never }
  | { readonly fault: string; readonly file?: never; readonly sha256?: never };

async function* readSums(path: string): AsyncGenerator<Sum> {
  let number = 0;
  for await (const lines of readLines(join(path, SUMS)))
    for (const { text } of lines) {
      number++;
      const [, sha256, file] = /^([\da-f]{64}) {2}(.+)$/.exec(text) ?? [];
      if (sha256 === undefined || file === undefined || leadsOut(file))
        yield { fault: `line ${number} is not the check sum of a file of the bundle` };
      else yield { file, sha256 };
    }
}

const leadsOut = (file: string) =>
  /[\\\0]/.test(file) || file.split("/").some((part) => ["", ".", ".."].includes(part));

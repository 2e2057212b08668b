// Verifies a hand-over, as a zip or unpacked: its export, and every file by its line in SHA256SUMS.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { CallRecord } from "@call-media/client";
import {
  createCallTally,
  EXPORT,
  MANIFEST,
  METADATA,
  type Report,
  REPORT,
  SUMS,
} from "@call-media/handover";
import { UsageError } from "@call-media/terminal";
import { hashFile, parseJson } from "../folder/read.ts";
import { isLitter } from "../folder/litter.ts";
import { findFault } from "./compare-file.ts";
import { type Contents, openFolder, openZip, splitLines, within } from "./contents.ts";
import { OTHER_SEAL, type Verified, type VerifyOptions, verifyExport } from "./verify.ts";

export const isUnpacked = (path: string): boolean =>
  existsSync(join(path, SUMS)) && existsSync(join(path, EXPORT));

/** The unpacked hand-over at this path, or the one whose export is at this path. */
export function findUnpacked(path: string): string | undefined {
  const whole = resolve(path);
  return (basename(whole) === EXPORT ? [path, dirname(whole)] : [path]).find(isUnpacked);
}

/**
 * The seal is the SHA-256 of the zip, so it covers every byte.
 *
 * @throws UsageError if the file is not a hand-over.
 */
export async function verifyZip(
  path: string,
  { seal: expected, ...options }: VerifyOptions,
): Promise<Verified> {
  const digest = createHash("sha256");
  await hashFile(path, digest);
  const seal = digest.digest("hex");
  const file = basename(path);
  const isOther = expected !== undefined && expected !== seal;
  using zip = await openZip(path).catch((error: Error) => {
    const sealed = isOther ? `, and ${OTHER_SEAL}` : "";
    throw new UsageError(
      `${path} is a file and no hand-over: it is not a whole zip${sealed}: ${error.message}`,
      { cause: error },
    );
  });
  if (((await zip.size(`${EXPORT}/${MANIFEST}`)) ?? 0) === 0)
    throw new UsageError(`${path} has no ${EXPORT}/${MANIFEST}: it is not a hand-over`);
  const verified = await verifyContents(zip, options);
  const faults = [
    ...(isOther ? [{ file, what: OTHER_SEAL }] : []),
    ...zip.repeated.map((name) => ({ file: name, what: "is in the zip more than once" })),
    ...[...zip.damaged].map(([name, reason]) => ({
      file: name,
      what: `cannot be unpacked: ${reason}`,
    })),
  ];
  return {
    ...verified,
    differences: [...faults, ...verified.differences.filter((one) => !zip.damaged.has(one.file))],
    seal,
    unproved: expected === undefined ? [UNSEALED] : [],
  };
}

const UNSEALED =
  "that its files were not changed together: compare the seal with the one that its sender gave";

/** An unpacked hand-over cannot be compared with its seal. @throws UsageError if its export has no manifest. */
export async function verifyUnpacked(
  path: string,
  { seal: expected, ...options }: VerifyOptions,
): Promise<Verified> {
  const verified = await verifyContents(openFolder(path), options);
  return { ...verified, seal: null, unproved: [expected === undefined ? UNPACKED : GIVE_ZIP] };
}

const UNPACKED = `that its files were not changed together with ${SUMS}: the seal is of the zip, from which it was unpacked`;

const GIVE_ZIP =
  "anything by this seal, which is of the zip: give the zip, call-media verify FILE.zip --seal SHA256";

async function verifyContents(contents: Contents, options: VerifyOptions): Promise<Verified> {
  const verified = await verifyExport(within(contents, EXPORT), options);
  let { files, bytes } = verified;
  const differences = verified.differences.map(({ file, what }) => ({
    file: `${EXPORT}/${file}`,
    what,
  }));
  const add = (file: string, what: string) => {
    // The manifest knows more about a file than its checksum.
    if (!differences.some((one) => one.file === file)) differences.push({ file, what });
  };
  if (!(await hasFound(contents, verified.report)))
    add(`${EXPORT}/${REPORT}`, `counts other calls than ${METADATA.jsonl} has`);
  const listed = new Set([EXPORT, SUMS]);
  for await (const { file, sha256, fault } of readSums(contents)) {
    options.signal.throwIfAborted();
    if (fault !== undefined) add(SUMS, fault);
    else {
      listed.add(file);
      const what = await findFault(contents, { file, sha256 });
      if (what !== undefined) add(file, what);
      if (file.startsWith(`${EXPORT}/`)) continue;
      bytes += (await contents.size(file)) ?? 0;
      options.onFile(++files, bytes);
    }
  }
  const ignored = verified.ignored.map((file) => `${EXPORT}/${file}`);
  for (const { name } of await contents.list(""))
    if (!listed.has(name))
      if (isLitter(name)) ignored.push(name);
      else add(name, `is not in ${SUMS}`);
  return { ...verified, files, bytes, differences, ignored };
}

/** True if the number of calls equals that in the report. */
async function hasFound(contents: Contents, report: Report | undefined): Promise<boolean> {
  if (report?.found === undefined) return true;
  const tally = createCallTally();
  for await (const lines of splitLines(contents.read(`${EXPORT}/${METADATA.jsonl}`)))
    for (const line of lines) tally.add(Object(parseJson(line)) as CallRecord); // counted regardless of its content
  return isDeepStrictEqual(tally.found(), report.found);
}

/** A line of SHA256SUMS, or its fault. */
type Sum =
  | { readonly file: string; readonly sha256: string; readonly fault?: never }
  | { readonly fault: string; readonly file?: never; readonly sha256?: never };

async function* readSums(contents: Contents): AsyncGenerator<Sum> {
  let number = 0;
  for await (const lines of splitLines(contents.read(SUMS)))
    for (const text of lines) {
      number++;
      const [, sha256, file] = /^([\da-f]{64}) {2}(.+)$/.exec(text) ?? [];
      if (sha256 === undefined || file === undefined || leadsOut(file))
        yield { fault: `line ${number} is not the check sum of a file of the hand-over` };
      else yield { file, sha256 };
    }
}

const leadsOut = (file: string) =>
  /[\\\0]/.test(file) || file.split("/").some((part) => ["", ".", ".."].includes(part));

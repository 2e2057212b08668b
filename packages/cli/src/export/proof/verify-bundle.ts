// Verifies an unpacked bundle: its export, and every file by its line in SHA256SUMS.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { EXPORT, SUMS } from "@call-media/handover";
import { toExportFolder } from "../folder/export-folder.ts";
import { isLitter } from "../folder/litter.ts";
import { readLines, readSize } from "../folder/read.ts";
import { findFault } from "./compare-file.ts";
import { type Verified, type VerifyOptions, verifyExport } from "./verify.ts";

export const isBundle = (path: string): boolean =>
  existsSync(join(path, SUMS)) && existsSync(join(path, EXPORT));

/** @throws UsageError if the export has no manifest. */
export async function verifyBundle(path: string, options: VerifyOptions): Promise<Verified> {
  const verified = await verifyExport(toExportFolder(join(path, EXPORT)), options);
  let { files, bytes } = verified;
  const differences = verified.differences.map(({ file, what }) => ({
    file: `${EXPORT}/${file}`,
    what,
  }));
  const add = (file: string, what: string) => {
    // The manifest knows more of a file than its check sum.
    if (!differences.some((one) => one.file === file)) differences.push({ file, what });
  };
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
  return { ...verified, files, bytes, differences, ignored };
}

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

// The hand-written contract as one document, put together by redocly.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const specFolder = fileURLToPath(new URL("../../../spec/", import.meta.url));
const redoclyFile = fileURLToPath(
  new URL("../node_modules/@redocly/cli/bin/cli.js", import.meta.url),
);

/** The contract cannot be read. The message is redocly's, which shows each place. */
export class ContractFault extends Error {}

/**
 * The contract in one document, written as JSON or YAML. `folder` is for what comes on the way.
 *
 * @throws ContractFault
 */
export async function bundle(extension: "json" | "yaml", folder: string): Promise<string> {
  const output = join(folder, `openapi.${extension}`);
  await promisify(execFile)(
    process.execPath,
    [redoclyFile, "bundle", "openapi.yaml", "-o", output],
    {
      cwd: specFolder,
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  ).catch((error: { readonly stderr: string }) => {
    throw new ContractFault(error.stderr, { cause: error });
  });
  return readFile(output, "utf8");
}

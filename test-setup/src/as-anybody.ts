// Commands that a test runs as a user who may not do everything.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The words before such a command. They drop the privileges of root, which is denied nothing otherwise. */
export const AS_ANYBODY: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] : [];

/** True if this machine can run commands behind these words. */
export async function works(command: readonly string[]): Promise<boolean> {
  const [file, ...args] = [...command, "true"];
  return await run(file, args).then(
    () => true,
    () => false,
  );
}

/** If false, a line on standard error says so, and the tests that need it are skipped. */
export const canBeAnybody = process.platform !== "win32" && (await works(AS_ANYBODY));
if (!canBeAnybody)
  console.warn("SKIPPED: the tests as a user who is refused things; root has no setpriv here");

/** The standard output of a module that node runs behind these words; `args` are its arguments. */
export async function runModule(
  command: readonly string[],
  source: string,
  args: readonly string[],
): Promise<string> {
  const node = [process.execPath, "--input-type=module", "--eval", source];
  const [file = "", ...others] = [...command, ...node, ...args];
  return (await run(file, others)).stdout;
}

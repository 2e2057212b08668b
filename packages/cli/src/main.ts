#!/usr/bin/env node
// The program call-media. Its help and version come at once; all else is loaded when a command is asked for.
import { toHelp } from "./command-line/help.ts";
import { UNABLE } from "./exit-codes.ts";
import { findOldNode, PROGRAM, readVersion } from "./version.ts";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Whoever reads may have seen enough, as `head` does. Node would end with 1.
  if (error.code === "EPIPE") return;
  console.error(`${PROGRAM}: standard output is not complete: ${error.message}`);
  process.exit(UNABLE);
});

// Nobody is left to be told, as when a terminal was closed; the work goes on.
process.stderr.on("error", () => {});

const args = process.argv.slice(2);
const [only] = args.length === 1 ? args : [];
const oldNode = findOldNode();
if (oldNode !== undefined) {
  console.error(oldNode);
  process.exitCode = UNABLE;
} else if (args.length === 0) {
  process.stderr.write(toHelp());
  process.exitCode = UNABLE;
} else if (only === "--help" || only === "-h" || only === "help") process.stdout.write(toHelp());
else if (only === "--version" || only === "-V") console.log(readVersion());
else {
  const { keepCompiled } = await import("./compiled.ts");
  keepCompiled();
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(args);
}

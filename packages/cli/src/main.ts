#!/usr/bin/env node
// The program call-media. Help and version need no other modules; a command loads the rest.
import { findOldNode, keepCompiled, outliveReaders } from "@call-media/terminal/start";
import { toHelp } from "./command-line/help.ts";
import { UNABLE } from "./exit-codes.ts";
import { PROGRAM, readEngines, readVersion } from "./version.ts";

outliveReaders(PROGRAM, UNABLE);

const args = process.argv.slice(2);
const [only] = args.length === 1 ? args : [];
const oldNode = findOldNode(PROGRAM, readEngines());
if (oldNode !== undefined) {
  console.error(oldNode);
  process.exitCode = UNABLE;
} else if (args.length === 0) {
  process.stderr.write(toHelp());
  process.exitCode = UNABLE;
} else if (only === "--help" || only === "-h" || only === "help") process.stdout.write(toHelp());
else if (only === "--version" || only === "-V") console.log(readVersion());
else {
  keepCompiled();
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(args);
}

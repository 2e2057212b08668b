#!/usr/bin/env node
// The operator's program call-media-server. Reports which Node.js it needs before it loads anything that an older one lacks.
import { readFileSync } from "node:fs";
import { findOldNode, keepCompiled, outliveReaders } from "@call-media/terminal/start";

// The same path from src and from dist.
const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { engines, version } = JSON.parse(manifest) as { engines: { node: string }; version: string }; // this package's own file
const oldNode = findOldNode("call-media-server", engines.node);

outliveReaders("call-media-server", 1);

if (oldNode !== undefined) {
  console.error(oldNode);
  process.exitCode = 1;
} else {
  keepCompiled();
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram({ args: process.argv.slice(2), version });
}

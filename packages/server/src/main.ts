#!/usr/bin/env node
// The operator's program call-media-server. Says which Node.js it needs before it loads what an older one does not have.
import { readFileSync } from "node:fs";

// As far away from src as from dist.
const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { engines, version } = JSON.parse(manifest) as { engines: { node: string }; version: string }; // this package's own file
const needed = engines.node.replace(">=", "");
const { node } = process.versions;

if (isOlder(node, needed)) {
  console.error(`call-media-server: needs Node.js ${needed} or newer; this is Node.js ${node}`);
  process.exitCode = 1;
} else {
  const { keepCompiled } = await import("./compiled.ts");
  await keepCompiled();
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram({ args: process.argv.slice(2), version });
}

/** Number by number: `localeCompare` would first load the rules of a language, which takes 8 ms of every start. */
function isOlder(one: string, least: string): boolean {
  const toNumbers = (text: string) => text.split(".").map(Number);
  const [own, wanted] = [toNumbers(one), toNumbers(least)];
  const place = wanted.findIndex((number, at) => number !== own[at]);
  return place >= 0 && Number(own[place]) < Number(wanted[place]);
}

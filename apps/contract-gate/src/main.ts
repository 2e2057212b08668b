// The program: check the working tree, release its document, or print the proof, ours or that of redocly.
import { BUMPS, type JsonObject, versionOf } from "@call-media/contract-diff";
import { edits } from "../edits/edits.ts";
import { readGateInput, readReleased, writeRelease } from "./files.ts";
import { checkGate, type Verdict } from "./gate.ts";
import { findWrong, rateByRules, toTable } from "./proof.ts";
import { giveSecondOpinion, rateByRedocly } from "./redocly.ts";

const commands: Readonly<Record<string, () => Promise<boolean>>> = {
  check,
  release,
  edits: prove,
  peer: provePeer,
};

async function check(): Promise<boolean> {
  const input = await readGateInput();
  const verdict = await checkGate(input);
  const mayPass = report(verdict);
  const second = await giveSecondOpinion(input, verdict.least);
  if (second !== undefined) console.log(`contract gate: ${second}`);
  return mayPass;
}

async function release(): Promise<boolean> {
  const input = await readGateInput();
  if (!report(await checkGate(input))) return false;
  await writeRelease();
  console.log(`contract gate: ${versionOf(input.working)} is now the released document`);
  return true;
}

async function prove(): Promise<boolean> {
  const rated = rateByRules(await readForEdits(), edits);
  const wrong = findWrong(rated);
  console.log([toTable(rated), ...wrong].join("\n"));
  return wrong.length === 0;
}

async function provePeer(): Promise<boolean> {
  console.log(toTable(await rateByRedocly(await readForEdits(), edits)));
  return true;
}

async function readForEdits(): Promise<JsonObject> {
  const released = await readReleased();
  if (released !== undefined) return released;
  throw new Error("nothing is released yet: there is no document to edit");
}

/** Prints a verdict; true when the change may pass. */
function report({ least, findings, faults }: Verdict): boolean {
  const lines = findings
    .filter(({ rating }) => rating !== "prose")
    .map(
      ({ rating, rule, pointer, message }) =>
        `${rating.padEnd(8)} ${pointer}  ${message} [${rule}]`,
    );
  console.log(["contract gate:", ...lines, toSummary(least, findings)].join("\n  "));
  for (const fault of faults) console.error(`contract gate: ${fault}`);
  return faults.length === 0;
}

function toSummary(least: Verdict["least"], findings: Verdict["findings"]): string {
  if (least === undefined) return "nothing released yet, so nothing to compare with";
  if (least === "none") return "the document is the released one";
  const deciding = findings.filter(({ rating }) => rating === least).length;
  return `${findings.length} places changed, ${deciding} of them ${least}, which asks for a ${BUMPS[least]} version`;
}

/** Exit status: 0 it may pass, 1 it may not, 2 it could not be judged. */
async function run(name: string): Promise<number> {
  const command = commands[name];
  if (command === undefined) {
    console.error(`usage: node src/main.ts ${Object.keys(commands).join("|")}`);
    return 2;
  }
  try {
    return (await command()) ? 0 : 1;
  } catch (error) {
    console.error(`contract gate: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}

process.exitCode = await run(process.argv[2] ?? "");

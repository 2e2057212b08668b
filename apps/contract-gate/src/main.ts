// The program: checks the working tree, or releases its document.
import { BUMPS, versionOf } from "@call-media/contract-diff";
import { readGateInput, writeRelease } from "./files.ts";
import { checkGate, type Verdict } from "./gate.ts";
import { giveSecondOpinion } from "./redocly.ts";

const commands: Readonly<Record<string, () => Promise<boolean>>> = {
  check,
  release,
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

/** Prints a verdict; returns true if the change may pass. */
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

/** Exit status: 0 the change may pass, 1 it may not, 2 it could not be judged. */
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

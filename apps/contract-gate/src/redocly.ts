// The second opinion: how `redocly diff` rates a change, or each labelled edit, by its own recommended rules.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isGreater, type JsonObject, type Rating } from "@call-media/contract-diff";
import type { LabelledEdit } from "../edits/labelled-edit.ts";
import type { GateInput } from "./gate.ts";
import { applyEdit, type RatedEdit } from "./proof.ts";

// Its packages export no such function.
const PROGRAM = fileURLToPath(
  new URL("bin/cli.js", import.meta.resolve("@redocly/cli/package.json")),
);
const CONFIG = `telemetry: "off"\nextends:\n  - diff-recommended\n`;
// A change of a schema is reported for each place that uses it: one word in MetadataRecord gives some 100 kB.
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

const RATINGS = { major: "breaking", minor: "additive", patch: "prose" } as const;

/** What is read here of its report, version 1. */
interface Report {
  readonly changes: readonly { readonly impact: keyof typeof RATINGS }[];
}

/** A sentence for people to look into where it rates the whole change higher than `least`: it often rates too high. */
export async function giveSecondOpinion(
  { released, working }: Pick<GateInput, "released" | "working">,
  least: Rating | undefined,
): Promise<string | undefined> {
  if (released === undefined || least === undefined || least === "none") return undefined;
  const rating = await inFolder(released, async (rateWorking) => rateWorking(working));
  return isGreater(rating, least)
    ? `redocly diff rates the change ${rating}, these rules ${least}: look whether they miss something`
    : undefined;
}

/** Rates each edit alone: about half a second of processor time each. */
export async function rateByRedocly(
  document: JsonObject,
  edits: readonly LabelledEdit[],
): Promise<RatedEdit[]> {
  return inFolder(document, async (rateWorking) => {
    const rated: RatedEdit[] = [];
    for (const edit of edits)
      rated.push({ edit, rating: await rateWorking(applyEdit(document, edit)) });
    return rated;
  });
}

async function inFolder<T>(
  released: JsonObject,
  use: (rateWorking: (working: JsonObject) => Promise<Rating>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "contract-gate-"));
  try {
    await writeFile(join(folder, "redocly.yaml"), CONFIG);
    await writeFile(join(folder, "released.json"), JSON.stringify(released));
    return await use(async (working) => {
      await writeFile(join(folder, "working.json"), JSON.stringify(working));
      return rate(folder);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function rate(folder: string): Promise<Rating> {
  const files = ["released.json", "working.json", "--config", "redocly.yaml"];
  const options = ["--format", "json", "--fail-on", "none"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PROGRAM, "diff", ...files, ...options],
    {
      cwd: folder,
      maxBuffer: MAX_REPORT_BYTES,
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" },
    },
  );
  const { changes } = JSON.parse(stdout) as Report; // of the version that package.json pins
  const ratings = changes.map(({ impact }): Rating => RATINGS[impact]);
  return ratings.reduce((greatest, one) => (isGreater(one, greatest) ? one : greatest), "none");
}

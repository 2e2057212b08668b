// A second opinion: how `redocly diff` rates a change by its own recommended rules.
import { execFile } from "node:child_process";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isGreater, type JsonObject, type Rating } from "@call-media/contract-diff";
import type { GateInput } from "./gate.ts";

// Its packages export no such function.
const PROGRAM = fileURLToPath(
  new URL("bin/cli.js", import.meta.resolve("@redocly/cli/package.json")),
);
const CONFIG = `telemetry: "off"\nextends:\n  - diff-recommended\n`;
// A change of a schema is reported for each use of it: one word in MetadataRecord yields some 100 kB.
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

const RATINGS = { major: "breaking", minor: "additive", patch: "prose" } as const;

/** The part of its report, version 1, that is read here. */
interface Report {
  readonly changes: readonly { readonly impact: keyof typeof RATINGS }[];
}

/** Returns a sentence to review if redocly rates the complete change higher than `least`; it often rates too high. */
export async function giveSecondOpinion(
  { released, working }: Pick<GateInput, "released" | "working">,
  least: Rating | undefined,
): Promise<string | undefined> {
  if (released === undefined || least === undefined || least === "none") return undefined;
  const rating = await rate(released, working);
  return isGreater(rating, least)
    ? `redocly diff rates the change ${rating}, these rules ${least}: look whether they miss something`
    : undefined;
}

async function rate(released: JsonObject, working: JsonObject): Promise<Rating> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "contract-gate-"));
  await writeFile(join(folder.path, "redocly.yaml"), CONFIG);
  await writeFile(join(folder.path, "released.json"), JSON.stringify(released));
  await writeFile(join(folder.path, "working.json"), JSON.stringify(working));
  const files = ["released.json", "working.json", "--config", "redocly.yaml"];
  const options = ["--format", "json", "--fail-on", "none"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PROGRAM, "diff", ...files, ...options],
    {
      cwd: folder.path,
      maxBuffer: MAX_REPORT_BYTES,
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" },
    },
  );
  const { changes } = JSON.parse(stdout) as Report; // in the version that package.json pins
  const ratings = changes.map(({ impact }): Rating => RATINGS[impact]);
  return ratings.reduce((greatest, one) => (isGreater(one, greatest) ? one : greatest), "none");
}

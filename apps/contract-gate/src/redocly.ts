// The peer of our rules: how `redocly diff` rates the labelled edits by its own recommended rules.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isGreater, type JsonObject, type Rating } from "@call-media/contract-diff";
import type { LabelledEdit } from "../edits/labelled-edit.ts";
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

/** Rates each edit alone: about half a second of processor time each. */
export async function rateByRedocly(
  document: JsonObject,
  edits: readonly LabelledEdit[],
): Promise<RatedEdit[]> {
  const folder = await mkdtemp(join(tmpdir(), "contract-gate-"));
  try {
    await writeFile(join(folder, "redocly.yaml"), CONFIG);
    await writeFile(join(folder, "released.json"), JSON.stringify(document));
    const rated: RatedEdit[] = [];
    for (const edit of edits) {
      await writeFile(join(folder, "edited.json"), JSON.stringify(applyEdit(document, edit)));
      rated.push({ edit, rating: await rate(folder) });
    }
    return rated;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function rate(folder: string): Promise<Rating> {
  const files = ["released.json", "edited.json", "--config", "redocly.yaml"];
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

// The artifacts of a release: the licences and, for each package, the software bill of materials.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findLicenceFaults, listDependencies, toLicenceTable } from "./licences.ts";
import { pnpmOf, run } from "./run.ts";

/**
 * Writes `licences.md`, and a CycloneDX 1.7 document such as `call-media-api.cdx.json` for each package, into `out`. Throws an
 * Error that names each dependency with an unaccepted licence.
 */
export async function writePapers(root: string, out: string): Promise<void> {
  const shipped = await listDependencies(root, "shipped");
  const faults = findLicenceFaults(shipped, "shipped");
  if (faults.length > 0) throw new Error(`licences that are not accepted:\n${faults.join("\n")}`);
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "licences.md"), toLicenceTable(shipped));
  const bill = ["sbom", "--sbom-format", "cyclonedx", "--prod", "--split"];
  const filter = ["--filter", "./packages/*"];
  await run([pnpmOf(root), ...filter, ...bill, "--out", join(out, "%s.cdx.json")], { cwd: root });
}

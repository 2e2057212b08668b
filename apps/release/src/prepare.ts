// The first half of a release, for review: versions, the changelog, and the contract as released.
import { addToChangelog } from "./changelog.ts";
import {
  changeset,
  checkCarrierVersion,
  planCarrierVersion,
  readContractVersion,
  readPlan,
} from "./release-plan.ts";
import { run } from "./run.ts";

/**
 * Makes versions and the section of the changelog of the changesets at `root`. Throws an Error, having written nothing, when the contract
 * changed more than its version or a changeset tells, or when no version of the carrier fits it (D26).
 */
export async function prepareRelease(root: string): Promise<void> {
  await runContractGate(root, "check");
  checkCarrierVersion(await planCarrierVersion(root), await readContractVersion(root));
  const today = new Date().toISOString().slice(0, 10);
  const plan = await readPlan(root);
  const hasChanges = plan.changesets.length > 0;
  if (hasChanges) await addToChangelog(root, plan, today);
  await runContractGate(root, "release");
  if (hasChanges) await changeset(root, "version"); // which fails without any
}

/** Throws an Error with what the gate says when it refuses. */
export async function runContractGate(root: string, command: "check" | "release"): Promise<string> {
  return run([process.execPath, "apps/contract-gate/src/main.ts", command], { cwd: root });
}

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
 * Creates the versions and the changelog section from the changesets at `root`. Throws an Error before writing anything if the
 * contract changed more than its version or a changeset says. The same applies if no version of the carrier fits the contract
 * (D26).
 */
export async function prepareRelease(root: string): Promise<void> {
  await runContractGate(root, "check");
  checkCarrierVersion(await planCarrierVersion(root), await readContractVersion(root));
  const today = new Date().toISOString().slice(0, 10);
  const plan = await readPlan(root);
  const hasChanges = plan.changesets.length > 0;
  if (hasChanges) await addToChangelog(root, plan, today);
  await runContractGate(root, "release");
  if (hasChanges) await changeset(root, "version"); // fails without changesets
}

/** Throws an Error with the gate's message if it rejects the change. */
export async function runContractGate(root: string, command: "check" | "release"): Promise<string> {
  return run([process.execPath, "apps/contract-gate/src/main.ts", command], { cwd: root });
}

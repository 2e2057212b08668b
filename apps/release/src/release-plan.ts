// Plans versions from the waiting changesets, and checks that they fit the contract.
import { readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { assembleReleasePlan } from "@changesets/assemble-release-plan";
import { readConfig } from "@changesets/config";
import { readChangesets } from "@changesets/read";
import { getPackages } from "@manypkg/get-packages";
import { pnpmOf, run } from "./run.ts";

/** The package that contains the contract. */
export const CARRIER = "@call-media/api";

export interface ReleasePlan {
  readonly releases: readonly { readonly name: string; readonly newVersion: string }[];
  readonly changesets: readonly {
    readonly id: string;
    readonly summary: string;
    readonly releases: readonly { readonly name: string }[];
  }[];
}

/** The changesets program of the workspace at `root`. */
export function changeset(root: string, ...args: readonly string[]): Promise<string> {
  const program = join(root, "node_modules/@changesets/cli/bin.js");
  // changesets calls pnpm by its name.
  const path = [dirname(process.execPath), dirname(pnpmOf(root)), process.env["PATH"]].join(
    delimiter,
  );
  return run([process.execPath, program, ...args], { cwd: root, variables: { PATH: path } });
}

/**
 * The changesets of `root`, and the packages that they release, each with its new version. Unlike `changeset status`, it needs
 * no branch `main`, which a checkout of a pull request lacks.
 */
export async function readPlan(root: string): Promise<ReleasePlan> {
  const packages = await getPackages(root);
  const { config, errors } = await readConfig(root, packages);
  if (config === undefined) throw new Error(`.changeset/config.json: ${errors.join("; ")}`);
  const { changesets, releases } = assembleReleasePlan(
    await readChangesets(root),
    packages,
    config,
    undefined,
  );
  // The plan also lists private packages, with the type "none".
  return { changesets, releases: releases.filter((release) => release.type !== "none") };
}

/** The version of the package with the contract, from its package.json. */
export async function readCarrierVersion(root: string): Promise<string> {
  return JSON.parse(await readFile(join(root, "packages/api/package.json"), "utf8")).version;
}

/** `info.version` of the contract at `root`. */
export async function readContractVersion(root: string): Promise<string> {
  const document = await readFile(join(root, "packages/api/generated/openapi.json"), "utf8");
  return JSON.parse(document).info.version;
}

/** The new version of the carrier; its current version if no changeset names it. */
export async function planCarrierVersion(root: string): Promise<string> {
  const planned = (await readPlan(root)).releases.find(({ name }) => name === CARRIER);
  return planned?.newVersion ?? (await readCarrierVersion(root));
}

/**
 * Throws an Error unless the carrier's major and minor equal those of `info.version` (D26). Its patch is independent: the code
 * around the contract may need a fix while the contract stays the same.
 */
export function checkCarrierVersion(carrier: string, contract: string): void {
  const toSeries = (version: string) => version.split(".").slice(0, 2).join(".");
  if (toSeries(carrier) === toSeries(contract)) return;
  throw new Error(
    `${CARRIER} would be ${carrier}, but the contract's info.version is ${contract}: ` +
      `write the changeset that makes it ${toSeries(contract)}.x, or change info.version`,
  );
}

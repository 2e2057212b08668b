// The workflows run what people run: the scripts of this repository, with no more rights than each needs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { repository } from "../src/run.ts";

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(repository, ".github/workflows");

const read = (name: string): Workflow => parse(readFileSync(join(folder, name), "utf8"));

const commandsOf = ({ jobs }: Workflow): string[] =>
  Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

const scripts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(repository, "package.json"), "utf8"),
).scripts;

test("a change is proved by .ci/run alone", () => {
  expect(commandsOf(read("ci.yml"))).toEqual([".ci/run"]);
});

test("a release is proved and rehearsed before it is published", () => {
  const commands = commandsOf(read("release.yml"));
  const places = [".ci/run", "release:rehearse", "release:publish"].map((command) =>
    commands.findIndex((run) => run.includes(command)),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test.each(readdirSync(folder))("%s runs scripts that there are", (name) => {
  const called = commandsOf(read(name)).flatMap((run) =>
    [...run.matchAll(/pnpm@12 (?:run )?(\S+)/g)].map(([, script]) => script),
  );
  expect(called.filter((script) => scripts[script ?? ""] === undefined)).toEqual([]);
});

test.each(readdirSync(folder))("%s may write nothing that its job does not name", (name) => {
  const { permissions, jobs } = read(name);
  expect(permissions).toEqual({ contents: "read" });
  const writing = Object.values(jobs).filter((job) => job.permissions !== undefined);
  expect(writing.filter(({ environment }) => environment === undefined)).toEqual([]);
});

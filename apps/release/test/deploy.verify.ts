// Checks the files that operators copy from packages/server/deploy, as far as possible without a host to run them.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { validate } from "dockerfile-utils";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { repository } from "../src/run.ts";

const folder = join(repository, "packages/server/deploy");

const read = (name: string) => readFile(join(folder, name), "utf8");

test("the Containerfile has no mistake", async () => {
  expect(validate(await read("Containerfile"))).toEqual([]);
  expect(validate("FROM node\nRUM npm install\n")).not.toEqual([]);
});

test("compose gives the container what its command reads, and the ports it has", async () => {
  const container = await read("Containerfile");
  const { services, secrets } = parse(await read("compose.yaml"));
  const { ports, volumes, secrets: given } = services.server;
  const command: readonly string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(container)?.[1] ?? "[]");
  const mounted = [
    ...volumes.map((one: string) => one.split(":")[1]),
    ...given.map((one: string) => `/run/secrets/${one}`),
  ];
  const paths = command.filter((word) => word.startsWith("/"));
  expect(paths).toHaveLength(3);
  expect(mounted).toEqual(expect.arrayContaining(paths));
  expect(Object.keys(secrets).toSorted()).toEqual(given.toSorted());
  expect(ports.map((one: string) => one.split(":")[1])).toEqual([
    command[command.indexOf("--port") + 1],
  ]);
});

test("nginx sets or removes the headers that a guide lets name the user and prove it", async () => {
  const guide = await readFile(join(repository, "apps/docs/guides/running.md"), "utf8");
  const named = Array.from(guide.matchAll(/--console-user-header ([\w-]+)/g), ([, name]) => name);
  expect(named).not.toEqual([]);
  const file = await read("nginx.conf");
  for (const name of named) expect(file).toContain(`proxy_set_header ${name} $call_media_user;`);
  expect(file).toContain("proxy_set_header X-Call-Media-Proxy-Secret $call_media_secret;");
});

const hasSystemd = await promisify(execFile)("systemd-analyze", ["--version"]).then(
  () => true,
  () => false,
);

describe.skipIf(!hasSystemd)("systemd", () => {
  /** systemd's complaints about the unit. Its program is not installed here, so another replaces it. */
  async function verify(change: (unit: string) => string): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), "call-media-unit-"));
    try {
      const file = join(made, "call-media-server.service");
      const unit = await read("call-media-server.service");
      await writeFile(
        file,
        change(unit.replace("/usr/local/bin/call-media-server", process.execPath)),
      );
      return (await promisify(execFile)("systemd-analyze", ["verify", "--man=no", file])).stderr;
    } finally {
      await rm(made, { recursive: true });
    }
  }

  test("finds no mistake in the unit", async () => {
    expect(await verify((unit) => unit)).not.toContain("call-media-server.service");
  });

  test("but sees one", async () => {
    expect(await verify((unit) => unit.replace("LockPersonality", "LockPersonalty"))).toContain(
      "LockPersonalty",
    );
  });
});

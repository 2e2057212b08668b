// The files for several servers in packages/server/deploy use only what the program has: commands, flags, variables, ports, paths
// and metrics.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { ERRORS } from "@call-media/service/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { repository, run } from "../src/run.ts";

const folder = join(repository, "packages/server/deploy");
const program = [process.execPath, join(repository, "packages/server/src/main.ts")];

const read = (name: string) => readFile(join(folder, name), "utf8");

interface Container {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly build?: unknown;
}

/** Flags and variables that the program's command does not know, and unknown commands. */
async function findUnknown(
  [name = "", ...args]: readonly string[],
  variables: readonly string[],
): Promise<string[]> {
  const help = await run([...program, name, "--help"], { cwd: repository });
  if (!help.startsWith(`Usage: call-media-server ${name} `)) return [name];
  const known = new Set(help.match(/--[a-z-]+|\bCALL_MEDIA_\w+/g));
  const named = [
    ...args.filter((word) => word.startsWith("--")),
    ...variables.filter((one) => one.startsWith("CALL_MEDIA_")),
  ];
  return named.filter((word) => !known.has(word));
}

const valueOf = (command: readonly string[], flag: string) => command[command.indexOf(flag) + 1];

describe("compose", async () => {
  const { services, networks } = parse(await read("cluster/compose.yaml"), { merge: true });
  const ours = Object.entries<Container>(services).filter(([, { build }]) => build !== undefined);
  const servers = ours.filter(([name]) => name.startsWith("server-"));

  test.each(ours)(
    "%s is started with what the program knows",
    async (_, { command = [], environment = {} }) => {
      expect(await findUnknown(command, Object.keys(environment))).toEqual([]);
    },
  );

  test("three servers stand behind nginx, on the port and in the network that they trust", async () => {
    const [, , script = ""]: readonly string[] = services.nginx.command;
    const [, before = "", after = ""] = /sed 's\/(.*?)\/(.*?)\/'/.exec(script) ?? [];
    expect((await read("nginx.conf")).split(before)).toHaveLength(2);
    expect(after).toBe(
      servers
        .map(([name, { command = [] }]) => `server ${name}:${valueOf(command, "--port")};`)
        .join(" "),
    );
    expect(servers).toHaveLength(3);
    const [{ subnet }] = networks.default.ipam.config;
    for (const [, { command = [] }] of servers)
      expect(valueOf(command, "--behind-proxy")).toBe(subnet);
  });

  test("the bucket and its keys are the same for those who read it and those who keep it", () => {
    const { environment } = services.s3;
    for (const [, server] of ours) {
      const { CALL_MEDIA_MEDIA = "", ...others } = server.environment ?? {};
      expect(new URL(CALL_MEDIA_MEDIA).host).toBe(environment.S3_BUCKET);
      expect(others).toMatchObject({
        AWS_ACCESS_KEY_ID: environment.AWS_ACCESS_KEY_ID,
        AWS_SECRET_ACCESS_KEY: environment.AWS_SECRET_ACCESS_KEY,
      });
    }
  });
});

describe("Kubernetes", async () => {
  const objects = parseAllDocuments(await read("kubernetes/call-media.yaml")).map((one) =>
    one.toJS(),
  );
  const find = (kind: string) => objects.find((one) => one.kind === kind);
  const { containers } = find("Deployment").spec.template.spec;
  const [server] = containers;
  const [setup] = find("Job").spec.template.spec.containers;

  test("the containers are started with what the program knows", async () => {
    const variables = Object.keys(find("Secret").stringData);
    expect(await findUnknown(server.args, variables)).toEqual([]);
    expect(await findUnknown(setup.args, variables)).toEqual([]);
  });

  test("the ports are those that the program listens on, and that others name", () => {
    const ports = new Map<string, number>(
      server.ports.map((one: { name: string; containerPort: number }) => [
        one.name,
        one.containerPort,
      ]),
    );
    expect(String(ports.get("http"))).toBe(valueOf(server.args, "--port"));
    expect(String(ports.get("metrics"))).toBe(valueOf(server.args, "--metrics-port"));
    expect(find("Service").spec.ports.map((one: { targetPort: string }) => one.targetPort)).toEqual(
      ["http"],
    );
    const { annotations } = find("Deployment").spec.template.metadata;
    expect(annotations["prometheus.io/port"]).toBe(valueOf(server.args, "--metrics-port"));
  });

  test("what stops a server waits as long as the program does", () => {
    const { terminationGracePeriodSeconds } = find("Deployment").spec.template.spec;
    const { seconds } = server.lifecycle.preStop.sleep;
    const SHUTDOWN_SECONDS = 30;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(seconds + SHUTDOWN_SECONDS);
  });

  test("both containers are of one image, and read the Secret", () => {
    expect(setup.image).toBe(server.image);
    for (const { envFrom } of [server, setup])
      expect(envFrom[0].secretRef.name).toBe(find("Secret").metadata.name);
    expect(find("PodDisruptionBudget").spec.selector).toEqual(find("Deployment").spec.selector);
  });

  test("its probes are answered", async () => {
    for (const kind of ["startupProbe", "readinessProbe", "livenessProbe"]) {
      const { path } = server[kind].httpGet;
      expect([path, (await fetch(new URL(path, metricsUrl))).status]).toEqual([path, 200]);
    }
  });
});

describe("monitoring", () => {
  test.each(["monitoring/alerts.yaml", "monitoring/grafana-dashboard.json"])(
    "%s names metrics that the program has, by labels that they have",
    async (name) => {
      const text = await read(name);
      const named = new Set(text.match(/\b(?:call_media|process|nodejs)_\w+/g));
      const page = await (await fetch(metricsUrl)).text();
      const known = new Set(
        Array.from(page.matchAll(/^# TYPE (\w+)/gm), ([, metric = ""]) => metric),
      );
      const isKnown = (metric: string) => known.has(metric.replace(/_bucket$/, ""));
      expect(named.size).toBeGreaterThan(4);
      expect([...named].filter((metric) => !isKnown(metric))).toEqual([]);
      const codes = Array.from(text.matchAll(/\bCM_\w+/g), ([code]) => code);
      expect(codes.filter((code) => !(code in ERRORS))).toEqual([]);
    },
  );

  test("the dashboard's panels have numbers and places of their own", async () => {
    const { panels } = JSON.parse(await read("monitoring/grafana-dashboard.json"));
    const toPlace = ({ id, gridPos }: { id: number; gridPos: { x: number; y: number } }) =>
      [id, gridPos.x, gridPos.y].join();
    expect(new Set(panels.map(toPlace)).size).toBe(panels.length);
    expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length);
  });

  test("promtool finds no mistake in the rules", async ({ skip }) => {
    const promtool = promisify(execFile)("promtool", [
      "check",
      "rules",
      join(folder, "monitoring/alerts.yaml"),
    ]);
    const said = await promtool.catch((error: NodeJS.ErrnoException & { stdout?: string }) => {
      if (error.code === "ENOENT") skip("promtool is not installed");
      throw error;
    });
    expect(said.stdout).toContain("SUCCESS");
  });
});

let metricsUrl: string;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  const made = await mkdtemp(join(tmpdir(), "call-media-deploy-"));
  stack.defer(() => rm(made, { recursive: true }));
  await writeFile(
    join(made, "calls.jsonl"),
    '{"kind":"call","call_id":"1","datetime":"2026-03-02T09:30:00Z"}\n',
  );
  await run([...program, "import", "--data", "archive", "calls.jsonl"], { cwd: made });
  const args = [
    "serve",
    "--data",
    "archive",
    "--port",
    "0",
    "--metrics-port",
    "0",
    "--log-format",
    "json",
  ];
  const [node = "", ...rest] = [...program, ...args];
  const child = spawn(node, rest, { cwd: made, stdio: ["ignore", "ignore", "pipe"] });
  stack.defer(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  for await (const line of createInterface(child.stderr)) {
    const said: unknown = JSON.parse(line);
    metricsUrl = String(Object(said)["metrics"]);
    if (metricsUrl !== "undefined") break;
  }
});
afterAll(() => stack.disposeAsync());

// The programs of apps/examples as users have them: installed from tarballs, compiled, and run against the demo.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { readPacked } from "../src/packed-package.ts";
import { repository, run, toEnvironment } from "../src/run.ts";
import { createStranger, type Demo, serveDemo, type Stranger } from "../src/stranger.ts";

const EXAMPLES = join(repository, "apps/examples");
const NAMES = ["nightly", "page", "proxy", "python", "tests"];
const COMPILED = NAMES.filter((name) => name !== "python");
/** A call of the demo with two records, each with its own recording. */
const TRANSFERRED = "300000000100425";
const TSC = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));

const packages = await readPacked(inject("packed"));
const made = new AsyncDisposableStack();
let stranger: Stranger;
let demo: Demo;
let variables: Record<string, string>;
/** A day of the demo with recordings. */
let day: string;

beforeAll(async () => {
  stranger = made.use(await createStranger());
  const manifests = await Promise.all(COMPILED.map(readManifest));
  const needed = manifests.flatMap((one) =>
    Object.entries(one.dependencies ?? {}).concat(Object.entries(one.devDependencies ?? {})),
  );
  const others = needed.filter(([name]) => !name.startsWith("@call-media/"));
  await stranger.install([...new Set(others.map((one) => one.join("@")))], packages);
  for (const name of NAMES)
    await cp(join(EXAMPLES, name), join(stranger.cwd, name), { recursive: true });
  const served = made.use(await serveDemo(stranger));
  demo = served;
  const token = await ask("/Token", JSON.stringify(demo.credentials));
  const bearer = String(Object(token)["access_token"]);
  variables = { CALL_MEDIA_BASE_URL: demo.baseUrl, CALL_MEDIA_API_KEY: bearer };
  day = await findDay(bearer);
});
afterAll(() => made.disposeAsync());

async function ask(path: string, body: string, bearer?: string): Promise<unknown> {
  const headers = new Headers({ "Content-Type": "application/json" });
  if (bearer !== undefined) headers.set("Authorization", `Bearer ${bearer}`);
  return (await fetch(demo.baseUrl + path, { method: "POST", headers, body })).json();
}

/** The day with most recordings among the newest calls of the demo. */
async function findDay(bearer: string): Promise<string> {
  const query = "pageIndex=0&startDate=2000-01-01&endDate=2099-12-31";
  const path = `/metadata/by-custom-fields?${query}`;
  const { data } = Object(await ask(path, "{}", bearer));
  const records: { datetime: string; recordings: string | null }[] = data;
  const days = Map.groupBy(
    records.filter(({ recordings }) => recordings !== null),
    ({ datetime }) => datetime.slice(0, 10),
  );
  const [[most] = [""]] = [...days].toSorted(([, a], [, b]) => b.length - a.length);
  return most;
}

async function readManifest(name: string): Promise<Record<string, Record<string, string>>> {
  return JSON.parse(await readFile(join(EXAMPLES, name, "package.json"), "utf8"));
}

const surroundingsOf = (name: string, more: Record<string, string> = {}) => ({
  cwd: join(stranger.cwd, name),
  variables: { ...variables, ...more },
});

test("the examples are these, and the README names each", async () => {
  const entries = await readdir(EXAMPLES, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders.toSorted((a, b) => a.localeCompare(b))).toEqual(NAMES);
  const readme = await readFile(join(EXAMPLES, "README.md"), "utf8");
  expect(NAMES.filter((name) => !readme.includes(`(${name}/`))).toEqual([]);
});

test.each(COMPILED)("%s compiles with what tsc --init writes", async (name) => {
  const { cwd } = surroundingsOf(name);
  await run([process.execPath, TSC, "--init"], { cwd });
  const settings = await readFile(join(cwd, "tsconfig.json"), "utf8");
  expect(settings).toContain('"exactOptionalPropertyTypes": true');
  const options = ["--noEmit", "--types", "node", "--allowImportingTsExtensions"];
  expect(await run([process.execPath, TSC, "--project", ".", ...options], { cwd })).toBe("");
});

test("the nightly job, killed and started again, has every call and recording of the day", async () => {
  const job = start("nightly", ["nightly.ts", day]);
  await untilPrinted(job, /bytes, checked by digest/);
  job.kill("SIGKILL");
  await once(job, "close");
  const printed = await run(["node", "nightly.ts", day], surroundingsOf("nightly"));
  const [, saved = "", all] = /: (\d+) of (\d+) calls; complete: /.exec(printed) ?? [];
  expect(Number(saved)).toBeGreaterThan(1);
  expect(all).toBe(saved);
  const folder = join(stranger.cwd, "nightly", day);
  expect(await readdir(join(folder, "calls"))).toHaveLength(Number(saved));
  const names = await readdir(join(folder, "recordings"));
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => name.endsWith(".part"))).toEqual([]);
  const again = await run(["node", "nightly.ts", day], surroundingsOf("nightly"));
  expect(again).toBe(printed.slice(printed.lastIndexOf(`${day}: `)));
});

test("the nightly job saves the recordings of each record, also of a call that was transferred", async () => {
  const headers = { Authorization: `Bearer ${variables["CALL_MEDIA_API_KEY"]}` };
  const found = await fetch(`${demo.baseUrl}/metadata/by-call-id/${TRANSFERRED}`, { headers });
  const { data } = Object(await found.json());
  expect(data).toHaveLength(2);
  const on = String(data[0].datetime).slice(0, 10);
  await run(["node", "nightly.ts", on], surroundingsOf("nightly"));
  const folder = join(stranger.cwd, "nightly", on, "recordings");
  const saved = (await readdir(folder)).filter((name) => name.includes(TRANSFERRED));
  const contents = await Promise.all(saved.map((name) => readFile(join(folder, name), "base64")));
  expect(new Set(contents).size).toBe(2);
});

test("the nightly job saves each of the records that share their identifiers", async () => {
  const on = "2001-03-02";
  const same = { datetime: `${on}T08:00:00Z`, call_id: "1", agent: "a" };
  const service = createFakeService({
    calls: [
      { ...same, ani: "+4930111" },
      { ...same, ani: "+4930222" },
    ],
  });
  await using served = await serveFake(service);
  const access = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
  const printed = await run(["node", "nightly.ts", on], surroundingsOf("nightly", access));
  expect(printed).toContain("2 of 2 calls; complete: ");
});

test("the nightly job without its variable says which", async () => {
  const { cwd } = surroundingsOf("nightly");
  await expect(run(["node", "nightly.ts", day], { cwd })).rejects.toThrow(
    "is CALL_MEDIA_API_KEY set?",
  );
});

test.each(["express", "hono"])(
  "the proxy with %s passes a recording and its ranges on",
  async (name) => {
    const base = await serve("proxy", `${name}.ts`);
    const url = `${base}/archive/recording/stream-by-call-id/${demo.examples.call_id}`;
    const get = (headers: Record<string, string>) =>
      fetch(url, { headers: { Cookie: "user=1", ...headers } });
    expect((await fetch(url)).status).toBe(401);
    const whole = await get({});
    const bytes = new Uint8Array(await whole.arrayBuffer());
    expect([whole.status, whole.headers.get("Content-Length")]).toEqual([
      200,
      String(bytes.length),
    ]);
    const part = await get({ Range: "bytes=100-199" });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([
      206,
      `bytes 100-199/${bytes.length}`,
    ]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
    const past = await get({ Range: `bytes=${bytes.length}-` });
    expect([past.status, past.headers.get("Content-Range")]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ]);
    const none = await fetch(`${base}/archive/Token`, {
      method: "POST",
      headers: { Cookie: "user=1" },
    });
    expect(none.status).toBe(404);
    expect(await askRaw(`${base}/archive/users/basic-info`)).toBe(403);
    expect(await askRaw(`${base}/archive/recording/../users/basic-info`)).toBe(400);
    expect(await askRaw(`${base}/archive/metadata/%2e%2e/users/basic-info`)).toBe(400);
  },
);

/** The status of a request with this exact path, which `fetch` would normalize. */
async function askRaw(url: string): Promise<number | undefined> {
  const [, base, path] = /^(http:\/\/[^/]+)(.*)$/.exec(url) ?? [];
  const [response] = await once(
    request(base ?? "", { path, headers: { Cookie: "user=1" } }).end(),
    "response",
  );
  response.resume();
  return response.statusCode;
}

test("the page is built, and its back end has what it shows", async () => {
  const manifest = await readManifest("page");
  const built = join(stranger.cwd, "node_modules/.bin/esbuild");
  const [, ...options] = (manifest["scripts"]?.["build"] ?? "").split(" ");
  await run([built, ...options], surroundingsOf("page"));
  const base = await serve("page", "server.ts");
  expect(await (await fetch(base)).text()).toContain("<main>");
  expect(await (await fetch(`${base}/page.js`)).text()).toContain("getMetadataByCallId");
  const found = await fetch(`${base}/archive/metadata/by-call-id/${demo.examples.call_id}`);
  expect(await found.json()).toMatchObject({ data: [{ call_id: demo.examples.call_id }] });
});

test("the tests pass, and would fail", async () => {
  const surroundings = surroundingsOf("tests");
  expect(await run(["node", "--test"], surroundings)).toMatch(/pass 3\n/);
  const program = join(surroundings.cwd, "talk-time.ts");
  const text = await readFile(program, "utf8");
  await writeFile(program, text.replace("seconds += ", "seconds -= "));
  await expect(run(["node", "--test"], surroundings)).rejects.toThrow(/fail [12]\n/);
});

test.skipIf(!hasPython())("the program in Python lists the calls of the day", async () => {
  const printed = await run(["python3", "archive.py", day], surroundingsOf("python"));
  expect(printed).toMatch(/first\.audio: \d+ bytes/);
  expect(printed).toMatch(/\n[1-9]\d* calls\n$/);
});

function hasPython(): boolean {
  try {
    return execFileSync("python3", ["--version"], { encoding: "utf8" }).startsWith("Python 3");
  } catch {
    return false;
  }
}

function start(name: string, command: string[], more: Record<string, string> = {}): ChildProcess {
  const { cwd, variables: own } = surroundingsOf(name, more);
  const env = toEnvironment({ cwd, variables: own });
  return spawn(process.execPath, command, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
}

/** Starts a back end, and returns its URL once it responds. */
async function serve(name: string, file: string): Promise<string> {
  const server = start(name, [file], { PORT: String(await findPort()) });
  onTestFinished(async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "close");
  });
  return (await untilPrinted(server, /http:\S+/))[0];
}

async function untilPrinted({ stdout }: ChildProcess, wanted: RegExp): Promise<RegExpExecArray> {
  let text = "";
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    const found = wanted.exec(text);
    if (found) return found;
  }
  throw new Error(`it ended without ${wanted}:\n${text}`);
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

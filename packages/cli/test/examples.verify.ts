// Every example that the help of a command gives is run, in a shell, as it stands there.
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFakeService } from "@call-media/testing";
import { type ServedFake, serveFake } from "@call-media/testing/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../src/commands.ts";
import { run, toSettings } from "./support/program.ts";
import { toCountedWav } from "./support/sounds.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

// Those of `check` and `probe` are run against the service itself, by the contract tests, those of `diff` beside its tests.
const ELSEWHERE: ReadonlySet<string> = new Set(["check", "probe", "diff"]);

// `logout` after those that need a profile.
const NAMES = COMMANDS.map(({ name }) => name)
  .filter((name) => !ELSEWHERE.has(name))
  .toSorted((one, other) => Number(one === "logout") - Number(other === "logout"));

const DAY_MS = 86_400_000;
const bytes = toCountedWav(6);
const recordings = ["first.wav", "second.wav"].map((filename) => ({ filename, bytes }));
const call = {
  // As in a demo that was made today: the examples ask for the last days.
  datetime: new Date(Date.now() - DAY_MS).toISOString(),
  agent: "leila.benali",
  talk_time: 700,
  disposition: "Outage logged",
  transcript: "Hello, I ask for a refund of my bill.",
};

// As in the demo of the server.
const service = createFakeService({
  calls: [
    { ...call, call_id: "300000000100170", ref_id: "FHR-000001", recordings },
    { ...call, call_id: "300000000100425", ref_id: "FHR-000025", recordings },
  ],
});

let served: ServedFake;
let home: string;
beforeAll(async () => {
  served = await serveFake(service);
  home = await mkdtemp(join(tmpdir(), "call-media-examples-"));
  await mkdir(join(home, "bin"));
  const program = join(home, "bin", "call-media");
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  await chmod(program, 0o755);
  // A player would need a sound card.
  const player = join(home, "bin/ffplay");
  await writeFile(player, "#!/bin/sh\nexec cat > /dev/null\n");
  await chmod(player, 0o755);
  const login = `call-media login --base-url ${served.baseUrl}`;
  const key = join(home, "key.txt");
  await writeFile(key, service.apiKey);
  const logins = [login, `${login} --profile production`, `${login} --profile test`].map(
    (line) => `${line} < ${key}`,
  );
  await runInShell(logins, home);
});
afterAll(async () => {
  await served.close();
  await rm(home, { recursive: true });
});

async function listExamples(name: string): Promise<readonly string[]> {
  const { stdout } = await run([name, "--help"]);
  return stdout
    .split("\n")
    .flatMap((line) => /^ +\$ (call-media .*)$/.exec(line)?.[1] ?? [])
    .map((line) => line.replaceAll("https://archive.example.com", served.baseUrl))
    .map((line) => line.replace("--seal SHA256", "--seal $(sha256sum week.zip | cut -c1-64)"))
    .map((line) => (line.startsWith("call-media watch ") ? toEnding(line) : line));
}

/** Ends a watch with SIGTERM (143) when it has begun; an earlier one must not count as this one. */
const toEnding = (line: string) =>
  `rm -f said; ${line} 2> said & pid=$!; until grep -qs looking said; do sleep 0.1; done; kill -TERM $pid; code=0; wait $pid || code=$?; test $code = 143`;

function runInShell(
  lines: readonly string[],
  folder: string,
): Promise<{ code: number | null; said: string }> {
  const env = { ...process.env, ...toSettings(home), PATH: `${home}/bin:${process.env["PATH"]}` };
  const shell = spawn("sh", ["-ec", lines.join("\n")], { cwd: folder, env });
  let said = "";
  shell.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  shell.stdout.resume();
  shell.stdin.end(service.apiKey);
  return new Promise((resolve) => shell.on("close", (code) => resolve({ code, said })));
}

test.skipIf(process.platform === "win32").each(NAMES)("of %s", async (name) => {
  const folder = join(home, `examples of ${name}`);
  await mkdir(folder);
  await writeFile(join(folder, "key.txt"), service.apiKey, { mode: 0o600 });
  const lines = await listExamples(name);
  expect(lines.length).toBeGreaterThan(0);
  const { code, said } = await runInShell(lines, folder);
  expect(code, said).toBe(0);
});

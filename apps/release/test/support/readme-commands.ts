// Runs the commands of a README as its reader pastes them: block by block, in one folder, from top to bottom.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { toEnvironment } from "../../src/run.ts";
import { runShell, type Shell } from "./steps.ts";

/** Commands that are not run here unchanged, with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  "npx -y pnpm@12 start": "what it calls is in packages/server/README.md, which is run",
  "npx -y pnpm@12 test": "CI runs it",
  "npx -y pnpm@12 verify": "it runs this test",
  "npx -y pnpm@12 prove": "by hand, for hours",
  "npx -y pnpm@12 call-media --help":
    "of a clone: packages/cli/test/usage.test.ts asks for every help",
  "npx -y pnpm@12 call-media-server --help":
    "of a clone: packages/server/test/serve-command.test.ts asks for help",
  "npm install --global @call-media/cli":
    "for the whole machine; ci.verify.ts installs it for itself",
  "npm install --global @call-media/server":
    "for the whole machine; every other test here runs what the tarballs installed",
  "TOKEN=... call-media check --document openapi.yaml --init --base-url https://staging.example.com --caller first=TOKEN > relations.yaml":
    "it needs a document; the guide on checking your own API runs it",
  "call-media check --document openapi.yaml --relations relations.yaml --explain":
    "it needs a document; the guide on checking your own API runs it",
  "TOKEN=... call-media check --document openapi.yaml --relations relations.yaml --base-url https://staging.example.com --caller first=TOKEN":
    "it needs a service of the reader's",
  "npm install @call-media/client": "has been done, from the tarballs",
  "npm install @call-media/conditions": "has been done, from the tarballs",
  "npm install @call-media/conformance": "has been done, from the tarballs",
  "npm install @call-media/contract-diff": "has been done, from the tarballs",
  "npm install @call-media/handover": "has been done, from the tarballs",
  "npm install @call-media/sound": "has been done, from the tarballs",
  "npm install @call-media/store": "has been done, from the tarballs",
  "npm install @call-media/words": "has been done, from the tarballs",
};

/** The blocks of shell commands, each as its lines, without the comments next to them. */
export function listBlocks(readme: string): string[][] {
  return [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = ""]) =>
    block
      .split("\n")
      .map((line) => line.replace(/\s+#.*$/, "").trim())
      .filter((line) => line !== ""),
  );
}

/** The output of a block that failed; undefined if it exited with 0. A serving command is stopped once it serves. */
export async function findFault(
  lines: readonly string[],
  shell: Shell,
): Promise<string | undefined> {
  const serving = lines.filter(isServing);
  const others = lines.filter((line) => !isServing(line)).join("\n");
  const { code, output } = await runShell(["sh", "-ec", others], shell);
  if (code !== 0) return `${code}: ${others}\n${output}`;
  for (const command of serving) {
    const fault = await serveAndStop(command, shell);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const isServing = (command: string) => / (?:serve|--serve)\b/.test(command);

async function serveAndStop(
  command: string,
  { cwd, variables }: Shell,
): Promise<string | undefined> {
  const shell = spawn("sh", ["-c", command], {
    cwd,
    env: toEnvironment({ cwd, variables }),
    detached: true,
  });
  let output = "";
  const served = new Promise<boolean>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (/https?:\/\/[\d.]+:\d+/.test(output)) resolve(true);
    };
    shell.stdout.on("data", read);
    shell.stderr.on("data", read);
    shell.once("exit", () => resolve(false));
  });
  const ended = once(shell, "exit");
  const isServed = await served;
  // Not every version of npx passes on signals, so the signal goes to its process group.
  if (isServed && shell.pid !== undefined) process.kill(-shell.pid, "SIGTERM");
  await ended;
  return isServed ? undefined : `${command}\n${output}`;
}

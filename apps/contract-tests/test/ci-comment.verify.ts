// The comment that the action keeps in a pull request: one for each job, made once and changed after that, by the real script.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { repository } from "../src/workspace.ts";

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly type: string };
}

let comments: Comment[];
let mayWrite: boolean;
let folder: string;
const asked: string[] = [];
const server = createServer((request, response) => void respond(request, response));

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answer(request);
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://github.test");
  asked.push(`${request.method} ${pathname}`);
  if (request.headers.authorization !== "Bearer the-token") return { status: 401, body: {} };
  if (request.method === "GET") {
    const [page, size] = ["page", "per_page"].map((name) => Number(searchParams.get(name)));
    const from = ((page ?? 1) - 1) * (size ?? 0);
    return { status: 200, body: comments.slice(from, from + (size ?? 0)) };
  }
  if (!mayWrite) return { status: 403, body: {} };
  const { body } = JSON.parse(await text(request)) as { body: string };
  const known = comments.find(({ id }) => pathname.endsWith(`/issues/comments/${id}`));
  if (known !== undefined) known.body = body;
  else comments.push({ id: 1000 + comments.length, body, user: { type: "Bot" } });
  return { status: known === undefined ? 201 : 200, body: {} };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ci-comment-"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  comments = [];
  mayWrite = true;
  await rm(join(folder, "reports"), { recursive: true, force: true });
  await mkdir(join(folder, "reports"));
});

async function run(
  report: string | undefined,
  more: NodeJS.ProcessEnv = {},
  event: object = { pull_request: { number: 7 } },
) {
  const path = join(folder, "event.json");
  await writeFile(path, JSON.stringify(event));
  if (report !== undefined) await writeFile(join(folder, "reports/check.md"), report);
  const { port } = server.address() as AddressInfo;
  const child = spawn(process.execPath, [join(repository, "ci/github/comment.mjs")], {
    env: {
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_EVENT_PATH: path,
      GITHUB_JOB: "api",
      GITHUB_REPOSITORY: "some/where",
      GITHUB_TOKEN: "the-token",
      GITHUB_WORKFLOW: "Contract --> checks",
      REPORTS: join(folder, "reports"),
      ...more,
    },
  });
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code, stdout };
}

test("one comment is made, and changed after that; each job has its own, whatever others write", async () => {
  comments = Array.from({ length: 120 }, (_, id) => ({ id, body: "hm", user: { type: "User" } }));
  expect(await run("## first")).toEqual({ code: 0, stdout: "" });
  const [made] = comments.slice(120);
  expect(made?.body).toMatch(/^<!-- call-media \S+ api \S+ -->\n## first$/);
  comments[3] = { id: 3, body: made?.body ?? "", user: { type: "User" } };
  await run("## second");
  expect(comments[3]?.body).toContain("## first");
  expect(comments.slice(120).map(({ body }) => body.split("\n")[1])).toEqual(["## second"]);
  await run("## other", { GITHUB_JOB: "web" });
  expect(comments).toHaveLength(122);
});

test("a report that is too long is cut between its findings", async () => {
  const details = `<details><summary>x</summary>\n\n${"x".repeat(900)}\n\n</details>`;
  await run(["## long", ...Array.from({ length: 90 }, () => details)].join("\n\n"));
  const body = comments[0]?.body ?? "";
  expect(body.length).toBeLessThan(60_500);
  expect(body.match(/<details>/g)).toHaveLength(body.match(/<\/details>/g)?.length ?? 0);
  expect(body).toMatch(/too long for a comment/);
});

test("it never fails the job, and gives the reason for a missing comment", async () => {
  mayWrite = false;
  const fork = await run("## report");
  expect(fork).toEqual({
    code: 0,
    stdout: "::notice::No comment in the pull request: GitHub answers 403\n",
  });
  mayWrite = true;
  for (const [report, more, event, why] of [
    ["## report", {}, { ref: "refs/heads/main" }, /no run for a pull request/],
    [undefined, {}, undefined, /no report/],
    ["## report", { GITHUB_TOKEN: "another" }, undefined, /answers 401/],
    ["## report", { GITHUB_API_URL: "http://127.0.0.1:9" }, undefined, /fetch failed/],
  ] as const) {
    await rm(join(folder, "reports/check.md"), { force: true });
    const { code, stdout } = await run(report, more, event);
    expect([code, stdout]).toEqual([0, expect.stringMatching(why)]);
    expect(stdout).not.toContain("the-token");
  }
  expect(comments).toEqual([]);
});

// `call-media-server audit` in a pipe that somebody closes.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStore } from "@call-media/store/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { MARK } from "../../service/test/support/access-rows.ts";
import { type Ended, MAIN } from "./support/command.ts";

test("a reader of only the first lines ends it without an error", async () => {
  const many = await mkdtemp(join(tmpdir(), "call-media-audit-"));
  onTestFinished(() => rm(many, { recursive: true }));
  await using store = await createStore({ directory: many });
  await Promise.all(Array.from({ length: 5_000 }, () => store.accessLog.append(MARK, false)));
  await store.accessLog.append(MARK, true);

  const command = `"${process.execPath}" "${MAIN}" audit --data "${many}" | head -n 1`;
  const ended = await new Promise<Ended>((resolve) => {
    execFile("bash", ["-o", "pipefail", "-c", command], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
  expect(ended).toEqual({ code: 0, stdout: expect.stringMatching(/^TIME/), stderr: "" });
});

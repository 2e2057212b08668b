// The service under its own conformance kit, over records of real platforms: the corpus beside the repository, imported.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fieldsOf } from "@call-media/api";
import { checkService, type Yardstick } from "@call-media/conformance";
import { createApplication } from "@call-media/server";
import { importFiles } from "@call-media/import";
import { createStore } from "@call-media/store/sqlite";
import { expect, test } from "vitest";
import { loadConversations } from "../src/corpus/conversations.ts";
import { loadRecordings } from "../src/corpus/recordings.ts";
import { findCorpus, writeJsonl } from "../src/corpus/source.ts";
import { loadCopenhagen, loadRobocalls } from "../src/corpus/tables.ts";
import { loadVcons } from "../src/corpus/vcons.ts";
import { startService } from "../src/demo-service.ts";
import { repeats } from "../src/runs.ts";

const SOURCES = [
  loadVcons,
  loadCopenhagen,
  loadRobocalls,
  loadConversations,
  loadRecordings("asterisk-it"),
  loadRecordings("aws-pca"),
];
const YARDSTICKS: readonly Yardstick[] = ["interface", "decisions"];
const RIGHTS = fieldsOf("UserSecurityRecord").filter((field) => field.startsWith("allow_"));
const USER = {
  kind: "user",
  id: 1,
  username: "listener",
  status: 1,
  created_date: "2026-01-01T00:00:00Z",
  ...Object.fromEntries(RIGHTS.map((right) => [right, true])),
};

const corpus = findCorpus() ?? "";
if (corpus === "")
  console.warn(
    "SKIPPED conformance-corpus.verify.ts: no ../shared/corpus, and CALL_MEDIA_CORPUS names no folder",
  );

// The imports and the whole checks, on a machine that may have other things to do.
const timeout = 180_000 + repeats * 60_000;
const runs = Array.from({ length: repeats + 1 }, () => YARDSTICKS).flat();

test.skipIf(corpus === "")(
  "the corpus keeps everything against both yardsticks",
  { timeout },
  async () => {
    await using stack = new AsyncDisposableStack();
    const scratch = await mkdtemp(join(tmpdir(), "call-media-conformance-"));
    stack.defer(() => rm(scratch, { recursive: true }));
    const store = stack.use(await createStore({ directory: join(scratch, "archive") }));
    await importFiles({
      store,
      format: "jsonl",
      paths: [await writeJsonl(scratch, "user", [USER])],
    });
    for (const load of SOURCES)
      await importFiles({ store, ...(await load(corpus, scratch)).import });
    const { baseUrl } = stack.use(await startService(store));
    const credentials = await createApplication(store, USER.id);
    for (const against of runs) {
      const report = await checkService({ baseUrl, credentials }, { against });
      expect(report.findings.map(({ requirement, fault }) => `${requirement}: ${fault}`)).toEqual(
        [],
      );
      expect(report.verdict).toBe("kept");
      expect(report.requests).toBeLessThan(900);
    }
  },
);

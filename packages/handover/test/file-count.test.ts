// What a report says of the files of an export: how many there are of each kind, and how many bytes.
import { expect, test } from "vitest";
import { createFileCount, type ManifestEntry } from "../src/index.ts";

const entry: ManifestEntry = {
  kind: "recording",
  call_id: "A",
  ref_id: null,
  part: 1,
  file: "a.wav",
  bytes: 700,
  sha256: null,
  content_type: "audio/wav",
  verified: "digest",
  status: "complete",
  attempts: 1,
  error: null,
  redacted: [],
};

test("files are counted by outcome, with the bytes of all that exist", () => {
  const count = createFileCount();
  count.add(entry);
  count.add({ ...entry, kind: "transcript", bytes: 31, verified: null });
  count.add({ ...entry, file: null, bytes: null, verified: null, status: "missing" });
  count.add({ ...entry, file: null, bytes: null, verified: null, status: "none" });
  expect(count.read()).toEqual({
    expected: 3,
    complete: 2,
    missing: 1,
    refused: 0,
    damaged: 0,
    failed: 0,
    bytes: 731,
    verified: { digest: 1, length: 0, nothing: 0 },
    recordings: { expected: 2, complete: 1 },
  });
});

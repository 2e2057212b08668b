// The page of a hand-over: nothing in a record becomes a part of it, and nothing but its own script runs.
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { createViewer } from "../src/hand-over/viewer.ts";
import { type Report, toReport } from "../src/index.ts";
import { toCall } from "./support/calls.ts";

const WRITTEN = { file: "metadata.jsonl", bytes: 1, sha256: "00" };
const COUNTS = { complete: 0, missing: 0, refused: 0, damaged: 0, failed: 0 };

const REPORT: Report = toReport(
  {
    baseUrl: "https://archive.example.com",
    from: "2026-03-01",
    to: "2026-03-31",
    filter: { campaign: "</script><b>" },
    where: null,
    kinds: ["recordings", "transcripts"],
    redacted: ["ani"],
  },
  { by: "application", user: "<b>ana</b>", program: "call-media 1.2.0" },
  {
    beganAt: "2026-04-01T00:00:00.000Z",
    finishedAt: "2026-04-01T00:01:00.000Z",
    metadata: WRITTEN,
    manifest: WRITTEN,
    windows: [],
    files: {
      ...COUNTS,
      expected: 0,
      bytes: 0,
      verified: { digest: 0, length: 0, nothing: 0 },
      recordings: { expected: 0, complete: 0 },
    },
  },
);

async function write(text: string): Promise<string> {
  const viewer = await createViewer(REPORT);
  const record = toCall({ call_id: "1", customer_last_name: text });
  const messages = [{ datetime: null, label: text, party_type: text, transcript: text }];
  return viewer.begin() + viewer.add({ record, recordings: [], messages }) + viewer.end();
}

const readData = (page: string): unknown =>
  JSON.parse(/<script type="application\/json" id="data">([^]*?)<\/script>/.exec(page)?.[1] ?? "");

test.each(["</script><script>alert(1)</script>", "<!--<script>", "\u2028 & \"'"])(
  "%j in a record is data and no markup",
  async (text) => {
    const page = await write(text);
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(readData(page)).toMatchObject({
      about: { redacted: ["ani"], by: "an application of <b>ana</b>" },
      calls: [{ record: { customer_last_name: text }, messages: [{ transcript: text }] }],
    });
  },
);

test("its policy allows only its own script and style", async () => {
  const page = await write("");
  const [policy = ""] = /default-src[^"]+/.exec(page) ?? [];
  const [, script = ""] = /<script>([^]*)<\/script>/.exec(page) ?? [];
  const [, style = ""] = /<style>([^]*)<\/style>/.exec(page) ?? [];
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hash("sha256", script, "base64")}'`,
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    "media-src file: 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});

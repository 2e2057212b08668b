// A body at length: what is read of the largest that there are.
import { expect, test } from "vitest";
import { checkService } from "../src/index.ts";
import { createService, signedIn, toEnvelope } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

test("a recording of any length is read", async () => {
  const base64 = Buffer.alloc(9 * 2 ** 20, 7).toString("base64");
  const service = createService(
    signedIn(({ url }) => {
      const isRecording = url.pathname.startsWith("/recording/by-call-id/");
      const record = { call_id: "1", recordings: "long.wav" };
      const data = isRecording ? { success: true, filename: "long.wav", base64 } : [record];
      return { body: toEnvelope(data) };
    }),
  );
  const only = ["getRecordingByCallId"] as const;
  const report = await checkService({ ...service, credentials }, { only });
  expect(report.kept.map(({ requirement }) => requirement)).toContain("recording.base64");
});

// An export of a service that does not know chats.
import { expect, test } from "vitest";
import { type FakeCall, MARCH, readReport, startExporting, toBytes } from "./support/exporting.ts";

const CALLS: readonly FakeCall[] = Array.from({ length: 130 }, (_, index) => ({
  call_id: String(1000 + index),
  datetime: `2026-03-${index < 70 ? "05" : String((index % 28) + 1).padStart(2, "0")}T22:14:00`,
  talk_time: index,
  recordings: index % 13 === 0 ? [{ filename: `a${index}.wav`, bytes: toBytes(600 + index) }] : [],
}));

test("a chat that the service does not know is none, and that it is none is not proved", async () => {
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS }, (url, answer) =>
    url.includes("/chat/") ? new Response(null, { status: 404 }) : answer,
  );
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const { verdict, unproved, files } = await readReport(out);
  expect({ verdict, failed: files.missing }).toEqual({ verdict: "complete", failed: 0 });
  expect(unproved).toContainEqual(expect.stringMatching(/^that \d+ calls have no chat: /));
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});

// vCons that validators take: by the schema of the working group, with each person once and numbers as RFC 3966 has them.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./support/program.ts";
import { readVcon } from "@call-media/test-setup/vcon-rules";

const BYTES = new Uint8Array(500).fill(7);

const service = createFakeService({
  calls: [
    {
      call_id: "1",
      ani: "+49 (30) 123-456",
      dnis: "0800 5555",
      agent: "leila.benali",
      agent_name: "Leila Benali",
      customer_first_name: "Bo",
      customer_last_name: "Lind",
      transcript: "Hello",
      notes: "Called back",
      disposition: "Solved",
      recordings: [{ filename: "a.wav", bytes: BYTES }],
    },
    { call_id: "2", call_type: "Outbound", ani: "+4930999", dnis: "+4940111" },
    { call_id: "3", ani: "anonymous", transcript: "Hello", disposition: "Solved" },
  ],
  chats: [
    ["Agent", "Leila Benali", "By name"],
    ["Agent", "leila.benali", "By sign-in name"],
    ["Agent", null, "Not at all"],
    ["Agent", "Agent", "As the agent"],
    ["Customer", "bo", "By the first name"],
    ["Agent", "Omar Haddad", "Another agent"],
    ["Bot", "Helper", "A bot"],
  ].map(([party_type, label, transcript], second) => ({
    call_id: "1",
    datetime: `2026-03-02T06:00:0${second}Z`,
    transcript: transcript ?? "",
    ...(party_type && { party_type }),
    label: label ?? null,
  })),
});

const served = await serveFake(service);
const folder = await mkdtemp(join(tmpdir(), "call-media-vcon-"));
const variables = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };

const toVcon = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(
    ["transcript", ...args, "--format", "vcon"],
    variables,
    { cwd: folder },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};

test("everybody is there once, whatever the chat calls them", async () => {
  const { parties, dialog } = readVcon(await toVcon("1"));
  expect(parties).toEqual([
    { role: "customer", name: "Bo Lind", tel: "tel:+4930123456" },
    { role: "agent", name: "Leila Benali", tel: "08005555" },
    { role: "Agent", name: "Omar Haddad" },
    { role: "Bot", name: "Helper" },
    { role: "archive", name: "Call Media Retrieval Service" },
  ]);
  const writers = dialog.flatMap(({ originator }) => (originator === undefined ? [] : originator));
  expect(writers).toEqual([1, 1, 1, 1, 0, 2, 3]);
});

test("an analysis names the dialogs that it is of", async () => {
  const { analysis, dialog } = readVcon(await toVcon("1"));
  const all = [...dialog.keys()];
  expect(analysis).toMatchObject([
    { type: "transcript", dialog: [0], body: "Hello" },
    { type: "summary", dialog: all },
    { type: "disposition", dialog: all },
  ]);
  expect(readVcon(await toVcon("3")).analysis).toMatchObject([{ dialog: [0] }, { dialog: [0] }]);
});

test("the second number of an outbound call is the customer's, and a word is not a number", async () => {
  expect(readVcon(await toVcon("2")).parties).toMatchObject([
    { role: "customer", tel: "tel:+4940111" },
    { role: "agent", tel: "tel:+4930999" },
    {},
  ]);
  expect(readVcon(await toVcon("3")).parties[0]).toEqual({ role: "customer" });
});

test("a recording next to a vCon has an absolute URL, where the service has the same bytes", async () => {
  onTestFinished(() => rm(folder, { recursive: true }));
  onTestFinished(() => served.close());
  await toVcon("1", "--media", "beside", "--out", "call.vcon.json");
  const [first] = readVcon(await readFile(join(folder, "call.vcon.json"), "utf8")).dialog;
  expect(first?.["filename"]).toBe("a.wav");
  expect(new Uint8Array(await readFile(join(folder, "a.wav")))).toEqual(BYTES);
  const there = await fetch(String(first?.["url"]), {
    headers: { Authorization: `Bearer ${service.apiKey}` },
  });
  expect(new Uint8Array(await there.arrayBuffer())).toEqual(BYTES);
});

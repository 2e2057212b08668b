// Calls whose recordings are missing, empty or without sound: taken or rejected as asked, and counted.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles, type MissingMedia } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { toWave } from "@call-media/test-setup/sounds";

const MISSING = "the file of a recording was missing or empty, its name was kept";
const NOT_SOUND = "the file of a recording is not audio";

const CALL = {
  kind: "call",
  call_id: "1",
  datetime: "2026-08-21T09:00:06Z",
  media: [{ file: "2026/a.wav" }, { file: "b.wav" }],
};
const RINGCENTRAL = {
  id: "1",
  sessionId: "s",
  startTime: "2026-08-21T09:00:06Z",
  direction: "Inbound",
  recording: { id: "b" },
};

async function bring(line: object, content: Uint8Array, missingMedia?: MissingMedia) {
  const store = createArchive();
  const path = await writeLines("calls.jsonl", [line]);
  await writeFile(join(dirname(path), "b.wav"), content);
  const report = await importFiles({ store, paths: [path], missingMedia });
  const [call] = await store.calls.byCallId("1", "everything");
  return { report, names: call?.recordings };
}

const SOUND = toWave({ seconds: 1 });
const NOTHING = new Uint8Array();

test.each<
  [
    what: string,
    line: object,
    content: Uint8Array,
    policy: MissingMedia | undefined,
    names: string | undefined,
  ]
>([
  ["a list of ours, as it is usual", CALL, SOUND, undefined, undefined],
  ["a list of ours, named", CALL, SOUND, "name", "b.wav; a.wav"],
  ["a list of ours, empty files too", CALL, NOTHING, "name", "a.wav; b.wav"],
  [
    "a platform's, as it is usual",
    { ...RINGCENTRAL, recording: { id: "c" } },
    SOUND,
    undefined,
    "c",
  ],
  ["a platform's empty file", RINGCENTRAL, NOTHING, undefined, "b.wav"],
  [
    "a platform's, rejected",
    { ...RINGCENTRAL, recording: { id: "c" } },
    SOUND,
    "reject",
    undefined,
  ],
])("%s", async (_, line, content, policy, names) => {
  const { report, names: kept } = await bring(line, content, policy);
  expect(kept).toBe(names);
  const reason = expect.stringMatching(/^media: ".*" does not exist$/);
  const notices = [{ text: MISSING, rows: 1 }];
  expect(report).toMatchObject(
    names === undefined ? { rejected: 1, firstRejections: [{ reason }] } : { imported: 1, notices },
  );
});

const PAGE = Buffer.from("<html>401</html>");
const ZEROS = Buffer.concat([SOUND.subarray(0, 44), Buffer.alloc(16_000)]);

/** A second channel without anything. */
function toOneWay(): Buffer {
  const file = Buffer.from(ZEROS);
  file.writeUInt16LE(2, 22);
  file.writeUInt16LE(4, 32);
  for (let at = 44; at < file.length; at += 4) file.writeInt16LE(at % 1_000, at);
  return file;
}

test.each<
  [
    content: Uint8Array,
    media: { file: string; name?: string; type?: string },
    notices: readonly (readonly [string, string])[],
  ]
>([
  [SOUND, { file: "b.wav" }, []],
  [
    SOUND.subarray(0, 44),
    { file: "b.wav" },
    [
      ["a recording ends early", "ends early: 0 % of what its header announces is there"],
      ["a recording has a header and no sound", "has a header and no sound"],
    ],
  ],
  [
    SOUND.subarray(0, 30),
    { file: "b.wav" },
    [["a recording cannot be read", "cannot be read: its header is cut off"]],
  ],
  [
    SOUND.subarray(0, 8_044),
    { file: "b.wav" },
    [["a recording ends early", "ends early: 50 % of what its header announces is there"]],
  ],
  [
    ZEROS,
    { file: "b.wav" },
    [["a recording is silent from beginning to end", "is silent from beginning to end"]],
  ],
  [
    toOneWay(),
    { file: "b.wav" },
    [
      [
        "a recording is silent in one of its channels",
        "is silent in channel 2 from beginning to end",
      ],
    ],
  ],
  [PAGE, { file: "b.wav" }, [[NOT_SOUND, "is an HTML page"]]],
  [Buffer.from("~}~}~}"), { file: "b.wav", name: "b.ulaw" }, []],
  [Buffer.from("~}~}~}"), { file: "b.wav", type: "audio/basic" }, []],
])("faults of the sound are imported, counted and named: %#", async (content, media, notices) => {
  const { report } = await bring({ ...CALL, media: [media] }, content);
  expect(report).toMatchObject({ imported: 1 });
  const { name = media.file } = media;
  const found = report.notices?.map(({ text, rows, first = [] }) => [text, rows, ...first]) ?? [];
  expect(found).toEqual(
    notices.map(([text, what]) => [
      text,
      1,
      expect.stringMatching(new RegExp(`^${name} ${what}: call 1 of .*Z \\(.*calls.jsonl:1\\)$`)),
    ]),
  );
});

test("what is not sound is rejected on request, before anything is copied", async () => {
  const store = createArchive();
  const lines = ["1", "2"].map((call_id) => ({
    ...CALL,
    call_id,
    media: [{ file: `${call_id}.wav` }],
  }));
  const path = await writeLines("calls.jsonl", lines);
  await writeFile(join(dirname(path), "1.wav"), PAGE);
  await writeFile(join(dirname(path), "2.wav"), SOUND.subarray(0, 8_044));
  const report = await importFiles({ store, paths: [path], notSound: "reject" });
  expect(report).toMatchObject({
    imported: 1,
    rejected: 1,
    firstRejections: [{ reason: "media: 1.wav is an HTML page" }],
    notices: [{ text: "a recording ends early" }],
  });
  let stored = 0;
  for await (const { sha256 } of store.media.list()) stored += sha256 === undefined ? 0 : 1;
  expect(stored).toBe(1);
});

test("what makes a call hard to find or to hear is counted", async () => {
  const rows = [{ call_id: "1", datetime: null, recordings: "lost.wav" }, { datetime: null }];
  const paths = [
    await writeLines(
      "a.jsonl",
      rows.map((row) => ({ kind: "call", ...row })),
    ),
  ];
  const { notices } = await importFiles({ store: createArchive(), paths });
  expect(notices).toEqual([
    { text: "a call has no datetime: no search by days finds it", rows: 2 },
    { text: "a recording is named without a file: its name was kept", rows: 1 },
    { text: "a call has no call_id: only searches find it", rows: 1 },
  ]);
});

test.each<[field: object, reason: string]>([
  [{ media: [{ file: "a\n.wav" }] }, "media[0].file: has a control character"],
  [{ media: [{ file: "b.wav", name: "\u001b[2J.wav" }] }, "media[0].name: has a control character"],
  [{ recordings: "a\u0007.wav" }, "recordings: has a control character"],
  [
    { media: [{ file: "b.wav", optional: "yes" }] },
    "media[0].optional: must be true or false, not a string",
  ],
])("%j is rejected", async (field, reason) => {
  const { report } = await bring({ kind: "call", call_id: "1", ...field }, SOUND);
  expect(report).toMatchObject({ firstRejections: [{ reason }] });
});

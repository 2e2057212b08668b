// What a recording is that is not audio, by its bytes, and who names it; audio of every kind is left in peace.
import { expect, test } from "vitest";
import { toWave } from "@call-media/test-setup/sounds";
import { describeNonAudio } from "../src/index.ts";
import { createMedia } from "../src/memory/media.ts";
import { examineMediaStore } from "../src/media/examine-media-store.ts";
import { call, fill } from "../src/suite/records.ts";
import { createArchive } from "./support/archives.ts";
import { examine, verifyMedia } from "./support/maintenance.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const HTML = bytes("\n<!DOCTYPE html><html><body>401 Unauthorized</body></html>");
const LONG_JSON = Buffer.from(JSON.stringify({ error: "AccessDenied", trace: "é".repeat(5_000) }));
const WAVE = toWave({ seconds: 1 });
const LIST = bytes("RIFF\x34\0\0\0WAVELIST\x04\0\0\0INFOfmt \x10\0\0\0" + "\0".repeat(16));
const RAW = bytes("\x7f\x80".repeat(20));

test.each<[what: string | undefined, filename: string, content: Uint8Array, type?: string]>([
  ["an HTML page", "a.wav", HTML],
  ["an HTML page", "a.ulaw", HTML, "audio/basic"],
  ["XML", "a.mp3", bytes('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')],
  ["XML", "a.mp3", Buffer.from('\ufeff<Error xmlns="x"/>', "utf16le")],
  ["JSON", "a.mp3", bytes('{"error":"AccessDenied"}')],
  ["JSON", "a", LONG_JSON],
  ["an HTML page", "a.wav", bytes("<html><body>Ger\xe4t unbekannt</body></html>")],
  ["a file of the type application/x-7z-compressed", "a.wav", bytes("7z\xbc\xaf\x27\x1c\0\x04")],
  ["text", "a.wav", bytes("hello")],
  ["text", "a.gsm", bytes("version https://git-lfs.github.com/spec/v1\noid sha256:1\n")],
  ["a program", "a.wav", bytes(`MZ\x90${"\0".repeat(500)}`)],
  ["a program", "a.wav", bytes(`\x7fELF\x02\x01${"\0".repeat(500)}`)],
  ["a picture", "a.wav", bytes(`\xff\xd8\xff\xe0${"\0".repeat(40)}`)],
  ["a PDF", "a.mp3", bytes(`%PDF-1.7\n%\xe2\xe3${"\0".repeat(40)}`)],
  ["a header alone", "a.wav", WAVE.subarray(0, 44)],
  ["a header alone", "a", WAVE.subarray(0, 30)],
  ["a header alone", "a.wav", LIST],
  [
    "a header alone",
    "a.au",
    bytes(".snd\0\0\0\x18\xff\xff\xff\xff\0\0\0\x01\0\0\x1f\x40\0\0\0\x01"),
  ],
  ["a header alone", "a.aif", bytes("FORM\0\0\0\x14AIFFSSND\0\0\0\x08\0\0\0\0\0\0\0\0")],
  ["a header alone", "a.mp3", bytes("ID3\x04\0\0\0\0\0\x05TIT2\0")],
  ["a header alone", "a.amr", bytes("#!AMR\n")],
  [undefined, "a.wav", WAVE],
  [undefined, "a.wav", WAVE.subarray(0, 46)],
  [undefined, "a.ulaw", RAW],
  [undefined, "a.gsm", bytes(String.fromCharCode(...Array(33).keys()))],
  [undefined, "a.ulaw", bytes("~".repeat(160))],
  [undefined, "a.ulaw", bytes(`BM${"\x7f".repeat(160)}`)],
  [undefined, "a", bytes(`BM${"\x7f".repeat(160)}`), "audio/basic"],
  [undefined, "a.wav", bytes(`\xd5\x55${"\xd4".repeat(160)}`)],
  [undefined, "a.wav", bytes("\xfe\xff\x01\x04\xff\xff\x02\x05".repeat(900))],
  [undefined, "a.mp3", bytes(`ID3\x04\0\0\0\0\0\x01\0\xff\xfb\x90${"\0".repeat(400)}`)],
  [undefined, "chat.html", HTML],
  [undefined, "a.json", LONG_JSON],
])("%s: %s", async (what, filename, content, type) => {
  expect(await describeNonAudio({ head: content, bytes: content.length, filename, type })).toBe(
    what,
  );
});

test("verify and the doctor name what is not audio, and nothing of a raw format", async () => {
  const { directory, ...store } = await createArchive();
  const add = async (filename: string, content: Uint8Array) => {
    const media = await store.media.put({ name: filename, content });
    await fill(store, [call({ call_id: filename }, { recordings: [{ filename, media }] })]);
  };
  await add("page.wav", Buffer.concat([HTML, Buffer.alloc(9_000, " ")]));
  await add("short.wav", WAVE.subarray(0, 44));
  await add("tiny.ulaw", RAW);
  await add("good.wav", WAVE);

  const { damages, nonAudio } = await verifyMedia({ directory });
  expect(damages).toEqual([]);
  expect(new Set(nonAudio.map(({ callId, fault }) => `${callId}: ${fault}`))).toEqual(
    new Set(["page.wav: an HTML page", "short.wav: a header alone"]),
  );
  const [finding, ...others] = await examine(directory);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ level: "warning", what: "recordings are not audio: 2 files" });
  expect(finding?.where).toMatch(/\((?:page.wav: an HTML page|short.wav: a header alone)\) and 1/);

  // Elsewhere the heads of the short alone are fetched.
  const place = createMedia();
  const listed = await Promise.all(
    [HTML, RAW].map(async (content) => ({
      filename: "a.ulaw",
      media: await place.put({ name: "a", content }),
    })),
  );
  const referenced = Object.assign(listed, { bytes: 0, has: async () => true });
  expect(await examineMediaStore(place, referenced, () => {})).toMatchObject([
    {
      level: "warning",
      what: "recordings are not audio: 1 file",
      where: expect.stringMatching(/^[0-9a-f]{64} \(a\.ulaw: an HTML page\)$/),
    },
  ]);
});

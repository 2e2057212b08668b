// `call-media-server maps`: the list of formats, and mapping files that read their samples or not.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runIn } from "./support/command.ts";

const MAPPING = {
  mapping: 2,
  name: "acme",
  title: "Acme dialler",
  when: { columns: ["Call", "Start"] },
  fields: { call_id: "{Call}", datetime: "{Start}" },
  samples: [
    {
      file: "a.csv",
      text: ["Call,Start", "7,2026-08-21T09:00:00Z"],
      expect: [{ call_id: "7", datetime: "2026-08-21T09:00:00Z" }],
    },
  ],
};

test("check runs samples, list names the formats of a folder, and --explain gives them as JSON", async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-media-maps-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  const run = (...words: readonly string[]) => runIn(folder, ...words);
  await write("good.json", JSON.stringify(MAPPING));
  await write("log.csv", "Call,Start\n8,2026-08-21T09:00:00Z\n");
  expect(await run("maps", "check", "good.json")).toMatchObject({
    code: 0,
    stdout: "good.json: right\n",
  });
  expect((await run("maps", "list", "--maps", ".")).stdout).toMatch(/^acme +Acme dialler$/m);
  const { code, stdout } = await run("import", "--explain", "--json", "--maps", ".", "log.csv");
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { doubts: [], files: [{ rows: 1 }] }]);

  const fields = { ...MAPPING.fields, call_id: "{Cal}" };
  await write("bad.json", JSON.stringify({ ...MAPPING, fields }));
  expect(await run("maps", "check", "good.json", "bad.json")).toMatchObject({
    code: 1,
    stdout:
      "good.json: right\nbad.json: 2 faults\n" +
      '  a.csv: record 1, call_id: null, expected "7"\n' +
      '  Cal: gives no value in any sample; if some files lack it, list it under "optional"\n',
  });
  expect((await run("maps", "check", ".")).stdout).toMatch(
    /^bad\.json: 2 faults\n.*^good\.json: right$/ms,
  );
});

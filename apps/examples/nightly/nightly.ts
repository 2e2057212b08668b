// All calls of yesterday with their recordings, in a folder of that day. Killed and started again, it continues where it was.
// It ends with 0 only if nothing is missing: as many records as the service announced, and each recording checked.
import { access, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import {
  type CallRecord,
  createClient,
  daysAgo,
  isCallMediaError,
  toRecordingNames,
} from "@call-media/client";
import { saveRecording, toSafeFilename } from "@call-media/client/node";

const {
  CALL_MEDIA_BASE_URL,
  CALL_MEDIA_API_KEY,
  TIME_ZONE: timeZone = "Europe/Berlin",
} = process.env;
const day = process.argv[2] ?? daysAgo(1, timeZone);
const [calls, recordings] = [join(day, "calls"), join(day, "recordings")];
const cursorFile = join(day, "cursor.json");
for (const folder of [calls, recordings]) await mkdir(folder, { recursive: true });

const client = createClient({
  baseUrl: CALL_MEDIA_BASE_URL,
  apiKey: CALL_MEDIA_API_KEY,
  userAgent: "nightly/1.0",
});
const search = client.calls.byCustomFields({
  startDate: day,
  endDate: day,
  timeZone,
  filter: {},
  cursor: await readFile(cursorFile, "utf8").catch(() => undefined),
});

for await (const { records } of search.pages()) {
  for (const call of records) await save(call);
  // Only now: what was not saved comes again.
  await replace(cursorFile, search.cursor);
}
// Also after a page without records of mine.
await replace(cursorFile, search.cursor);

const { rows, outside, verdict, reason } = search.report;
const saved = (await readdir(calls)).length;
console.log(`${day}: ${saved} of ${rows - outside} calls; ${verdict}: ${reason}`);
if (verdict !== "complete" || saved !== rows - outside) process.exitCode = 1;

/** One file for each record, under a name of its own: a record that comes again replaces itself. */
async function save(call: CallRecord) {
  const name = [call.datetime, call.call_id, call.ref_id].join(" ");
  for (const [index, recording] of toRecordingNames(call.recordings).entries())
    await download(call, index + 1, join(recordings, toSafeFilename(`${name} ${recording}`)));
  await replace(join(calls, toSafeFilename(`${name}.json`)), JSON.stringify(call, undefined, 2));
}

async function download({ call_id }: CallRecord, part: number, target: string) {
  if (call_id === null || (await exists(target))) return;
  try {
    const { bytes, verified } = await saveRecording(client, { call_id, part }, target);
    console.log(`${target}: ${bytes} bytes, checked by ${verified}`);
  } catch (error) {
    // The record names it, but it is not there, or not for us.
    if (!isCallMediaError(error, "NotFoundError") && !isCallMediaError(error, "PermissionError"))
      throw error;
    console.error(`${target}: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Complete or not at all, even if the program is killed. */
async function replace(file: string, text: string) {
  await writeFile(`${file}.new`, text, { flush: true });
  await rename(`${file}.new`, file);
}

async function exists(file: string) {
  return access(file).then(
    () => true,
    () => false,
  );
}

// All calls of yesterday with their recordings, in a folder of that day. Killed and started again, it continues where it was.
// It ends with 0 only if nothing is missing: as many records as the service announced, and each recording that they name.
import { hash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
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
  for (const call of records)
    await replace(join(calls, toFile(call, "json")), JSON.stringify(call, undefined, 2));
  // Only now: what was not saved comes again.
  await replace(cursorFile, search.cursor);
}
// Read to its end: the next run of this day reads it again, with what came late.
await rm(cursorFile, { force: true });

const saved = (await readdir(calls)).filter((name) => name.endsWith(".json"));
const missing: string[] = [];
for (const name of saved) {
  const call: CallRecord = JSON.parse(await readFile(join(calls, name), "utf8"));
  for (const [index, filename] of toRecordingNames(call.recordings).entries())
    if (!(await download(call, index + 1, filename))) missing.push(filename);
}

const { rows, outside, verdict, reason } = search.report;
console.log(`${day}: ${saved.length} of ${rows - outside} calls; ${verdict}: ${reason}`);
if (missing.length > 0) console.error(`Missing recordings: ${missing.join(", ")}`);
const isComplete = verdict === "complete" && saved.length === rows - outside;
if (!isComplete || missing.length > 0) process.exitCode = 1;

/**
 * Different records may have the same identifiers: the digest tells them apart. It is of what nobody edits after a call, so
 * that a record that comes again replaces itself.
 */
function toFile({ datetime, call_id, ref_id, agent, ...call }: CallRecord, end: string) {
  const { ani, dnis, skill_id, handle_time, talk_time } = call;
  const others = JSON.stringify([ani, dnis, skill_id, handle_time, talk_time]);
  const digest = hash("sha256", others).slice(0, 8);
  return toSafeFilename(`${[datetime, call_id, ref_id, agent, digest].join(" ")}.${end}`);
}

/** Whether the recording is there, and is what the service announced. A record may list a name twice. */
async function download(call: CallRecord, number: number, filename: string) {
  const target = join(recordings, toFile(call, `${number} ${filename}`));
  if (await exists(target)) return true;
  try {
    const wanted = await client.recordings.find({ record: call, number });
    const { bytes, verified } = await saveRecording(client, wanted, target);
    console.log(`${target}: ${bytes} bytes, checked by ${verified}`);
    return true;
  } catch (error) {
    if (!isCallMediaError(error)) throw error;
    // What seemed to be a name is the rest of the one before it.
    if (error.code === "CLIENT_REST_OF_NAME") return true;
    // It is not there, not for us, or could be that of another record.
    if (!["NotFoundError", "PermissionError", "InvalidRequestError"].includes(error.name))
      throw error;
    console.error(`${target}: ${error.code}: ${error.message}`);
    return false;
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

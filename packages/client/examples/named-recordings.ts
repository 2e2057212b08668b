// The recordings of a record, each as a file.
import { readdir } from "node:fs/promises";

import { createClient, toRecordingNames } from "@call-media/client";
import { saveRecording, toSafeFilename } from "@call-media/client/node";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const [call] = await client.getMetadataByCallId({ call_id: "300000004821507" });
for (const filename of toRecordingNames(call?.recordings)) {
  const wanted = await client.recordings.find({ call_id: "300000004821507", filename });
  await saveRecording(client, wanted, toSafeFilename(filename));
}

console.log((await readdir(".")).filter((name) => /^[ab]\.wav$/.test(name)));

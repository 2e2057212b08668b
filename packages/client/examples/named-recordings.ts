// The recordings of each record of a call, each as a file.
import { readdir } from "node:fs/promises";

import { createClient } from "@call-media/client";
import { saveRecording, toSafeFilename } from "@call-media/client/node";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const call_id = "300000004821507";
for (const record of await client.getMetadataByCallId({ call_id }))
  for (const { wanted, number, filename } of await client.recordings.of(record)) {
    const file = toSafeFilename(`${record.ref_id} ${number} ${filename}`);
    await saveRecording(client, wanted, file);
  }

console.log((await readdir(".")).filter((name) => /\d [ab]\.wav$/.test(name)));

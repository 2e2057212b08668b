// A recording as a file, as a stream and as bytes.
import { createClient } from "@call-media/client";
import { saveRecording } from "@call-media/client/node";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const saved = await saveRecording(client, { call_id: "300000004821507" }, "call.wav");
console.log(saved.bytes, saved.contentType, saved.sha256, saved.verified);

const { body, filename, contentType, bytes, sha256 } = await client.recordings.stream({
  ref_id: "6f2a9c41-d0b8-4e7f-a1c3-52e8b07d9f14",
  part: 2,
});
const whole = await client.recordings.bytes({ call_id: "300000004821507" }); // whole.content

const answer = await client.recordings.bytes({ call_id: "300000004821507" }).withResponse();
console.log(answer.data.bytes, answer.response.headers.get("ETag"), answer.requestId);

await body.cancel();
console.log(filename, contentType, bytes, sha256 === whole.sha256);

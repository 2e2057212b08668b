// An error that a program can act on.
import { createClient, NotFoundError } from "@call-media/client";
import { saveRecording } from "@call-media/client/node";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });
const call_id = "300000004821508";

try {
  await saveRecording(client, { call_id }, "call.wav");
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  console.log(`${call_id} has no recording`);
}

// Operations by their names.
import { createClient, toRecordingNames } from "@call-media/client";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const [call] = await client.getMetadataByCallId({ call_id: "300000004821507" });
const flags = await client.listPublicFlags({ maxRetries: 0 });
const { data: chat, requestId } = await client
  .getChatByCallId({ call_id: "300000004821507" })
  .withResponse();

console.log(call?.agent_name, flags.length, chat.length, typeof requestId);
console.log(toRecordingNames(call?.recordings));

// Loaded before an example: `https://archive.example.com` then answers on this machine, as a fake.
import { daysAgo } from "@call-media/client";
import { createFakeService } from "@call-media/testing";

const recordings = ["a.wav", "b.wav"].map((filename) => ({
  filename,
  bytes: new Uint8Array(5000),
}));
// The examples search yesterday in Berlin.
const datetime = `${daysAgo(1, "Europe/Berlin")}T06:14:00+01:00`;
const call = { agent: "ana.kovac", agent_name: "Ana Kovač", datetime };

const service = createFakeService({
  baseUrl: "https://archive.example.com",
  users: [{ id: 1, credentials: { secretID: "...", secretKey: "..." } }],
  flags: [{ Name: "Follow up" }],
  chats: [{ call_id: "300000004821507", label: "Caller", transcript: "Good morning." }],
  calls: [
    {
      ...call,
      call_id: "300000004821507",
      ref_id: "6f2a9c41-d0b8-4e7f-a1c3-52e8b07d9f14",
      recordings,
    },
    { ...call, call_id: "300000004821508" },
  ],
});

globalThis.fetch = service.fetch;

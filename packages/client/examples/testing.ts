// A service in memory, for tests, which fails when told to.
import { createClient } from "@call-media/client";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";

const service = createFakeService({
  calls: [
    { call_id: "300000004821507", datetime: "2026-03-02T06:14:00+01:00", agent: "ana.kovac" },
    {
      call_id: "300000004821508",
      recordings: [{ filename: "a.wav", bytes: new Uint8Array(9000) }],
    },
  ],
});
const client = createClient(service.clientOptions);

const { content } = await client.recordings.bytes({ call_id: "300000004821508" });
console.log(content.length);

service.inject({ kind: "status", status: 429, retryAfterS: 2 });
service.inject({ kind: "forget-tokens", operation: "searchMetadata", skip: 3 });
const takeBack = service.inject({ kind: "hang", times: Infinity });
takeBack();

const served = await serveFake(service);
console.log(served.baseUrl); // http://127.0.0.1:41873, say
await served.close();

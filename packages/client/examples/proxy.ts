// A back end that passes requests of its page on.
import { createServer } from "node:http";

import { toNodeHandler } from "@call-media/client/node";
import { createProxy } from "@call-media/client/proxy";

const credentials = { secretID: "...", secretKey: "..." };

const proxy = createProxy({
  baseUrl: "https://archive.example.com",
  credentials,
  prefix: "/archive",
  only: ["getMetadataByCallId", "streamRecordingByCallId"],
});
const server = createServer(toNodeHandler(proxy)); // Express: app.use("/archive", requireUser, toNodeHandler(proxy))

server.close();
const request = new Request("http://localhost/archive/metadata/by-call-id/300000004821507");
console.log((await proxy(request)).status);

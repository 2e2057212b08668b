// The back end of the page: its files, and the archive below /archive.
import { createReadStream } from "node:fs";
import { createServer } from "node:http";

import { toNodeHandler } from "@call-media/client/node";
import { createProxy } from "@call-media/client/proxy";

const { CALL_MEDIA_BASE_URL, CALL_MEDIA_API_KEY, PORT = "3000" } = process.env;
const archive = toNodeHandler(
  createProxy({
    baseUrl: CALL_MEDIA_BASE_URL,
    apiKey: CALL_MEDIA_API_KEY,
    prefix: "/archive",
    only: [
      "getMetadataByCallId",
      "getMetadataByReference",
      "streamRecordingByCallId",
      "streamRecordingByReference",
    ],
  }),
);
const html =
  '<!doctype html><title>Call</title><main></main><script type="module" src="/page.js"></script>';

const server = createServer((request, response) => {
  // Who the user is, and what that user may see, is decided here.
  if (request.url?.startsWith("/archive/")) archive(request, response);
  else if (request.url === "/page.js") {
    response.setHeader("Content-Type", "text/javascript");
    createReadStream("page.js").pipe(response);
  } else response.setHeader("Content-Type", "text/html").end(html);
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`http://127.0.0.1:${PORT}`));

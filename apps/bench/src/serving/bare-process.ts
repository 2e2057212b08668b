// A process that answers every request with the body it is given and the headers of the service: what node:http costs
// on its own. With "text" it has the body as text, with "object" it makes the text for every request.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { reportTo } from "./server-process.ts";

const [form = "", body = ""] = process.argv.slice(2);
const object: unknown = JSON.parse(body);
const toBody = form === "text" ? () => body : () => JSON.stringify(object);
const server = createServer((_request, response) => {
  const text = toBody();
  response.writeHead(200, {
    "X-Request-Id": "0b0f7d5c-9c0e-4f0e-8a35-0b1f9d2b6c11",
    "Cache-Control": "no-store",
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
});
server.listen(0, "127.0.0.1", () => {
  reportTo((server.address() as AddressInfo).port); // an IP socket, not a pipe
});

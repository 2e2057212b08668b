// A proxy, a certificate of the client, and an authority of one's own.
import { readFile } from "node:fs/promises";

import { createClient } from "@call-media/client";
import { Agent, fetch as undiciFetch } from "undici";

const credentials = { secretID: "...", secretKey: "..." };

const [ca, cert, key] = await Promise.all(
  ["ca.pem", "client.pem", "client-key.pem"].map((file) => readFile(file)),
);
const dispatcher = new Agent({ connect: { ca, cert, key } });
const client = createClient({
  baseUrl: "https://archive.example.com",
  credentials,
  fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }),
});

console.log(typeof client.GET);

// The errors of a process whose environment says how to reach the service.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createSecureServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { findClosedPort, listen, listFlags, nothing } from "./support/unreachable.ts";

test("a proxy that Node.js does not go by: says how it does, but not on this machine", async () => {
  const variables = { HTTPS_PROXY: "http://127.0.0.1:1", NODE_USE_ENV_PROXY: undefined };
  const { code, stderr } = await listFlags("https://archive.invalid", variables);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /archive\.invalid\): if only a proxy reaches it, set NODE_USE_ENV_PROXY=1 /,
  );
  const near = await listFlags(`https://127.0.0.1:${await findClosedPort()}`, variables);
  expect(near.stderr).toContain("check the address and the network");
});

test("a certificate of an authority of one's own: names the variable, and with it the service is reached", async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "own" }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  const server = createSecureServer({ key, cert }, nothing);
  const baseUrl = `https://127.0.0.1:${await listen(server)}`;
  const folder = await mkdtemp(join(tmpdir(), "call-media-unreachable-"));
  const file = join(folder, "ca.pem");
  await writeFile(file, cert);
  const refused = await listFlags(baseUrl);
  expect(refused.stderr).toMatch(
    /\(self-signed certificate\): for your own certificate authority, set NODE_EXTRA_CA_CERTS to the file of its certificate\n$/,
  );
  const reached = await listFlags(baseUrl, { NODE_EXTRA_CA_CERTS: file });
  expect(reached.stderr).toContain(
    "(404 of listPublicFlags): is --base-url the address of a Call Media Retrieval Service?",
  );
  await rm(folder, { recursive: true });
  server.close();
});

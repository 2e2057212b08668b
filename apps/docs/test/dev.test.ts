// The site while it is written.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { showSite } from "../src/dev.ts";
import { SITE } from "../src/places.ts";

test("a port that is taken is reported before anything is built", async () => {
  await using server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of an IP socket
  await expect(showSite(join(SITE, "dist"), port)).rejects.toThrow(
    `port ${port} of 127.0.0.1 is taken: end what has it, perhaps another docs:dev`,
  );
});

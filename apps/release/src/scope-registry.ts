// A registry for only the packages under @call-media/, from their tarballs. npm finds them as users will, and all others as always.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { PackedPackage } from "./packed-package.ts";

export interface ScopeRegistry extends AsyncDisposable {
  /** The variables through which npm finds it. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Serves the packages on a free port of 127.0.0.1, with the resources that `npm install` and `npx` request. */
export async function serveScope(packages: readonly PackedPackage[]): Promise<ScopeRegistry> {
  const tarballs = await Promise.all(packages.map(({ tarball }) => readFile(tarball)));
  const server = createServer(({ url = "" }, answer) => {
    const path = decodeURIComponent(url).slice(1);
    const at = packages.findIndex(
      ({ manifest: { name } }) => path === name || path === `${name}.tgz`,
    );
    const [found, content] = [packages[at], tarballs[at]];
    if (found === undefined || content === undefined) answer.writeHead(404).end("{}");
    else if (path.endsWith(".tgz")) answer.end(content);
    else answer.end(JSON.stringify(toPackument(found, content, toAddress(server))));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    variables: { "npm_config_@call-media:registry": toAddress(server) },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toPackument({ manifest }: PackedPackage, content: Buffer, address: string) {
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  const dist = { tarball: `${address}/${manifest.name}.tgz`, integrity };
  return {
    name: manifest.name,
    "dist-tags": { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
  };
}

function toAddress(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return `http://127.0.0.1:${address.port}`;
}

// nginx as a program of its own, with the server of deploy/nginx.conf before a service.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { makeCertificate } from "./certificate.ts";

export interface Nginx extends AsyncDisposable {
  /** Over TLS, and over the plain port that the file does not have. */
  readonly ports: { readonly secure: number; readonly plain: number };
  readonly cert: string;
  readonly errors: () => Promise<string>;
}

// Whose workers else become a user who may not read the folder; nobody else can say who they are to be.
const isRoot = process.getuid?.() === 0;

// Daemons are in sbin, which is not on every user's path.
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin` };

export const hasNginx = spawnSync("nginx", ["-v"], { env }).error === undefined;

const FILE = new URL("../../deploy/nginx.conf", import.meta.url);

/** `edit` changes the file: numbers, so that a test reaches them. `others` lie in /etc/call-media, by name. */
export async function startNginx(
  servicePort: number,
  edit = (file: string) => file,
  others: Readonly<Record<string, string>> = {},
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-nginx-"));
  const { cert, key } = await makeCertificate("nginx");
  const [secure, plain] = [await findFreePort(), await findFreePort()];
  const server = edit(await readFile(FILE, "utf8"))
    .replace("127.0.0.1:8080", `127.0.0.1:${servicePort}`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${secure} ssl; listen 127.0.0.1:${plain};`)
    .replaceAll("/etc/call-media", folder);
  await writeFile(join(folder, "cert.pem"), cert);
  await writeFile(join(folder, "key.pem"), key);
  await writeFile(join(folder, "nginx.conf"), toMain(folder, server));
  for (const [name, content] of Object.entries(others))
    await writeFile(join(folder, name), content.replaceAll("/etc/call-media", folder));
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], { env });
  await untilListening(secure, child);
  return {
    ports: { secure, plain },
    cert,
    errors: () => readFile(join(folder, "error.log"), "utf8"),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function toMain(folder: string, server: string): string {
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
${isRoot ? "user root;" : ""}
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events {}
http {
${places.map((place) => `  ${place}_temp_path ${folder}/${place};`).join("\n")}
${server}
}
`;
}

// nginx cannot choose a port itself. The system could give one of its ephemeral ports to another program before nginx opens it.
// It never gives out the ports of this range.
async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer();
    const isFree = await once(server.listen(port, "127.0.0.1"), "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await once(server.close(), "close");
    return port;
  }
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await setTimeout(20);
  }
  throw new Error("nginx did not start");
}

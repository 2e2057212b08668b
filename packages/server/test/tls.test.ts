// TLS by certificate: which versions, and a renewed certificate while the program runs and a recording is being sent.
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { connect as connectPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type PeerCertificate, type SecureVersion, type TLSSocket } from "node:tls";
import { createStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Certificate, createApiKey, listen } from "../src/index.ts";
import { makeCertificate } from "./support/certificate.ts";
import { startServing } from "./support/program.ts";
import { collect, parseAnswer } from "./support/raw.ts";
import { scrape, valueOf } from "./support/scrape.ts";
import { ALLOWED_ALL, addMedia, startInMemory, toCall, toUser } from "./support/service.ts";

const SOUND_BYTES = 20_000_000;

let folder: string;
let apiKey: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-tls-"));
  await using store = await createStore({ directory: join(folder, "archive") });
  const sound = await addMedia(store, "a.wav", Buffer.alloc(SOUND_BYTES, 7));
  const user = toUser({ id: 1, username: "mia", ...ALLOWED_ALL });
  {
    await using session = await store.openImport();
    await session.write([
      [{ kind: "user", record: user }],
      [toCall({ call_id: "long", datetime: "2026-01-05T10:00:00Z" }, [sound])],
    ]);
  }
  ({ apiKey } = await createApiKey(store, user.id));
});
afterAll(() => rm(folder, { recursive: true }));

const write = ({ cert, key }: Certificate) =>
  Promise.all([writeFile(join(folder, "cert.pem"), cert), writeFile(join(folder, "key.pem"), key)]);

/** The name in the certificate that a new connection is shown. */
async function nameAt(baseUrl: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { subject }: PeerCertificate = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

test("a renewed certificate is taken on SIGHUP, a broken one is not, and a download goes on through both", async () => {
  await write(await makeCertificate("first"));
  const pair = ["--tls-cert", join(folder, "cert.pem"), "--tls-key", join(folder, "key.pem")];
  await using program = await startServing(join(folder, "archive"), pair);
  const { baseUrl } = program;
  /** What is logged of it. */
  const renew = async () => {
    const before = program.log().length;
    program.signal("SIGHUP");
    await expect.poll(() => program.log().length).toBeGreaterThan(before);
    return JSON.stringify(program.log().slice(before));
  };
  expect(await nameAt(baseUrl)).toBe("first");
  const agent = new Agent({ rejectUnauthorized: false });
  const headers = { Authorization: `Bearer ${apiKey}` };
  const sent = request(`${baseUrl}/recording/stream-by-call-id/long`, { agent, headers }).end();
  const [response] = await once(sent, "response");
  const pieces = response[Symbol.asyncIterator]();
  let bytes = (await pieces.next()).value.length;

  await write(await makeCertificate("second"));
  expect(await renew()).toContain("certificate renewed");
  expect(await nameAt(baseUrl)).toBe("second");

  await writeFile(join(folder, "key.pem"), (await makeCertificate("third")).key);
  expect(await renew()).toMatch(/PEM pair that belongs together.*certificate not renewed/);
  expect(await nameAt(baseUrl)).toBe("second");

  // As a renewal leaves it that has only begun to write.
  await writeFile(join(folder, "cert.pem"), "");
  expect(await renew()).toMatch(/PEM pair that belongs together.*certificate not renewed/);
  expect(await nameAt(baseUrl)).toBe("second");

  await rm(join(folder, "cert.pem"));
  expect(await renew()).toContain(`--tls-cert: ${join(folder, "cert.pem")} does not exist`);
  expect(await nameAt(baseUrl)).toBe("second");

  for await (const piece of { [Symbol.asyncIterator]: () => pieces }) bytes += piece.length;
  expect(bytes).toBe(SOUND_BYTES);
  agent.destroy();
});

test("the log says until when a certificate is good, and warns of one that is not", async () => {
  const pair = ["--tls-cert", join(folder, "cert.pem"), "--tls-key", join(folder, "key.pem")];
  await write(await makeCertificate("past", Date.UTC(2024, 0, 31)));
  await using program = await startServing(join(folder, "archive"), [
    ...pair,
    "--metrics-port",
    "0",
  ]);
  const end = "call_media_certificate_end_timestamp_seconds";
  const readEnd = async () => valueOf(await scrape(program.metricsUrl), end);
  await expect.poll(program.log).toContainEqual(
    expect.objectContaining({
      level: "warn",
      until: "2024-01-31T00:00:00.000Z",
      msg: "certificate in use, but not valid now: clients will refuse it",
    }),
  );
  expect(await readEnd()).toBe(Date.UTC(2024, 0, 31) / 1_000);

  await write(await makeCertificate("present"));
  program.signal("SIGHUP");
  await expect.poll(program.log).toContainEqual(
    expect.objectContaining({
      level: "info",
      until: expect.stringMatching(/^20.*Z$/),
      msg: "certificate renewed",
    }),
  );
  expect(await readEnd()).toBeGreaterThan(Date.now() / 1_000);
});

test("a service without a certificate goes on after SIGHUP", async () => {
  await using program = await startServing(join(folder, "archive"));
  program.signal("SIGHUP");
  await expect
    .poll(program.log)
    .toContainEqual(expect.objectContaining({ msg: "nothing to renew: there is no certificate" }));
  expect((await fetch(`${program.baseUrl}/healthz`)).status).toBe(200);
});

describe("a connection", () => {
  // OpenSSL's own level would keep this client from even offering the old versions.
  const handshake = async (version: SecureVersion, ciphers = "DEFAULT@SECLEVEL=0") => {
    const tls = await makeCertificate("versions", undefined, "rsa");
    const options = { host: "127.0.0.1", port: 0, tls };
    const { baseUrl, close } = await listen((_request, response) => response.end(), options);
    const socket: TLSSocket = connect({
      port: Number(new URL(baseUrl).port),
      host: "127.0.0.1",
      rejectUnauthorized: false,
      minVersion: version,
      maxVersion: version,
      ciphers,
    });
    const outcome = await new Promise((resolve) => {
      socket.on("secureConnect", () => resolve(socket.getProtocol()));
      socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
    });
    socket.destroy();
    await close();
    return outcome;
  };

  test.each<SecureVersion>(["TLSv1.2", "TLSv1.3"])("by %s is taken", async (version) => {
    expect(await handshake(version)).toBe(version);
  });

  test.each([
    ["static RSA", "AES128-GCM-SHA256"],
    ["static RSA", "AES256-SHA256"],
    ["CBC and SHA-1", "ECDHE-RSA-AES128-SHA"],
    ["CBC", "ECDHE-RSA-AES256-SHA384"],
  ])("by TLS 1.2 with only %s is rejected (%s)", async (_what, cipher) => {
    expect(await handshake("TLSv1.2", cipher)).toBe("ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE");
  });

  test.each(["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-CHACHA20-POLY1305"])(
    "by TLS 1.2 with %s is taken",
    async (cipher) => {
      expect(await handshake("TLSv1.2", cipher)).toBe("TLSv1.2");
    },
  );

  test.each<SecureVersion>(["TLSv1", "TLSv1.1"])(
    "by %s is refused by the service",
    async (version) => {
      expect(await handshake(version)).toBe("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
    },
  );
});

test.each([
  ["over TLS says that it is only to be asked over TLS", true, "max-age=31536000"],
  ["over plain HTTP does not", false, undefined],
] as const)("a service %s", async (_what, isTls, hsts) => {
  const tls = isTls ? await makeCertificate("hsts") : undefined;
  await using service = await startInMemory({ listen: { tls } });
  const { hostname: host, port } = new URL(service.baseUrl);
  const to = { host, port: Number(port) };
  for (const line of ["GET /flags/public HTTP/1.1", "GET /openapi.json HTTP/1.1", "no request"]) {
    const { socket, received } = collect(
      isTls ? connect({ ...to, rejectUnauthorized: false }) : connectPlain(to),
    );
    socket.write(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(parseAnswer(await received).headers["strict-transport-security"]).toBe(hsts);
  }
});

test("a service over plain HTTP takes no certificate", async () => {
  const { close, useCertificate } = await listen(() => {}, { host: "127.0.0.1", port: 0 });
  const pair = await makeCertificate("late");
  expect(() => useCertificate(pair)).toThrow("the service speaks plain HTTP");
  await close();
});

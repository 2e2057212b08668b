// A service on a socket: plain HTTP on loopback alone, HTTPS with a certificate, and the pages beside the contract (D24).
import { hash } from "node:crypto";
import { createServer } from "node:http";
import { get as httpsGet } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { document } from "@call-media/api";
import { build } from "@call-media/test-setup/built";
import { listen } from "../src/index.ts";
import { makeCertificate } from "./support/certificate.ts";
import { startInMemory, type Served } from "./support/service.ts";

let service: Served;

beforeAll(async () => {
  build("@call-media/server"); // the pages beside the contract
  service = await startInMemory();
});
afterAll(() => service[Symbol.asyncDispose]());

describe("listening", () => {
  test.each(["0.0.0.0", "::", "192.0.2.1"])(
    "on %s without TLS is refused, saying what to do",
    async (host) => {
      await expect(listen(() => {}, { host, port: 0 })).rejects.toThrow(
        `${host} can be reached from other machines, and without TLS secrets and records could be read on the way: ` +
          "give --tls-cert and --tls-key, or --behind-proxy when a proxy terminates TLS, or listen on 127.0.0.1",
      );
    },
  );

  test("anywhere is allowed behind a proxy that terminates TLS", async () => {
    const { baseUrl, close } = await listen(() => {}, {
      host: "0.0.0.0",
      port: 0,
      isBehindProxy: true,
    });
    expect(baseUrl).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
    await close();
  });

  test("on a port that is taken says which", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo; // an IP socket
    await expect(listen(() => {}, { host: "127.0.0.1", port })).rejects.toThrow(
      `port ${port} of 127.0.0.1 is taken by another program: stop it, or choose another port`,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  test("with a certificate speaks HTTPS", async () => {
    const { key, cert } = await makeCertificate("127.0.0.1");
    const { baseUrl, close } = await listen((_request, response) => response.end("over TLS"), {
      host: "127.0.0.1",
      port: 0,
      tls: { key, cert },
    });
    const body = await new Promise<string>((resolve, reject) => {
      httpsGet(baseUrl, { ca: cert, agent: false }, (response) =>
        response.on("data", (chunk: Buffer) => resolve(chunk.toString())),
      ).on("error", reject);
    });
    expect(baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(body).toBe("over TLS");
    await close();
  });

  test.each([
    { key: "no key", cert: "no certificate" },
    { key: "", cert: "" },
  ])("with a certificate that is none says so: %o", async (tls) => {
    await expect(listen(() => {}, { host: "127.0.0.1", port: 0, tls })).rejects.toThrow(
      "the certificate and the key are not a PEM pair that belongs together",
    );
  });

  test("closing lets the answer under way finish", async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { baseUrl, close } = await listen(
      (_request, response) => {
        ask();
        void released.then(() => response.end("whole"));
      },
      { host: "127.0.0.1", port: 0 },
    );
    const answer = fetch(baseUrl).then((response) => response.text());
    await asked;
    const closed = close();
    release();
    expect(await answer).toBe("whole");
    await closed;
  });
});

describe("outside the contract", () => {
  test("the document is served in both forms, and names this service first", async () => {
    const json = await fetch(`${service.baseUrl}/openapi.json`);
    expect(json.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const named = [
      { url: ".", description: "This service." },
      expect.anything(),
      expect.anything(),
    ];
    expect(await json.json()).toEqual({ ...document, servers: named });
    const yaml = await fetch(`${service.baseUrl}/openapi.yaml`);
    expect(yaml.headers.get("content-type")).toBe("application/yaml; charset=utf-8");
    expect(await yaml.text()).toMatch(/^openapi: 3\.1[^]*\nservers:\n {2}- url: \.\n/);
  });

  test("the documentation begins at /docs/, wherever a proxy has put that", async () => {
    for (const path of ["", "/", "/docs"]) {
      const response = await fetch(`${service.baseUrl}${path}`, { redirect: "manual" });
      expect(response.status).toBe(308);
      expect(response.headers.get("location")).toBe("docs/");
    }
    const page = await fetch(`${service.baseUrl}/docs/`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toContain("reference.html");
  });

  test("nothing in the documentation comes from elsewhere, and no script runs that was not built", async () => {
    const response = await fetch(`${service.baseUrl}/docs/reference.html`);
    expect(response.status).toBe(200);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    const page = await response.text();
    // What is neither a file of the site nor one of the page's own scripts, word for word, does not run.
    const scripts = [...page.matchAll(/<script(?: type="module")?>([^]*?)<\/script>/g)].map(
      ([, script = ""]) => `'sha256-${hash("sha256", script, "base64")}'`,
    );
    expect(scripts.length).toBeGreaterThan(0);
    expect(/script-src ([^;]*)/.exec(policy)?.[1]?.split(" ")).toEqual(["'self'", ...scripts]);
    expect(page).toContain("Call Media Retrieval Service");
    expect(page).not.toMatch(
      /<(?:script|link|img)[^>]+(?:src|href)="(?!data:|[\w./-]*\.(?:js|css)")/,
    );
  });

  test.each([
    ["site.js", "text/javascript; charset=utf-8"],
    ["text.css", "text/css; charset=utf-8"],
  ])("%s of the documentation is %s", async (name, type) => {
    const response = await fetch(`${service.baseUrl}/docs/${name}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
  });

  const askForProgram = (headers: Record<string, string>) =>
    fetch(`${service.baseUrl}/docs/redoc.js`, { headers });

  test.each([
    ["a browser over HTTPS", "gzip, deflate, br, zstd", "br"],
    ["a browser over HTTP", "gzip, deflate", "gzip"],
    ["who would rather not have Brotli", "br;q=0, gzip;q=0.5", "gzip"],
    ["who prefers it as it is", "identity, br;q=0.5", null],
  ])("a page is sent to %s (%s) as %s", async (_who, accepted, coding) => {
    const plain = await askForProgram({ "Accept-Encoding": "identity" });
    const answer = await askForProgram({ "Accept-Encoding": accepted });
    expect(answer.headers.get("content-encoding")).toBe(coding);
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    const [size, sent] = [plain, answer].map(({ headers }) => headers.get("content-length"));
    expect(Number(sent)).toBeLessThanOrEqual(Number(size) / (coding === null ? 1 : 3));
    expect(await answer.text()).toBe(await plain.text()); // fetch unpacks
  });

  test("a cached page with the same compression is not sent again", async () => {
    const codings = ["identity", "gzip", "br"];
    const answers = await Promise.all(
      codings.map((coding) => askForProgram({ "Accept-Encoding": coding })),
    );
    const tags = answers.map(({ headers }) => headers.get("etag") ?? "");
    expect(new Set(tags).size).toBe(3);
    const again = { "Accept-Encoding": "gzip" };
    const held = await askForProgram({ ...again, "If-None-Match": `"x", W/${tags[1]}` });
    expect([held.status, held.headers.get("content-length")]).toEqual([304, null]);
    for (const other of [tags[0], tags[2]])
      expect((await askForProgram({ ...again, "If-None-Match": other ?? "" })).status).toBe(200);
  });

  test.each(["/docs/..%2f..%2fpackage.json", "/docs/nowhere.html", "/docs//index.html"])(
    "%s is not found",
    async (path) => {
      expect((await fetch(`${service.baseUrl}${path}`)).status).toBe(404);
    },
  );

  test.each(["/docs/", "/openapi.json", "/openapi.yaml"])("%s is read only", async (path) => {
    const response = await fetch(`${service.baseUrl}${path}`, { method: "POST" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    const head = await fetch(`${service.baseUrl}${path}`, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
  });
});

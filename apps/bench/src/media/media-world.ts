// The common parts of the benches of recordings: an archive of three sizes, a certificate, and the service over it.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Certificate } from "@call-media/server";
import { generate } from "selfsigned";
import { createTemporaryFolder } from "../archive.ts";
import { type Serving, startServing } from "../serving/program.ts";
import { DOWNLOADS, downloadAtOnce } from "./downloads.ts";
import { createRecordings, MEGABYTE, type RecordingFile } from "./recordings.ts";

export interface MediaWorld extends AsyncDisposable {
  readonly pair: Certificate;
  /** Smallest first. */
  readonly files: readonly RecordingFile[];
  /** The one by which CPU time is compared. */
  readonly file: RecordingFile;
  /** A folder that is gone with the rest. */
  readonly folder: string;
  /** A new process of the service. */
  serve(over: "TLS" | "plain HTTP"): Promise<Serving>;
  /** Takes the recording from there, many times at once; at most `maxBytes` of each. */
  download(url: string, maxBytes?: number): Promise<number>;
}

const SIZES = [10 * MEGABYTE, 100 * MEGABYTE, 1_000 * MEGABYTE];

export async function openMediaWorld(): Promise<MediaWorld> {
  const folder = await createTemporaryFolder();
  const directory = join(folder.path, "archive");
  await mkdir(directory);
  const { files, authorization } = await createRecordings(directory, SIZES);
  const pair = await createCertificate();
  const [certFile, keyFile] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  await writeFile(certFile, pair.cert);
  await writeFile(keyFile, pair.key, { mode: 0o600 });
  const [, file] = files;
  if (file === undefined) throw new Error("there is no recording to compare by");
  return {
    pair,
    files,
    file,
    folder: folder.path,
    serve: (over) =>
      startServing({
        directory,
        logFile: join(folder.path, "service.log"),
        arguments: over === "TLS" ? ["--tls-cert", certFile, "--tls-key", keyFile] : [],
      }),
    download: (url, maxBytes = Number.POSITIVE_INFINITY) =>
      downloadAtOnce({ url, authorization, ca: pair.cert, maxBytes }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** CPU seconds of `server` for each gigabyte of recording that leaves it, all downloads together. */
export async function measurePerGigabyte(
  world: MediaWorld,
  server: { cpuUs(): Promise<number> },
  url: string,
): Promise<number> {
  const beforeUs = await server.cpuUs();
  await world.download(url);
  const cpuSeconds = ((await server.cpuUs()) - beforeUs) / 1e6;
  return cpuSeconds / ((DOWNLOADS * world.file.bytes) / 1e9);
}

async function createCertificate(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "bench" }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  return { key, cert };
}

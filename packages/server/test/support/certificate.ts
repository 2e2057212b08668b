// A certificate for 127.0.0.1 that nobody but the test trusts.
import { generate } from "selfsigned";
import type { Certificate } from "../../src/index.ts";

/** `name` stands in the certificate, so that two can be told apart. It is good for a year, unless it has ended at `endMs`. */
export async function makeCertificate(
  name: string,
  endMs?: number,
  keyType: "ec" | "rsa" = "ec",
): Promise<Certificate> {
  const ended = endMs !== undefined && {
    notBeforeDate: new Date(endMs - 1_000),
    notAfterDate: new Date(endMs),
  };
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], {
    ...ended,
    keyType,
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  return { key, cert };
}

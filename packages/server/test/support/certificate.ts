// A certificate for 127.0.0.1 that nobody but the test trusts.
import { generate } from "selfsigned";
import type { Certificate } from "../../src/index.ts";

/** `name` stands in the certificate, so that two can be told apart. */
export async function makeCertificate(name: string): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  return { key, cert };
}

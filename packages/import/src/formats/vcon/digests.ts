// Digests of the recordings of a vCon: `content_hash`, one or several (draft-ietf-vcon-vcon-core); early versions have a
// signature. The export writes SHA-256.
import { DIGEST_BYTES, type DigestKind, type Digests } from "@call-media/store/values";
import { RowFault } from "../../source-row.ts";
import { readText } from "../json-value.ts";
import type { Part } from "./vcon.ts";

/** The digests of known algorithms, the first of each kind. Throws `RowFault` for a malformed SHA-256 or SHA-512. */
export function readDigests(part: Part, where: string): Digests {
  const known = listGiven(part).flatMap(({ text, name }) => {
    const digest = readDigest(text, name);
    if (digest !== undefined) return [[name, digest]];
    if (name !== "sha256" && name !== "sha512") return [];
    throw new RowFault(
      `${where}.content_hash: no digest of ${DIGEST_BYTES[name]} bytes: "${text}"`,
    );
  });
  return Object.fromEntries(known.toReversed());
}

/** The names of unknown algorithms, if a recording has digests of such algorithms only. */
export function listUnknownDigests(recordings: readonly Part[]): readonly string[] {
  const names = recordings.flatMap((part) => {
    const given = listGiven(part);
    const isKnown = given.some(({ text, name }) => readDigest(text, name) !== undefined);
    return isKnown
      ? []
      : given.map(({ text }) => (/^[\w-]{1,20}?(?=[-:=])/.exec(text) ?? ["?"])[0]);
  });
  return [...new Set(names)];
}

interface Given {
  readonly text: string;
  /** The name in our table, if it has the algorithm. */
  readonly name: string;
}

function listGiven(part: Part): readonly Given[] {
  const [algorithm, signature] = [readText(part, "alg"), readText(part, "signature")];
  const isSigned = algorithm !== undefined && signature !== undefined;
  const signed = isSigned ? `${algorithm}-${signature}` : [];
  const texts = [part["content_hash"] ?? [], signed].flat().map(String);
  return texts.map((text) => {
    const [, family = "", bits = ""] = /^(md|sha)-?(\d{1,3})[-:=]/i.exec(text) ?? [];
    return { text, name: `${family}${bits}`.toLowerCase() };
  });
}

// The draft writes base64url; standard base64 and hexadecimal can be nothing else.
function readDigest(text: string, name: string): string | undefined {
  if (!isKind(name)) return undefined;
  const bytes = DIGEST_BYTES[name];
  const digits = text.replace(/^[a-z]+-?\d+[-:=]/i, "");
  const encoding = /^[\da-f]+$/i.test(digits) && digits.length === 2 * bytes ? "hex" : "base64";
  const isDigits = /^[\w+/-]+={0,2}$/.test(digits);
  const digest = Buffer.from(isDigits ? digits : "", encoding);
  return digest.length === bytes ? digest.toString("hex") : undefined;
}

function isKind(name: string): name is DigestKind {
  return Object.hasOwn(DIGEST_BYTES, name);
}

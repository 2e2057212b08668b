// A parsed vCon: the parts that matter here, taken from an unchecked JSON value. Versions 0.0.1 to 0.4.0
// (draft-petrie-vcon, draft-ietf-vcon-vcon-core) and the contact centre extension differ in names, not in shape. Later
// code finds a value under any of them.
import { toKind } from "@call-media/store/values";
import { isObject } from "../../json.ts";
import { Faults } from "../../faults.ts";
import { RowFault } from "../../source-row.ts";
import { readText } from "../json-value.ts";

export type Part = Readonly<Record<string, unknown>>;

export interface Vcon {
  readonly uuid: string;
  readonly createdAt: string | undefined;
  readonly parties: readonly Part[];
  readonly dialog: readonly Part[];
  readonly analysis: readonly Part[];
  readonly attachments: readonly Part[];
}

const VERSION = /^0\.[0-4]\.\d+$/;

/** Throws `RowFault`, naming all faults, for a value that is not a vCon, and for a signed or encrypted one. */
export function parseVcon(value: unknown): Vcon {
  if (!isObject(value)) throw new RowFault(`a vCon must be a JSON object, not ${toKind(value)}`);
  if ("ciphertext" in value) throw new RowFault("the vCon is encrypted (JWE): decrypt it first");
  if ("payload" in value && "signatures" in value)
    throw new RowFault("the vCon is signed (JWS): verify it and import what it holds");
  const { vcon, uuid } = value;
  const faults = new Faults();
  if (vcon !== undefined && !(typeof vcon === "string" && VERSION.test(vcon)))
    faults.add(
      new RowFault(`vcon: version ${JSON.stringify(vcon)} is not known, 0.0.1 to 0.4.0 are`),
    );
  const readAll = (key: string) => faults.attempt(() => readParts(value, key)) ?? [];
  const parsed = {
    uuid: faults.attempt(() => readUuid(uuid)) ?? "",
    createdAt: readText(value, "created_at"),
    parties: readAll("parties"),
    dialog: readAll("dialog"),
    analysis: readAll("analysis"),
    attachments: readAll("attachments"),
  };
  faults.end();
  return parsed;
}

function readUuid(uuid: unknown): string {
  if (typeof uuid !== "string") throw new RowFault(`uuid: must be a string, not ${toKind(uuid)}`);
  if (uuid === "") throw new RowFault("uuid: must not be empty");
  return uuid;
}

export function readPart(part: Part | undefined, key: string): Part | undefined {
  const value = part?.[key];
  return isObject(value) ? value : undefined;
}

/** The first result that is something. */
export function findFirst<T, R>(
  items: readonly T[],
  read: (item: T, index: number) => R | undefined,
): R | undefined {
  for (const [index, item] of items.entries()) {
    const found = read(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readParts(vcon: Part, key: string): readonly Part[] {
  const value = vcon[key] ?? [];
  if (!Array.isArray(value)) throw new RowFault(`${key}: must be an array, not ${toKind(value)}`);
  for (const [index, part] of value.entries()) {
    if (!isObject(part))
      throw new RowFault(`${key}[${index}]: must be an object, not ${toKind(part)}`);
  }
  return value;
}

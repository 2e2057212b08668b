// vCons for tests: who speaks in them, and what one of them becomes.
import { expect } from "vitest";
import { importFiles } from "../../src/index.ts";
import type { MetadataRecord } from "@call-media/store";
import { createArchive, writeLines } from "./archives.ts";

export const UUID = "018f3c1e-0000-8000-8000-000000000001";
export const AGENT = {
  role: "agent",
  name: "Ann Lee",
  mailto: "mailto:ann@centre.test",
  tel: "tel:+1800555",
  dept: "Support",
};
export const CUSTOMER = {
  role: "customer",
  name: "Bo van den Berg",
  mailto: "bo@home.test",
  tel: "+31201234567",
  org: "Berg BV",
};
export const START = "2025-05-01T10:00:00+02:00";
export const SOUND = Buffer.from("RIFF....WAVEfmt sound");

/** Imports one vCon; the record without the fields that are null. */
export async function importVcon(vcon: object) {
  const store = createArchive();
  const report = await importFiles({
    store,
    paths: [await writeLines("one.vcon", [vcon])],
    format: "vcon",
  });
  expect(report).toMatchObject({ read: 1, imported: 1, firstRejections: [] });
  const [record] = await store.calls.byReference(UUID, "everything");
  const filled = Object.entries(record ?? {}).filter(([, value]) => value !== null);
  return { store, record: Object.fromEntries(filled) as Partial<MetadataRecord> };
}

// Services after public documents: what --init mines of each raises no alarm on the clean service, and finds drift unchanged.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readWrittenFile } from "@call-media/contract-diff/files";
import { stopAt } from "@call-media/test-setup/model-service";
import { beforeAll, describe, expect, test } from "vitest";
import { loadRelations, mineRelations } from "../src/index.ts";
import { SERVICES } from "./foreign/all.ts";
import {
  checkForeign,
  DRIFTS,
  type Foreign,
  isObject,
  type Thing,
  VARIANTS,
} from "./foreign/service.ts";
import { toDocument, toFetch, TOKEN } from "./styles.ts";

/** The service with the relations that were mined of it, as they read back; in what `--init` changed what was there. */
async function mine(service: Foreign) {
  // What only the owner knows of values is told, as a first file has it after a look.
  const told = service.relations ?? {};
  const document = toDocument(service.paths, { ...service.more, "x-relations": told });
  const { reply, touched } = service.open();
  const { text, rules, guesses, requests } = await mineRelations({
    document,
    relations: await loadRelations(document),
    target: {
      baseUrl: "http://styles.test",
      first: { headers: { Authorization: `Bearer ${TOKEN}` } },
      fetch: toFetch(reply),
    },
    options: { mayWrite: true },
  });
  const folder = await mkdtemp(join(tmpdir(), "mine-"));
  const file = join(folder, "relations.yaml");
  await writeFile(file, text);
  const { value } = await readWrittenFile(file);
  await rm(folder, { recursive: true });
  const { relations: _version, rules: written, ...more } = isObject(value) ? value : {};
  const values = { ...Object(told["values"]), ...Object(more["values"]) };
  const mined = {
    ...service,
    rules: [written].flat() as readonly Thing[],
    relations: { ...told, ...more, values },
  };
  return { mined, touched: touched(), figures: { rules, guesses, requests }, text };
}

describe.each(Object.entries(SERVICES))("%s", (_style, service) => {
  let result: Awaited<ReturnType<typeof mine>>;
  beforeAll(async () => {
    result = await mine(service);
  });

  test("the mined file is kept by the clean service, and by lawful variants", async () => {
    const { mined, touched, figures, text } = result;
    expect(touched).toEqual([]);
    expect(figures.rules, text).toBeGreaterThan(1);
    for (const one of service.mined ?? []) expect(text).toContain(one);
    for (const change of [undefined, ...Object.keys(VARIANTS)]) {
      if (change === "in any order") continue; // under pages it is a drift
      const { report } = await checkForeign(
        mined,
        change === undefined ? {} : VARIANTS[change]?.(),
      );
      expect([change, report.findings, report.reason], text).toEqual([change, [], undefined]);
    }
  });

  test("drifts are found by the unchanged file", async () => {
    const missed: string[] = [];
    for (const [name, { fault, change, isOpen }] of Object.entries(DRIFTS)) {
      const { found, options } = stopAt();
      await checkForeign(result.mined, {
        options,
        ...(fault && { habits: { fault } }),
        ...(change && { change: change(service) }),
        ...(isOpen && { isOpen }),
      });
      if (found.length === 0) missed.push(name);
    }
    // Of two documents nobody can say how what is missing is told.
    expect(missed.filter((name) => !/is missing/.test(name))).toEqual([]);
  });
});

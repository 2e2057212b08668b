// Records by call_id and by reference, against what a search gave.
import { findMissing, impossible, toIdentity, toName, toSet } from "../archive/records.ts";
import { callIdOf } from "../archive/sample.ts";
import { searchOf } from "../archive/window.ts";
import { type Answer, type Ask, isSuccess, type JsonObject, recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";
import { findDisorder } from "./order.ts";

const MAX_CALLS = 5;
// Half of a shorter one may well be another one.
const SHORTEST_ID = 6;
type ById = "getMetadataByCallId" | "getMetadataByReference";

const toAsk = (operation: ById, id: string): Ask => ({
  operation,
  path: operation === "getMetadataByCallId" ? { call_id: id } : { ref_id: id },
});

export const byCallId: Check = {
  about: "records by call_id",
  proves: ["call-id.echo", "call-id.finds", "order.newest"],
  run: async ({ run, sample: { window } }) => {
    const ids = pickIds(window?.records ?? [], "call_id");
    await Promise.all(
      ids.map(async (id) => {
        const answer = await run.succeed(toAsk("getMetadataByCallId", id));
        const found = recordsOf(answer);
        const other = found.find((record) => callIdOf(record) !== id);
        run.prove(
          "call-id.echo",
          answer,
          other && `${toName(other)} comes for the call_id ${JSON.stringify(id)}`,
        );
        proveFound(run, "call-id.finds", {
          answer,
          expected: whereField(window?.records, "call_id", id),
        });
        run.prove("order.newest", answer, findDisorder(found));
      }),
    );
  },
};

export const byReference: Check = {
  about: "records by reference",
  proves: ["reference.finds", "reference.only", "order.newest"],
  run: async ({ run, sample: { window } }) => {
    const ids = pickIds(window?.records ?? [], "ref_id");
    const identities = await Promise.all(
      ids.map(async (id) => {
        const answer = await run.succeed(toAsk("getMetadataByReference", id));
        proveFound(run, "reference.finds", {
          answer,
          expected: whereField(window?.records, "ref_id", id),
        });
        run.prove("order.newest", answer, findDisorder(recordsOf(answer)));
        return { answer, identity: toIdentity(recordsOf(answer)) };
      }),
    );
    const [first] = identities;
    if (first === undefined || identities.length < 2) return;
    const isSame = identities.every(({ identity }) => identity === first.identity);
    run.prove(
      "reference.only",
      first.answer,
      unless(!isSame, "every reference gives the same records"),
    );
  },
};

function whereField(records: readonly JsonObject[] = [], field: string, value: string) {
  return records.filter((record) => record[field] === value);
}

function proveFound(
  run: Run,
  id: "call-id.finds" | "reference.finds",
  { answer, expected }: { answer: Answer; expected: readonly JsonObject[] },
): void {
  const [lost] = findMissing(expected, recordsOf(answer));
  run.prove(
    id,
    answer,
    lost && `${toName(lost)} is not given, or reads otherwise than in the search`,
  );
}

/** Identifiers of several records first, then such as a path has to escape, then any. */
function pickIds(records: readonly JsonObject[], field: string): string[] {
  const ids = records.flatMap(({ [field]: id }) =>
    typeof id === "string" && id !== "" ? [id] : [],
  );
  const several = ids.filter((id, index) => ids.indexOf(id) !== index);
  const escaped = ids.filter((id) => encodeURIComponent(id) !== id);
  const spread = [ids[0], ids[ids.length >> 1], ids.at(-1)].filter((id) => id !== undefined);
  const quoted = ids.filter((id) => id.includes("'"));
  const picked = [
    ...several.slice(0, 2),
    ...quoted.slice(0, 1),
    ...escaped.slice(0, 2),
    ...spread,
    ...ids,
  ];
  return [...new Set(picked)].slice(0, MAX_CALLS);
}

/** The first half of an identifier, when it is none itself. */
function listHalves(records: readonly JsonObject[], field: string): readonly string[] {
  const ids = new Set(records.map((record) => record[field]));
  const id = pickIds(records, field).find(({ length }) => length >= SHORTEST_ID) ?? "";
  const half = id.slice(0, Math.ceil(id.length / 2));
  return half === "" || ids.has(half) ? [] : [half];
}

export const partsOfIds: Check = {
  about: "parts of identifiers",
  proves: ["call-id.echo", "identifier.nothing"],
  run: async ({ run, sample: { window } }) => {
    const records = window?.records ?? [];
    for (const half of listHalves(records, "call_id")) {
      const answer = await run.ask(toAsk("getMetadataByCallId", half));
      const other = recordsOf(answer).find((record) => callIdOf(record) !== half);
      run.prove(
        "call-id.echo",
        answer,
        other && `${toName(other)} comes for the call_id ${JSON.stringify(half)}`,
      );
    }
    for (const half of listHalves(records, "ref_id")) {
      const answer = await run.ask(toAsk("getMetadataByReference", `${half}%`));
      const [found] = recordsOf(answer);
      run.prove(
        "identifier.nothing",
        answer,
        found && `${toName(found)} comes for ${JSON.stringify(`${half}%`)}`,
      );
    }
  },
};

export const unknownIds: Check = {
  about: "identifiers that cannot exist",
  proves: ["identifier.nothing", "identifier.unknown", "chat.unknown"],
  run: async ({ run }) => {
    const asks: readonly Ask[] = [
      toAsk("getMetadataByCallId", impossible()),
      toAsk("getMetadataByReference", impossible()),
      { operation: "getChatByCallId", path: { call_id: impossible() } },
    ];
    for (const ask of asks) {
      const answer = await run.ask(ask);
      const { operation } = ask;
      const isEmpty = recordsOf(answer).length === 0;
      const fault = unless(answer.status === 200 && isEmpty, `the answer is ${answer.status}`);
      run.prove(
        operation === "getChatByCallId" ? "chat.unknown" : "identifier.unknown",
        answer,
        fault,
      );
      if (operation !== "getChatByCallId")
        run.prove(
          "identifier.nothing",
          answer,
          unless(isEmpty, "an identifier that cannot exist gives records"),
        );
      run.observe({
        decision: "D15",
        question: `How is an unknown identifier answered? (${operation})`,
        observed: `${answer.status}${isSuccess(answer) && isEmpty ? " and empty" : ""}`,
        value: answer.status,
        agrees: answer.status === 200 && isEmpty,
      });
    }
  },
};

export const readTwice: Check = {
  about: "reading twice",
  proves: ["read.same"],
  run: async ({ run, sample: { window } }) => {
    const asks: readonly Ask[] = [
      ...(window === undefined ? [] : [searchOf(window.search, window.base)]),
      { operation: "listUsers", query: { status: "all" } },
      { operation: "listPublicFlags" },
    ];
    for (const ask of asks) {
      const before = await run.recall(ask);
      const again = await run.ask(ask);
      const isSame = toSet(recordsOf(before)) === toSet(recordsOf(again));
      run.prove("read.same", again, unless(isSame, "the second answer has other records"));
    }
  },
};

// One drift in each field that the document defines for a success: lost, renamed, null, or of another type in one place.
import { isObject } from "@call-media/contract-diff";
import { type Field, listFields } from "../coverage.ts";
import type { ApiDocument } from "../document/document.ts";
import type { ApiFinding, DriftShare } from "../report.ts";
import { type FieldDrift, fieldDrifts } from "./field-drifts.ts";
import { type Scene, withJson } from "./drifts.ts";
import { type Replay, toDriftShare } from "./reach.ts";
import type { Taped } from "./tape.ts";

interface Placed {
  readonly field: Field;
  /** Its id. */
  readonly operation: string;
}

interface Drifting {
  /** Operation and place. */
  readonly name: string;
  readonly operation: string;
  readonly steps: readonly string[];
  readonly drift: FieldDrift;
}

/** Each replay changes a third of the fields at one depth, since a change hides the fields below it. */
const TURNS = 3;

export async function driftFields(document: ApiDocument, replay: Replay): Promise<DriftShare> {
  const all = [...document.operations.values()].flatMap((operation) => {
    const fields = [...listFields(document, operation)].map(
      (field) => [field.name, field] as const,
    );
    return [...new Map(fields).values()].map((field) => ({ field, operation: operation.id }));
  });
  const drifting = all.flatMap(toDrifting);
  const [reached, seen] = [new Set<string>(), new Set<string>()];
  const play = async (fields: readonly Drifting[], turns: number): Promise<void> => {
    const rounds = Map.groupBy(fields.entries(), ([index, { steps }]) =>
      [steps.length, index % turns].join(" "),
    );
    for (const round of rounds.values()) {
      const changing = round.map(([, one]) => one);
      const findings = await replay((scene) => changeFields(scene, changing, reached));
      for (const one of changing)
        if (findings.some((found) => isAbout(found, one))) seen.add(one.name);
    }
  };
  // A request that uses a key was not repeated if that key was changed in the same replay.
  for (let left = drifting, before = Infinity; left.length < before;) {
    before = left.length;
    await play(left, left === drifting ? TURNS : 1);
    left = drifting.filter(({ name }) => !reached.has(name));
  }
  return toDriftShare(
    all.map(({ field }) => field.name),
    { reached, seen },
  );
}

/** The response with these fields of its operation changed; undefined if it has none of them. */
function changeFields(
  scene: Scene,
  fields: readonly Drifting[],
  reached: Set<string>,
): Taped | undefined {
  const { operation, request, json, taped } = scene;
  if (taped.status >= 300 || request.method !== operation?.method) return undefined;
  let changed = json;
  for (const { name, steps, drift } of fields.filter((one) => one.operation === operation.id)) {
    const other = changeAt(changed, steps, drift.change);
    if (other === undefined) continue;
    reached.add(name);
    changed = other;
  }
  return changed === json ? undefined : withJson(scene, changed);
}

/** Empty if the field permits any value, or none. */
function toDrifting(
  { field: { name, view, isRequired }, operation }: Placed,
  index: number,
): Drifting[] {
  const steps = name.slice(operation.length + 1).split("/");
  const drifting = { name: steps.at(-1) ?? "", types: view.types, isRequired };
  const { lost, renamed, retyped, null: nulled } = fieldDrifts;
  const possible = [lost, renamed, retyped, nulled].flatMap((kind) => kind(drifting) ?? []);
  const drift = possible[index % possible.length];
  return drift === undefined ? [] : [{ name, operation, steps, drift }];
}

/** Other findings may be about another field that was changed in the same replay. */
function isAbout({ operation, fault }: ApiFinding, { operation: at, steps }: Drifting): boolean {
  const [name = ""] = steps.slice(-1);
  const words: readonly string[] = fault.match(/[\w$-]+/g) ?? [];
  const isWord = /^[\w$-]+$/.test(name);
  return operation === at && (isWord ? words.includes(name) : fault.includes(name));
}

/** The value with one inner object changed: the first that has the field of the last step. Undefined if none has it. */
function changeAt(
  value: unknown,
  [step = "", ...rest]: readonly string[],
  change: FieldDrift["change"],
): unknown {
  if (step === "*") {
    if (!Array.isArray(value)) return undefined;
    const middle = value.length >> 1;
    for (const index of [middle, ...value.keys()]) {
      const changed = changeAt(value[index], rest, change);
      if (changed !== undefined) return value.with(index, changed);
    }
    return undefined;
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
  if (rest.length === 0) return change(value);
  const inner = changeAt(value[step], rest, change);
  return inner === undefined ? undefined : { ...value, [step]: inner };
}

// Finds one thing of the first caller that the second one must not see, or may see.
import { type Answer, SAFE_METHODS } from "../ask.ts";
import type { Operation, Parameter } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { sourceOf } from "../values/candidates.ts";
import { withKey } from "../values/fields.ts";
import { findList, rowsOf } from "../values/lists.ts";
import { at } from "../values/places.ts";
import type { Cover } from "./covers.ts";
import { shows, takesKey } from "./hidden-key.ts";

export interface Sought {
  readonly operation: Operation;
  readonly parameter: Parameter;
  /** All rules of rights at the operation, in the order of the file. */
  readonly covers: readonly Cover[];
  /** The rule that hides the thing, while all rules before it permit it. If left out, all rules permit it. */
  readonly hiddenBy?: RuleOf<"perCaller">;
}

export interface Thing {
  readonly key: unknown;
  /** The response to the first caller. */
  readonly mine: Answer;
}

/** Maximum number of keys that are not known to exist. Each costs one or two requests. */
const MAX_GUESSES = 3;

export async function findThing(run: Run, sought: Sought): Promise<Thing | undefined> {
  const { operation, parameter, covers, hiddenBy } = sought;
  const asked = hiddenBy
    ? covers.slice(0, covers.findIndex(({ rule }) => rule === hiddenBy) + 1)
    : covers;
  const list = sourceOf(run, operation, parameter.name)?.operation ?? "";
  /** All rows of a thing must agree. */
  const isFit = (cover: Cover, rows: readonly unknown[], shownBy: string) => {
    const isCovered = cover.toTest(shownBy);
    return rows.length > 0 && rows.every((row) => isCovered(row) === (cover.rule !== hiddenBy));
  };
  const known = (run.found.paths.get(operation.id) ?? []).map((path) => path[parameter.name]);
  let guesses = 0;
  for (const [key, rows] of await listThings(run, known, sought)) {
    const told = rows.length === 0 ? [] : asked.filter((cover) => cover.isShownBy(list));
    if (!told.every((cover) => isFit(cover, rows, list))) continue;
    if (!known.includes(key)) guesses += 1;
    if (guesses > MAX_GUESSES) break;
    const mine = await run.ask(withKey({ operation: operation.id }, parameter, key));
    let isSure = shows(run, mine);
    for (const cover of asked) {
      if (!isSure) break;
      // The list may lack some rows of the thing.
      const teller = tellerOf(run, cover, sought);
      const answer = teller && (await run.ask(withKey({ operation: teller.id }, parameter, key)));
      isSure = answer
        ? isFit(cover, toRows(run, answer), answer.operation.id)
        : told.includes(cover);
    }
    if (isSure) return { key, mine };
  }
  return undefined;
}

/** The keys known to exist, then all keys of the source list, each with its rows. */
async function listThings(
  run: Run,
  known: readonly unknown[],
  { operation, parameter: { name } }: Sought,
) {
  const { operation: source = "", place = "" } = sourceOf(run, operation, name) ?? {};
  const list = run.listInfo(source) && (await findList(run, source));
  const things = Map.groupBy(list?.rows ?? [], (row) => at(row, place));
  const keys = [...new Set([...known, ...things.keys()])];
  return keys
    .filter((key) => key !== undefined && key !== null && key !== "")
    .map((key) => [key, things.get(key) ?? []] as const);
}

/** The operation that shows, by the same key, the fields that a cover needs: this one, or the first that does. */
function tellerOf(
  run: Run,
  { isShownBy }: Cover,
  { operation, parameter }: Sought,
): Operation | undefined {
  return [operation, ...run.document.operations.values()].find(
    (one) => SAFE_METHODS.has(one.method) && takesKey(one, parameter) && isShownBy(one.id),
  );
}

const toRows = (run: Run, answer: Answer): readonly unknown[] =>
  run.listInfo(answer.operation.id) === undefined ? [answer.json] : rowsOf(run, answer);

// The verdict on recorded traffic, which is kept only if something was judged, and the list of clauses that need requests.
import type { ApiCheck } from "../check.ts";
import type { ApiDocument } from "../document/document.ts";
import { toRequirement } from "../findings/collect.ts";
import { laws } from "../laws/all.ts";
import type { Opened } from "../open-run.ts";
import { listCells } from "../plan/cells.ts";
import type { ApiReport, TrafficShare, UnseenOperation } from "../report.ts";

const NEEDS_REQUESTS = "needs requests";
const NOT_SHOWN = "no recorded exchange could have refuted it";

/** Names what recorded responses cannot show of the operations that were seen at work. */
export function skipRest(
  { run, collector, instance, isAsked }: Opened,
  { document, relations, options = {} }: Pick<ApiCheck, "document" | "relations" | "options">,
): void {
  const { without, only } = options;
  for (const cell of listCells(document, relations, { without, only, instance })) {
    const { law, clauses, rule, operation } = cell;
    const isSeen = run.succeeded.has(operation.id) && isAsked(operation.id);
    // A recorded success is all that it asks for.
    if (!isSeen || law === "success") continue;
    const { ofOne = [], ofTwo = [] } = rule === undefined ? {} : laws[rule.kind];
    const shown = new Set([...ofOne, ...ofTwo]);
    for (const clause of clauses) {
      const why = shown.has(clause) ? NOT_SHOWN : NEEDS_REQUESTS;
      collector.skip({ requirement: toRequirement(clause, rule), operation: operation.id }, why);
    }
  }
}

interface Summed {
  readonly traffic: TrafficShare;
  /** Why the recording was not read to its end. */
  readonly reason: string | undefined;
  readonly bases: readonly string[];
  readonly document: ApiDocument;
}

export function toTrafficVerdict(opened: Opened, summed: Summed) {
  const { run, collector } = opened;
  const { traffic } = summed;
  const collected = collector.toCollected();
  const reason = summed.reason ?? findReason(opened, summed);
  const operations = { seen: run.succeeded.size, of: summed.document.operations.size };
  const verdict: ApiReport["verdict"] =
    collected.findings.length > 0 ? "drift" : reason === undefined ? "kept" : "unable";
  return {
    verdict,
    ...(reason !== undefined && { reason }),
    headline: `Kept: ${collected.kept.length} clauses at ${operations.seen} of ${operations.of} operations, in ${traffic.judged} of ${traffic.exchanges} recorded exchanges. Not checked: ${collected.skipped.length}.`,
    ...collected,
    unseen: [...listUnseen(opened, summed)],
    operations,
  };
}

function findReason({ run }: Opened, { traffic, bases }: Summed): string | undefined {
  if (bases.length === 0)
    return "the servers of the document name no host: pass the base URL of the service";
  const { exchanges, judged, withoutBody, leftOut } = traffic;
  const others = leftOut.map(
    ({ why, count, examples }) => `${count} ${why} (${examples.join(", ")})`,
  );
  const told = others.length === 0 ? "" : `. Left out: ${others.join("; ")}`;
  if (judged === 0)
    return `none of ${exchanges} recorded exchanges is of an operation of the document at ${bases.join(", ")}${told}`;
  if (run.succeeded.size === 0)
    return `none of ${judged} recorded responses of the document's operations is a success`;
  return judged === withoutBody ? "no recorded response has its complete body" : undefined;
}

function* listUnseen({ run, isAsked }: Opened, { document }: Summed): Generator<UnseenOperation> {
  for (const id of document.operations.keys())
    if (!run.succeeded.has(id))
      yield {
        operation: id,
        why: isAsked(id) ? "the recording has no success of it" : "left out",
        isExcused: true,
      };
}

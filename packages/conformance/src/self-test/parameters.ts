// Each query parameter of a GET is ignored once: its response is replaced by the run's response to the request without it.
import type { ApiDocument } from "../document/document.ts";
import type { DriftShare } from "../report.ts";
import type { Scene } from "./drifts.ts";
import { type Replay, toDriftShare } from "./reach.ts";
import type { Taped } from "./tape.ts";

export async function driftParameters(
  { operations }: ApiDocument,
  replay: Replay,
): Promise<DriftShare> {
  const all = [...operations.values()]
    .filter(({ method }) => method === "GET")
    .flatMap(({ id, parameters }) =>
      parameters
        .filter((one) => one.in === "query")
        .map(({ name }, turn) => ({ name: `${id} ${name}`, operation: id, parameter: name, turn })),
    );
  const [reached, seen] = [new Set<string>(), new Set<string>()];
  // Each replay ignores one parameter of each operation.
  for (const round of Map.groupBy(all, ({ turn }) => turn).values()) {
    const byOperation = new Map(round.map((one) => [one.operation, one]));
    const findings = await replay((scene) => {
      const one = byOperation.get(scene.operation?.id ?? "");
      const other = one && ignore(scene, one.parameter);
      if (one !== undefined && other !== undefined) reached.add(one.name);
      return other;
    });
    for (const { operation, name } of round)
      if (findings.some((finding) => finding.operation === operation)) seen.add(name);
  }
  return toDriftShare(
    all.map(({ name }) => name),
    { reached, seen },
  );
}

/** If the run never left the parameter out, all values get the response of the first one. Undefined if that changes nothing. */
function ignore({ request, url, taped, who, another }: Scene, name: string): Taped | undefined {
  if (request.method !== "GET" || taped.status !== 200 || who !== "first") return undefined;
  if (!url.searchParams.has(name)) return undefined;
  const wanted = without(url, name);
  const isLike = (other: URL) => without(other, name) === wanted;
  const found =
    another((other) => !other.searchParams.has(name) && isLike(other)) ?? another(isLike);
  return found === undefined || Buffer.compare(found.bytes, taped.bytes) === 0 ? undefined : found;
}

function without({ pathname, searchParams }: URL, name: string): string {
  const others = [...searchParams].filter(([key]) => key !== name);
  return JSON.stringify([pathname, others.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
}

// What a service refuses: invalid input, other methods, unknown paths.
import type { OperationId } from "@call-media/api";
import { isObject } from "@call-media/contract-diff";
import type { Answer, Ask } from "../../ask.ts";
import { routeOf } from "../answer.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import { ALL, STREAMS, WITH_TOKEN } from "../requirements/requirement.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import { type BadInput, listBadInput } from "./bad-input.ts";
import { type Check, toRightAsk } from "./check.ts";

const BAD_INPUT = [
  "refused.query",
  "refused.body",
  "refused.identifier",
  "refused.accept",
  "refused.media-type",
  "refused.size",
  "page.refused",
  "range.refused",
  "recording.refused",
  "filter.unknown-key",
  "filter.empty",
] as const satisfies readonly RequirementId[];

const QUESTIONS: Partial<Record<RequirementId, string>> = {
  "refused.query": "How is a query answered that is not allowed?",
  "refused.body": "How is a body answered that is not allowed?",
  "refused.identifier": "How is an identifier answered that cannot be read?",
  "refused.accept": "How is a request answered that accepts no form of the answer?",
  "refused.media-type": "How is a body answered that is not declared as JSON?",
  "refused.size": "How is a body answered that is far too large?",
  "filter.unknown-key": "How is an unknown filter key answered?",
  "filter.empty": "How is an empty filter answered?",
};

export const badInput: Check = {
  about: "bad input",
  proves: [...BAD_INPUT, "error.names-field"],
  cost: 160,
  run: async ({ run, sample }) => {
    const isRecorded = sample.recordings.some(
      ({ record }) => typeof record?.["ref_id"] === "string",
    );
    const cases = ALL.flatMap((operation) =>
      listBadInput(operation, toRightAsk(run, operation, sample)),
    ).filter(({ ask, id }) => isRecorded || !(id === "refused.accept" && isStream(ask.operation)));
    const statuses = new Map<RequirementId, Map<number, number>>();
    await Promise.all(
      cases.map(async (bad) => {
        const answer = await run.ask(bad.ask);
        prove(run, bad, answer);
        const seen = statuses.get(bad.id) ?? new Map<number, number>();
        statuses.set(bad.id, seen.set(answer.status, bad.status));
      }),
    );
    for (const [id, seen] of statuses) observe(run, id, seen);
  },
};

/** The acceptable types of a stream are those of its recording, so a recording must exist. */
function isStream(operation: string): boolean {
  return STREAMS.some((stream) => stream === operation);
}

function prove(run: Run, { id, status, what, names }: BadInput, answer: Answer): void {
  const isRight = answer.status === status;
  const fault = `${what} is answered ${answer.status}, not ${status}`;
  run.prove(id, answer, isRight ? undefined : { at: what, fault });
  const message = isObject(answer.json) ? String(answer.json["errorMessage"]) : "";
  if (isRight && names !== undefined)
    run.prove(
      "error.names-field",
      answer,
      message.includes(names)
        ? undefined
        : { at: what, fault: `${what}: ${JSON.stringify(message)} does not name ${names}` },
    );
}

function observe(run: Run, id: RequirementId, seen: ReadonlyMap<number, number>): void {
  const question = QUESTIONS[id];
  if (question === undefined) return;
  const statuses = [...seen.keys()].toSorted((a, b) => a - b);
  run.observe({
    decision: id.startsWith("filter.") ? "D11" : "D12",
    question,
    observed: statuses.join(", "),
    value: statuses,
    agrees: [...seen].every(([status, ours]) => status === ours),
  });
}

/** An empty filter by custom fields matches the complete range (D11). */
export const emptyFilter: Check = {
  about: "an empty filter by custom fields",
  proves: ["filter.empty"],
  cost: 1,
  run: async ({ run, sample }) => {
    const answer = await run.recall({
      ...toRightAsk(run, "searchMetadataByCustomFields", sample),
      body: {},
    });
    run.prove(
      "filter.empty",
      answer,
      unless(answer.status === 200, `the answer is ${answer.status}`),
    );
    run.observe({
      decision: "D11",
      question: "How is an empty filter by custom fields answered?",
      observed: String(answer.status),
      value: answer.status,
      agrees: answer.status === 200,
    });
  },
};

export const otherMethods: Check = {
  about: "other methods and paths",
  proves: ["refused.method", "refused.path"],
  cost: 18,
  run: async ({ run, sample, isAsked }) => {
    const shown = isAsked(USUAL) ? USUAL : (WITH_TOKEN.find(isAsked) ?? USUAL);
    const answers = await Promise.all([
      ...ALL.map((operation) => proveMethod(run, toRightAsk(run, operation, sample))),
      ...["/no-such-path", "/flags", "/metadata/by-call-id/a/b"].map((path) =>
        provePath(run, shown, path),
      ),
    ]);
    const statuses = [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);
    run.observe({
      decision: "D12",
      question: "How are another method and an unknown path answered?",
      observed: statuses.join(", "),
      value: statuses,
      agrees: statuses.join() === "404,405",
    });
  },
};

export const headAndOptions: Check = {
  about: "HEAD and OPTIONS",
  proves: ["read.head", "read.options"],
  cost: 3,
  run: async ({ run }) => {
    const operation = "listPublicFlags";
    const whole = await run.recall({ operation });
    const head = await run.ask({ operation, method: "HEAD" });
    const isSame = head.headers.get("Content-Type") === whole.headers.get("Content-Type");
    const isHead = head.status === 200 && head.size === 0 && isSame;
    run.prove("read.head", head, unless(isHead, `HEAD is answered ${head.status}`));
    const options = await run.ask({ operation, method: "OPTIONS" });
    const allowed = (options.headers.get("Allow") ?? "").split(/\s*,\s*/);
    const isTold = options.status === 204 && allowed.includes("GET");
    run.prove(
      "read.options",
      options,
      unless(isTold, `OPTIONS is answered ${options.status}, Allow is ${allowed.join(", ")}`),
    );
  },
};

/** No path supports it. If one did, the method would only read (RFC 4918, 9.1). */
const OTHER_METHOD = "PROPFIND";

async function proveMethod(run: Run, { body: _body, ...ask }: Ask): Promise<Answer> {
  const answer = await run.ask({ ...ask, method: OTHER_METHOD });
  const { status, headers } = answer;
  const allowed = (headers.get("Allow") ?? "").split(/\s*,\s*/);
  const isNamed =
    allowed.includes(routeOf(ask.operation).method) &&
    ![OTHER_METHOD, "PUT", "PATCH", "DELETE"].some((method) => allowed.includes(method));
  const fault =
    status === 405 ? `Allow is ${allowed.join(", ") || "missing"}` : `the answer is ${status}`;
  run.prove("refused.method", answer, unless(status === 405 && isNamed, fault));
  return answer;
}

/** The operation at which an unknown path is shown, if it is reported. */
const USUAL: OperationId = "listPublicFlags";

async function provePath(run: Run, operation: OperationId, rawPath: string): Promise<Answer> {
  const answer = await run.ask({ operation, method: "GET", rewrite: () => rawPath });
  const { status } = answer;
  run.prove("refused.path", answer, unless(status === 404, `the answer is ${status}`));
  return answer;
}

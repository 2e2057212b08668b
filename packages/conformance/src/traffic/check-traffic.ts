// Checks recorded traffic of a service against its document and relations. Sends no request.
import { SAFE_METHODS } from "../ask.ts";
import type { ApiCheck } from "../check.ts";
import type { Recorded } from "../http/exchanges.ts";
import { createSecrets } from "../http/secrets.ts";
import type { Two } from "../laws/law.ts";
import { type Opened, openRun, USUAL_LAG_MS } from "../open-run.ts";
import { toBroken } from "../perform.ts";
import type { ApiFinding, ApiOptions, ApiReport } from "../report.ts";
import { type Callers, createCallers } from "./callers.ts";
import { toEntry, type TrafficEntry } from "./entry.ts";
import { isEvident } from "./evident.ts";
import { findEarlyReason, findReason, isFileOfPage } from "./leave-out.ts";
import { createPairJudge, judgeRules } from "./judge-rules.ts";
import { createPairs, type Pairs } from "./pairs.ts";
import { readTraffic, TrafficFault } from "./read.ts";
import { hideSecrets } from "./reveal.ts";
import { createRouter, type Matched, type Router } from "./route.ts";
import { addSecrets, listKeys, listSecrets } from "./sensitive.ts";
import { createTally, type Tally } from "./tally.ts";
import { toRecordedAnswer } from "./to-answer.ts";
import { skipRest, toTrafficVerdict } from "./verdict.ts";

export interface TrafficOptions extends Pick<
  ApiOptions,
  "isStrict" | "isOpen" | "without" | "only" | "signal"
> {
  /** Called after each entry. */
  readonly onEntry?: (entries: number) => void;
}

export interface TrafficCheck extends Pick<ApiCheck, "document" | "relations" | "open"> {
  /** HAR 1.2 (`.har`) or NDJSON (`.ndjson`, `.jsonl`), in the order in which they were recorded. */
  readonly files: readonly string[];
  /** The URL that the paths of the document are relative to; default: the servers of the document. */
  readonly baseUrl?: string;
  readonly options?: TrafficOptions;
}

/**
 * Checks recorded exchanges of a service. Judges what one response shows by itself; what needs requests is listed as not checked.
 *
 * @throws FileFault if a file cannot be opened or is in no known format. A file that breaks off makes the verdict `unable`, unless there is
 * drift.
 */
export async function checkTraffic(check: TrafficCheck): Promise<ApiReport> {
  const startedMs = performance.now();
  const { document, relations, open, files, baseUrl, options = {} } = check;
  const { onEntry, signal, ...judging } = options;
  const { without = [] } = judging;
  const router = createRouter(document, baseUrl);
  const keys = listKeys(document);
  const secrets = createSecretMemory();
  /** Those with a finding are looked up before they are forgotten. */
  const entriesAt = new WeakMap<Recorded, TrafficEntry>();
  const onFinding = ({ recorded }: ApiFinding): void => {
    const entry = recorded && entriesAt.get(recorded);
    if (entry !== undefined) secrets.note(listSecrets(entry, keys), true);
  };
  const opened = openRun(
    {
      document,
      relations,
      open,
      target: { baseUrl: router.bases[0] ?? "", fetch: refuse },
      options: { ...judging, onFinding },
    },
    { seed: "traffic", isReplay: true, recording: { isEvident }, maxRequests: 0 },
  );
  const reader: Reader = {
    opened,
    router,
    tally: createTally(),
    callers: createCallers(document),
    document,
    without,
    pairs: createPairs(relations.consistencyMs ?? USUAL_LAG_MS),
    judgePair: createPairJudge(opened, without),
  };
  let reason: string | undefined;
  let entries = 0;
  for (const file of files) {
    try {
      for await (const read of readTraffic(file)) {
        if (signal?.aborted === true) throw new TrafficFault("the check was stopped");
        const recorded = { file, entry: read.entry };
        const entry = toEntry(read.value);
        if (typeof entry !== "string") {
          entriesAt.set(recorded, entry);
          secrets.note(listSecrets(entry, keys), false);
        }
        takeEntry(reader, recorded, entry);
        entries += 1;
        onEntry?.(entries);
      }
    } catch (error) {
      if (!(error instanceof TrafficFault) || entries === 0) throw error;
      reason ??= error.message;
    }
  }
  for (const both of reader.pairs.end()) reader.judgePair(both);
  skipRest(opened, { document, relations, options: judging });
  const traffic = reader.tally.toShare(reader.callers.count());
  const report: ApiReport = {
    baseUrl: router.bases.join(", "),
    against: opened.instance?.against ?? document.file,
    ...toTrafficVerdict(opened, { traffic, reason, bases: router.bases, document }),
    questions: [],
    profile: {},
    notes: document.notes,
    left: [],
    coverage: opened.toCoverage(),
    traffic,
    requests: 0,
    durationMs: Math.round(performance.now() - startedMs),
  };
  return hideSecrets(report, secrets.all, secrets.isFull());
}

const refuse = (): Promise<Response> => Promise.reject(new Error("recorded traffic sends nothing"));

interface Reader {
  readonly opened: Opened;
  readonly router: Router;
  readonly tally: Tally;
  readonly callers: Callers;
  readonly document: ApiCheck["document"];
  readonly without: readonly string[];
  readonly pairs: Pairs;
  readonly judgePair: (both: Two) => void;
}

/** Judges an entry, or counts why not. `entry`: a text is its fault. */
function takeEntry(reader: Reader, recorded: Recorded, entry: TrafficEntry | string): void {
  const { tally, router } = reader;
  tally.noteExchange();
  const place = `${recorded.file} ${recorded.entry}`;
  if (typeof entry === "string")
    return tally.leaveOut("no recorded exchange", `${place}: ${entry}`);
  const { request, response } = entry;
  const url = URL.parse(request.url);
  const method = request.method.toUpperCase();
  if (url === null || !/^https?:$/.test(url.protocol)) return tally.leaveOut("not of HTTP", place);
  const matched = router.find(method, url);
  if (matched === undefined)
    return tally.leaveOut("other hosts, or outside of the base URL", url.host);
  noteWrite(reader, entry, matched);
  const early = findEarlyReason(entry);
  if (early !== undefined) tally.leaveOut(early, place);
  else if (typeof matched === "string") {
    if (isFileOfPage(entry)) tally.leaveOut("files of pages", place);
    else tally.noteUnknown(method, matched, response.status);
  } else {
    const why = findReason(entry, matched);
    if (why === undefined) {
      const caller = reader.callers.identify(entry, url);
      judge(reader, { entry, matched, url, caller, recorded });
    } else tally.leaveOut(why, place);
  }
}

/** A refused write may have changed something too. */
function noteWrite(
  { opened, pairs }: Reader,
  entry: TrafficEntry,
  matched: Matched | string,
): void {
  const isRead =
    SAFE_METHODS.has(entry.request.method.toUpperCase()) ||
    (typeof matched !== "string" && opened.run.isRead(matched.operation.id));
  const startMs = Date.parse(entry.startedDateTime ?? "");
  if (!isRead) pairs.noteWrite(startMs, startMs + (entry.time ?? Number.NaN));
}

function judge(reader: Reader, exchanged: Parameters<typeof toRecordedAnswer>[2]): void {
  const { opened, tally, document } = reader;
  const { run, collector, instance } = opened;
  const {
    recorded,
    matched: { operation },
  } = exchanged;
  try {
    const answer = toRecordedAnswer(document, opened.toAnswer, exchanged);
    const lacksBody = answer.lacks?.body === true;
    tally.noteJudged(lacksBody);
    if (answer.isSuccess) run.succeeded.add(operation.id);
    if (!lacksBody) run.learn(answer);
    // Requirements do not say which of them are about the body.
    if (instance === undefined || !lacksBody) opened.judge(answer);
    // HEAD is of the operation that GET is of.
    if (answer.ask.method !== undefined) return;
    if (answer.isSuccess && !lacksBody) judgeRules(opened, answer, reader.without);
    if (run.isRead(operation.id)) {
      const startMs = Date.parse(exchanged.entry.startedDateTime ?? "");
      for (const both of reader.pairs.take(answer, startMs)) reader.judgePair(both);
    }
  } catch (error) {
    const clause = { requirement: "answer.schema", operation: operation.id };
    collector.skip(clause, toBroken(error), true);
    tally.leaveOut("could not be judged", `${recorded.file} ${recorded.entry}`);
  }
}

/** Each further secret makes the report slower to write. */
const MAX_SECRETS = 500;

/** Remembers the first secrets of a recording, and all of those that stand in an exchange with a finding. */
function createSecretMemory() {
  const all = createSecrets();
  const known = new Set<string>();
  let isFull = false;
  return {
    all,
    isFull: () => isFull,
    note: (found: ReturnType<typeof listSecrets>, isNeeded: boolean): void => {
      for (const secret of found) {
        const [value] = secret;
        if (known.has(value)) continue;
        if (!isNeeded && known.size >= MAX_SECRETS) isFull = true;
        else {
          known.add(value);
          addSecrets(all, [secret]);
        }
      }
    },
  };
}

// Shows administrators who looked at a call, listened to it, saved it or handed it over, and the purpose (D40).
import { useEffect, useMemo } from "preact/hooks";
import type { Access } from "../access.ts";
import { type AccessWords, accessWords } from "../text/access-words.ts";
import { callWords } from "../text/call-words.ts";
import { showSeconds, toShown, zone } from "../time.ts";
import { copy } from "../ui/copy.ts";
import { FaultNotice } from "../ui/fault-notice.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { createAccesses } from "./accesses.ts";
import { type Act, type Heard, isWhole, type Kind, toActs, toPeople } from "./acts.ts";
import "../style/access.css";

export { AccessTabs } from "./access-tabs.tsx";

interface AccessPanelProps {
  readonly access: Access;
  readonly callId: string;
  /** The recordings of the call: the number of one of several is named. */
  readonly parts: number;
}

export function AccessPanel({ access, callId, parts }: AccessPanelProps) {
  const w = accessWords();
  const accesses = useMemo(() => createAccesses(access, callId), [access, callId]);
  useEffect(() => {
    void accesses.readOn();
    return accesses.dispose;
  }, [accesses]);
  const { value: rows } = accesses.rows;
  const { value: fault } = accesses.fault;
  const acts = useMemo(() => toActs(rows ?? []), [rows]);
  return (
    <div class="access">
      {fault !== undefined && <FaultNotice fault={fault} onRetry={() => void accesses.readOn()} />}
      {rows === undefined && fault === undefined && <p role="status">{callWords().loading}</p>}
      {rows?.length === 0 && <p class="quiet">{w.nobody}</p>}
      {acts.length > 0 && (
        <>
          <People acts={acts} />
          <button
            type="button"
            class="button quiet"
            onClick={() => void copy(toTable(acts, parts), w.copied)}
          >
            <Icon name="copy" />
            {w.copy}
          </button>
          <Acts acts={acts} parts={parts} />
        </>
      )}
      {accesses.next.value !== null && (
        <button
          type="button"
          class="button"
          disabled={accesses.isBusy.value}
          onClick={() => void accesses.readOn()}
        >
          {w.older}
        </button>
      )}
      {rows !== undefined && <Lists accesses={accesses} parts={parts} />}
      <p class="quiet">{w.note}</p>
    </div>
  );
}

function People({ acts }: { readonly acts: readonly Act[] }) {
  const w = accessWords();
  return (
    <ul class="people" aria-label={w.people}>
      {[...toPeople(acts)].map(([user, done]) => (
        <li key={user}>
          <bdi>{user}</bdi>
          <small>
            {[...done]
              .map(([kind, count]) => `${w.kinds[kind]}${count > 1 ? ` ${w.times(count)}` : ""}`)
              .join(", ")}
          </small>
        </li>
      ))}
    </ul>
  );
}

const ICONS: Readonly<Record<Kind, IconName>> = {
  handedOver: "on",
  saved: "save",
  listened: "volume",
  drawn: "skip",
  looked: "eye",
  listed: "search",
  asked: "search",
  refused: "alert",
  access: "eye",
  command: "user",
  altered: "alert",
};

interface ActsProps {
  readonly acts: readonly Act[];
  readonly parts: number;
}

function Acts({ acts, parts }: ActsProps) {
  const w = accessWords();
  const [first] = acts;
  const mark = toShown(first?.time ?? "", zone.value)?.mark;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">
            {w.time} {mark !== undefined && `(${mark})`}
          </th>
          <th scope="col">{w.who}</th>
          <th scope="col">{w.what}</th>
          <th scope="col">{w.by}</th>
        </tr>
      </thead>
      <tbody>
        {acts.map((act) => (
          <tr key={act.seq} class={act.kind === "altered" ? "bad" : undefined}>
            <td class="number">{showTime(act)}</td>
            <td>
              <bdi>{act.user}</bdi>
            </td>
            <td>
              <span class="did">
                <Icon name={ICONS[act.kind]} />
                <span>
                  {toTitle(act, w)}
                  <small>{toDetails(act, parts).join("; ")}</small>
                </span>
              </span>
            </td>
            <td class="quiet">{act.by !== undefined && w.bys[act.by]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Lists({
  accesses,
  parts,
}: Pick<ActsProps, "parts"> & { readonly accesses: ReturnType<typeof createAccesses> }) {
  const w = accessWords();
  const { value: found } = accesses.lists;
  if (found === undefined)
    return (
      <p>
        <button
          type="button"
          class="plain-link"
          disabled={accesses.isBusy.value}
          onClick={() => void accesses.readLists()}
        >
          {w.showLists}
        </button>
      </p>
    );
  const { lists = 0, since = "", rows } = found;
  const day = toShown(since, zone.value)?.date ?? since;
  return (
    <>
      <p role="status">
        {lists === 0 ? w.noLists(day) : w.lists(lists, day)}
        {lists > rows.length && ` ${w.newest(rows.length)}`}
      </p>
      {lists > 0 && <Acts acts={rows.flatMap((row) => toActs([row]))} parts={parts} />}
    </>
  );
}

function showTime({ time }: Act): string {
  const shown = toShown(time ?? "", zone.value);
  return shown === undefined ? (time ?? "") : `${shown.date} ${shown.exact}`;
}

/** A sentence begins with a capital letter. */
function toTitle({ kind, operation }: Act, w: AccessWords): string {
  const title = w.kinds[kind];
  const begun = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  return kind === "command" && operation !== undefined ? `${begun}: ${operation}` : begun;
}

function toDetails(act: Act, parts: number): readonly string[] {
  const w = accessWords();
  const { kind, seq, status = 403, shown, heard, isDrawn, purpose } = act;
  if (kind === "altered") return [w.alteredHint(seq)];
  if (kind === "refused") return [status === 403 ? w.mayNot : w.notAnswered(status)];
  return [
    ...(shown.size > 0 ? [[...shown].map((one) => w.shown[one]).join(", ")] : []),
    ...heard.map((one) => toPlace(one, parts)),
    ...(isDrawn ? [w.drawn] : []),
    ...(purpose === undefined ? [] : [w.purpose(purpose)]),
  ];
}

const MOST_SPANS = 3;

function toPlace(heard: Heard, parts: number): string {
  const w = accessWords();
  const { part, seconds, spans } = heard;
  if (part === undefined) return w.gone;
  const share = Math.round(100 * spans.reduce((sum, { from, to }) => sum + to - from, 0));
  const places = isWhole(heard)
    ? w.whole
    : seconds === undefined || spans.length > MOST_SPANS
      ? w.share(share)
      : spans.map((span) => toTimes(span, seconds)).join(", ");
  return parts > 1 ? `${w.recording(part)}: ${places}` : places;
}

function toTimes({ from, to }: Heard["spans"][number], seconds: number): string {
  const w = accessWords();
  const [start, end] = [from * seconds, to * seconds].map(showSeconds);
  return Math.floor(from * seconds) === 0
    ? w.fromStart(end ?? "")
    : w.fromTo(start ?? "", end ?? "");
}

/** Lines of cells with tabs between them, as spreadsheets paste them; a cell that begins as a formula stays a text. */
function toTable(acts: readonly Act[], parts: number): string {
  const w = accessWords();
  const toCell = (cell: string) => cell.replaceAll(/[\t\r\n]+/g, " ").replace(/^(?=[=+\-@])/, "'");
  const lines = acts.map((act) => [
    act.time ?? "",
    act.user,
    [toTitle(act, w), ...toDetails(act, parts)].join("; "),
    act.by === undefined ? "" : w.bys[act.by],
  ]);
  return [[w.time, w.who, w.what, w.by], ...lines]
    .map((cells) => cells.map(toCell).join("\t"))
    .join("\n");
}

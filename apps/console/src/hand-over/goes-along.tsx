// The table of what goes along and what does not, by kind. Asked for, found and recorded at all are three things.
import type { CallRecord } from "@call-media/client";
import { FAILURES, type FileKind } from "@call-media/handover";
import type { ComponentChildren } from "preact";
import { replace } from "../address.ts";
import { type HandOverRoute, writeRoute } from "../route.ts";
import { toRecordRoute } from "../search/open-call.ts";
import { toSelectors } from "../search/to-hand-over.ts";
import { showBytes, showNumber } from "../text/text.ts";
import { toShown, zone } from "../time.ts";
import { choose } from "./choices.ts";
import type { Handing, Ready } from "./handing.ts";
import type { Lacking } from "./listing.ts";
import { words } from "./words.ts";

export interface PreparingProps {
  readonly route: HandOverRoute;
  readonly handing: Handing;
  readonly ready: Ready;
}

export function GoesAlong(props: PreparingProps) {
  const { handing, ready } = props;
  const w = words();
  const { listing } = ready;
  const texts = listing.records.filter(({ raw }) => (raw.transcript ?? "") !== "").length;
  return (
    <section aria-labelledby="along">
      <h2 id="along">{w.goesAlong}</h2>
      <table class="kinds">
        <thead>
          <tr>
            <td />
            <th scope="col">{w.along}</th>
            <th scope="col">{w.lacks}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{w.callsRow}</th>
            <td>
              {w.found.calls(listing.calls)}
              {listing.calls !== listing.records.length &&
                `, ${w.found.legs(listing.records.length)}`}
            </td>
            <td>
              <CallsLack {...props} />
            </td>
          </tr>
          <KindRow
            handing={handing}
            kind="recordings"
            along={`${showNumber(ready.weighed.count)}, ${showBytes(ready.weighed.bytes)}`}
          >
            <RecordingsLack {...props} />
          </KindRow>
          <KindRow handing={handing} kind="transcripts" along={w.withText(texts)}>
            <span class="quiet">{w.chatsLater}</span>
          </KindRow>
        </tbody>
      </table>
    </section>
  );
}

interface KindRowProps {
  readonly handing: Handing;
  readonly kind: FileKind;
  readonly along: string;
  readonly children: ComponentChildren;
}

/** A kind of files, which may be left out. */
function KindRow({ handing, kind, along, children }: KindRowProps) {
  const w = words();
  const { value: choices } = handing.choices;
  const isChosen = choices.files.includes(kind);
  return (
    <tr>
      <th scope="row">
        <label class="check">
          <input
            type="checkbox"
            checked={isChosen}
            onChange={({ currentTarget: { checked } }) =>
              (handing.choices.value = choose(choices, kind, checked))
            }
          />
          {w[kind]}
        </label>
      </th>
      <td>{isChosen ? along : w.leftOutKind}</td>
      <td>
        {!isChosen && choices.redact.length > 0 ? (
          <span class="quiet">{w.leftOutForMasks}</span>
        ) : (
          children
        )}
      </td>
    </tr>
  );
}

function CallsLack({ route, ready: { listing } }: PreparingProps) {
  const w = words();
  const { listed, ids, leftOut } = listing;
  const missing = ids?.missing ?? [];
  const unmatched = listed.excluded - leftOut.legs;
  return (
    <>
      {missing.length > 0 && <p class="is-bad">{w.notFound(ids?.asked ?? 0, missing)}</p>}
      {listed.verdict === "drifted" && <p class="is-bad">{w.drifted}</p>}
      {leftOut.calls.length > 0 && <p>{w.leftOut(leftOut.calls, leftOut.legs)}</p>}
      {route.picked.length === 0 && unmatched > 0 && (
        <p class="quiet">{w.notMatching(unmatched)}</p>
      )}
      {missing.length === 0 && listed.verdict !== "drifted" && (
        <p class="quiet">
          {listed.announced === null
            ? w.unannounced(listed.came)
            : w.nothingMissing(listed.announced, listed.came)}
        </p>
      )}
    </>
  );
}

function RecordingsLack({ route, ready }: PreparingProps) {
  const w = words();
  const { written, unanswered, others } = ready.listing.unrecorded;
  const none = written + unanswered + others;
  const reasons = [
    written > 0 && w.written(written),
    unanswered > 0 && w.unanswered(unanswered),
    others > 0 && w.talked(others),
  ].filter((reason) => reason !== false);
  return (
    <>
      {FAILURES.map((status) => {
        const own = ready.weighed.lacking.filter((one) => one.status === status);
        return (
          own.length > 0 && <LackingLine key={status} route={route} own={own} status={status} />
        );
      })}
      {none > 0 && (
        <p class="quiet">
          {w.unrecorded(none)}: {reasons.join(", ")}
        </p>
      )}
    </>
  );
}

const MOST_NAMED = 5;

interface LackingLineProps {
  readonly route: HandOverRoute;
  readonly own: readonly Lacking[];
  readonly status: (typeof FAILURES)[number];
}

function LackingLine({ route, own, status }: LackingLineProps) {
  const w = words();
  return (
    <p>
      <span class="is-bad">{w.lacking[status](own.length)}</span> (
      {own.slice(0, MOST_NAMED).map(({ record }, index) => (
        <>
          {index > 0 && ", "}
          <CallLink key={index} record={record} />
        </>
      ))}
      {own.length > MOST_NAMED && ` ${w.andMore(own.length - MOST_NAMED)}`}){" "}
      <LeaveOut route={route} records={own.map(({ record }) => record)} />
    </p>
  );
}

export function CallLink({ record }: { readonly record: CallRecord }) {
  const to = toRecordRoute(record, "");
  const shown = toShown(record.datetime ?? "", zone.value);
  const name =
    shown === undefined ? (record.call_id ?? record.ref_id) : `${shown.date}, ${shown.time}`;
  return to === undefined ? <bdi>{name}</bdi> : <a href={writeRoute(to)}>{name}</a>;
}

interface LeaveOutProps {
  readonly route: HandOverRoute;
  readonly records: readonly CallRecord[];
}

/** Leaves calls out of the hand-over. The page's URL then names them, and its report the search without them. */
export function LeaveOut({ route, records }: LeaveOutProps) {
  const selectors = toSelectors(records);
  if (selectors.length === 0) return null;
  const leave = () => replace({ ...route, without: [...route.without, ...selectors] });
  return (
    <button type="button" class="plain-link" onClick={leave}>
      {words().leaveOut(selectors.length)}
    </button>
  );
}

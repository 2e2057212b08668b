// A hand-over before it is written: four choices at the left, and at the right what will be sent.
import { MAX_PURPOSE, MAX_VIEWER_CALLS } from "@call-media/handover";
import { nameSearch } from "../search/labels.ts";
import { text } from "../text/text.ts";
import { copy } from "../ui/copy.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { ComponentChildren } from "preact";
import { GoesAlong, LeaveOut, type PreparingProps } from "./goes-along.tsx";
import { estimate, findObstacle, type Obstacle, toHandOverCommand, toMutedOf } from "./handing.ts";
import { Hide } from "./hide.tsx";
import { ToMute } from "./muted.tsx";
import { hasFiles, MOST_IN_MEMORY } from "./target.ts";
import { words } from "./words.ts";

export function Preparing(props: PreparingProps) {
  const { route, ready, handing } = props;
  const w = words();
  return (
    <>
      <h1>
        {w.title(ready.listing.calls)} <small>{nameSearch(route.search)}</small>
      </h1>
      <div>
        <GoesAlong {...props} />
        <Hide {...props} />
        <ToMute handing={handing} listing={ready.listing} />
      </div>
      <Send {...props} />
    </>
  );
}

/** Removes characters that cannot be printed, because the line goes into a report and a log. */
const toLine = (typed: string): string => typed.replaceAll(/\p{C}/gu, "").trim();

function Send(props: PreparingProps) {
  const { handing, ready } = props;
  const w = words();
  const { value: choices } = handing.choices;
  const obstacle = findObstacle(ready, choices);
  return (
    <aside class="card" aria-labelledby="send">
      <h2 id="send">{w.send}</h2>
      <ul class="facts-list">
        <Verdict {...props} />
        <Facts {...props} />
      </ul>
      {ready.changes !== undefined && (
        <p class="wrong" role="alert">
          {w.changes(ready.changes)}
        </p>
      )}
      {obstacle !== undefined && <Barred {...props} obstacle={obstacle} />}
      <label>
        {w.purpose}
        <input
          type="text"
          maxLength={MAX_PURPOSE}
          placeholder={w.purposeExample}
          value={choices.purpose}
          onInput={({ currentTarget: { value } }) =>
            (handing.choices.value = { ...choices, purpose: toLine(value) })
          }
        />
      </label>
      <p class="quiet">
        {w.purposeHint} {w.isRecorded}
      </p>
      <button
        type="button"
        class="button main"
        disabled={obstacle !== undefined}
        onClick={() => void handing.write(ready)}
      >
        {text.value.handOver}
      </button>
      <button
        type="button"
        class="button quiet"
        disabled={ready.listing.records.length === 0}
        onClick={() => void copy(toHandOverCommand(handing, ready.listing), w.copiedCommand)}
      >
        {w.copyCommand}
      </button>
    </aside>
  );
}

interface FactProps {
  readonly icon: IconName;
  readonly kind?: "good" | "bad";
  readonly children: ComponentChildren;
}

export function Fact({ icon, kind, children }: FactProps) {
  return (
    <li class={kind && `is-${kind}`}>
      <Icon name={icon} isSmall />
      <span>{children}</span>
    </li>
  );
}

/** The known gaps, before anything is read. */
function Verdict(props: PreparingProps) {
  const { handing, ready } = props;
  const w = words();
  const { listing, weighed } = ready;
  const lacking = handing.choices.value.files.includes("recordings") ? weighed.lacking : [];
  const missing = listing.ids?.missing ?? [];
  const faults = [
    missing.length > 0 && w.notFound(listing.ids?.asked ?? 0, missing),
    listing.listed.verdict === "drifted" && w.drifted,
    lacking.length > 0 && w.notReceived(lacking.length),
  ].filter((fault) => fault !== false);
  if (faults.length === 0)
    return (
      <Fact icon="same" kind="good">
        {w.allThere}
      </Fact>
    );
  return (
    <Fact icon="alert" kind="bad">
      <b>{w.isIncomplete}</b> {faults.join(" ")}{" "}
      {lacking.length > 0 && (
        <LeaveOut route={props.route} records={lacking.map(({ record }) => record)} />
      )}
    </Fact>
  );
}

function Facts({ handing, ready }: PreparingProps) {
  const w = words();
  const { value: choices } = handing.choices;
  const places = toMutedOf(ready.listing);
  const unheard = places.filter(({ isHeard }) => !isHeard).length;
  const size = estimate(ready, choices);
  const hasViewer = ready.listing.records.length <= MAX_VIEWER_CALLS;
  return (
    <>
      {unheard > 0 && (
        <Fact icon="alert" kind="bad">
          {w.unheard(unheard, places.length)}
        </Fact>
      )}
      {choices.redact.length > 0 && <Fact icon="lock">{w.hiddenKinds(choices.redact.length)}</Fact>}
      {places.length > 0 && <Fact icon="muted">{w.toMute(places.length)}.</Fact>}
      <Fact icon="save">
        {w.about(handing.name, size.bytes)} {hasViewer ? w.page : w.noPage}.
        {!hasViewer && ` ${w.noViewer(MAX_VIEWER_CALLS)}`}
        {!hasFiles() && ` ${w.inMemory(MOST_IN_MEMORY)}`}
      </Fact>
    </>
  );
}

interface BarredProps extends PreparingProps {
  readonly obstacle: Obstacle;
}

function Barred({ handing, ready, obstacle }: BarredProps) {
  const w = words();
  const { bytes, files } = estimate(ready, handing.choices.value);
  const toText = () => {
    if (obstacle === "nothing") return w.nothing;
    if (obstacle === "left out") return w.allLeftOut;
    return obstacle === "zip"
      ? w.tooLarge(bytes, files)
      : w.tooLargeForMemory(bytes, MOST_IN_MEMORY);
  };
  return (
    <p class="wrong" role="alert">
      {toText()}
    </p>
  );
}

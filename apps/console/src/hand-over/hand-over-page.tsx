// The page that hands over a search, or calls picked from it: its files, its hidden and muted parts, and its purpose.
import { useEffect, useMemo } from "preact/hooks";
import { nameSearch } from "../search/labels.ts";
import type { HandOverRoute } from "../route.ts";
import { signedIn, type SignedIn } from "../session.ts";
import { FaultNotice } from "../ui/fault-notice.tsx";
import type { Handing, Step } from "./handing.ts";
import { HandedOver } from "./handed-over.tsx";
import { openHanding } from "./open-handing.ts";
import { Preparing } from "./preparing.tsx";
import { words } from "./words.ts";
import "../style/hand-over.css";

export function HandOverPage({ route }: { readonly route: HandOverRoute }) {
  const { value: who } = signedIn;
  return who === undefined ? null : <Opened who={who} route={route} />;
}

interface OpenedProps {
  readonly who: SignedIn;
  readonly route: HandOverRoute;
}

function Opened({ who, route }: OpenedProps) {
  const handing = useMemo(() => openHanding(who, route), []);
  const { value: step } = handing.step;
  useEffect(() => {
    document.title = words().preparing;
    scrollTo(0, 0);
    void handing.refresh();
    return handing.stop;
  }, []);
  useEffect(() => {
    if (step.kind !== "writing") return undefined;
    const warn = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [step.kind]);
  return (
    <main id="main" class="hand" tabIndex={-1}>
      <Content route={route} handing={handing} />
    </main>
  );
}

function Content({ route, handing }: { readonly route: HandOverRoute; readonly handing: Handing }) {
  const { value: step } = handing.step;
  if (step.kind === "ready") return <Preparing route={route} handing={handing} ready={step} />;
  if (step.kind === "done")
    return (
      <HandedOver
        route={route}
        handing={handing}
        listing={step.listing}
        handedOver={step.handedOver}
      />
    );
  return (
    <>
      <h1>
        {words().preparing} <small>{nameSearch(route.search)}</small>
      </h1>
      <Status step={step} handing={handing} />
    </>
  );
}

interface StatusProps {
  readonly step: Exclude<Step, { readonly kind: "ready" | "done" }>;
  readonly handing: Handing;
}

function Status({ step, handing }: StatusProps) {
  const w = words();
  const again = () => void handing.prepare();
  if (step.kind === "failed") return <FaultNotice fault={step.fault} onRetry={again} />;
  if (step.kind === "stopped" || step.kind === "too large")
    return (
      <div>
        <p role={step.kind === "stopped" ? "status" : "alert"}>
          {step.kind === "stopped" ? w.stopped : w.grewTooLarge}
        </p>
        <button type="button" class="button" onClick={again}>
          {w.again}
        </button>
      </div>
    );
  return (
    <div>
      {step.kind === "writing" ? <Writing step={step} /> : <Reading step={step} />}
      <button type="button" class="button" onClick={handing.stop}>
        {w.stop}
      </button>
    </div>
  );
}

type Kind<Name extends Step["kind"]> = Extract<Step, { readonly kind: Name }>;

function Reading({ step }: { readonly step: Kind<"reading"> | Kind<"weighing"> }) {
  const w = words();
  const { done, total } = step;
  return (
    <>
      <p role="status">
        {step.kind === "reading" ? w.reading(done, total) : w.weighing(done, total ?? done)}
      </p>
      <progress
        aria-label={w.preparing}
        value={total === undefined ? undefined : done}
        max={total || 1}
      />
    </>
  );
}

function Writing({ step: { progress, listing } }: { readonly step: Kind<"writing"> }) {
  const w = words();
  const count = listing.records.length;
  return (
    <>
      <p role="status">
        {progress.calls === count ? w.finishing : w.writing(progress.calls, count)}
      </p>
      <progress aria-label={w.preparing} value={progress.calls} max={count} />
      <p class="quiet">
        {w.received(progress.bytes)}
        {progress.failures > 0 && `, ${w.notReceived(progress.failures)}`}
      </p>
    </>
  );
}

// Shows a fault: what happened, the next step, and the id to quote to the operator.
import type { Fault } from "../faults.ts";
import { text } from "../text/text.ts";
import { useCountdown } from "./countdown.ts";
import { Icon } from "./icon.tsx";

interface FaultNoticeProps {
  readonly fault: Fault;
  readonly onRetry?: () => void;
}

export function FaultNotice({ fault, onRetry }: FaultNoticeProps) {
  const t = text.value;
  const { title, hint } = t.faults[fault.kind];
  const left = useCountdown(fault, onRetry);
  return (
    <div class="notice bad" role="alert">
      <Icon name="alert" />
      <div>
        <p>{title}</p>
        {fault.message !== undefined && fault.message !== "" && (
          <p>
            {t.serviceSays} <bdi>{fault.message}</bdi>
          </p>
        )}
        <p>
          {left === undefined ? hint : <span role="timer">{t.againIn(left)}</span>}
          {fault.requestId !== undefined && ` ${t.quote(fault.requestId)}`}
        </p>
      </div>
      {onRetry !== undefined && (
        <button type="button" class="button" onClick={onRetry}>
          {t.tryAgain}
        </button>
      )}
    </div>
  );
}

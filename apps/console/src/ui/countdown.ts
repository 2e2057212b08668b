// How long to wait before something is tried again, counted down second by second.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Fault } from "../faults.ts";

/** Whole seconds that are left; undefined where the fault names no time. `onEnd` is called once, when they are over. */
export function useCountdown(fault: Fault | undefined, onEnd?: () => void): number | undefined {
  const left = useSignal<number | undefined>(undefined);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    left.value = fault?.retryAfterSeconds;
    if (left.value === undefined) return undefined;
    const timer = setInterval(() => {
      left.value = Math.max(0, (left.value ?? 0) - 1);
      if (left.value > 0) return;
      clearInterval(timer);
      end.current?.();
    }, 1000);
    return () => clearInterval(timer);
  }, [fault]);
  return left.value;
}

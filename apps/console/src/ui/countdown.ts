// Counts down the seconds until something is tried again.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Fault } from "../faults.ts";

/** The whole seconds left; undefined if the fault names no time. Calls `onEnd` once at the end. */
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

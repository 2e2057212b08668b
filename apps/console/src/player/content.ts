// The bytes of a recording that is read completely: checked against the announced digest, and measured.
import { ProtocolError } from "@call-media/client";
import type { MeasuredSound } from "@call-media/handover";
import { type Signal, signal } from "@preact/signals";
import type { Access } from "../access.ts";
import { type Head, readRecording } from "./recording.ts";

export type Integrity = "unchecked" | "checking" | "same" | "other" | "unannounced";

export interface Content {
  readonly integrity: Signal<Integrity>;
  /** Once all bytes were read. */
  readonly measured: Signal<MeasuredSound | undefined>;
  /** Returns undefined if they are wrong or cannot be fetched. */
  readonly read: (known: Head) => Promise<Uint8Array | undefined>;
  /** For bytes that another reader receives: their digest is compared at the end. */
  readonly expect: (known: Head) => void;
  readonly judge: (known: Head, sha256: string) => void;
}

export interface ContentOptions {
  readonly aborted: AbortSignal;
  /** The bytes are not the announced ones. */
  readonly onOther: () => void;
  readonly onFault: (error: unknown) => void;
}

export function createContent(
  access: Access,
  { aborted, onOther, onFault }: ContentOptions,
): Content {
  const integrity = signal<Integrity>("unchecked");
  const measured = signal<MeasuredSound | undefined>(undefined);
  const expect = ({ sha256 }: Head) => {
    integrity.value = sha256 === undefined ? "unannounced" : "checking";
  };
  const judge = (known: Head, sha256: string) => {
    if (known.sha256 === undefined) return;
    integrity.value = sha256 === known.sha256 ? "same" : "other";
    if (integrity.value === "other") onOther();
  };
  return {
    integrity,
    measured,
    expect,
    judge,
    async read(known) {
      expect(known);
      try {
        const { content, sha256 } = await readRecording(access, known, aborted);
        judge(known, sha256);
        void import("./measure.ts").then(
          ({ measure }) => (measured.value = measure(content, known)),
        );
        return content;
      } catch (error) {
        if (error instanceof ProtocolError) judge(known, "");
        else onFault(error);
        return undefined;
      }
    },
  };
}

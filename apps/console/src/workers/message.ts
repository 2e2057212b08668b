// Messages of the worker that computes the wave.
import type { MeasuredSound } from "@call-media/handover";

export type Message =
  | {
      readonly kind: "peaks";
      readonly channels: readonly Float32Array[];
      readonly seconds: number;
      readonly share: number;
    }
  | { readonly kind: "share"; readonly share: number }
  /** The bytes of a file with encoded samples, for the page to decode: workers have no decoder. */
  | { readonly kind: "whole"; readonly bytes: ArrayBuffer }
  | { readonly kind: "measured"; readonly sound: MeasuredSound }
  | { readonly kind: "digest"; readonly digest: string }
  | { readonly kind: "failed" };

export interface Order {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number | undefined;
  readonly contentType: string;
  readonly filename: string | undefined;
}

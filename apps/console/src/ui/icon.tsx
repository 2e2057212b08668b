// Icons of 20 x 20, in the colour of the surrounding text. The button names their meaning.

const PATHS = {
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4.2-1.3 3.4 3.4",
  down: "m6 8 4 4 4-4",
  up: "m6 12 4-4 4 4",
  left: "m12 5-5 5 5 5",
  user: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5.5 6.5c.6-2.6 2.7-4 5.5-4s4.9 1.4 5.5 4",
  filter: "M3.5 5.5h13M6 10h8m-5.5 4.5h3",
  close: "m5.5 5.5 9 9m0-9-9 9",
  plus: "M10 4.5v11M4.5 10h11",
  keep: "M6 3.5h8v13l-4-3-4 3Z",
  columns: "M3.5 4.5h13v11h-13ZM8 4.5v11m4.3-11v11",
  counts: "M4 16.5v-6m4 6V5m4 11.5V8m4 8.5v-4",
  link: "M8.3 11.7a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1m1.4 2.8a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1",
  save: "M10 3.5v8.8M6.3 8.8l3.7 3.7 3.7-3.7M4 16h12",
  copy: "M7.5 7.5h8v8h-8Zm5 0v-3h-8v8h3",
  lock: "M5 9h10v7.5H5Zm2 0V6.5a3 3 0 0 1 6 0V9",
  alert: "M10 3.2 2.8 16h14.4ZM10 8v3.6m0 2.1v.1",
  info: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm0-7.7v4m0-6.7v.1",
  same: "M10 2.8 4.5 5v4.5c0 3.6 2.3 6.2 5.5 7.7 3.2-1.5 5.5-4.1 5.5-7.7V5Zm-2.7 7 2 2 3.6-3.8",
  eye: "M2.5 10S5.2 5 10 5s7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5Zm7.5 2.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z",
  back: "M4 4v4h4m-3.6-.3A6.5 6.5 0 1 1 3.5 11m8.2-2.7H9.2L9 10.6c1.8-.7 3 .1 3 1.3 0 1.6-2 2-3.2 1",
  on: "M16 4v4h-4m3.6-.3A6.5 6.5 0 1 0 16.5 11m-5.3-2.7H8.7l-.2 2.3c1.8-.7 3 .1 3 1.3 0 1.6-2 2-3.2 1",
  skip: "M3 11v3m2.8-5v7m8.4-7v7m2.8-5v3M6.5 6.2c1.5-2.6 5.2-2.9 7-.2m.3-2.8v3h-3",
  loop: "M4 9V8a3 3 0 0 1 3-3h8m-2.2-2.2L15 5l-2.2 2.2M16 11v1a3 3 0 0 1-3 3H5m2.2 2.2L5 15l2.2-2.2",
  volume: "M3.5 8v4h2.7L10 15V5L6.2 8Zm9.3-.7a4 4 0 0 1 0 5.4M15 5.2a7 7 0 0 1 0 9.6",
  muted: "M3.5 8v4h2.7L10 15V5L6.2 8Zm9.5 0 4 4m0-4-4 4",
  hush: "M3 8.5v3m2.5-5v7m2.2-3.5h4.6m2.2-3.5v7m2.5-5v3",
  again: "M16 10a6 6 0 1 1-1.8-4.3L16 7.5m0-4v4h-4",
} as const;

const FILLED = {
  play: "M6 4.2v11.6a.6.6 0 0 0 .9.5l9-5.8a.6.6 0 0 0 0-1l-9-5.8a.6.6 0 0 0-.9.5Z",
  pause: "M5.5 4h3v12h-3Zm6 0h3v12h-3Z",
} as const;

export type IconName = keyof typeof PATHS | keyof typeof FILLED;

export function Icon({
  name,
  isSmall = false,
}: {
  readonly name: IconName;
  readonly isSmall?: boolean;
}) {
  const isFilled = name === "play" || name === "pause";
  return (
    <svg
      class={`icon${isSmall ? " small" : ""}${isFilled ? " filled" : ""}`}
      viewBox="0 0 20 20"
      aria-hidden="true"
    >
      <path d={isFilled ? FILLED[name] : PATHS[name]} />
    </svg>
  );
}

// Selects the audible channel of a recording and the volume of each.
import { callWords } from "../text/call-words.ts";
import { IconButton } from "../ui/button.tsx";
import type { Heard } from "./channels.ts";
import type { Sound } from "./sound.ts";

export function ChannelChoice({
  sound,
  names,
}: {
  readonly sound: Sound;
  readonly names: readonly string[];
}) {
  const c = callWords();
  const choices: readonly (readonly [Heard, string])[] = [
    ["both", c.both],
    [0, names[0] ?? c.channel(1)],
    [1, names[1] ?? c.channel(2)],
  ];
  return (
    <div class="choice" role="group" aria-label={c.channels}>
      {choices.map(([heard, name]) => (
        <button
          key={heard}
          type="button"
          class="button quiet"
          aria-pressed={sound.heard.value === heard}
          onClick={() => (sound.heard.value = heard)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface LevelsProps {
  readonly sound: Sound;
  readonly names: readonly string[];
  readonly onSwap: () => void;
}

/** The volume of each channel, up to twice the recorded level, and its speaker. */
export function Levels({ sound: { levels }, names, onSwap }: LevelsProps) {
  const c = callWords();
  return (
    <>
      <IconButton icon="filter" label={c.levels} popovertarget="levels" />
      <div id="levels" class="menu" popover="auto" role="dialog" aria-label={c.levels}>
        {names.map((name, channel) => (
          <label key={name}>
            <span>{name}</span>
            <input
              type="range"
              min={0}
              max={200}
              step={10}
              value={Math.round((levels.value[channel] ?? 1) * 100)}
              onInput={(event) => {
                const level = Number(event.currentTarget.value) / 100;
                const [first, second] = levels.value;
                levels.value = channel === 0 ? [level, second] : [first, level];
              }}
            />
          </label>
        ))}
        <button type="button" class="button" onClick={onSwap}>
          {c.swapNames}
        </button>
      </div>
    </>
  );
}

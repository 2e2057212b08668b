// What muting adds to the page of a call, loaded beside it.
import { toCallMuting } from "./call-muting.ts";
import { keepPlaces } from "./keep-places.ts";
import { MutePanel } from "./mute-panel.tsx";

keepPlaces();

export const program = { toCallMuting, MutePanel };

export type MuteProgram = typeof program;

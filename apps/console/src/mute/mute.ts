// The part of a call's page for muting, which is loaded separately.
import { toCallMuting } from "./call-muting.ts";
import { keepPlaces } from "./keep-places.ts";
import { MutePanel } from "./mute-panel.tsx";

keepPlaces();

export const program = { toCallMuting, MutePanel };

export type MuteProgram = typeof program;

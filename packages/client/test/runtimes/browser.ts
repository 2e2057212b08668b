// The journey as a page has it: the test calls it by its name.
import { journey } from "./journey.ts";

Object.assign(globalThis, { journey });

// The journey as a program has it: the world comes as JSON in the first argument, the faults go to standard output.
import { journey, type World } from "./journey.ts";

// Node, Bun and Deno all have `process`.
const world: World = JSON.parse(process.argv.at(-1) ?? "");
console.log(JSON.stringify(await journey(world)));

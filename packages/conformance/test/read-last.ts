// A program that prints the place of the last entry of the recorded traffic in a file.
import { readTraffic } from "../src/traffic/read.ts";

let last = "";
for await (const { entry } of readTraffic(process.argv[2] ?? "")) last = entry;
console.log(last);

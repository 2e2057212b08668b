// A program that counts the entries of the recorded traffic in a file.
import { readTraffic } from "../src/traffic/read.ts";

let entries = 0;
for await (const _read of readTraffic(process.argv[2] ?? "")) entries += 1;
console.log(entries);

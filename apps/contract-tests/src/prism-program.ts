// Prism's mock as a separate program: prints its URL and responds until it is stopped.
import { startMock } from "./prism.ts";

console.log((await startMock()).baseUrl);

// Prism's mock as a program of its own: prints its address and answers until it is ended.
import { startMock } from "./prism.ts";

console.log((await startMock()).baseUrl);

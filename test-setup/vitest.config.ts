import { defineTests } from "./src/define-tests.ts";

export default defineTests();

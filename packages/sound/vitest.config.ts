import { defineTests } from "@call-media/test-setup";

export default defineTests();

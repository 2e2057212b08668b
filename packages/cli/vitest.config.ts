import { defineTests } from "@call-media/test-setup";

export default defineTests(() => ({
  verifiedAgain: ["test/{index-model,search-folder,watch-imports}.test.ts"],
}));

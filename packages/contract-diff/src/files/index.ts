// The entry point for Node.js: documents and other files that people wrote, and the line of what stands in them.
export {
  type FilePlace,
  type OpenApiFile,
  type ReadOptions,
  readOpenApiFile,
} from "./open-api-file.ts";
export { FileFault, readWrittenFile, type WrittenFile } from "./written-file.ts";

// The entry point for Node.js: reads documents and other handwritten files, and finds the lines of their values.
export {
  type FilePlace,
  type OpenApiFile,
  type ReadOptions,
  readOpenApiFile,
} from "./open-api-file.ts";
export { FileFault, parseWritten, readWrittenFile, type WrittenFile } from "./written-file.ts";

// The door of the package: it loads in Node.js and in browsers.
export {
  type Bundle,
  type BundleFile,
  createBundle,
  EXPORT,
  MAX_BUNDLE,
  MAX_VIEWER_CALLS,
  SHEET,
  VIEWER,
} from "./bundle/bundle.ts";
export {
  createViewer,
  type Viewer,
  type ViewerAbout,
  type ViewerCall,
  type ViewerMessage,
  type ViewerRecording,
} from "./bundle/viewer.ts";
export {
  type CallSheet,
  type CallSheetOptions,
  type CutText,
  createCallSheet,
  SHEET_TYPE,
} from "./spreadsheet/call-sheet.ts";
export { type CallCount, createCallCount } from "./spreadsheet/call-count.ts";
export { MAX_CELL_CHARACTERS } from "./spreadsheet/cells.ts";

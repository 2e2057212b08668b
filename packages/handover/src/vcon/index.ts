// A call as a vCon, for exports of services and of archives.
export {
  attachRecord,
  RECORD_PURPOSE,
  toVcon,
  type Vcon,
  type VconCall,
  type VconMessage,
  type VconRecording,
} from "./vcon.ts";

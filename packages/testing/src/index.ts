// The entry point `@call-media/testing`: the service in memory, for tests of programs that use it.
export {
  createFakeService,
  type FakeAccess,
  type FakeRequest,
  type FakeService,
  type FakeServiceOptions,
} from "./fake-service.ts";
export type { Clock } from "./clock.ts";
export type { FaultKind, InjectedFault } from "./faults.ts";
export type {
  FakeArchive,
  FakeCall,
  FakeCredentials,
  FakeFlag,
  FakeRecording,
  FakeUser,
} from "./seed.ts";

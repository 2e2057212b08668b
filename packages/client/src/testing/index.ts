// The door of `@call-media/client/testing`: the service in memory, for the tests of programs that use it.
export {
  createFakeService,
  type FakeAccess,
  type FakeRequest,
  type FakeService,
  type FakeServiceOptions,
} from "./fake-service.ts";
export type { FaultKind, InjectedFault } from "./faults.ts";
export type { FakeArchive, FakeCall, FakeFlag, FakeRecording, FakeUser } from "./seed.ts";

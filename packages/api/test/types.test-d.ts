// The types an operation gives a program; `check` compiles this file, nothing runs it.
import { expectTypeOf } from "vitest";
import { fieldsOf, routes } from "../src/index.ts";
import type { OperationId, OperationInput, OperationOutput, Schema } from "../src/index.ts";

expectTypeOf<OperationInput<"searchMetadata">>().toEqualTypeOf<{
  query: { pageIndex: number; startDate: string; endDate: string; words?: string };
  header: { Prefer?: string };
  body: Schema<"MetadataFilter">;
}>();
expectTypeOf<OperationInput<"getChatByCallId">>().toEqualTypeOf<{ path: { call_id: string } }>();
expectTypeOf<keyof OperationInput<"listPublicFlags">>().toBeNever();
expectTypeOf<OperationInput<"createToken">["body"]>().toEqualTypeOf<{
  secretID: string;
  secretKey: string;
}>();

expectTypeOf<OperationOutput<"createToken">>().toEqualTypeOf<Schema<"TokenResponse">>();
expectTypeOf<OperationOutput<"getChatByCallId">["data"]>().toEqualTypeOf<
  Schema<"ChatMessageRecord">[]
>();
expectTypeOf<OperationOutput<"getRecordingByCallId">["data"]["base64"]>().toEqualTypeOf<string>();
expectTypeOf<OperationOutput<"streamRecordingByCallId">>().toBeNever();
expectTypeOf<OperationOutput<"searchMetadata">>().not.toHaveProperty("recordCount");
expectTypeOf<OperationOutput<"searchMetadataByCustomFields">["recordCount"]>().toBeNumber();

// isError tells success from error.
declare const answer: OperationOutput<"listUsers"> | Schema<"ErrorEnvelope">;
if (answer.isError) expectTypeOf(answer.errorMessage).toBeString();
else expectTypeOf(answer.data).toEqualTypeOf<Schema<"UserBasicRecord">[]>();

expectTypeOf(routes[0]?.operationId).toEqualTypeOf<OperationId | undefined>();
expectTypeOf(fieldsOf("PublicFlagRecord")).toEqualTypeOf<
  readonly ("Id" | "Type" | "Name" | "DateCreated" | "DateModified")[]
>();
// @ts-expect-error there is no such schema
fieldsOf("CallRecord");

// Signing in.
import { of, type Requirements } from "./requirement.ts";

const operations = ["createToken"] as const;

export const token = {
  "token.fields": {
    operations,
    source: { line: "- Response: the token response above." },
    says: "The answer has access_token, type and expires and nothing else; type is Bearer and expires an ISO 8601 timestamp in UTC.",
  },
  "token.expires": {
    operations,
    source: { line: "| expires | string | ISO 8601 UTC timestamp of expiry |" },
    says: "A new token expires in the future.",
  },
  "token.works": {
    operations,
    source: {
      line: "3. Every other request carries the header Authorization: Bearer <ACCESS_TOKEN>.",
    },
    says: "A new token is accepted, and stays so when another one is issued.",
  },
  "token.wrong": {
    operations,
    source: {
      line: "1. The client sends POST {base_url}/Token with secretID and secretKey, which are issued when an application is created in the developer settings.",
    },
    says: "Wrong credentials get no token.",
  },
  ...of(operations, "D14", {
    "token.wrong-status":
      "Wrong credentials are answered 401 with WWW-Authenticate, an unknown id and a wrong key alike.",
  }),
  ...of(operations, "D18", {
    "token.fresh": "Each token is another one, and long enough for 256 random bits.",
    "token.lifetime": "A token is good for 60 seconds to 24 hours.",
  }),
  ...of(operations, "D23", {
    "token.rate-limit": "Signing in is limited, and RateLimit and RateLimit-Policy tell how.",
  }),
} as const satisfies Requirements;

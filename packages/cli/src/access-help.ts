// The end of every command's help: where address and credentials come from.

const PROFILE_HELP = `
or from a profile: a name that login kept, or a JSON or YAML file that its owner alone may read (chmod 600):
  { "baseUrl": "https://...", "credentials": { "secretID": "...", "secretKey": "..." }, "apiKey": "...",
    "restricted": { ... }, "expiredToken": "...", "examples": { "call_id": "...", "ref_id": "..." }, "service": { ... } }
Every field of it may be left out. --base-url goes before a profile that is named, that before the environment, and that
before the profile "default".`;

const ENVIRONMENT_HELP = `
Who asks is never read from the command line, where others could see it, but from what login kept, from the environment:
  CALL_MEDIA_BASE_URL                            the address
  CALL_MEDIA_SECRET_ID, CALL_MEDIA_SECRET_KEY    an application
  CALL_MEDIA_API_KEY                             an API key, beside an application or instead of one`;

/** For the commands that a person or a script asks a service with. */
export const ACCESS_HELP = `${ENVIRONMENT_HELP}${PROFILE_HELP}`;

/** For `check` and `probe`, which can use more than one caller. */
export const CHECK_ACCESS_HELP = `${ENVIRONMENT_HELP}
  CALL_MEDIA_RESTRICTED_SECRET_ID, ..._SECRET_KEY  a second application of a user with fewer rights, to compare with
  CALL_MEDIA_EXPIRED_TOKEN                       a token that has expired, which must be refused${PROFILE_HELP}`;

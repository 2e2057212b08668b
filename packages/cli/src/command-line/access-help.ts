// The end of every command's help: the sources of URL and credentials.

const ENVIRONMENT_HELP = `
Credentials are never read from the command line, where others could see them, but from the profile that login saved,
from the environment:
  CALL_MEDIA_BASE_URL                          the address
  CALL_MEDIA_SECRET_ID, CALL_MEDIA_SECRET_KEY  an application
  CALL_MEDIA_API_KEY                           an API key`;

/** `more` are the fields that only some commands use. */
const toProfileHelp = (more: string) => `
or from the profile that --profile names: one saved by login, or a JSON or YAML file that only its owner may read
(chmod 600):
  {
    "baseUrl": "https://...",
    "credentials": { "secretID": "...", "secretKey": "..." },
    "apiKey": "...",${more}
    "service": { ... }
  }
Every field is optional. The address is the first of these: --base-url, the profile named by --profile or by
CALL_MEDIA_PROFILE, the environment, the profile in use (call-media profiles).`;

/** For commands that send requests for a person or a script. */
export const ACCESS_HELP = `${ENVIRONMENT_HELP}${toProfileHelp("")}`;

/** For `check` and `probe`, which can use more than one caller. */
export const CHECK_ACCESS_HELP = `${ENVIRONMENT_HELP}
  CALL_MEDIA_RESTRICTED_SECRET_ID, CALL_MEDIA_RESTRICTED_SECRET_KEY
                                               an application of a user with
                                               fewer rights, to compare with
  CALL_MEDIA_EXPIRED_TOKEN                     a token that must be refused${toProfileHelp(`
    "restricted": { "secretID": "...", "secretKey": "..." },
    "expiredToken": "...",
    "examples": { "call_id": "...", "ref_id": "..." },`)}`;

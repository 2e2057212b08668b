// The end of every command's help: where address and credentials come from.

const PROFILE_HELP = `
or from a profile: a name that login saved, or a JSON or YAML file that only its owner may read (chmod 600):
  {
    "baseUrl": "https://...",
    "credentials": { "secretID": "...", "secretKey": "..." },
    "apiKey": "...",
    "restricted": { "secretID": "...", "secretKey": "..." },
    "expiredToken": "...",
    "examples": { "call_id": "...", "ref_id": "..." },
    "service": { ... }
  }
Every field is optional. The first of these that gives an address is used: --base-url, a profile named by --profile,
the environment, the profile "default".`;

const ENVIRONMENT_HELP = `
Credentials are never read from the command line, where others could see them. They come from what login saved, from
the environment:
  CALL_MEDIA_BASE_URL                          the address
  CALL_MEDIA_SECRET_ID, CALL_MEDIA_SECRET_KEY  an application
  CALL_MEDIA_API_KEY                           an API key`;

/** For the commands that a person or a script asks a service with. */
export const ACCESS_HELP = `${ENVIRONMENT_HELP}${PROFILE_HELP}`;

/** For `check` and `probe`, which can use more than one caller. */
export const CHECK_ACCESS_HELP = `${ENVIRONMENT_HELP}
  CALL_MEDIA_RESTRICTED_SECRET_ID, CALL_MEDIA_RESTRICTED_SECRET_KEY
                                               an application of a user with
                                               fewer rights, to compare with
  CALL_MEDIA_EXPIRED_TOKEN                     a token that must be refused${PROFILE_HELP}`;

// The role for servers: it reads, signs users in, and adds rows to the access log that it can neither change nor remove.

/** SQL for an administrator who may grant the privileges of the tables' owner. */
export const SERVICE_ROLE = `CREATE ROLE call_media_service LOGIN; -- and a password: \\password call_media_service
GRANT SELECT ON ALL TABLES IN SCHEMA public TO call_media_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO call_media_service; -- tables of months to come
GRANT INSERT ON access TO call_media_service;
GRANT UPDATE ON access_head, read_back TO call_media_service;
GRANT INSERT, UPDATE, DELETE ON bearer, sign_in_failure TO call_media_service;`;

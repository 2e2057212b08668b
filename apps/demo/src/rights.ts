// What each user of the demo archive may do and see. The field names and their order are those of the interface.
import type { Schema } from "@call-media/api";

type Rights = Omit<Schema<"UserSecurityRecord">, "id" | "username">;

/** Everything but administration; a user with other rights overrides some of these. */
const ALL_RIGHTS: Rights = {
  is_admin: false,
  allow_email_attachment: true,
  allow_download: true,
  allow_reports: true,
  allow_transmit: true,
  allow_dashboard: true,
  allow_all_campaigns: true,
  allow_all_skills: true,
  allow_all_agents: true,
  allow_all_groups: true,
  allow_all_flags: true,
  allow_all_secure01: true,
  allow_all_secure02: true,
  allow_all_secure03: true,
  allow_all_secure04: true,
  allow_all_secure05: true,
  allow_all_media: true,
  allow_all_services: true,
  allow_all_download_doc_type: true,
  allowed_campaigns: [],
  allowed_skills: [],
  allowed_agents: [],
  allowed_groups: [],
  allowed_flags: [],
  allowed_secure01: [],
  allowed_secure02: [],
  allowed_secure03: [],
  allowed_secure04: [],
  allowed_secure05: [],
  allowed_media: [],
  allowed_services: [],
  allowed_download_doc_type: [],
  mfa_enabled: false,
  mfa_authy_enabled: false,
  search_rights: null,
};

const OWN_RIGHTS: Record<string, Partial<Rights>> = {
  "avery.admin": { is_admin: true, mfa_enabled: true, mfa_authy_enabled: true },
  "sam.supervisor": {
    allow_all_campaigns: false,
    allowed_campaigns: ["Billing Support", "Moves and Connections", "Outage Line", "Retention"],
    allow_all_groups: false,
    allowed_groups: ["Billing Team", "Field Desk"],
    mfa_enabled: true,
    search_rights: { saved_searches: ["Open complaints", "Storm day"] },
  },
  "quinn.analyst": { allow_download: false, allow_email_attachment: false, allow_transmit: false },
  "riley.restricted": {
    allow_email_attachment: false,
    allow_reports: false,
    allow_transmit: false,
    allow_dashboard: false,
    allow_all_campaigns: false,
    allowed_campaigns: ["Billing Support", "Outage Line"],
    allow_all_flags: false,
    allowed_flags: ["Follow up", "Escalated"],
    allow_all_secure01: false,
    allowed_secure01: ["EMEA"],
    allow_all_services: false,
    allow_all_download_doc_type: false,
    allowed_download_doc_type: ["wav"],
  },
  "noor.inactive": {
    allow_reports: false,
    allow_all_agents: false,
    allowed_agents: ["amara.okafor"],
    allow_all_media: false,
    allowed_media: ["Chat", "Email"],
  },
  "dana.deleted": { allow_all_secure05: false, allow_all_flags: false },
};

/** The rights of a user; every right is there. */
export function rightsOf(username: string): Rights {
  return { ...ALL_RIGHTS, ...OWN_RIGHTS[username] };
}

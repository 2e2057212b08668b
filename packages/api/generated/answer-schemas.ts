// Generated from spec/openapi.yaml: do not edit.
// Command: pnpm generate
import type { SchemaObject } from "../src/document.ts";

/** The component that a JSON success fits, by operation. A recording stream has none. */
export const answers: Readonly<Record<string, string>> = {
  "createToken": "TokenResponse",
  "getMetadataByReference": "MetadataEnvelope",
  "getMetadataByCallId": "MetadataEnvelope",
  "searchMetadataByCustomFields": "MetadataPageEnvelope",
  "searchMetadata": "MetadataEnvelope",
  "listUsers": "UserBasicEnvelope",
  "getUserAddresses": "UserAddressEnvelope",
  "getUserSecurityRights": "UserSecurityEnvelope",
  "getRecordingByReference": "RecordingEnvelope",
  "getRecordingByCallId": "RecordingEnvelope",
  "listPublicFlags": "PublicFlagEnvelope",
  "listPrivateFlags": "PrivateFlagEnvelope",
  "getChatByCallId": "ChatEnvelope"
};

/** The components, without what they say to readers. A `$ref` is the name of another one. */
export const schemas: Readonly<Record<string, SchemaObject>> = {
  "TokenResponse": {
    "type": "object",
    "required": [
      "access_token",
      "type",
      "expires"
    ],
    "properties": {
      "access_token": {
        "type": "string",
        "minLength": 1
      },
      "type": {
        "type": "string",
        "const": "Bearer"
      },
      "expires": {
        "type": "string",
        "format": "date-time",
        "pattern": "Z$"
      }
    }
  },
  "MetadataEnvelope": {
    "type": "object",
    "required": [
      "isError",
      "errorMessage",
      "data"
    ],
    "properties": {
      "isError": {
        "type": "boolean",
        "const": false
      },
      "errorMessage": {
        "type": [
          "string",
          "null"
        ]
      },
      "data": {
        "type": "array",
        "items": {
          "$ref": "MetadataRecord"
        }
      }
    }
  },
  "MetadataRecord": {
    "type": "object",
    "required": [
      "datetime",
      "ani",
      "dnis",
      "agent",
      "agent_name",
      "campaign_type",
      "campaign",
      "call_type",
      "call_id",
      "ref_id",
      "campaign_id",
      "skill_id",
      "handle_time",
      "talk_time",
      "agent_group_id",
      "disposition_id",
      "ani_state",
      "dnis_state",
      "skill",
      "agent_group",
      "disposition",
      "disposition_notes",
      "recordings",
      "customer_first_name",
      "customer_middle_name",
      "customer_last_name",
      "customer_email",
      "phone_number1",
      "phone_number2",
      "phone_number3",
      "country",
      "state_id",
      "zip",
      "street",
      "city",
      "dest_agent_name",
      "lead_id",
      "ivr_path",
      "media",
      "company",
      "transcript",
      "custom_field_1",
      "custom_field_2",
      "custom_field_3",
      "custom_field_4",
      "custom_field_5",
      "custom_field_6",
      "custom_field_7",
      "custom_field_8",
      "custom_field_9",
      "custom_field_10",
      "custom_field_11",
      "custom_field_12",
      "custom_field_13",
      "custom_field_14",
      "custom_field_15",
      "custom_field_16",
      "custom_field_17",
      "custom_field_18",
      "custom_field_19",
      "custom_field_20",
      "security_field_01",
      "security_field_02",
      "security_field_03",
      "security_field_04",
      "security_field_05",
      "notes"
    ],
    "properties": {
      "datetime": {
        "type": [
          "string",
          "null"
        ],
        "pattern": "^\\d{4}-\\d{2}-\\d{2}(?:[Tt ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?(?:[Zz]|[+-]\\d{2}(?::?\\d{2})?))?)?$"
      },
      "ani": {
        "type": [
          "string",
          "null"
        ]
      },
      "dnis": {
        "type": [
          "string",
          "null"
        ]
      },
      "agent": {
        "type": [
          "string",
          "null"
        ]
      },
      "agent_name": {
        "type": [
          "string",
          "null"
        ]
      },
      "campaign_type": {
        "type": [
          "string",
          "null"
        ]
      },
      "campaign": {
        "type": [
          "string",
          "null"
        ]
      },
      "call_type": {
        "type": [
          "string",
          "null"
        ]
      },
      "call_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "ref_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "campaign_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "skill_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "handle_time": {
        "type": [
          "integer",
          "null"
        ],
        "format": "int64",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "talk_time": {
        "type": [
          "integer",
          "null"
        ],
        "format": "int64",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "agent_group_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "disposition_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "ani_state": {
        "type": [
          "string",
          "null"
        ]
      },
      "dnis_state": {
        "type": [
          "string",
          "null"
        ]
      },
      "skill": {
        "type": [
          "string",
          "null"
        ]
      },
      "agent_group": {
        "type": [
          "string",
          "null"
        ]
      },
      "disposition": {
        "type": [
          "string",
          "null"
        ]
      },
      "disposition_notes": {
        "type": [
          "string",
          "null"
        ]
      },
      "recordings": {
        "type": [
          "string",
          "null"
        ]
      },
      "customer_first_name": {
        "type": [
          "string",
          "null"
        ]
      },
      "customer_middle_name": {
        "type": [
          "string",
          "null"
        ]
      },
      "customer_last_name": {
        "type": [
          "string",
          "null"
        ]
      },
      "customer_email": {
        "type": [
          "string",
          "null"
        ]
      },
      "phone_number1": {
        "type": [
          "string",
          "null"
        ]
      },
      "phone_number2": {
        "type": [
          "string",
          "null"
        ]
      },
      "phone_number3": {
        "type": [
          "string",
          "null"
        ]
      },
      "country": {
        "type": [
          "string",
          "null"
        ]
      },
      "state_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "zip": {
        "type": [
          "string",
          "null"
        ]
      },
      "street": {
        "type": [
          "string",
          "null"
        ]
      },
      "city": {
        "type": [
          "string",
          "null"
        ]
      },
      "dest_agent_name": {
        "type": [
          "string",
          "null"
        ]
      },
      "lead_id": {
        "type": [
          "string",
          "null"
        ]
      },
      "ivr_path": {
        "type": [
          "string",
          "null"
        ]
      },
      "media": {
        "type": [
          "string",
          "null"
        ]
      },
      "company": {
        "type": [
          "string",
          "null"
        ]
      },
      "transcript": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_1": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_2": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_3": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_4": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_5": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_6": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_7": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_8": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_9": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_10": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_11": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_12": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_13": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_14": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_15": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_16": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_17": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_18": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_19": {
        "type": [
          "string",
          "null"
        ]
      },
      "custom_field_20": {
        "type": [
          "string",
          "null"
        ]
      },
      "security_field_01": {
        "type": [
          "string",
          "null"
        ]
      },
      "security_field_02": {
        "type": [
          "string",
          "null"
        ]
      },
      "security_field_03": {
        "type": [
          "string",
          "null"
        ]
      },
      "security_field_04": {
        "type": [
          "string",
          "null"
        ]
      },
      "security_field_05": {
        "type": [
          "string",
          "null"
        ]
      },
      "notes": {
        "type": [
          "string",
          "null"
        ]
      }
    }
  },
  "MetadataPageEnvelope": {
    "type": "object",
    "required": [
      "isError",
      "errorMessage",
      "data",
      "pageID",
      "recordCount"
    ],
    "properties": {
      "isError": {
        "type": "boolean",
        "const": false
      },
      "errorMessage": {
        "type": [
          "string",
          "null"
        ]
      },
      "data": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "$ref": "MetadataRecord"
        }
      },
      "pageID": {
        "type": "integer",
        "format": "int32",
        "minimum": 0,
        "maximum": 2147483647
      },
      "recordCount": {
        "type": "integer",
        "format": "int64",
        "minimum": 0,
        "maximum": 9007199254740991
      }
    }
  },
  "UserBasicEnvelope": {
    "type": "object",
    "required": [
      "isError",
      "errorMessage",
      "data"
    ],
    "properties": {
      "isError": {
        "type": "boolean",
        "const": false
      },
      "errorMessage": {
        "type": [
          "string",
          "null"
        ]
      },
      "data": {
        "type": "array",
        "items": {
          "$ref": "UserBasicRecord"
        }
      }
    }
  },
  "UserBasicRecord": {
    "type": "object",
    "required": [
      "id",
      "username",
      "email_id",
      "title",
      "first_name",
      "middle_name",
      "last_name",
      "status",
      "group",
      "created_date",
      "modified_date",
      "phone_country_code",
      "phone_number",
      "external_system_id"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "format": "int64",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "username": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1024
      },
      "email_id": {
        "type": "string",
        "maxLength": 1024
      },
      "title": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024
      },
      "first_name": {
        "type": "string",
        "maxLength": 1024
      },
      "middle_name": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024
      },
      "last_name": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024
      },
      "status": {
        "type": "integer",
        "format": "int32",
        "minimum": 0,
        "maximum": 2
      },
      "group": {
        "type": "string",
        "maxLength": 1024
      },
      "created_date": {
        "type": "string",
        "format": "date-time",
        "pattern": "T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$"
      },
      "modified_date": {
        "type": [
          "string",
          "null"
        ],
        "pattern": "^\\d{4}-\\d{2}-\\d{2}(?:[Tt ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?(?:[Zz]|[+-]\\d{2}(?::?\\d{2})?))?)?$"
      },
      "phone_country_code": {
        "type": "string",
        "maxLength": 1024
      },
      "phone_number": {
        "type": "string",
        "maxLength": 1024
      },
      "external_system_id": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024
      }
    }
  },
  "UserAddressEnvelope": {
    "type": "object",
    "required": [
      "isError",
      "errorMessage",
      "data"
    ],
    "properties": {
      "isError": {
        "type": "boolean",
        "const": false
      },
      "errorMessage": {
        "type": [
          "string",
          "null"
        ]
      },
      "data": {
        "type": "array",
        "maxItems": 1,
        "items": {
          "$ref": "UserAddressRecord"
        }
      }
    }
  },
  "UserAddressRecord": {
    "type": "object",
    "required": [
      "id",
      "username",
      "address",
      "city",
      "state",
      "zip_code",
      "country"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "format": "int64",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "username": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1024
      },
      "address": {
        "type": "string",
        "maxLength": 1024
      },
      "city": {
        "type": "string",
        "maxLength": 1024
      },
      "state": {
        "type": "string",
        "maxLength": 1024
      },
      "zip_code": {
        "type": "string",
        "maxLength": 1024
      },
      "country": {
        "type": "string",
        "maxLength": 1024
      }
    }
  },
  "UserSecurityEnvelope": {
    "type": "object",
    "required": [
      "isError",
      "errorMessage",
      "data"
    ],
    "properties": {
      "isError": {
        "type": "boolean",
        "const": false
      },
      "errorMessage": {
        "type": [
          "string",
          "null"
        ]
      },
      "data": {
        "type": "array",
        "maxItems": 1,
        "items": {
          "$ref": "UserSecurityRecord"
        }
      }
    }
  },
  "UserSecurityRecord": {
    "type": "object",
    "required": [
      "id",
      "username",
      "is_admin",
      "allow_email_attachment",
      "allow_download",
      "allow_reports",
      "allow_transmit",
      "allow_dashboard",
      "allow_all_campaigns",
      "allow_all_skills",
      "allow_all_agents",
      "allow_all_groups",
      "allow_all_flags",
      "allow_all_secure01",
      "allow_all_secure02",
      "allow_all_secure03",
      "allow_all_secure04",
      "allow_all_secure05",
      "allow_all_media",
      "allow_all_services",
      "allow_all_download_doc_type",
      "allowed_campaigns",
      "allowed_skills",
      "allowed_agents",
      "allowed_groups",
      "allowed_flags",
      "allowed_secure01",
      "allowed_secure02",
      "allowed_secure03",
      "allowed_secure04",
      "allowed_secure05",
      "allowed_media",
      "allowed_services",
      "allowed_download_doc_type",
      "mfa_enabled",
      "mfa_authy_enabled",
      "search_rights"
    ],
    "properties": {
      "id": {
        "type": "integer",
        "format": "int64",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "username": {
        "type": "string",
        "minLength": 1,
        "maxLength": 1024
      },
      "is_admin": {
        "type": "boolean"
      },
      "allow_email_attachment": {
        "type": "boolean"
      },
      "allow_download": {
        "type": "boolean"
      },
      "allow_reports": {
        "type": "boolean"
      },
      "allow_transmit": {
        "type": "boolean"
      },
      "allow_dashboard": {
        "type": "boolean"
      },
      "allow_all_campaigns": {
        "type": "boolean"
      },
      "allow_all_skills": {
        "type": "boolean"
      },
      "allow_all_agents": {
        "type": "boolean"
      },
      "allow_all_groups": {
        "type": "boolean"
      },
      "allow_all_flags": {
        "type": "boolean"
      },
      "allow_all_secure01": {
        "type": "boolean"
      },
      "allow_all_secure02": {
        "type": "boolean"
      },
      "allow_all_secure03": {
        "type": "boolean"
      },
      "allow_all_secure04": {
        "type": "boolean"
      },
      "allow_all_secure05": {
        "type": "boolean"
      },
      "allow_all_media": {
        "type": "boolean"
      },
      "allow_all_services": {
        "type": "boolean"
      },
      "allow_all_download_doc_type": {
        "type": "boolean"
      },
      "allowed_campaigns": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_skills": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_agents": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_groups": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_flags": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_secure01": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_secure02": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_secure03": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_secure04": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_secure05": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_media": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_services": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "allowed_download_doc_type": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "mfa_enabled": {
        "type": "boolean"
      },
      "mfa_authy_enabled": {
        "type": "boolean"
      },
      "search_rights": {}
    }
  },
  "RecordingEnvelope": {
    "type": "object",
    "required": [
      "isError",
      "errorMessage",
      "data"
    ],
    "properties": {
      "isError": {
        "type": "boolean",
        "const": false
      },
      "errorMessage": {
        "type": [
          "string",
          "null"
        ]
      },
      "data": {
        "$ref": "RecordingRecord"
      }
    }
  },
  "RecordingRecord": {
    "type": "object",
    "required": [
      "success",
      "filename",
      "base64"
    ],
    "properties": {
      "success": {
        "type": "boolean",
        "const": true
      },
      "filename": {
        "type": "string",
        "minLength": 1,
        "pattern": "^[^/]*$"
      },
      "base64": {
        "type": "string",
        "minLength": 4,
        "pattern": "^[A-Za-z0-9+/]+={0,2}$"
      }
    }
  },
  "PublicFlagEnvelope": {
    "type": "object",
    "required": [
      "isError",
      "errorMessage",
      "data"
    ],
    "properties": {
      "isError": {
        "type": "boolean",
        "const": false
      },
      "errorMessage": {
        "type": [
          "string",
          "null"
        ]
      },
      "data": {
        "type": "array",
        "items": {
          "$ref": "PublicFlagRecord"
        }
      }
    }
  },
  "PublicFlagRecord": {
    "type": "object",
    "required": [
      "Id",
      "Type",
      "Name",
      "DateCreated",
      "DateModified"
    ],
    "properties": {
      "Id": {
        "type": "integer",
        "format": "int64",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "Type": {
        "type": "string",
        "const": "Public"
      },
      "Name": {
        "type": "string"
      },
      "DateCreated": {
        "type": "string",
        "format": "date-time",
        "pattern": "T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$"
      },
      "DateModified": {
        "type": "string",
        "format": "date-time",
        "pattern": "T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$"
      }
    }
  },
  "PrivateFlagEnvelope": {
    "type": "object",
    "required": [
      "isError",
      "errorMessage",
      "data"
    ],
    "properties": {
      "isError": {
        "type": "boolean",
        "const": false
      },
      "errorMessage": {
        "type": [
          "string",
          "null"
        ]
      },
      "data": {
        "type": "array",
        "items": {
          "$ref": "PrivateFlagRecord"
        }
      }
    }
  },
  "PrivateFlagRecord": {
    "type": "object",
    "required": [
      "Id",
      "Type",
      "Name",
      "DateCreated",
      "DateModified"
    ],
    "properties": {
      "Id": {
        "type": "integer",
        "format": "int64",
        "minimum": 0,
        "maximum": 9007199254740991
      },
      "Type": {
        "type": "string",
        "const": "Private"
      },
      "Name": {
        "type": "string"
      },
      "DateCreated": {
        "type": "string",
        "format": "date-time",
        "pattern": "T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$"
      },
      "DateModified": {
        "type": "string",
        "format": "date-time",
        "pattern": "T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$"
      }
    }
  },
  "ChatEnvelope": {
    "type": "object",
    "required": [
      "isError",
      "errorMessage",
      "data"
    ],
    "properties": {
      "isError": {
        "type": "boolean",
        "const": false
      },
      "errorMessage": {
        "type": [
          "string",
          "null"
        ]
      },
      "data": {
        "type": "array",
        "items": {
          "$ref": "ChatMessageRecord"
        }
      }
    }
  },
  "ChatMessageRecord": {
    "type": "object",
    "required": [
      "call_id",
      "transcript",
      "datetime",
      "party_type",
      "label",
      "room_id"
    ],
    "properties": {
      "call_id": {
        "type": [
          "string",
          "null"
        ],
        "minLength": 1,
        "maxLength": 1024
      },
      "transcript": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1000000
      },
      "datetime": {
        "type": "string",
        "format": "date-time",
        "pattern": "T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$"
      },
      "party_type": {
        "type": "string",
        "maxLength": 1024
      },
      "label": {
        "type": [
          "string",
          "null"
        ],
        "maxLength": 1024
      },
      "room_id": {
        "type": "string",
        "maxLength": 1024
      }
    }
  }
};

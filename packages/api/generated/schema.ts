// Generated from spec/openapi.yaml by openapi-typescript: do not edit.
// Command: pnpm generate

export interface paths {
    "/Token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an access token
         * @description Exchanges the credentials of an application for a bearer token. When the token has expired the client repeats this call. A client must not follow a redirect here, since it would hand the secret to another host.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metadata/by-reference/{ref_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Call records by reference
         * @description Returns every call record with that reference, session or master identifier that the caller may see, newest first. None is not an error.
         */
        get: operations["getMetadataByReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metadata/by-call-id/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Call records by call identifier
         * @description Returns every call record with that call identifier that the caller may see, newest first. None is not an error.
         */
        get: operations["getMetadataByCallId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metadata/by-custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search by custom or security fields
         * @description Reads call records of a range of days by their custom or security fields and changes nothing. Records without a datetime are in no range. Only records the caller may see are found and counted.
         */
        post: operations["searchMetadataByCustomFields"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metadata/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search by named fields
         * @description Reads call records of a range of days by named fields and changes nothing. Records without a datetime are in no range. Only records the caller may see are found and counted.
         */
        post: operations["searchMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/basic-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Returns the profiles of all users with a status. A caller who is not an administrator gets only their own profile, if its status fits.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/address-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Address of a user
         * @description Returns the address of a user. If the caller is not an administrator, any other user is treated as unknown: the answer is 200 and empty.
         */
        get: operations["getUserAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/security-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Security rights of a user
         * @description Returns the security rights of a user. If the caller is not an administrator, any other user is treated as unknown: the answer is 200 and empty.
         */
        get: operations["getUserSecurityRights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recording/by-reference/{ref_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recording as base64, by reference
         * @description Returns a recording of the call with that reference, session or master identifier inside JSON. If there are several recordings, it is the first, unless `part` asks for another.
         */
        get: operations["getRecordingByReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recording/by-call-id/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recording as base64, by call identifier
         * @description Returns a recording of the call with that call or contact identifier inside JSON. If there are several recordings, it is the first, unless `part` asks for another.
         */
        get: operations["getRecordingByCallId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recording/stream-by-reference/{ref_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recording as a stream, by reference
         * @description Returns a recording of the call with that reference, session or master identifier as bytes, whole or in ranges, so that a download can be resumed and a player can seek. If there are several recordings, it is the first, unless `part` asks for another. HEAD is answered with the same headers and no body.
         */
        get: operations["streamRecordingByReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recording/stream-by-call-id/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recording as a stream, by call identifier
         * @description Returns a recording of the call with that call or contact identifier as bytes, whole or in ranges, so that a download can be resumed and a player can seek. If there are several recordings, it is the first, unless `part` asks for another. HEAD is answered with the same headers and no body.
         */
        get: operations["streamRecordingByCallId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flags/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public flags of the caller
         * @description Returns the public flags the caller may see: those in allowed_flags, or all with allow_all_flags.
         */
        get: operations["listPublicFlags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flags/private": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Private flags of a user
         * @description Returns the private flags of a user. If the caller is not an administrator, any other user is treated as unknown: the answer is 200 and empty.
         */
        get: operations["listPrivateFlags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chat/by-call-id/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chat transcript of a call
         * @description Returns the messages of a call that the caller may see, oldest first. None is not an error.
         */
        get: operations["getChatByCallId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Credentials of an application, issued when the application was created. */
        TokenRequest: {
            /**
             * @description Identifier of the application.
             * @example app_4f7c2d91a85e03b6c1d9f274
             */
            secretID: string;
            /**
             * Format: password
             * @description Secret of the application. It is shown once, when the application is created.
             */
            secretKey: string;
        };
        /** @description A bearer token, to be sent as `Authorization` with every other request. */
        TokenResponse: {
            /** @description The bearer token. It is opaque; nothing can be read from it. */
            access_token: string;
            /**
             * @description The token scheme.
             * @constant
             */
            type: "Bearer";
            /**
             * Format: date-time
             * @description When the token expires, ISO 8601 in UTC. The token is valid for 3600 seconds unless the operator set another lifetime, of 60 seconds to 24 hours.
             * @example 2025-01-21T10:12:40Z
             */
            expires: string;
        };
        /** @description The envelope of a request that failed. */
        ErrorEnvelope: {
            /**
             * @description Always true in an error.
             * @constant
             */
            isError: true;
            /** @description A sentence for people that names the field and the fault. Programs should decide by the status code. */
            errorMessage: string;
            /**
             * @description Always empty in an error.
             * @constant
             */
            data: never[];
        };
        /** @description Metadata of one call. Every field is always present, in this order, and null when the archive holds no value. */
        MetadataRecord: {
            /**
             * @description When the call began: an ISO 8601 timestamp, with or without a UTC offset, exactly as it came into the archive. Text without an offset is read in the archive's time zone (UTC unless the operator set another).
             * @example 2025-01-21T09:12:40Z
             */
            datetime: string | null;
            /**
             * @description Number of the calling party (automatic number identification).
             * @example 2125550101
             */
            ani: string | null;
            /**
             * @description Number that was called (dialled number identification service).
             * @example 8005550110
             */
            dnis: string | null;
            /**
             * @description Sign-in name of the agent who handled the call.
             * @example daniel.reyes
             */
            agent: string | null;
            /**
             * @description Full name of the agent.
             * @example Daniel Reyes
             */
            agent_name: string | null;
            /**
             * @description Kind of campaign, for example Inbound or Outbound.
             * @example Inbound
             */
            campaign_type: string | null;
            /**
             * @description Name of the campaign the call belongs to.
             * @example Billing Support
             */
            campaign: string | null;
            /**
             * @description Kind of call, for example Inbound, Outbound or Internal.
             * @example Inbound
             */
            call_type: string | null;
            /**
             * @description Call or contact identifier. Several records may share it, for example one for each leg of a transferred call.
             * @example 300000000100017
             */
            call_id: string | null;
            /**
             * @description Reference, session or master identifier that ties related calls together.
             * @example FHR-000001
             */
            ref_id: string | null;
            /**
             * @description Identifier of the campaign.
             * @example C-100
             */
            campaign_id: string | null;
            /**
             * @description Identifier of the skill.
             * @example 1001
             */
            skill_id: string | null;
            /**
             * Format: int64
             * @description Time the agent spent on the call, with after-call work, in whole seconds.
             * @example 108
             */
            handle_time: number | null;
            /**
             * Format: int64
             * @description Time spent talking, in whole seconds.
             * @example 36
             */
            talk_time: number | null;
            /**
             * @description Identifier of the agent group.
             * @example 10
             */
            agent_group_id: string | null;
            /**
             * @description Identifier of the disposition.
             * @example D-101
             */
            disposition_id: string | null;
            /**
             * @description State or region of the calling number.
             * @example NY
             */
            ani_state: string | null;
            /**
             * @description State or region of the called number.
             * @example NJ
             */
            dnis_state: string | null;
            /**
             * @description Name of the skill (queue) that took the call.
             * @example Bills and payments
             */
            skill: string | null;
            /**
             * @description Name of the group the agent belongs to.
             * @example Billing Team
             */
            agent_group: string | null;
            /**
             * @description Outcome the agent gave the call.
             * @example Bill explained
             */
            disposition: string | null;
            /**
             * @description What the agent wrote about the outcome.
             * @example Refund of 43.50 agreed
             */
            disposition_notes: string | null;
            /**
             * @description File names of the recordings of the call in order of their start, separated by "; ". Null when there is none.
             * @example 20250121-0912-bill-too-high.wav
             */
            recordings: string | null;
            /**
             * @description First name of the customer.
             * @example Zoë
             */
            customer_first_name: string | null;
            /**
             * @description Middle name of the customer.
             * @example Maria
             */
            customer_middle_name: string | null;
            /**
             * @description Last name of the customer.
             * @example Lindqvist
             */
            customer_last_name: string | null;
            /**
             * @description Email address of the customer.
             * @example zoe.lindqvist@example.com
             */
            customer_email: string | null;
            /**
             * @description First phone number of the customer.
             * @example (212) 555-0101
             */
            phone_number1: string | null;
            /**
             * @description Second phone number of the customer.
             * @example +46 40 555 01 01
             */
            phone_number2: string | null;
            /**
             * @description Third phone number of the customer.
             * @example 2125550102
             */
            phone_number3: string | null;
            /**
             * @description Country of the customer.
             * @example Sweden
             */
            country: string | null;
            /**
             * @description State or region of the customer, as a name or a code.
             * @example Skåne
             */
            state_id: string | null;
            /**
             * @description Postal code of the customer.
             * @example 211 20
             */
            zip: string | null;
            /**
             * @description Street and house number of the customer.
             * @example Almgatan 4
             */
            street: string | null;
            /**
             * @description City of the customer.
             * @example Malmö
             */
            city: string | null;
            /**
             * @description Full name of the agent the call was transferred to.
             * @example Samira Haddad
             */
            dest_agent_name: string | null;
            /**
             * @description Identifier of the lead the call was made for.
             * @example L-2048
             */
            lead_id: string | null;
            /**
             * @description Choices the caller made in the voice menu.
             * @example Main > Bills > Agent
             */
            ivr_path: string | null;
            /**
             * @description Kind of contact, for example voice, chat or email.
             * @example Voice
             */
            media: string | null;
            /**
             * @description Company of the customer.
             * @example Fernhollow
             */
            company: string | null;
            /**
             * @description Text of what was said.
             * @example Agent: How can I help?
             *     Customer: My last bill was twice the usual.
             */
            transcript: string | null;
            /**
             * @description Custom field 1; its meaning is set by the operator of the archive.
             * @example 44710101
             */
            custom_field_1: string | null;
            /**
             * @description Custom field 2; its meaning is set by the operator of the archive.
             * @example Home Fixed
             */
            custom_field_2: string | null;
            /** @description Custom field 3; its meaning is set by the operator of the archive. */
            custom_field_3: string | null;
            /** @description Custom field 4; its meaning is set by the operator of the archive. */
            custom_field_4: string | null;
            /** @description Custom field 5; its meaning is set by the operator of the archive. */
            custom_field_5: string | null;
            /** @description Custom field 6; its meaning is set by the operator of the archive. */
            custom_field_6: string | null;
            /** @description Custom field 7; its meaning is set by the operator of the archive. */
            custom_field_7: string | null;
            /** @description Custom field 8; its meaning is set by the operator of the archive. */
            custom_field_8: string | null;
            /** @description Custom field 9; its meaning is set by the operator of the archive. */
            custom_field_9: string | null;
            /** @description Custom field 10; its meaning is set by the operator of the archive. */
            custom_field_10: string | null;
            /** @description Custom field 11; its meaning is set by the operator of the archive. */
            custom_field_11: string | null;
            /** @description Custom field 12; its meaning is set by the operator of the archive. */
            custom_field_12: string | null;
            /** @description Custom field 13; its meaning is set by the operator of the archive. */
            custom_field_13: string | null;
            /** @description Custom field 14; its meaning is set by the operator of the archive. */
            custom_field_14: string | null;
            /** @description Custom field 15; its meaning is set by the operator of the archive. */
            custom_field_15: string | null;
            /** @description Custom field 16; its meaning is set by the operator of the archive. */
            custom_field_16: string | null;
            /** @description Custom field 17; its meaning is set by the operator of the archive. */
            custom_field_17: string | null;
            /** @description Custom field 18; its meaning is set by the operator of the archive. */
            custom_field_18: string | null;
            /** @description Custom field 19; its meaning is set by the operator of the archive. */
            custom_field_19: string | null;
            /** @description Custom field 20; its meaning is set by the operator of the archive. */
            custom_field_20: string | null;
            /**
             * @description Security field 1. A user sees the record only when allow_all_secure01 or allowed_secure01 of their security rights covers this value.
             * @example EMEA
             */
            security_field_01: string | null;
            /**
             * @description Security field 2. A user sees the record only when allow_all_secure02 or allowed_secure02 of their security rights covers this value.
             * @example Standard
             */
            security_field_02: string | null;
            /**
             * @description Security field 3. A user sees the record only when allow_all_secure03 or allowed_secure03 of their security rights covers this value.
             * @example 6 years
             */
            security_field_03: string | null;
            /**
             * @description Security field 4. A user sees the record only when allow_all_secure04 or allowed_secure04 of their security rights covers this value.
             * @example Residential
             */
            security_field_04: string | null;
            /** @description Security field 5. A user sees the record only when allow_all_secure05 or allowed_secure05 of their security rights covers this value. */
            security_field_05: string | null;
            /**
             * @description Notes kept with the call.
             * @example Called back on the same day
             */
            notes: string | null;
        };
        /** @description Call records that match. */
        MetadataEnvelope: {
            /**
             * @description Always false on success.
             * @constant
             */
            isError: false;
            /**
             * @description Always null on success.
             * @example null
             */
            errorMessage: string | null;
            /** @description The records, newest first; records with the same moment in the order of their import. A search gives one page of at most 50; by identifier every record is given, those without a datetime last. Empty when nothing matches or the page is past the end. */
            data: components["schemas"]["MetadataRecord"][];
        };
        /** @description Values to look for, by custom or security field. A record has to match all that are given; an empty object matches every record of the date range. Text matches a whole value: spaces around it are trimmed and letter case is ignored. A key that is not listed here is answered 400. */
        CustomFieldsFilter: {
            /**
             * @description Matches custom field 1.
             * @example 44710101
             */
            custom_field_1?: string;
            /**
             * @description Matches custom field 2.
             * @example Home Fixed
             */
            custom_field_2?: string;
            /** @description Matches custom field 3. */
            custom_field_3?: string;
            /** @description Matches custom field 4. */
            custom_field_4?: string;
            /** @description Matches custom field 5. */
            custom_field_5?: string;
            /** @description Matches custom field 6. */
            custom_field_6?: string;
            /** @description Matches custom field 7. */
            custom_field_7?: string;
            /** @description Matches custom field 8. */
            custom_field_8?: string;
            /** @description Matches custom field 9. */
            custom_field_9?: string;
            /** @description Matches custom field 10. */
            custom_field_10?: string;
            /** @description Matches custom field 11. */
            custom_field_11?: string;
            /** @description Matches custom field 12. */
            custom_field_12?: string;
            /** @description Matches custom field 13. */
            custom_field_13?: string;
            /** @description Matches custom field 14. */
            custom_field_14?: string;
            /** @description Matches custom field 15. */
            custom_field_15?: string;
            /** @description Matches custom field 16. */
            custom_field_16?: string;
            /** @description Matches custom field 17. */
            custom_field_17?: string;
            /** @description Matches custom field 18. */
            custom_field_18?: string;
            /** @description Matches custom field 19. */
            custom_field_19?: string;
            /** @description Matches custom field 20. */
            custom_field_20?: string;
            /**
             * @description Matches security field 1.
             * @example EMEA
             */
            security_field_01?: string;
            /**
             * @description Matches security field 2.
             * @example Standard
             */
            security_field_02?: string;
            /**
             * @description Matches security field 3.
             * @example 6 years
             */
            security_field_03?: string;
            /**
             * @description Matches security field 4.
             * @example Residential
             */
            security_field_04?: string;
            /** @description Matches security field 5. */
            security_field_05?: string;
        };
        /** @description One page of call records that match. */
        MetadataPageEnvelope: {
            /**
             * @description Always false on success.
             * @constant
             */
            isError: false;
            /**
             * @description Always null on success.
             * @example null
             */
            errorMessage: string | null;
            /** @description At most 50 records, newest first; records with the same moment in the order of their import. Empty when nothing matches or the page is past the end. */
            data: components["schemas"]["MetadataRecord"][];
            /**
             * Format: int32
             * @description The page that was asked for; the same number as pageIndex.
             */
            pageID: number;
            /**
             * Format: int64
             * @description Number of all matching records the caller may see, over all pages; exact, not an estimate.
             */
            recordCount: number;
        };
        /** @description Values to look for, by field. At least one must be given, unless the request has `words`. A record has to match all that are given. Text matches a whole value: spaces around it are trimmed and letter case is ignored. A key that is not listed here is answered 400. */
        MetadataFilter: {
            /**
             * @description Matches the sign-in name of the agent.
             * @example daniel.reyes
             */
            agent?: string;
            /**
             * @description Matches the full name of the agent.
             * @example Daniel Reyes
             */
            agent_name?: string;
            /**
             * @description Matches the kind of campaign.
             * @example Inbound
             */
            campaign_type?: string;
            /**
             * @description Matches the name of the campaign.
             * @example Billing Support
             */
            campaign?: string;
            /**
             * @description Matches the kind of call.
             * @example Inbound
             */
            call_type?: string;
            /**
             * @description Matches the call or contact identifier.
             * @example 300000000100017
             */
            call_id?: string;
            /**
             * @description Matches the reference, session or master identifier.
             * @example FHR-000001
             */
            ref_id?: string;
            /**
             * @description Matches the identifier of the campaign.
             * @example C-100
             */
            campaign_id?: string;
            /**
             * @description Matches the identifier of the skill.
             * @example 1001
             */
            skill_id?: string;
            /**
             * Format: int64
             * @description Matches records whose handle_time, in whole seconds, equals this.
             * @example 108
             */
            handle_time?: number;
            /**
             * Format: int64
             * @description Matches records whose talk_time, in whole seconds, equals this.
             * @example 36
             */
            talk_time?: number;
            /**
             * @description Matches the identifier of the agent group.
             * @example 10
             */
            agent_group_id?: string;
            /**
             * @description Matches the identifier of the disposition.
             * @example D-101
             */
            disposition_id?: string;
            /**
             * @description Matches the state or region of the calling number.
             * @example NY
             */
            ani_state?: string;
            /**
             * @description Matches the state or region of the called number.
             * @example NJ
             */
            dnis_state?: string;
            /**
             * @description Matches the name of the skill.
             * @example Bills and payments
             */
            skill?: string;
            /**
             * @description Matches the name of the agent group.
             * @example Billing Team
             */
            agent_group?: string;
            /**
             * @description Matches the outcome of the call.
             * @example Bill explained
             */
            disposition?: string;
            /**
             * @description Matches what the agent wrote about the outcome.
             * @example Refund of 43.50 agreed
             */
            disposition_notes?: string;
            /**
             * @description Matches the first name of the customer.
             * @example Zoë
             */
            customer_first_name?: string;
            /**
             * @description Matches the middle name of the customer.
             * @example Maria
             */
            customer_middle_name?: string;
            /**
             * @description Matches the last name of the customer.
             * @example Lindqvist
             */
            customer_last_name?: string;
            /**
             * @description Matches the email address of the customer.
             * @example zoe.lindqvist@example.com
             */
            customer_email?: string;
            /**
             * @description Matches the first phone number of the customer; only digits are compared.
             * @example (212) 555-0101
             */
            phone_number1?: string;
            /**
             * @description Matches the second phone number of the customer; only digits are compared.
             * @example +46 40 555 01 01
             */
            phone_number2?: string;
            /**
             * @description Matches the third phone number of the customer; only digits are compared.
             * @example 2125550102
             */
            phone_number3?: string;
            /**
             * @description Matches the country of the customer.
             * @example Sweden
             */
            country?: string;
            /**
             * @description Matches the state or region of the customer.
             * @example Skåne
             */
            state_id?: string;
            /**
             * @description Matches the postal code of the customer.
             * @example 211 20
             */
            zip?: string;
            /**
             * @description Matches the street and house number of the customer.
             * @example Almgatan 4
             */
            street?: string;
            /**
             * @description Matches the city of the customer.
             * @example Malmö
             */
            city?: string;
            /**
             * @description Matches the full name of the agent the call was transferred to.
             * @example Samira Haddad
             */
            dest_agent_name?: string;
            /**
             * @description Matches the identifier of the lead.
             * @example L-2048
             */
            lead_id?: string;
            /**
             * @description Matches the choices the caller made in the voice menu.
             * @example Main > Bills > Agent
             */
            ivr_path?: string;
            /**
             * @description Matches the kind of contact.
             * @example Voice
             */
            media?: string;
            /**
             * @description Matches the company of the customer.
             * @example Fernhollow
             */
            company?: string;
        };
        /** @description Profile of one user. */
        UserBasicRecord: {
            /**
             * Format: int64
             * @description Identifier of the user. Other operations take it as `user_id`.
             * @example 2
             */
            id: number;
            /**
             * @description Name the user signs in with.
             * @example sam.supervisor
             */
            username: string;
            /**
             * @description Email address of the user.
             * @example sam.supervisor@example.com
             */
            email_id: string;
            /**
             * @description Title, for example Dr, or null.
             * @example Ms.
             */
            title: string | null;
            /**
             * @description First name.
             * @example Samira
             */
            first_name: string;
            /**
             * @description Middle name, or null.
             * @example Quinn
             */
            middle_name: string | null;
            /**
             * @description Last name, or null.
             * @example Haddad
             */
            last_name: string | null;
            /**
             * Format: int32
             * @description 1 when the user is active, 0 when inactive, 2 when deleted.
             * @example 1
             */
            status: number;
            /**
             * @description Name of the group the user belongs to.
             * @example Supervisors
             */
            group: string;
            /**
             * Format: date-time
             * @description When the user was created, ISO 8601 with offset.
             * @example 2024-09-16T10:30:00+01:00
             */
            created_date: string;
            /**
             * @description When the user was last changed, as the archive holds it, or null.
             * @example 2025-11-05T14:02:11+01:00
             */
            modified_date: string | null;
            /**
             * @description Country calling code of the phone number.
             * @example +1
             */
            phone_country_code: string;
            /**
             * @description Phone number without the country calling code.
             * @example 2125550172
             */
            phone_number: string;
            /**
             * @description Identifier of the user in another system, or null.
             * @example HR-1014
             */
            external_system_id: string | null;
        };
        /** @description Profiles of users. */
        UserBasicEnvelope: {
            /**
             * @description Always false on success.
             * @constant
             */
            isError: false;
            /**
             * @description Always null on success.
             * @example null
             */
            errorMessage: string | null;
            /** @description All users with that status for an administrator, else the caller alone, when the status fits. */
            data: components["schemas"]["UserBasicRecord"][];
        };
        /** @description Address of one user. */
        UserAddressRecord: {
            /**
             * Format: int64
             * @description Identifier of the user, as listUsers gives it.
             * @example 4
             */
            id: number;
            /**
             * @description Name the user signs in with.
             * @example riley.restricted
             */
            username: string;
            /**
             * @description Street and house number.
             * @example Birkevej 15
             */
            address: string;
            /**
             * @description City.
             * @example Aarhus
             */
            city: string;
            /**
             * @description State or region.
             * @example Midtjylland
             */
            state: string;
            /**
             * @description Postal code.
             * @example 8000
             */
            zip_code: string;
            /**
             * @description Country.
             * @example Denmark
             */
            country: string;
        };
        /** @description Addresses of a user. */
        UserAddressEnvelope: {
            /**
             * @description Always false on success.
             * @constant
             */
            isError: false;
            /**
             * @description Always null on success.
             * @example null
             */
            errorMessage: string | null;
            /** @description The address of that user. Empty when there is no such user or the caller may not see it. */
            data: components["schemas"]["UserAddressRecord"][];
        };
        /** @description What a user may see and do. For each allow_all_X / allowed_X pair the user may see either everything (allow_all_X is true) or the values that are listed; the list is empty when allow_all_X is true or nothing is granted. */
        UserSecurityRecord: {
            /**
             * Format: int64
             * @description Identifier of the user, as listUsers gives it.
             * @example 4
             */
            id: number;
            /**
             * @description Name the user signs in with.
             * @example riley.restricted
             */
            username: string;
            /** @description Whether the user administers the archive. An administrator sees profile, address, rights and private flags of every user, but no more calls than the rights below allow. */
            is_admin: boolean;
            /** @description Whether the user may send recordings by email. Kept and returned, not enforced by this service. */
            allow_email_attachment: boolean;
            /** @description Whether the user may fetch recordings. */
            allow_download: boolean;
            /** @description Whether the user may use reports. Kept and returned, not enforced by this service. */
            allow_reports: boolean;
            /** @description Whether the user may transmit recordings. Kept and returned, not enforced by this service. */
            allow_transmit: boolean;
            /** @description Whether the user may use the dashboard. Kept and returned, not enforced by this service. */
            allow_dashboard: boolean;
            /** @description Whether the user may see calls of every campaign, and calls without one. */
            allow_all_campaigns: boolean;
            /** @description Whether the user may see calls of every skill, and calls without one. */
            allow_all_skills: boolean;
            /** @description Whether the user may see calls of every agent, and calls without one. */
            allow_all_agents: boolean;
            /** @description Whether the user may see calls of every agent group, and calls without one. */
            allow_all_groups: boolean;
            /** @description Whether the user may see every public flag. */
            allow_all_flags: boolean;
            /** @description Whether the user may see calls with any value, or none, in security_field_01. */
            allow_all_secure01: boolean;
            /** @description Whether the user may see calls with any value, or none, in security_field_02. */
            allow_all_secure02: boolean;
            /** @description Whether the user may see calls with any value, or none, in security_field_03. */
            allow_all_secure03: boolean;
            /** @description Whether the user may see calls with any value, or none, in security_field_04. */
            allow_all_secure04: boolean;
            /** @description Whether the user may see calls with any value, or none, in security_field_05. */
            allow_all_secure05: boolean;
            /** @description Whether the user may see calls of every kind of contact, and calls without one. */
            allow_all_media: boolean;
            /** @description Whether the user may use every service. Kept and returned, not enforced by this service. */
            allow_all_services: boolean;
            /** @description Whether the user may fetch recordings with any file extension. */
            allow_all_download_doc_type: boolean;
            /**
             * @description Names of the campaigns whose calls the user may see.
             * @example [
             *       "Billing Support",
             *       "Outage Line"
             *     ]
             */
            allowed_campaigns: string[];
            /**
             * @description Names of the skills whose calls the user may see.
             * @example [
             *       "Bills and payments"
             *     ]
             */
            allowed_skills: string[];
            /**
             * @description Agents whose calls the user may see.
             * @example [
             *       "daniel.reyes"
             *     ]
             */
            allowed_agents: string[];
            /**
             * @description Names of the agent groups whose calls the user may see.
             * @example [
             *       "Billing Team"
             *     ]
             */
            allowed_groups: string[];
            /**
             * @description Names of the public flags the user may see.
             * @example [
             *       "Follow up",
             *       "Escalated"
             *     ]
             */
            allowed_flags: string[];
            /**
             * @description Values of security_field_01 whose calls the user may see.
             * @example [
             *       "EMEA"
             *     ]
             */
            allowed_secure01: string[];
            /**
             * @description Values of security_field_02 whose calls the user may see.
             * @example [
             *       "Standard"
             *     ]
             */
            allowed_secure02: string[];
            /**
             * @description Values of security_field_03 whose calls the user may see.
             * @example [
             *       "6 years"
             *     ]
             */
            allowed_secure03: string[];
            /**
             * @description Values of security_field_04 whose calls the user may see.
             * @example [
             *       "Residential"
             *     ]
             */
            allowed_secure04: string[];
            /**
             * @description Values of security_field_05 whose calls the user may see.
             * @example [
             *       "Branch 7"
             *     ]
             */
            allowed_secure05: string[];
            /**
             * @description Kinds of contact whose calls the user may see.
             * @example [
             *       "Voice",
             *       "Chat"
             *     ]
             */
            allowed_media: string[];
            /**
             * @description Services the user may use. Kept and returned, not enforced by this service.
             * @example [
             *       "Export"
             *     ]
             */
            allowed_services: string[];
            /**
             * @description File extensions of the recordings the user may fetch, without the dot.
             * @example [
             *       "wav"
             *     ]
             */
            allowed_download_doc_type: string[];
            /** @description Whether the user signs in with a second factor. */
            mfa_enabled: boolean;
            /** @description Whether that second factor is Authy. */
            mfa_authy_enabled: boolean;
            /** @description Search rights as they were imported: any JSON value, or null. Passed through, not enforced. */
            search_rights: unknown;
        };
        /** @description Security rights of a user. */
        UserSecurityEnvelope: {
            /**
             * @description Always false on success.
             * @constant
             */
            isError: false;
            /**
             * @description Always null on success.
             * @example null
             */
            errorMessage: string | null;
            /** @description The rights of that user. Empty when there is no such user or the caller may not see them. */
            data: components["schemas"]["UserSecurityRecord"][];
        };
        /** @description A recording, base64-encoded. For long recordings prefer the streams, which need no decoding. */
        RecordingRecord: {
            /**
             * @description true when the recording is in this answer. A call without a recording is answered 404.
             * @constant
             */
            success: true;
            /**
             * @description File name of the recording, without a path.
             * @example 20250121-0912-bill-too-high.wav
             */
            filename: string;
            /**
             * @description Content of the file, base64-encoded (RFC 4648, section 4, with padding). It is never empty: the archive takes no file without content.
             * @example UklGRg==
             */
            base64: string;
        };
        /** @description A recording inside JSON. */
        RecordingEnvelope: {
            /**
             * @description Always false on success.
             * @constant
             */
            isError: false;
            /**
             * @description Always null on success.
             * @example null
             */
            errorMessage: string | null;
            data: components["schemas"]["RecordingRecord"];
        };
        /** @description A public flag, which every permitted user may see. The field names are capitalised. */
        PublicFlagRecord: {
            /**
             * Format: int64
             * @description Identifier of the flag.
             * @example 2
             */
            Id: number;
            /**
             * @description Always Public.
             * @constant
             */
            Type: "Public";
            /**
             * @description Name of the flag.
             * @example Escalated
             */
            Name: string;
            /**
             * Format: date-time
             * @description When the flag was created, ISO 8601 with offset.
             * @example 2024-11-04T09:01:00Z
             */
            DateCreated: string;
            /**
             * Format: date-time
             * @description When the flag was last changed, ISO 8601 with offset.
             * @example 2025-03-17T11:20:45Z
             */
            DateModified: string;
        };
        /** @description Public flags. */
        PublicFlagEnvelope: {
            /**
             * @description Always false on success.
             * @constant
             */
            isError: false;
            /**
             * @description Always null on success.
             * @example null
             */
            errorMessage: string | null;
            /** @description The flags. Empty when there is none, or none that the caller may see. */
            data: components["schemas"]["PublicFlagRecord"][];
        };
        /** @description A private flag, which belongs to one user. The field names are capitalised. */
        PrivateFlagRecord: {
            /**
             * Format: int64
             * @description Identifier of the flag.
             * @example 16
             */
            Id: number;
            /**
             * @description Always Private.
             * @constant
             */
            Type: "Private";
            /**
             * @description Name of the flag.
             * @example Ask the partner desk
             */
            Name: string;
            /**
             * Format: date-time
             * @description When the flag was created, ISO 8601 with offset.
             * @example 2025-03-03T10:20:00+01:00
             */
            DateCreated: string;
            /**
             * Format: date-time
             * @description When the flag was last changed, ISO 8601 with offset.
             * @example 2025-03-03T10:20:00+01:00
             */
            DateModified: string;
        };
        /** @description Private flags. */
        PrivateFlagEnvelope: {
            /**
             * @description Always false on success.
             * @constant
             */
            isError: false;
            /**
             * @description Always null on success.
             * @example null
             */
            errorMessage: string | null;
            /** @description The flags. Empty when there is none, no such user, or none that the caller may see. */
            data: components["schemas"]["PrivateFlagRecord"][];
        };
        /** @description One message of a chat, or one turn of a transcribed call. */
        ChatMessageRecord: {
            /**
             * @description Call or contact identifier, or null.
             * @example 300000000100017
             */
            call_id: string | null;
            /**
             * @description Text of the message, or null.
             * @example Hello, this is Zoë Lindqvist.
             */
            transcript: string | null;
            /**
             * Format: date-time
             * @description When the message was sent, ISO 8601 with offset.
             * @example 2025-01-21T09:12:44Z
             */
            datetime: string;
            /**
             * @description Who wrote, as it was imported, for example agent or customer.
             * @example Customer
             */
            party_type: string;
            /**
             * @description Name shown with the message, or null.
             * @example Zoë
             */
            label: string | null;
            /**
             * @description Identifier of the chat room the message belongs to.
             * @example voice-1
             */
            room_id: string;
        };
        /** @description Messages of a chat. */
        ChatEnvelope: {
            /**
             * @description Always false on success.
             * @constant
             */
            isError: false;
            /**
             * @description Always null on success.
             * @example null
             */
            errorMessage: string | null;
            /** @description The messages, oldest first. Empty when the call has no chat or may not be seen. */
            data: components["schemas"]["ChatMessageRecord"][];
        };
    };
    responses: {
        /** @description The token. */
        Token: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenResponse"];
            };
        };
        /** @description The body is not JSON, or a field of it is missing or not a string. */
        BadTokenRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description There is no such secretID, the secretKey is wrong, or the user the application belongs to cannot sign in. The answer and its time are the same in each case. */
        WrongCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The Accept header allows none of the media types the answer can have. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The body is larger than the service takes. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The body is not declared as application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Sign-in with this secretID, or from this address, has failed too often. Each further failure doubles the wait, up to a minute; wrong credentials and right ones are refused alike until it is over. */
        TooManySignIns: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The service failed. Nothing of its inside is shown. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The service cannot answer now: it is starting, stopping or overloaded, its access log cannot be written, or what would be answered is not what was imported: the file of the recording is missing, shorter than it was, or altered, or a disk has changed a record. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The call records. */
        Metadata: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Archive-Time-Zone": components["headers"]["Archive-Time-Zone"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MetadataEnvelope"];
            };
        };
        /** @description The ref_id is longer than 1024 characters, or its percent-encoding is malformed. */
        BadReference: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The access token or API key is missing, invalid, expired or revoked. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The limit of requests is used up. There is none unless the operator set one. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The call_id is longer than 1024 characters, or its percent-encoding is malformed. */
        BadCallId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description One page of the matching call records, and how many there are. */
        MetadataPage: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Archive-Time-Zone": components["headers"]["Archive-Time-Zone"];
                Link: components["headers"]["Link"];
                "Preference-Applied": components["headers"]["Words-Applied"];
                Vary: components["headers"]["Vary"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MetadataPageEnvelope"];
            };
        };
        /** @description A query parameter is missing or not valid, or the body is not a filter. */
        BadCustomFieldsSearch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description One page of the matching call records. */
        MetadataSearch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Archive-Time-Zone": components["headers"]["Archive-Time-Zone"];
                Link: components["headers"]["Link"];
                "Content-Range": components["headers"]["Records-Range"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                Vary: components["headers"]["Vary"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MetadataEnvelope"];
            };
        };
        /** @description A query parameter is missing or not valid, or the body is not a filter. */
        BadSearch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The users. */
        Users: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Caller: components["headers"]["Caller"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UserBasicEnvelope"];
            };
        };
        /** @description The status is missing or not one of the four. */
        BadUserStatus: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The address of the user. */
        UserAddresses: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UserAddressEnvelope"];
            };
        };
        /** @description The user_id is missing or not an integer. */
        BadUserId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The security rights of the user. */
        UserSecurityRights: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UserSecurityEnvelope"];
            };
        };
        /** @description The recording, base64-encoded. */
        Recording: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Recording-Of": components["headers"]["Recording-Of"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RecordingEnvelope"];
            };
        };
        /** @description The ref_id or the part is not valid. */
        BadRecordingByReference: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The caller lacks allow_download, or the type of the file is not among allowed_download_doc_type. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description No call of this reference has a recording or such a part, there is no such call, or none may be seen. */
        NoRecordingOfReference: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The call_id or the part is not valid. */
        BadRecordingByCallId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The call has no recording or no such part, does not exist, or may not be seen. */
        NoRecordingOfCall: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The bytes of the recording. Content-Type is the media type found in the file's own bytes, else the type of sound or video that its source declared, one of those listed or another, else application/octet-stream. Who accepts nothing but application/octet-stream is sent that. */
        RecordingStream: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Accept-Ranges": components["headers"]["Accept-Ranges"];
                "Content-Length": components["headers"]["Content-Length"];
                "Content-Disposition": components["headers"]["Content-Disposition"];
                "Recording-Of": components["headers"]["Recording-Of"];
                "Recording-Sound": components["headers"]["Recording-Sound"];
                ETag: components["headers"]["ETag"];
                "Last-Modified": components["headers"]["Last-Modified"];
                "Repr-Digest": components["headers"]["Repr-Digest"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/octet-stream": unknown;
                "audio/wav": unknown;
                "audio/mpeg": unknown;
                "audio/ogg": unknown;
            };
        };
        /** @description The range of bytes that was asked for; Content-Type as in 200. */
        RecordingStreamPart: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Accept-Ranges": components["headers"]["Accept-Ranges"];
                "Content-Length": components["headers"]["Content-Length"];
                "Content-Range": components["headers"]["Content-Range"];
                "Content-Disposition": components["headers"]["Content-Disposition"];
                "Recording-Of": components["headers"]["Recording-Of"];
                "Recording-Sound": components["headers"]["Recording-Sound"];
                ETag: components["headers"]["ETag"];
                "Last-Modified": components["headers"]["Last-Modified"];
                "Repr-Digest": components["headers"]["Repr-Digest"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/octet-stream": unknown;
                "audio/wav": unknown;
                "audio/mpeg": unknown;
                "audio/ogg": unknown;
            };
        };
        /** @description The copy the client holds is still current. The response has no body. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                ETag: components["headers"]["ETag"];
                "Last-Modified": components["headers"]["Last-Modified"];
                "Recording-Sound": components["headers"]["Recording-Sound"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description No byte of the requested range is in the recording, or the range of bytes cannot be read. */
        RangeNotSatisfiable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Range": components["headers"]["Unsatisfied-Range"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The public flags the caller may see. */
        PublicFlags: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PublicFlagEnvelope"];
            };
        };
        /** @description The private flags of the user. */
        PrivateFlags: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PrivateFlagEnvelope"];
            };
        };
        /** @description The messages of the chat, oldest first. */
        Chat: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChatEnvelope"];
            };
        };
    };
    parameters: {
        /**
         * @description Reference, session or master identifier of the calls, percent-encoded in the path.
         * @example FHR-000001
         */
        RefId: string;
        /**
         * @description Call or contact identifier, percent-encoded in the path.
         * @example 300000000100017
         */
        CallId: string;
        /**
         * @description Which page, counted from 0. A page holds 50 records. A page past the end is answered 200 and empty.
         * @example 0
         */
        PageIndex: number;
        /**
         * @description First day of the range, included: YYYY-MM-DD, a calendar day in the archive's time zone (UTC unless the operator set another).
         * @example 2025-01-01
         */
        StartDate: string;
        /**
         * @description Last day of the range, included: YYYY-MM-DD, a calendar day in the archive's time zone (UTC unless the operator set another). It must not be before startDate.
         * @example 2025-01-31
         */
        EndDate: string;
        /**
         * @description Words that a call has to have, in any order: in its transcript, notes, disposition notes or chat, or in a name of an agent, the customer or the company. Letter case and accents do not count. `"early termination"` is a phrase, `ref*` a beginning. Four digits or more also match the end of a phone number. There is no AND, OR or NOT. At most 32 words. A beginning of two letters or digits is looked for in at most 10,000 calls, and so may be one of more than nine characters, or with others than a to z and digits, where some calls are hidden from the caller. Anything else is answered 400. This parameter is an extension; send `Prefer: words` to learn whether it was applied.
         * @example "meter was estimated" zo*
         */
        Words: string;
        /**
         * @description With `count=exact` a search by named fields carries the exact number of matching records in `Content-Range`. With `words` a search that applied the parameter `words` says so in `Preference-Applied`. This header is an extension; the interface has none here.
         * @example count=exact, words
         */
        Prefer: string;
        /**
         * @description Which users to list. `all` lists every one, whatever the status.
         * @example active
         */
        UserStatus: "active" | "inactive" | "deleted" | "all";
        /**
         * @description The `id` of a user, as listUsers gives it.
         * @example 4
         */
        UserId: number;
        /**
         * @description Which recording of the call, counted from 1 in order of their start. Without it the first is given. This parameter is an extension; the interface has none here.
         * @example 1
         */
        Part: number;
        /**
         * @description The bytes that are wanted, for example `bytes=1048576-` to resume a download. Several ranges at once are answered with the whole recording; a range of bytes that cannot be read is answered 416.
         * @example bytes=0-1023
         */
        Range: string;
        /**
         * @description ETag or Last-Modified of the part already held. When the recording has changed since, the whole of it is sent.
         * @example "ae2314084aece31fa17f25eee14c4049f980aea4f1f42b883ec6d83a1d56ac89"
         */
        "If-Range": string;
        /**
         * @description ETag of the copy already held. When it is still current the answer is 304, without a body.
         * @example "ae2314084aece31fa17f25eee14c4049f980aea4f1f42b883ec6d83a1d56ac89"
         */
        "If-None-Match": string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in the service's log. Quote it when you report a problem.
         * @example 14cc7e76-5f24-4b42-a3ed-c7b4ade1e0b2
         */
        "X-Request-Id": string;
        /**
         * @description Says that nobody may keep a copy.
         * @example no-store
         */
        "Cache-Control": "no-store";
        /** @description What is left of the limit, `r` requests, and in how many seconds, `t`, it is renewed. Absent where no limit applies. */
        RateLimit: string;
        /** @description The limit that applies, `q` requests in a window of `w` seconds. */
        "RateLimit-Policy": string;
        /** @description A stable code of the error, for programs. The sentence in errorMessage may change, the code does not. New codes may be added, so treat one that you do not know as its status. */
        "X-Error-Code": string;
        /** @description The scheme to use and, if credentials were sent, the reason why they were rejected. Without credentials, the header has only the scheme. */
        "WWW-Authenticate": string;
        /** @description Seconds to wait before the next try. */
        "Retry-After": number;
        /**
         * @description IANA name of the archive's time zone. A datetime without an offset is local time there, and startDate and endDate are calendar days there.
         * @example UTC
         */
        "Archive-Time-Zone": string;
        /**
         * @description Address of the next page, to be asked for with the same method and body. Absent on the last page.
         * @example </metadata/search?pageIndex=1&startDate=2026-03-01&endDate=2026-03-31>; rel="next"
         */
        Link: string;
        /**
         * @description The preference the service kept, `words`. Absent when it was not asked for, or the search has no `words`.
         * @example words
         */
        "Words-Applied": "words";
        /**
         * @description The request headers that the answer depends on, `Prefer` among them.
         * @example Prefer
         */
        Vary: string;
        /** @description Which records this page holds, counted from 0, and the exact number of matching records; for an empty page `records *\/1234`. Sent when the request has `Prefer: count=exact`. */
        "Records-Range": string;
        /**
         * @description The preferences the service kept, `count=exact` and `words`. Absent when none was asked for.
         * @example count=exact, words
         */
        "Preference-Applied": "count=exact" | "words" | "count=exact, words";
        /**
         * @description The user whom the credentials belong to. Absent where it would take more than 4,096 bytes.
         * @example id=1, username=%"avery.admin"
         */
        Caller: string;
        /**
         * @description The record whose recording it is: its call_id, ref_id and datetime. A member that is absent is null there. Absent where all three are null, or take more than 4,096 bytes.
         * @example call_id=%"300000000100017", ref_id=%"FHR-000001", datetime=%"2025-01-21T09:12:40Z"
         */
        "Recording-Of": string;
        /**
         * @description Says that byte ranges of the recording may be asked for.
         * @example bytes
         */
        "Accept-Ranges": "bytes";
        /** @description Length of the body in bytes. */
        "Content-Length": number;
        /**
         * @description File name of the recording, also as `filename*` when it has characters beyond ASCII.
         * @example attachment; filename=20250121-0912-bill-too-high.wav
         */
        "Content-Disposition": string;
        /**
         * @description What was found in the bytes of the recording when they came in: length in seconds, codec, samples a second, channels, and the findings. A member that is absent is not known. Without a finding the list is empty. Absent where nobody looked.
         * @example duration=35.111, codec="mulaw", rate=8000, channels=1, findings=()
         */
        "Recording-Sound": string;
        /**
         * @description Strong validator of the file's content, for `If-None-Match` and `If-Range`.
         * @example "ae2314084aece31fa17f25eee14c4049f980aea4f1f42b883ec6d83a1d56ac89"
         */
        ETag: string;
        /**
         * @description When the file was last changed.
         * @example Tue, 21 Jan 2025 09:14:28 GMT
         */
        "Last-Modified": string;
        /**
         * @description SHA-256 of the whole recording, also when only a range of it is sent, so that a download can be checked.
         * @example sha-256=:riMUCErs4x+hfyXu4UxASfmArqTx9CuIPsbYOh1WrIk=:
         */
        "Repr-Digest": string;
        /**
         * @description Tells browsers to keep to the media type that is sent.
         * @example nosniff
         */
        "X-Content-Type-Options": "nosniff";
        /**
         * @description Which bytes this is, counted from 0, and the length of the whole recording.
         * @example bytes 0-1023/280948
         */
        "Content-Range": string;
        /**
         * @description The length of the whole recording in bytes.
         * @example bytes *\/280948
         */
        "Unsatisfied-Range": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Credentials of the application. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            200: components["responses"]["Token"];
            400: components["responses"]["BadTokenRequest"];
            401: components["responses"]["WrongCredentials"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManySignIns"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMetadataByReference: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Reference, session or master identifier of the calls, percent-encoded in the path.
                 * @example FHR-000001
                 */
                ref_id: components["parameters"]["RefId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            400: components["responses"]["BadReference"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMetadataByCallId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Call or contact identifier, percent-encoded in the path.
                 * @example 300000000100017
                 */
                call_id: components["parameters"]["CallId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metadata"];
            400: components["responses"]["BadCallId"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchMetadataByCustomFields: {
        parameters: {
            query: {
                /**
                 * @description Which page, counted from 0. A page holds 50 records. A page past the end is answered 200 and empty.
                 * @example 0
                 */
                pageIndex: components["parameters"]["PageIndex"];
                /**
                 * @description First day of the range, included: YYYY-MM-DD, a calendar day in the archive's time zone (UTC unless the operator set another).
                 * @example 2025-01-01
                 */
                startDate: components["parameters"]["StartDate"];
                /**
                 * @description Last day of the range, included: YYYY-MM-DD, a calendar day in the archive's time zone (UTC unless the operator set another). It must not be before startDate.
                 * @example 2025-01-31
                 */
                endDate: components["parameters"]["EndDate"];
                /**
                 * @description Words that a call has to have, in any order: in its transcript, notes, disposition notes or chat, or in a name of an agent, the customer or the company. Letter case and accents do not count. `"early termination"` is a phrase, `ref*` a beginning. Four digits or more also match the end of a phone number. There is no AND, OR or NOT. At most 32 words. A beginning of two letters or digits is looked for in at most 10,000 calls, and so may be one of more than nine characters, or with others than a to z and digits, where some calls are hidden from the caller. Anything else is answered 400. This parameter is an extension; send `Prefer: words` to learn whether it was applied.
                 * @example "meter was estimated" zo*
                 */
                words?: components["parameters"]["Words"];
            };
            header?: {
                /**
                 * @description With `count=exact` a search by named fields carries the exact number of matching records in `Content-Range`. With `words` a search that applied the parameter `words` says so in `Preference-Applied`. This header is an extension; the interface has none here.
                 * @example count=exact, words
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The custom and security fields to search by; none for the whole date range. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomFieldsFilter"];
            };
        };
        responses: {
            200: components["responses"]["MetadataPage"];
            400: components["responses"]["BadCustomFieldsSearch"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchMetadata: {
        parameters: {
            query: {
                /**
                 * @description Which page, counted from 0. A page holds 50 records. A page past the end is answered 200 and empty.
                 * @example 0
                 */
                pageIndex: components["parameters"]["PageIndex"];
                /**
                 * @description First day of the range, included: YYYY-MM-DD, a calendar day in the archive's time zone (UTC unless the operator set another).
                 * @example 2025-01-01
                 */
                startDate: components["parameters"]["StartDate"];
                /**
                 * @description Last day of the range, included: YYYY-MM-DD, a calendar day in the archive's time zone (UTC unless the operator set another). It must not be before startDate.
                 * @example 2025-01-31
                 */
                endDate: components["parameters"]["EndDate"];
                /**
                 * @description Words that a call has to have, in any order: in its transcript, notes, disposition notes or chat, or in a name of an agent, the customer or the company. Letter case and accents do not count. `"early termination"` is a phrase, `ref*` a beginning. Four digits or more also match the end of a phone number. There is no AND, OR or NOT. At most 32 words. A beginning of two letters or digits is looked for in at most 10,000 calls, and so may be one of more than nine characters, or with others than a to z and digits, where some calls are hidden from the caller. Anything else is answered 400. This parameter is an extension; send `Prefer: words` to learn whether it was applied.
                 * @example "meter was estimated" zo*
                 */
                words?: components["parameters"]["Words"];
            };
            header?: {
                /**
                 * @description With `count=exact` a search by named fields carries the exact number of matching records in `Content-Range`. With `words` a search that applied the parameter `words` says so in `Preference-Applied`. This header is an extension; the interface has none here.
                 * @example count=exact, words
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The fields to search by; at least one, unless `words` is given. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataFilter"];
            };
        };
        responses: {
            200: components["responses"]["MetadataSearch"];
            400: components["responses"]["BadSearch"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query: {
                /**
                 * @description Which users to list. `all` lists every one, whatever the status.
                 * @example active
                 */
                status: components["parameters"]["UserStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Users"];
            400: components["responses"]["BadUserStatus"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserAddresses: {
        parameters: {
            query: {
                /**
                 * @description The `id` of a user, as listUsers gives it.
                 * @example 4
                 */
                user_id: components["parameters"]["UserId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserAddresses"];
            400: components["responses"]["BadUserId"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserSecurityRights: {
        parameters: {
            query: {
                /**
                 * @description The `id` of a user, as listUsers gives it.
                 * @example 4
                 */
                user_id: components["parameters"]["UserId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserSecurityRights"];
            400: components["responses"]["BadUserId"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecordingByReference: {
        parameters: {
            query?: {
                /**
                 * @description Which recording of the call, counted from 1 in order of their start. Without it the first is given. This parameter is an extension; the interface has none here.
                 * @example 1
                 */
                part?: components["parameters"]["Part"];
            };
            header?: never;
            path: {
                /**
                 * @description Reference, session or master identifier of the calls, percent-encoded in the path.
                 * @example FHR-000001
                 */
                ref_id: components["parameters"]["RefId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Recording"];
            400: components["responses"]["BadRecordingByReference"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRecordingOfReference"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecordingByCallId: {
        parameters: {
            query?: {
                /**
                 * @description Which recording of the call, counted from 1 in order of their start. Without it the first is given. This parameter is an extension; the interface has none here.
                 * @example 1
                 */
                part?: components["parameters"]["Part"];
            };
            header?: never;
            path: {
                /**
                 * @description Call or contact identifier, percent-encoded in the path.
                 * @example 300000000100017
                 */
                call_id: components["parameters"]["CallId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Recording"];
            400: components["responses"]["BadRecordingByCallId"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRecordingOfCall"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamRecordingByReference: {
        parameters: {
            query?: {
                /**
                 * @description Which recording of the call, counted from 1 in order of their start. Without it the first is given. This parameter is an extension; the interface has none here.
                 * @example 1
                 */
                part?: components["parameters"]["Part"];
            };
            header?: {
                /**
                 * @description The bytes that are wanted, for example `bytes=1048576-` to resume a download. Several ranges at once are answered with the whole recording; a range of bytes that cannot be read is answered 416.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description ETag or Last-Modified of the part already held. When the recording has changed since, the whole of it is sent.
                 * @example "ae2314084aece31fa17f25eee14c4049f980aea4f1f42b883ec6d83a1d56ac89"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
                /**
                 * @description ETag of the copy already held. When it is still current the answer is 304, without a body.
                 * @example "ae2314084aece31fa17f25eee14c4049f980aea4f1f42b883ec6d83a1d56ac89"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description Reference, session or master identifier of the calls, percent-encoded in the path.
                 * @example FHR-000001
                 */
                ref_id: components["parameters"]["RefId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RecordingStream"];
            206: components["responses"]["RecordingStreamPart"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRecordingByReference"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRecordingOfReference"];
            406: components["responses"]["NotAcceptable"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamRecordingByCallId: {
        parameters: {
            query?: {
                /**
                 * @description Which recording of the call, counted from 1 in order of their start. Without it the first is given. This parameter is an extension; the interface has none here.
                 * @example 1
                 */
                part?: components["parameters"]["Part"];
            };
            header?: {
                /**
                 * @description The bytes that are wanted, for example `bytes=1048576-` to resume a download. Several ranges at once are answered with the whole recording; a range of bytes that cannot be read is answered 416.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description ETag or Last-Modified of the part already held. When the recording has changed since, the whole of it is sent.
                 * @example "ae2314084aece31fa17f25eee14c4049f980aea4f1f42b883ec6d83a1d56ac89"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
                /**
                 * @description ETag of the copy already held. When it is still current the answer is 304, without a body.
                 * @example "ae2314084aece31fa17f25eee14c4049f980aea4f1f42b883ec6d83a1d56ac89"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description Call or contact identifier, percent-encoded in the path.
                 * @example 300000000100017
                 */
                call_id: components["parameters"]["CallId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RecordingStream"];
            206: components["responses"]["RecordingStreamPart"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRecordingByCallId"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRecordingOfCall"];
            406: components["responses"]["NotAcceptable"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPublicFlags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PublicFlags"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPrivateFlags: {
        parameters: {
            query: {
                /**
                 * @description The `id` of a user, as listUsers gives it.
                 * @example 4
                 */
                user_id: components["parameters"]["UserId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PrivateFlags"];
            400: components["responses"]["BadUserId"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChatByCallId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Call or contact identifier, percent-encoded in the path.
                 * @example 300000000100017
                 */
                call_id: components["parameters"]["CallId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Chat"];
            400: components["responses"]["BadCallId"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}

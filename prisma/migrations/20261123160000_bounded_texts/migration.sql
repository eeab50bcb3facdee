-- An index takes no row above 2,704 bytes: a text that stands in one is bounded, so that a statement with a longer one is
-- refused for what it is, and before that by whoever brings it in (ids of providers have 255 characters). The next
-- migration looks at the rows that are there already; this one looks at none, so it takes a moment however many there are.
ALTER TABLE "admin_sessions"
    ADD CONSTRAINT "admin_sessions_hash_bounded" CHECK (octet_length("hash") <= 1024) NOT VALID;
ALTER TABLE "audit_log"
    ADD CONSTRAINT "audit_log_kind_bounded" CHECK (octet_length("kind") <= 1024) NOT VALID;
ALTER TABLE "blocklist"
    ADD CONSTRAINT "blocklist_number_bounded" CHECK (octet_length("number") <= 1024) NOT VALID;
ALTER TABLE "calls"
    ADD CONSTRAINT "calls_correlation_bounded" CHECK (octet_length("correlation") <= 1024) NOT VALID,
    ADD CONSTRAINT "calls_customer_campaign_bounded" CHECK (octet_length("customer_campaign") <= 1024) NOT VALID,
    ADD CONSTRAINT "calls_destination_bounded" CHECK (octet_length("destination") <= 1024) NOT VALID;
ALTER TABLE "campaigns"
    ADD CONSTRAINT "campaigns_correlation_bounded" CHECK (octet_length("correlation") <= 1024) NOT VALID;
ALTER TABLE "claims"
    ADD CONSTRAINT "claims_key_bounded" CHECK (octet_length("key") <= 1024) NOT VALID;
ALTER TABLE "conversations"
    ADD CONSTRAINT "conversations_contact_bounded" CHECK (octet_length("contact") <= 1024) NOT VALID;
ALTER TABLE "destinations"
    ADD CONSTRAINT "destinations_region_bounded" CHECK (octet_length("region") <= 1024) NOT VALID;
ALTER TABLE "global_blocklist"
    ADD CONSTRAINT "global_blocklist_number_bounded" CHECK (octet_length("number") <= 1024) NOT VALID;
ALTER TABLE "inbound_messages"
    ADD CONSTRAINT "inbound_messages_contact_bounded" CHECK (octet_length("contact") <= 1024) NOT VALID,
    ADD CONSTRAINT "inbound_messages_upstream_id_bounded" CHECK (octet_length("upstream_id") <= 1024) NOT VALID;
ALTER TABLE "lists"
    ADD CONSTRAINT "lists_correlation_bounded" CHECK (octet_length("correlation") <= 1024) NOT VALID;
ALTER TABLE "media"
    ADD CONSTRAINT "media_id_bounded" CHECK (octet_length("id") <= 1024) NOT VALID;
ALTER TABLE "messages"
    ADD CONSTRAINT "messages_correlation_bounded" CHECK (octet_length("correlation") <= 1024) NOT VALID,
    ADD CONSTRAINT "messages_destination_bounded" CHECK (octet_length("destination") <= 1024) NOT VALID,
    ADD CONSTRAINT "messages_provider_id_bounded" CHECK (octet_length("provider_id") <= 1024) NOT VALID;
ALTER TABLE "operators"
    ADD CONSTRAINT "operators_key_hash_bounded" CHECK (octet_length("key_hash") <= 1024) NOT VALID;
ALTER TABLE "purses"
    ADD CONSTRAINT "purses_name_bounded" CHECK (octet_length("name") <= 1024) NOT VALID;
ALTER TABLE "small_ids"
    ADD CONSTRAINT "small_ids_name_bounded" CHECK (octet_length("name") <= 1024) NOT VALID;
ALTER TABLE "tariffs"
    ADD CONSTRAINT "tariffs_prefix_bounded" CHECK (octet_length("prefix") <= 1024) NOT VALID;
ALTER TABLE "templates"
    ADD CONSTRAINT "templates_upstream_id_bounded" CHECK (octet_length("upstream_id") <= 1024) NOT VALID;
ALTER TABLE "tokens"
    ADD CONSTRAINT "tokens_hash_bounded" CHECK (octet_length("hash") <= 1024) NOT VALID;

// The tables, and the changes by later versions. After each step the previous version must still work, because
// servers are replaced one by one.

export interface Migration {
  /** Counts from 1. */
  readonly version: number;
  /**
   * The oldest version whose program still works with the tables after this step; older programs refuse to open them.
   * A step only adds, so that this number stays the same. Unused parts are removed one version later at the earliest.
   */
  readonly readableSince: number;
  readonly sql: string;
}

/** In the order of their versions. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    readableSince: 1,
    sql: `
  CREATE TABLE setting (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
  -- Tells this archive from every other; what terms and tombstones are made with.
  INSERT INTO setting (name, value) VALUES
    ('archive_id', replace(gen_random_uuid()::text, '-', '')),
    ('index_seed', left(replace(gen_random_uuid()::text, '-', ''), 4) || right(replace(gen_random_uuid()::text, '-', ''), 12)),
    ('tombstone_key', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

  -- The months that have partitions, by the number of the month, counted from 1970 on: see months.ts. The undated have none.
  CREATE TABLE month (number int4 PRIMARY KEY);

  -- id: see values/order-key.ts. record: see values/record-form.ts. linked: [sessionId, masterId], JSON; null without either.
  -- identity, digest: what a repeated import compares, see values/call-digest.ts.
  -- Texts from outside are JSON: PostgreSQL holds no U+0000.
  CREATE TABLE call (
    id int8 PRIMARY KEY, identity bytea, digest uuid NOT NULL, linked text, record text NOT NULL
  ) PARTITION BY RANGE (id);
  -- What a search reads. terms: see terms.ts.
  CREATE TABLE call_key (id int8 PRIMARY KEY, terms int8[] NOT NULL) PARTITION BY RANGE (id);
  -- Never out of line: a scan would fetch each from there.
  ALTER TABLE call_key ALTER COLUMN terms SET STORAGE PLAIN;
  CREATE INDEX call_key_terms ON call_key USING gin (terms);
  -- What a search by words reads. words: see words.ts; seen: the terms of the fields of rights.
  CREATE TABLE call_words (id int8 PRIMARY KEY, seen int8[] NOT NULL, words tsvector NOT NULL) PARTITION BY RANGE (id);
  CREATE INDEX call_words_seen_words ON call_words USING gin (seen, words);

  -- type and modified_ms are of each recording: of the bytes, they would tell of another call with the same (D21).
  -- filename: JSON.
  CREATE TABLE recording (
    call int8 NOT NULL, part int4 NOT NULL, filename text NOT NULL, start_ms float8, sha256 bytea NOT NULL,
    type text NOT NULL, modified_ms float8 NOT NULL,
    PRIMARY KEY (call, part)
  ) PARTITION BY RANGE (call);
  CREATE INDEX recording_sha256 ON recording (sha256);
  CREATE TABLE media (sha256 bytea PRIMARY KEY, bytes int8 NOT NULL, version text, location text);

  -- What calls are looked up by: a digest of the name, see names.ts. kind: c, a call_id; r, a reference, session or master id;
  -- d, the digest of a call without a call_id, by which it is recognised.
  CREATE TABLE call_name (name uuid, kind "char", id int8, PRIMARY KEY (name, kind, id)) PARTITION BY HASH (name);
  DO $$ BEGIN FOR i IN 0..7 LOOP
    EXECUTE format('CREATE TABLE call_name_%s PARTITION OF call_name FOR VALUES WITH (MODULUS 8, REMAINDER %s)', i, i);
  END LOOP; END $$;
  -- When its source last changed what the archive has of a call, for sources that say so. It goes with the last record of the call.
  CREATE TABLE call_revision (name uuid PRIMARY KEY, revised_ms float8 NOT NULL);

  -- call_name: of its call_id. digest: of the whole message.
  CREATE TABLE chat (
    id int8 PRIMARY KEY, call_name uuid, instant_ms float8 NOT NULL, digest uuid NOT NULL, record text NOT NULL
  );
  CREATE INDEX chat_by_call ON chat (call_name, instant_ms);
  CREATE INDEX chat_by_digest ON chat (digest);
  CREATE SEQUENCE item_number;

  -- Sealed parts of a month: calls from first_id up to before until_id, as bits by their order. See bits.ts.
  CREATE TABLE segment (
    id int4 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, month int4 NOT NULL,
    first_id int8 NOT NULL, until_id int8 NOT NULL, calls int4 NOT NULL, partial int4[] NOT NULL
  );
  CREATE INDEX segment_by_month ON segment (month);
  CREATE TABLE segment_bits (
    term int8, segment int4 REFERENCES segment (id) ON DELETE CASCADE, bits varbit NOT NULL,
    PRIMARY KEY (term, segment)
  );
  CREATE INDEX segment_bits_by_segment ON segment_bits (segment);

  -- name: a digest, see names.ts; of a flag that of the key which rights compare.
  CREATE TABLE "user" (
    id int8 PRIMARY KEY, name uuid NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED, status int8 NOT NULL, record text NOT NULL
  );
  CREATE TABLE flag (id int8 PRIMARY KEY, type text NOT NULL, user_id int8, name uuid NOT NULL, record text NOT NULL);
  CREATE INDEX flag_by_user ON flag (user_id);
  CREATE INDEX public_flag_by_name ON flag (name) WHERE type = 'Public';

  -- What purges have erased, by which an import recognises it: see values/tombstones.ts.
  CREATE TABLE tombstone (mark bytea PRIMARY KEY);

  CREATE TABLE imported_rows (
    is_only bool PRIMARY KEY DEFAULT true CHECK (is_only),
    imported int8 NOT NULL, replaced int8 NOT NULL, unchanged int8 NOT NULL, erased int8 NOT NULL, rejected int8 NOT NULL
  );
  INSERT INTO imported_rows (imported, replaced, unchanged, erased, rejected) VALUES (0, 0, 0, 0, 0);

  CREATE TABLE application (
    secret_id text COLLATE "C" PRIMARY KEY, key_hash text NOT NULL, user_id int8 NOT NULL REFERENCES "user" (id),
    created_ms int8 NOT NULL, revoked_ms int8
  );
  CREATE TABLE bearer (
    hash text COLLATE "C" PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('token', 'key', 'session')), user_id int8 NOT NULL REFERENCES "user" (id),
    secret_id text COLLATE "C" REFERENCES application, key_id text COLLATE "C" REFERENCES bearer (id),
    created_ms int8 NOT NULL, expires_ms int8, revoked_ms int8
  );
  CREATE INDEX bearer_by_expiry ON bearer (expires_ms) WHERE kind <> 'key';
  CREATE INDEX bearer_by_user ON bearer (user_id);
  CREATE INDEX bearer_by_application ON bearer (secret_id);
  CREATE INDEX bearer_by_key ON bearer (key_id) WHERE key_id IS NOT NULL;

  -- The chain: entry is JSON as it was hashed. The head row is what writers lock, and what tells that rows are gone.
  CREATE TABLE access (seq int8 PRIMARY KEY, entry text NOT NULL, hash text NOT NULL);
  CREATE TABLE access_head (
    is_only bool PRIMARY KEY DEFAULT true CHECK (is_only), seq int8 NOT NULL, hash text NOT NULL
  );
  INSERT INTO access_head (seq, hash) VALUES (0, '');
  CREATE FUNCTION access_is_kept() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'rows of the access log are never changed or removed'; END $$;
  CREATE TRIGGER access_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON access
    FOR EACH STATEMENT EXECUTE FUNCTION access_is_kept();

  -- D23, shared by all servers; may be lost.
  CREATE UNLOGGED TABLE sign_in_failure (key text COLLATE "C" PRIMARY KEY, count int4 NOT NULL, last_at timestamptz NOT NULL);
  CREATE INDEX sign_in_failure_by_age ON sign_in_failure (last_at);

  -- Calls without a datetime, whose ids are below all others.
  CREATE TABLE call_undated PARTITION OF call FOR VALUES FROM (MINVALUE) TO (-4611686018427387904);
  CREATE TABLE call_key_undated PARTITION OF call_key FOR VALUES FROM (MINVALUE) TO (-4611686018427387904);
  CREATE TABLE call_words_undated PARTITION OF call_words FOR VALUES FROM (MINVALUE) TO (-4611686018427387904);
  CREATE TABLE recording_undated PARTITION OF recording FOR VALUES FROM (MINVALUE) TO (-4611686018427387904);
  `,
  },
  {
    version: 2,
    readableSince: 1,
    sql: `
  -- until_day: the last day that it is of, from 1970; null: of every day. erasure: the row of the access log.
  ALTER TABLE tombstone ADD COLUMN until_day int4, ADD COLUMN erasure int8;
  `,
  },
  {
    version: 3,
    // A program without digests would not update those of the rows it changes.
    readableSince: 3,
    sql: `
  -- digest: of all other columns, see users.ts; null: of a row of before.
  ALTER TABLE "user" ADD COLUMN digest uuid;
  ALTER TABLE flag ADD COLUMN digest uuid;
  -- See values/call-digest.ts.
  ALTER TABLE recording ADD COLUMN digest uuid;

  -- How far reading back has come, for all servers: see values/read-back.ts.
  CREATE TABLE read_back (is_only bool PRIMARY KEY DEFAULT true CHECK (is_only), state text);
  INSERT INTO read_back (state) VALUES (NULL);
  `,
  },
  {
    version: 4,
    // A program without digests would not update those of the rows that it changes. Earlier servers that are still running must be
    // restarted soon: the new ones treat credentials that they revoke or extend as damaged, and deny them all rights.
    readableSince: 4,
    sql: `
  -- What was damaged before is not found by the digests that its rows get here.
  CREATE FUNCTION text_digest(given text) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
    $$ SELECT encode(substring(sha256(convert_to(given, 'UTF8')) FOR 16), 'hex')::uuid $$;
  -- Of all other columns of a row. Whoever gives a table more columns has to make its digests anew.
  -- A role or a database may say how bytes become text.
  CREATE FUNCTION row_digest(given anyelement) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE SET bytea_output = 'hex' AS
    $$ SELECT text_digest((to_jsonb(given) - 'digest')::text) $$;
  -- Rows come without a digest, also from programs that know none; what changes one sets it to null.
  CREATE FUNCTION digest_is_made() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.digest := row_digest(NEW); RETURN NEW; END $$;

  -- ones: how many bits are set. A count compares them; to make a digest of the bits would take longer than to count.
  ALTER TABLE segment_bits ADD COLUMN ones int4;
  UPDATE segment_bits SET ones = bit_count(bits);
  DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY ARRAY['setting', 'month', 'call_revision', 'segment', 'segment_bits', 'media', 'tombstone',
      'imported_rows', 'application', 'bearer', 'read_back'] LOOP
      EXECUTE format('ALTER TABLE %I ADD COLUMN digest uuid', name);
      EXECUTE format('UPDATE %I SET digest = row_digest(%I)', name, name);
      EXECUTE format('CREATE TRIGGER digest_is_made BEFORE INSERT OR UPDATE ON %I FOR EACH ROW WHEN (NEW.digest IS NULL)
        EXECUTE FUNCTION digest_is_made()', name);
    END LOOP;
  END $$;

  UPDATE "user" SET digest = text_digest(concat('[', id, ',"', replace(name::text, '-', ''), '",', status, ',', to_json(record), ']'))
    WHERE digest IS NULL;
  UPDATE flag SET digest = text_digest(concat('[', id, ',', to_json(type), ',', coalesce(user_id::text, 'null'), ',"',
    replace(name::text, '-', ''), '",', to_json(record), ']')) WHERE digest IS NULL;
  UPDATE recording SET digest = text_digest(concat('[', part, ',"', encode(sha256, 'hex'), '",', to_json(type), ',', modified_ms, ']'))
    WHERE digest IS NULL;
  `,
  },
  {
    version: 5,
    readableSince: 4,
    sql: `
  -- See values/stored-sound.ts; null where nobody looked. A digest that was right is right again.
  ALTER TABLE media ADD COLUMN sound text;
  SET LOCAL bytea_output = 'hex';
  UPDATE media SET digest = row_digest(media) WHERE digest = text_digest((to_jsonb(media) - 'digest' - 'sound')::text);
  `,
  },
  {
    version: 6,
    // A program that does not count its rows would leave wrong sums.
    readableSince: 6,
    sql: `
  -- How many rows the tables have, and the sum of their digests: see values/row-sums.ts. A table has several of these, which add up, so
  -- that those who write at the same time do not wait for each other.
  CREATE TABLE row_sum (
    id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL, rows int8 NOT NULL, sum numeric NOT NULL
  );
  CREATE INDEX row_sum_by_name ON row_sum (name);
  CREATE FUNCTION digest_number(digest uuid) RETURNS int8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
    $$ SELECT coalesce(('x' || left(digest::text, 8))::bit(32)::int8, 0) $$;
  CREATE FUNCTION add_row_sum(given text, more int8, change numeric) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE free int8;
    BEGIN
      IF more = 0 AND change = 0 THEN RETURN; END IF;
      SELECT id INTO free FROM row_sum WHERE name = given LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF FOUND THEN UPDATE row_sum SET rows = rows + more, sum = sum + change WHERE id = free;
      ELSE INSERT INTO row_sum (name, rows, sum) VALUES (given, more, change); END IF;
    END $$;
  REVOKE EXECUTE ON FUNCTION add_row_sum FROM PUBLIC;
  -- As the owner: who serves writes rows, and no sums.
  CREATE FUNCTION rows_are_added() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$ BEGIN
    PERFORM add_row_sum(TG_ARGV[0], count(*), coalesce(sum(digest_number(digest)), 0)) FROM new_rows; RETURN NULL; END $$;
  CREATE FUNCTION rows_are_removed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$ BEGIN
    PERFORM add_row_sum(TG_ARGV[0], -count(*), -coalesce(sum(digest_number(digest)), 0)) FROM old_rows; RETURN NULL; END $$;
  CREATE FUNCTION rows_are_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$ BEGIN
    PERFORM add_row_sum(TG_ARGV[0], 0, (SELECT coalesce(sum(digest_number(digest)), 0) FROM new_rows)
      - (SELECT coalesce(sum(digest_number(digest)), 0) FROM old_rows)); RETURN NULL; END $$;
  -- What others remove or add does not count: this program says in each transaction that its rows do. A partition has triggers of its own.
  CREATE FUNCTION count_rows(of_table text, named text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    EXECUTE format('CREATE TRIGGER rows_are_added AFTER INSERT ON %1$I REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
      WHEN (current_setting(''call_media.counts'', true) = ''on'') EXECUTE FUNCTION rows_are_added(%2$L)', of_table, named);
    EXECUTE format('CREATE TRIGGER rows_are_removed AFTER DELETE ON %1$I REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT
      WHEN (current_setting(''call_media.counts'', true) = ''on'') EXECUTE FUNCTION rows_are_removed(%2$L)', of_table, named);
    EXECUTE format('CREATE TRIGGER rows_are_changed AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT WHEN (current_setting(''call_media.counts'', true) = ''on'') EXECUTE FUNCTION rows_are_changed(%2$L)',
      of_table, named);
  END $$;
  DO $$ DECLARE name text; part text; BEGIN
    FOREACH name IN ARRAY ARRAY['setting', 'month', 'call_revision', 'segment', 'segment_bits', 'media', 'tombstone',
      'imported_rows', 'application', 'bearer', 'read_back', 'user', 'flag', 'chat', 'call', 'recording'] LOOP
      EXECUTE format('INSERT INTO row_sum (name, rows, sum) SELECT %1$L, count(*), coalesce(sum(digest_number(digest)), 0) FROM %1$I',
        name);
      PERFORM count_rows(name, name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['call', 'recording'] LOOP
      FOR part IN SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = name::regclass LOOP
        PERFORM count_rows(part, name);
      END LOOP;
    END LOOP;
  END $$;
  `,
  },
  {
    version: 7,
    // A program without versions would replace records without keeping their earlier states, and erase records but not their states.
    readableSince: 7,
    sql: `
  -- A command that wrote records. run: in all rows of that command in the access log.
  CREATE TABLE act (
    id int8 GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, at_ms float8 NOT NULL, operation text NOT NULL, operator text NOT NULL,
    run text, digest uuid
  );
  -- act: that brought it; null of an earlier version.
  ALTER TABLE call ADD COLUMN act int8;
  ALTER TABLE chat ADD COLUMN act int8;
  ALTER TABLE "user" ADD COLUMN act int8;
  ALTER TABLE flag ADD COLUMN act int8;

  -- What was replaced: see values/versions.ts. name: of the call_id, or of the id of a user or a flag, see names.ts. state: the digest
  -- that a call had. act: that brought it, null where that is not known; until: that replaced it.
  CREATE TABLE version (
    id int8 GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, kind text NOT NULL, name uuid NOT NULL, identity bytea, state uuid,
    act int8, until int8 NOT NULL, is_whole bool NOT NULL, was text NOT NULL, digest uuid
  );
  CREATE INDEX version_by_name ON version (kind, name);
  -- Where its recordings were others than those of the state after it. No purge takes their contents. filename: JSON.
  CREATE TABLE version_recording (
    version int8 NOT NULL REFERENCES version (id) ON DELETE CASCADE, part int4 NOT NULL, filename text NOT NULL,
    start_ms float8, sha256 bytea NOT NULL, type text NOT NULL, modified_ms float8 NOT NULL, digest uuid,
    PRIMARY KEY (version, part)
  );
  CREATE INDEX version_recording_by_sha256 ON version_recording (sha256);

  DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY ARRAY['act', 'version', 'version_recording'] LOOP
      EXECUTE format('CREATE TRIGGER digest_is_made BEFORE INSERT OR UPDATE ON %I FOR EACH ROW WHEN (NEW.digest IS NULL)
        EXECUTE FUNCTION digest_is_made()', name);
      INSERT INTO row_sum (name, rows, sum) VALUES (name, 0, 0);
      PERFORM count_rows(name, name);
    END LOOP;
  END $$;
  `,
  },
  {
    version: 8,
    // A program without holds would erase held calls.
    readableSince: 8,
    sql: `
  -- What no purge takes: see values/holds.ts. reason: JSON. asked: the query, JSON; null of one of call_ids alone. act: that added it.
  CREATE TABLE hold (
    name text COLLATE "C" PRIMARY KEY, reason text NOT NULL, asked text, act int8 NOT NULL, digest uuid
  );
  -- What a hold keeps whatever its records say: named with it, or replaced while it fitted the query. name: see names.ts. call_id: JSON.
  CREATE TABLE held (
    hold text COLLATE "C" NOT NULL REFERENCES hold (name) ON DELETE CASCADE, name uuid NOT NULL, call_id text NOT NULL, digest uuid,
    PRIMARY KEY (hold, name)
  );
  CREATE INDEX held_by_name ON held (name);
  -- What a purge has named while a hold kept it.
  CREATE TABLE owed (name uuid PRIMARY KEY, call_id text NOT NULL, digest uuid);

  DO $$ DECLARE name text; BEGIN
    FOREACH name IN ARRAY ARRAY['hold', 'held', 'owed'] LOOP
      EXECUTE format('CREATE TRIGGER digest_is_made BEFORE INSERT OR UPDATE ON %I FOR EACH ROW WHEN (NEW.digest IS NULL)
        EXECUTE FUNCTION digest_is_made()', name);
      INSERT INTO row_sum (name, rows, sum) VALUES (name, 0, 0);
      PERFORM count_rows(name, name);
    END LOOP;
  END $$;
  `,
  },
  {
    version: 9,
    readableSince: 8,
    sql: `
  -- The references that a purge has named while a hold kept some of their records. name: see names.ts. reference: JSON.
  CREATE TABLE owed_reference (name uuid PRIMARY KEY, reference text NOT NULL, digest uuid);
  CREATE TRIGGER digest_is_made BEFORE INSERT OR UPDATE ON owed_reference FOR EACH ROW WHEN (NEW.digest IS NULL)
    EXECUTE FUNCTION digest_is_made();
  INSERT INTO row_sum (name, rows, sum) VALUES ('owed_reference', 0, 0);
  SELECT count_rows('owed_reference', 'owed_reference');
  `,
  },
  {
    version: 10,
    readableSince: 8,
    sql: String.raw`
  -- The rows that name one call and no other: see access-calls.ts.
  CREATE INDEX access_by_call ON access (
    (left(substring(entry FROM '"callIds":\["((?:[^"\\]|\\.)*)"\]'), 100) COLLATE "C"), seq
  ) WHERE substring(entry FROM '"callIds":\["((?:[^"\\]|\\.)*)"\]') IS NOT NULL;
  `,
  },
  {
    version: 11,
    readableSince: 8,
    sql: `
  -- reason: the case of the purge, JSON; null without one. A digest that was right is right again.
  ALTER TABLE owed ADD COLUMN reason text;
  ALTER TABLE owed_reference ADD COLUMN reason text;
  UPDATE owed SET digest = row_digest(owed) WHERE digest = text_digest((to_jsonb(owed) - 'digest' - 'reason')::text);
  UPDATE owed_reference SET digest = row_digest(owed_reference)
    WHERE digest = text_digest((to_jsonb(owed_reference) - 'digest' - 'reason')::text);
  `,
  },
];

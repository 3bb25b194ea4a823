-- Pages of an account's log, and those of one actor or target. While an index is made, reads go on and writes of the log
-- wait. Not CONCURRENTLY: it would wait for the other processes that wait for their turn to migrate.
CREATE INDEX "audit_log_account_id_id_idx" ON "audit_log" ("account_id", "id");
CREATE INDEX "audit_log_account_id_actor_id_idx" ON "audit_log" ("account_id", "actor", "id");
CREATE INDEX "audit_log_account_id_subject_id_idx" ON "audit_log" ("account_id", "subject", "id");

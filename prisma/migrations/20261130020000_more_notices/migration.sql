-- Notices of paid renewals, of people who joined, and of finished broadcasts. The readers stand where they stood, so nothing
-- is told late.
DROP INDEX "events_notices_idx";
CREATE INDEX "events_notices_idx" ON "events" ("generation", "xid", "seq") WHERE "kind" IN ('device.linked', 'device.state_changed',
  'device.limits_changed', 'device.link_lost', 'device.lapsed', 'quota.low', 'quota.exhausted', 'plan.expiring', 'webhook.failing',
  'webhook.disabled', 'renewal.paid', 'member.joined', 'broadcast.state_changed');

-- At most one message of a device is `sending`. Leases that workers of earlier versions hold run out within 15 s of the last
-- migration: nobody claims meanwhile.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM device_leases WHERE owner IS NOT NULL AND expires_at > now()) THEN PERFORM pg_sleep(20); END IF;
END $$;

-- We do not know whether the network has these messages. Each device keeps its oldest as `sending`. The others return to
-- `queued` with one more unanswered try. The third such try makes a message `unknown`.
WITH later AS (
  SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY device_id ORDER BY seq) AS n FROM messages WHERE stage = 1) standing
  WHERE n > 1),
moved AS (
  UPDATE messages m SET status = CASE WHEN m.unanswered >= 2 THEN 'unknown' ELSE 'queued' END, reason = 'no_answer', unanswered = m.unanswered + 1
  FROM later WHERE m.id = later.id AND m.stage = 1 RETURNING m.id, m.status)
INSERT INTO message_events (message_id, status, reason) SELECT id, status, 'no_answer' FROM moved;

-- The span that accepted a message, as W3C Trace Context names it. Spans of later steps stand below it. Null: not traced.
ALTER TABLE "messages" ADD COLUMN "traceparent" TEXT;

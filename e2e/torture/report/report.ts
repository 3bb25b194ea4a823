/** The result of an attack. The table and `--json` use these names. */
import type { Counts, Latency } from '../checks/compare.js';
import type { FindingName } from '../checks/findings.js';

export type Report = Counts &
  Readonly<Record<FindingName, number>> & {
    readonly seed: string;
    readonly mutant: string | null;
    readonly faults: number;
    readonly faults_by_kind: Readonly<Record<string, number>>;
    readonly seconds_attacked: number;
    readonly accepted_per_second: number;
    readonly answers_5xx: number;
    readonly answers_unclear: number;
    readonly events_logged: number;
    readonly events_read_from_the_feed: number;
    readonly events_taken_by_webhooks: number;
    readonly people_wrote: number;
    readonly repeats_of_what_people_wrote: number;
    /** Kills of a worker that had not acknowledged some messages of people. */
    readonly kills_with_inbound_in_flight: number;
    readonly otp_latency_ms_without_faults: Latency | null;
    readonly otp_latency_ms_with_faults: Latency | null;
    readonly seconds_until_all_was_final: number;
    /** The first findings of each kind. */
    readonly findings: readonly string[];
  };

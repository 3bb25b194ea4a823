// The dashboards of Grafana, as tables: a row of panels, and for each panel its queries. `write-dashboards.mjs` turns them
// into the files of deploy/observe/dashboards.

/** [title, unit, queries as [expression, legend], kind] */
const panel = (title, unit, queries, kind = 'timeseries') => ({ title, unit, queries, kind });
const stat = (title, unit, expression) => panel(title, unit, [[expression, '']], 'stat');

const quantile = (q, metric, labels = '') =>
  `histogram_quantile(${q}, sum by (le) (rate(${metric}_bucket{${labels}}[$__rate_interval])))`;
const rate = (metric, by, labels = '') => `sum by (${by}) (rate(${metric}{${labels}}[$__rate_interval]))`;

const quantiles = (metric, labels) => [
  [quantile(0.5, metric, labels), 'p50'],
  [quantile(0.99, metric, labels), 'p99'],
];

const gateway = {
  name: 'gateway',
  title: 'Kurir: messages',
  rows: [
    [
      stat('Messages accepted a second', 'reqps', 'sum(rate(kurir_messages_accepted_total[$__rate_interval]))'),
      stat('Messages sent a second', 'reqps', 'sum(rate(kurir_message_moves_total{status="sent"}[$__rate_interval]))'),
      stat('Codes: p99 to the first try', 's', quantile(0.99, 'kurir_message_wait_seconds', 'priority="otp"')),
      stat('Waiting in lanes', 'short', 'sum(max by (priority) (kurir_queued_messages{place="lane"}))'),
      stat('Workers', 'short', 'max(kurir_workers)'),
    ],
    [
      panel('Messages by status', 'reqps', [[rate('kurir_message_moves_total', 'status'), '{{status}}']]),
      panel('Accepted, by priority', 'reqps', [[rate('kurir_messages_accepted_total', 'priority'), '{{priority}}']]),
    ],
    [
      panel('Codes: acceptance to the first try', 's', quantiles('kurir_message_wait_seconds', 'priority="otp"')),
      panel('Others: acceptance to the first try', 's', quantiles('kurir_message_wait_seconds', 'priority!="otp"')),
      panel('Oldest in a lane', 's', [['max by (priority) (kurir_oldest_in_lane_seconds)', '{{priority}}']]),
    ],
    [
      panel('Messages that wait', 'short', [
        ['max by (priority, place) (kurir_queued_messages)', '{{priority}}, {{place}}'],
      ]),
      panel('Requests by status', 'reqps', [[rate('kurir_http_requests_total', 'status'), '{{status}}']]),
      panel('Time of requests, p99', 's', [
        [
          'histogram_quantile(0.99, sum by (le, group) (rate(kurir_http_request_duration_seconds_bucket[$__rate_interval])))',
          '{{group}}',
        ],
      ]),
    ],
    [
      panel('Errors by code', 'reqps', [[rate('kurir_http_errors_total', 'code'), '{{code}}']]),
      panel('Mails', 'reqps', [[rate('kurir_mails_total', 'result'), '{{result}}']]),
    ],
  ],
};

const devices = {
  name: 'devices',
  title: 'Kurir: devices and networks',
  rows: [
    [
      stat('Connected', 'short', 'sum(max by (network) (kurir_devices{state="connected"}))'),
      stat('Wanted', 'short', 'max(kurir_devices_wanted)'),
      stat('Without a worker', 'short', 'max(kurir_devices_unheld)'),
      stat('Places taken', 'percentunit', 'max(kurir_devices_wanted) / max(kurir_capacity_devices)'),
    ],
    [
      panel('Devices by state', 'short', [['max by (network, state) (kurir_devices)', '{{network}}, {{state}}']]),
      panel('Devices by worker', 'short', [['kurir_worker_devices', '{{instance}}']]),
    ],
    [
      panel('Tries by answer', 'reqps', [[rate('kurir_tries_total', 'network, outcome'), '{{network}}, {{outcome}}']]),
      panel('Refusals by reason', 'reqps', [
        [rate('kurir_tries_total', 'network, reason', 'outcome!="sent"'), '{{network}}, {{reason}}'],
      ]),
      panel('Time to the answer, p99', 's', [
        [
          'histogram_quantile(0.99, sum by (le, network) (rate(kurir_try_duration_seconds_bucket[$__rate_interval])))',
          '{{network}}',
        ],
      ]),
    ],
    [
      panel('Ends of sessions', 'short', [
        ['sum by (network, reason) (increase(kurir_session_ends_total[5m]))', '{{network}}, {{reason}}'],
      ]),
      panel('Devices taken', 'short', [['sum by (from) (increase(kurir_leases_taken_total[5m]))', 'from {{from}}']]),
      panel('Devices lost', 'short', [['sum by (instance) (increase(kurir_leases_lost_total[5m]))', '{{instance}}']]),
    ],
    [panel('Messages of people', 'reqps', [[rate('kurir_inbound_messages_total', 'network'), '{{network}}']])],
  ],
};

const broadcasts = {
  name: 'broadcasts',
  title: 'Kurir: broadcasts',
  rows: [
    [
      stat('Running', 'short', 'max(kurir_broadcasts{state="running"})'),
      stat(
        'Bulk messages sent a second',
        'reqps',
        'sum(rate(kurir_message_wait_seconds_count{priority="bulk"}[$__rate_interval]))',
      ),
      stat('Bulk messages that wait', 'short', 'sum(max by (place) (kurir_queued_messages{priority="bulk"}))'),
    ],
    [
      panel('Broadcasts by state', 'short', [['max by (state) (kurir_broadcasts)', '{{state}}']]),
      panel('Released and tried', 'reqps', [
        ['sum(rate(kurir_messages_accepted_total{priority="bulk"}[$__rate_interval]))', 'released'],
        ['sum(rate(kurir_message_wait_seconds_count{priority="bulk"}[$__rate_interval]))', 'tried'],
      ]),
      panel('Time of the chore', 'percentunit', [
        [rate('kurir_chore_seconds_total', 'instance', 'chore="drive broadcasts"'), '{{instance}}'],
      ]),
    ],
  ],
};

const webhooks = {
  name: 'webhooks',
  title: 'Kurir: webhooks',
  rows: [
    [
      stat('Failing', 'short', 'max(kurir_webhooks{state="failing"})'),
      stat('Disabled by Kurir', 'short', 'max(kurir_webhooks{state="disabled"})'),
      stat('Retries overdue', 'short', 'max(kurir_webhook_retries{state="overdue"})'),
    ],
    [
      panel('Posts', 'reqps', [[rate('kurir_webhook_posts_total', 'result'), '{{result}}']]),
      panel('Event to answer', 's', quantiles('kurir_webhook_delay_seconds', '')),
      panel('Time of a post', 's', quantiles('kurir_webhook_post_duration_seconds', '')),
    ],
    [
      panel('Webhooks by state', 'short', [['max by (state) (kurir_webhooks)', '{{state}}']]),
      panel('Events that wait for a retry', 'short', [['max by (state) (kurir_webhook_retries)', '{{state}}']]),
      panel('Oldest transaction that writes', 's', [['max(kurir_oldest_transaction_seconds)', 'age']]),
    ],
  ],
};

const operators = {
  name: 'processes',
  title: 'Kurir: processes and stores',
  rows: [
    [
      stat('Size of the database', 'bytes', 'max(kurir_database_bytes)'),
      stat('Processes', 'short', 'count(up{job="kurir"} == 1)'),
      stat('Parts down', 'short', 'count(kurir_up == 0) or vector(0)'),
    ],
    [
      panel('Processor', 'percentunit', [
        ['rate(process_cpu_seconds_total{job="kurir"}[$__rate_interval])', '{{instance}}'],
      ]),
      panel('Memory', 'bytes', [['process_resident_memory_bytes{job="kurir"}', '{{instance}}']]),
      panel('Event loop, p99', 's', [['nodejs_eventloop_lag_p99_seconds{job="kurir"}', '{{instance}}']]),
    ],
    [
      panel('Connections to Postgres', 'short', [['kurir_database_connections', '{{instance}}, {{state}}']]),
      panel('Postgres and Redis', 'short', [['kurir_up', '{{instance}}, {{part}}']]),
      panel('Clock against Postgres', 's', [['kurir_clock_skew_seconds', '{{instance}}']]),
    ],
    [
      panel('Chores: time', 'percentunit', [[`topk(8, ${rate('kurir_chore_seconds_total', 'chore')})`, '{{chore}}']]),
      panel('Chores: failures', 'short', [
        ['sum by (chore) (increase(kurir_chore_runs_total{result="failed"}[5m])) > 0', '{{chore}}'],
      ]),
      panel('Versions', 'short', [
        ['count by (program, version, node) (kurir_build_info)', '{{program}} {{version}} {{node}}'],
      ]),
    ],
  ],
};

export const DASHBOARDS = [gateway, devices, broadcasts, webhooks, operators];

export { type Definition, definitions } from './instruments.js';
export { metrics, type RequestGroup, type StatusClass } from './metrics.js';
export { type MetricsOptions, type MetricsServer, serveMetrics, version } from './serve-metrics.js';
export { type ProcessState, showProcess } from './show-process.js';
export { gatewayGauges } from './gateway-gauges.js';

export type {
  Answer,
  BulkResult,
  CallOptions,
  ChatPresenceInput,
  CreateDeviceInput,
  Device,
  Job,
  LinkDeviceInput,
  ListedJob,
  ListDevicesInput,
  ListMessagesInput,
  RenewAccountInput,
  SendBulkInput,
  SendMessageInput,
  UpdateDeviceInput,
} from './call-types.js';
export { createClient, type KurirClient } from './client.js';
export type { Clock } from './clock.js';
export type { ClientOptions } from './connection.js';
export { KurirConnectionError, KurirError, type KurirErrorCode, KurirUsageError, KurirWaitError } from './errors.js';
export type { WaitOptions, WaitUntil } from './wait-for-job.js';

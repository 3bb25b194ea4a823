export { InvalidSettings, loadSettings } from './load-settings.js';
export { oldNodeWarning } from './node-support.js';
export type { Program, SettingsOf } from './settings.js';

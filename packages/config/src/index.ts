export { InvalidSettings, loadSettings } from './load-settings.js';
export type { Program, SettingsOf } from './settings.js';

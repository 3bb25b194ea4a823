import type { DashboardHandler } from '../dashboard-request.js';
import { showMe } from './show-me.js';

export const readMe: DashboardHandler<'readMe'> = ({ visitor }, api) => Promise.resolve(showMe(visitor, api));

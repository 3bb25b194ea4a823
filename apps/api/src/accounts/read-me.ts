import type { Handler } from '../operations/operation-request.js';
import { showMe } from './show-me.js';

export const readMe: Handler<'readMe'> = ({ caller }, api) => Promise.resolve(showMe(caller.visitor, api));

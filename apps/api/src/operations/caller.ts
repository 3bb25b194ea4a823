/** The caller of an operation: a key, known by its signature, or a person, known by the cookie of a session. */
import type { PersonCaller } from '../sign-in/person-caller.js';
import type { KeyCaller } from '../signatures/key-caller.js';

export type Caller = KeyCaller | PersonCaller;

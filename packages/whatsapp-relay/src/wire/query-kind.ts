/** The kinds of a companion's queries (`<iq>`). The name space, the type and the first child tell them apart. */
import { children, type Stanza } from './stanza.js';

const kinds = {
  'encrypt set list': 'pre-key-upload',
  'encrypt set rotate': 'signed-pre-key-rotation',
  'encrypt get count': 'pre-key-count',
  'encrypt get digest': 'pre-key-digest',
  'encrypt get key': 'pre-key-fetch',
  'usync get usync': 'usync',
  'passive set active': 'passive',
  'passive set passive': 'passive',
  'w:p get ping': 'ping',
  'w:p get': 'ping',
  'w:mex get query': 'graph-query',
  'w:m set media_conn': 'media-connection',
  'md set remove-companion-device': 'unlink',
  'md set link_code_companion_reg': 'pairing-code',
  'w:sync:app:state set sync': 'app-state',
  'abt get props': 'properties',
  'blocklist get': 'blocklist',
  'privacy get privacy': 'privacy-settings',
  'privacy set tokens': 'privacy-tokens',
} as const;

export type QueryKind = (typeof kinds)[keyof typeof kinds] | 'other';

/** An upload of keys has several children. The one that names its kind is not always the first. */
const uploadMarks: readonly string[] = ['list', 'rotate'];

export function queryKind(iq: Stanza): QueryKind {
  const tags = children(iq).map((child) => child.tag);
  const tag = tags.find((found) => uploadMarks.includes(found)) ?? tags[0];
  const name = [iq.attrs['xmlns'], iq.attrs['type'], tag].filter((part) => part !== undefined).join(' ');
  return isKnown(name) ? kinds[name] : 'other';
}

function isKnown(name: string): name is keyof typeof kinds {
  return Object.hasOwn(kinds, name);
}

/**
 * The entries for a new broadcast. They stay in the session storage of the browser, by person and account, so that going
 * back, leaving or reloading loses nothing. From the check on, the broadcast is also a draft of the gateway.
 */
import type { Category } from '../../category-texts.js';
import { type Rules, usualRules } from '../../fields/rules.js';

export type AudienceKind = 'file' | 'paste' | 'contacts';

export type ChosenFile = {
  readonly uploadId: string;
  /** A broadcast has used the upload. For another one the file has to be sent again. */
  readonly isUsed: boolean;
  readonly name: string;
  /** The column that holds the phone numbers. Null: nobody has chosen it, and the guess failed. */
  readonly phone: string | null;
  readonly columns: readonly string[];
  /** The first rows, with cells in the order of the columns. */
  readonly rows: readonly (readonly string[])[];
};

/** Empty fields filter nothing. */
export type ContactsFilter = {
  readonly list: string;
  readonly attribute: string;
  readonly value: string;
  readonly q: string;
  readonly hasConsent: boolean;
};

export type Draft = {
  readonly audience: AudienceKind;
  readonly file: ChosenFile | null;
  readonly pasted: string;
  readonly contacts: ContactsFilter;
  readonly textFrom: 'own' | 'template';
  readonly text: string;
  /** Null: the usual footer of promotions. */
  readonly footer: string | null;
  /** Null: only promotions have the footer. */
  readonly hasFooter: boolean | null;
  readonly templateId: string | null;
  /** The column for a variable that no column is named after, by the key of the variable. */
  readonly columnOf: Readonly<Record<string, string>>;
  readonly category: Category;
  /** Null: the usual name, with the day. */
  readonly name: string | null;
  /** Null: the devices that are connected. */
  readonly deviceIds: readonly string[] | null;
  /** As a `datetime-local` field has it. Empty: at once. */
  readonly sendAt: string;
  readonly pace: string;
  readonly rules: Rules;
  /** The draft of the gateway. `isStale`: its list, its text or its time was changed here since. */
  readonly created: { readonly broadcastId: string; readonly isStale: boolean } | null;
};

export const emptyDraft: Draft = {
  audience: 'file',
  file: null,
  pasted: '',
  contacts: { list: '', attribute: '', value: '', q: '', hasConsent: false },
  textFrom: 'own',
  text: '',
  footer: null,
  hasFooter: null,
  templateId: null,
  columnOf: {},
  category: 'marketing',
  name: null,
  deviceIds: null,
  sendAt: '',
  pace: '',
  rules: usualRules,
  created: null,
};

/** The gateway can change these of a draft. With another list, text or time it needs a new one. */
const changeable: readonly string[] = ['name', 'deviceIds', 'pace', 'rules'] satisfies (keyof Draft)[];

export function changed(draft: Draft, part: Partial<Draft>): Draft {
  const next = { ...draft, ...part };
  if (part.created !== undefined || next.created === null) return next;
  const isStale = next.created.isStale || Object.keys(part).some((field) => !changeable.includes(field));
  return { ...next, created: { ...next.created, isStale } };
}

const prefix = 'kurir.broadcast.';
/** The drafts that the browser does not store: it forbids storage, or they are too large for it. */
const unstored = new Map<string, Draft>();

export function readDraft(who: string): Draft {
  const inMemory = unstored.get(who);
  if (inMemory !== undefined) return inMemory;
  try {
    const text = sessionStorage.getItem(prefix + who);
    // `writeDraft` wrote it. An older page may have written fewer fields.
    return text === null ? emptyDraft : { ...emptyDraft, ...(JSON.parse(text) as Partial<Draft>) };
  } catch {
    return emptyDraft;
  }
}

export function writeDraft(who: string, draft: Draft | null): void {
  unstored.delete(who);
  try {
    if (draft === null) sessionStorage.removeItem(prefix + who);
    else sessionStorage.setItem(prefix + who, JSON.stringify(draft));
  } catch {
    if (draft !== null) unstored.set(who, draft);
  }
}

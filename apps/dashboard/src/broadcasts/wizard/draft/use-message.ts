/** The text that a draft would send, wherever it comes from. */
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../../http/query.js';
import { defineTexts, useTexts } from '../../../i18n/texts.js';
import { templateQuery } from '../../../templates/template-queries.js';
import type { Draft } from './draft.js';
import { type Binding, bindingsOfText } from './variables.js';

const texts = defineTexts(
  { usualFooter: (word: string) => `Reply ${word} to opt out` },
  { usualFooter: (word: string) => `Balas ${word} untuk berhenti` },
);

export type Message = {
  readonly text: string;
  readonly footer: string | null;
  readonly bindings: readonly Binding[];
};

/** The footer that the draft shows in its field, with the account's own word. */
export function useFooter(draft: Draft): { readonly isOn: boolean; readonly line: string } {
  const t = useTexts(texts);
  const { data } = useQuery({ ...readQuery('getOptOut', {}), staleTime: 5 * 60_000 });
  const word = data?.stop_words[0] ?? 'STOP';
  return { isOn: draft.hasFooter ?? draft.category === 'marketing', line: draft.footer ?? t.usualFooter(word) };
}

/** The chosen template. Undefined while it loads, or if none is chosen. */
export const useTemplate = ({ textFrom, templateId }: Draft) =>
  useQuery({ ...templateQuery(templateId ?? ''), enabled: textFrom === 'template' && templateId !== null }).data;

export function useMessage(draft: Draft, columns: readonly string[]): Message {
  const { isOn, line } = useFooter(draft);
  const template = useTemplate(draft);
  const isOwn = draft.textFrom === 'own';
  // The values of contacts have the names of their attributes, and no others.
  const columnOf = draft.audience === 'contacts' ? {} : draft.columnOf;
  const text = isOwn ? draft.text : (template?.text ?? '');
  const own = isOn && line.trim() !== '' ? line : null;
  const footer = isOwn ? own : (template?.footer ?? null);
  return { text, footer, bindings: bindingsOfText(text, footer, { columns, columnOf }) };
}

/** The parts of the form. */
import { h, type VNode } from 'vue';
import type { Answer } from './send-request.js';

export type FieldOptions = {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly hint?: string;
  /** A field with several lines. */
  readonly rows?: number;
  readonly secret?: boolean;
};

export function field({ label, value, onInput, hint, rows, secret = false }: FieldOptions): VNode {
  const common = {
    value,
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: hint,
    onInput: (event: Event) => onInput((event.target as HTMLInputElement).value),
  };
  const input =
    rows === undefined
      ? h('input', { ...common, type: secret ? 'password' : 'text' })
      : h('textarea', { ...common, rows });
  return h('label', { class: 'try-field' }, [h('span', label), input]);
}

/** A text is a fault that kept the form from sending. Null: nothing was sent yet. */
export function answerPart(state: Answer | string | null): VNode[] {
  if (state === null) return [];
  if (typeof state === 'string') return [h('p', { class: 'try-bad' }, state)];
  const { status, requestId, text } = state;
  return [
    h('p', { class: status < 400 ? 'try-good' : 'try-bad' }, [
      `Status ${status}`,
      ...(requestId === '' ? [] : [', request ', h('code', requestId)]),
    ]),
    h('pre', { class: 'try-answer', tabindex: 0, 'aria-label': 'The answer' }, text),
  ];
}

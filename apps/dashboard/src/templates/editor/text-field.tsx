import { limits, parseTemplate, placeInText, printParts, variablesOf } from '@kurir/contracts/dashboard';
import { useRef } from 'react';
import { Field } from '../../form/field.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { templateTexts } from '../texts.js';
import { MarkedText } from './marked-text.js';
import { Problems } from './problems.js';
import { useTooLong } from './use-too-long.js';

export type Snippet = { readonly label: string; readonly snippet: string };

type TextFieldProps = {
  text: string;
  readOnly: boolean;
  onChange: (text: string) => void;
  /** Offered in place of the example of a name. */
  snippets?: readonly Snippet[];
};

export function TextField({ text, readOnly, onChange, snippets }: TextFieldProps) {
  const t = useTexts(templateTexts);
  const field = useRef<HTMLTextAreaElement>(null);
  const parsing = parseTemplate(text);
  const tooLong = useTooLong(text, limits.templateMaxCodePoints);

  function insert(snippet: string): void {
    const target = field.current;
    if (target === null) return;
    target.setRangeText(snippet, target.selectionStart, target.selectionEnd, 'end');
    target.focus();
    onChange(target.value);
  }

  function goTo(at: number): void {
    field.current?.focus();
    field.current?.setSelectionRange(at, at);
  }

  const problems = parsing.ok
    ? []
    : parsing.errors.map(({ at, problem }) => {
        const { line, character } = placeInText(text, at);
        return { at, place: t.at(line, character), problem };
      });
  return (
    <div className="flex flex-col gap-2">
      {!readOnly && <Snippets text={text} onInsert={insert} {...(snippets === undefined ? {} : { first: snippets })} />}
      <Field label={t.text} hint={t.textHint} error={tooLong ?? undefined}>
        {(links) => (
          <MarkedText
            {...links}
            aria-invalid={links['aria-invalid'] || !parsing.ok}
            field={field}
            value={text}
            readOnly={readOnly}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      <Problems problems={problems} onGo={goTo} />
    </div>
  );
}

type SnippetsProps = { text: string; first?: readonly Snippet[]; onInsert: (snippet: string) => void };

/** Offers a name, a choice, and the variables that the text already has. */
function Snippets({ text, first, onInsert }: SnippetsProps) {
  const t = useTexts(templateTexts);
  const parsing = parseTemplate(text);
  const known = parsing.ok ? variablesOf(parsing.template) : [];
  const inText = known.map(({ name }) => {
    const snippet = printParts([{ kind: 'value', name, fallback: null }]);
    return { label: snippet, snippet };
  });
  const snippets = [
    ...(first ?? [{ label: t.insertName, snippet: t.nameSnippet }]),
    { label: t.insertPick, snippet: t.pickSnippet },
    ...(first === undefined ? inText : []),
  ];
  return (
    <div role="group" aria-label={t.insert} className="flex flex-wrap gap-2">
      {snippets.map(({ label, snippet }) => (
        <Button key={label} size="small" className="max-w-full" onClick={() => onInsert(snippet)}>
          <span aria-hidden>+</span>
          <span className="truncate">{label}</span>
        </Button>
      ))}
    </div>
  );
}

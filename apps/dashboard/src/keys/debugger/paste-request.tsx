import { useState } from 'react';
import { useTexts } from '../../i18n/texts.js';
import { Field } from '../../form/field.js';
import { TextArea } from '../../form/input.js';
import { type Draft, filledFrom } from './draft.js';
import { readRequest } from './read-request.js';
import { debuggerTexts } from './texts.js';

export function PasteRequest({ draft, onRead }: { draft: Draft; onRead: (draft: Draft) => void }) {
  const t = useTexts(debuggerTexts);
  const [text, setText] = useState('');
  const [failed, setFailed] = useState(false);
  const change = (next: string) => {
    setText(next);
    const read = readRequest(next);
    setFailed(read === null && next.trim() !== '');
    if (read !== null) onRead(filledFrom(draft, read));
  };
  return (
    <Field label={t.paste} hint={t.pasteHint} error={failed ? t.notUnderstood : undefined}>
      {(links) => (
        <TextArea
          {...links}
          value={text}
          onChange={(event) => change(event.target.value)}
          rows={3}
          className="font-mono"
          spellCheck={false}
          placeholder="curl -X POST https://…"
        />
      )}
    </Field>
  );
}

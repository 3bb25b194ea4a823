import { limits, parseTemplate } from '@kurir/contracts/dashboard';
import { Field } from '../../../form/field.js';
import { Input } from '../../../form/input.js';
import { Switch } from '../../../form/switch.js';
import { useTexts } from '../../../i18n/texts.js';
import { useTooLong } from '../../../templates/editor/use-too-long.js';
import { templateTexts } from '../../../templates/texts.js';
import { Notice } from '../../../ui/notice.js';
import type { Drafting } from '../draft/use-draft.js';
import { useFooter } from '../draft/use-message.js';
import { messageStepTexts } from './texts.js';

export function FooterField({ drafting: { draft, change } }: { drafting: Drafting }) {
  const t = useTexts(messageStepTexts);
  const template = useTexts(templateTexts);
  const { isOn, line } = useFooter(draft);
  const tooLong = useTooLong(line, limits.templateFooterMaxCodePoints);
  const parsing = parseTemplate('', line);
  const [first] = parsing.ok ? [] : parsing.errors;
  return (
    <div className="flex flex-col gap-3">
      <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4 text-sm font-medium">
        {t.footer}
        <Switch aria-label={t.footer} checked={isOn} onCheckedChange={(hasFooter) => change({ hasFooter })} />
      </label>
      {isOn && (
        <Field label={t.footerLabel} error={tooLong ?? (first && template.problems[first.problem])}>
          {(links) => (
            <Input {...links} dir="auto" value={line} onChange={({ target }) => change({ footer: target.value })} />
          )}
        </Field>
      )}
      {!isOn && draft.category === 'marketing' && <Notice tone="warn">{t.noFooter}</Notice>}
    </div>
  );
}

import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { chooseLanguage, useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Brand } from '../ui/brand.js';
import { signInTexts } from './texts.js';

/** A picture of the first steps of an account; the last step is done. */
function Way() {
  const steps = useTexts(signInTexts).steps.split('|');
  return (
    <ol className="relative flex flex-col gap-9 pl-9">
      <span aria-hidden className="absolute top-2 bottom-2 left-[9px] border-l-2 border-dotted border-line-strong" />
      {steps.map((step, i) => (
        <li key={step} className="relative text-lg font-medium">
          <span
            aria-hidden
            className={
              i === steps.length - 1
                ? 'absolute top-1 -left-9 size-5 rounded-full border-[5px] border-[#f3b94d] bg-surface'
                : 'absolute top-1 -left-9 size-5 rounded-full border-[5px] border-accent bg-surface'
            }
          />
          {step}
        </li>
      ))}
    </ol>
  );
}

type SignInFrameProps = { title: string; note?: string; children: ReactNode; foot?: ReactNode };

/** The frame of every page that needs no session. */
export function SignInFrame({ title, note, children, foot }: SignInFrameProps) {
  const t = useTexts(signInTexts);
  const language = useLanguage();
  useEffect(() => {
    document.title = `${title} · Kurir`;
  }, [title]);
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <main className="flex flex-col px-5 py-6 sm:px-10">
        <div className="flex items-center justify-between">
          <Brand />
          <button
            type="button"
            lang={language === 'id' ? 'en' : 'id'}
            className="rounded-md px-2 py-2.5 text-sm sm:py-1 text-ink-soft hover:text-ink"
            onClick={() => chooseLanguage(language === 'id' ? 'en' : 'id')}
          >
            {t.language}
          </button>
        </div>
        <div className="mx-auto flex w-full max-w-[23rem] flex-1 animate-rise flex-col justify-center gap-6 py-12">
          <div>
            <h1 className="text-2xl font-semibold tracking-[-0.024em]">{title}</h1>
            {note !== undefined && <p className="mt-1.5 text-ink-soft">{note}</p>}
          </div>
          {children}
          {foot !== undefined && <div className="text-sm text-ink-soft">{foot}</div>}
        </div>
      </main>
      <aside className="hidden flex-col justify-center gap-14 border-l border-line bg-sunken px-16 lg:flex">
        <p className="max-w-[17ch] text-3xl font-semibold tracking-[-0.03em]">
          {t.promise} <span className="text-accent">{t.promiseEnd}</span>
        </p>
        <Way />
      </aside>
    </div>
  );
}

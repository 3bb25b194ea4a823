import type { TemplateProblem } from '@kurir/contracts/dashboard';
import { useTexts } from '../../i18n/texts.js';
import { templateTexts } from '../texts.js';

/** A text of braces has thousands of mistakes. */
const shownProblems = 5;

type ProblemsProps = {
  problems: readonly { at: number; place: string; problem: TemplateProblem }[];
  onGo: (at: number) => void;
};

/** The first mistakes, each with a button that moves the cursor to its place. */
export function Problems({ problems, onGo }: ProblemsProps) {
  const t = useTexts(templateTexts);
  return (
    <div role="status" className="-mt-1">
      <ul className="flex flex-col gap-1 text-sm text-bad">
        {problems.slice(0, shownProblems).map(({ at, place, problem }) => (
          <li key={at}>
            <button
              type="button"
              className="min-h-10 font-medium sm:min-h-6 underline underline-offset-2"
              onClick={() => onGo(at)}
            >
              {place}
            </button>{' '}
            {t.problems[problem]}
          </li>
        ))}
      </ul>
    </div>
  );
}

import { useTexts } from '../../i18n/texts.js';
import { Notice } from '../../ui/notice.js';
import { FileTroubleError } from '../../uploads/file-trouble.js';
import { problemSentence, problemTexts } from '../../uploads/problem-texts.js';
import { FailureNotice } from '../../ui/failure-notice.js';

/** Says why a file cannot be used, and what to do next. `code` is the gateway's word for it. */
export function FileFailure({ failure, code }: { failure: Error | null; code: string | null }) {
  const t = useTexts(problemTexts);
  const found = failure instanceof FileTroubleError ? failure.trouble : code;
  if (found === null) return <FailureNotice failure={failure} />;
  return (
    <Notice tone="bad" live>
      {problemSentence(found, t)}
    </Notice>
  );
}

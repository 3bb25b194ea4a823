import { useTexts } from '../i18n/texts.js';
import { Page } from '../ui/layout/page.js';
import { Panel } from '../ui/layout/panel.js';
import { NoticeChoices } from './notice-choices.js';
import { NoticeList } from './notice-list.js';
import { noticeTexts } from './texts.js';

export function NoticesPage() {
  const t = useTexts(noticeTexts);
  return (
    <Page title={t.title} note={t.note}>
      <Panel>
        <NoticeList />
      </Panel>
      <NoticeChoices />
    </Page>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Smartphone } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { devicesQuery, maxDevicesQuery } from './device-queries.js';
import { formatCount } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { useMay, useMe } from '../session/me.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Page } from '../ui/layout/page.js';
import { Panel } from '../ui/layout/panel.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { DeviceRow } from './device-row.js';
import { deviceTexts } from './texts.js';

const AddDeviceDialog = lazy(async () => ({ default: (await import('./add-device-dialog.js')).AddDeviceDialog }));

export function DevicesPage() {
  const t = useTexts(deviceTexts);
  const language = useLanguage();
  const { sandbox } = useMe();
  const mayAdd = useMay('developer');
  const { add } = useSearch({ from: '/signed-in/devices' });
  const navigate = useNavigate({ from: '/devices' });
  const setAdding = (adding: boolean) => void navigate({ search: adding ? { add: true } : {} });
  const { data, error, refetch } = useQuery(devicesQuery());
  const { data: room } = useQuery(maxDevicesQuery());
  const used = room && t.used(formatCount(room.count, language), formatCount(room.max, language));
  const addButton = mayAdd && (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden className="size-4" />
      {t.add}
    </Button>
  );
  const isLoading = data === undefined && error === null;
  const isEmpty = data?.length === 0;
  return (
    <Page
      title={t.title}
      note={used === undefined ? t.note : `${t.note} ${used}`}
      actions={isLoading || isEmpty ? undefined : addButton}
    >
      <FailureNotice failure={error} onRetry={refetch} />
      <Panel>
        {isLoading && <SkeletonLines count={4} />}
        {isEmpty && (
          <EmptyState
            picture={
              <RoutePicture>
                <Smartphone />
              </RoutePicture>
            }
            title={t.emptyTitle}
            actions={addButton}
          >
            <p>{t.emptyNote}</p>
            {sandbox && <p className="mt-2">{t.emptySandbox}</p>}
          </EmptyState>
        )}
        <ul>
          {data?.map((device) => (
            <DeviceRow key={device.device_id} device={device} />
          ))}
        </ul>
      </Panel>
      {add === true && mayAdd && (
        <Suspense fallback={null}>
          <AddDeviceDialog open onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Page>
  );
}

import { limits } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Field } from '../form/field.js';
import { Input, TextArea } from '../form/input.js';
import { readQuery } from '../http/query.js';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { useMay, useMe } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { toast } from '../ui/overlays/toasts.js';
import type { Party } from './rows.js';
import { moneyTexts } from './texts.js';

/** The buyer on later invoices. Only owners change it. */
export function InvoiceDetails() {
  const t = useTexts(moneyTexts);
  const { data, error, refetch } = useQuery(readQuery('readInvoiceDetails', {}));
  return (
    <Panel className="mt-4">
      <PanelHead title={t.invoiceDetails} note={t.invoiceDetailsNote} />
      <div className="px-5 pb-5">
        <FailureNotice failure={error} onRetry={refetch} />
        {data !== undefined && <DetailsForm details={data} />}
      </div>
    </Panel>
  );
}

function DetailsForm({ details }: { details: Party }) {
  const t = useTexts(moneyTexts);
  const { account } = useMe();
  const mayChange = useMay('owner');
  const [name, setName] = useState(details.name ?? '');
  const [taxNumber, setTaxNumber] = useState(details.tax_number ?? '');
  const [address, setAddress] = useState(details.address ?? '');
  const save = useCall('setInvoiceDetails', ['readInvoiceDetails']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ body: { name, tax_number: taxNumber, address } }, { onSuccess: () => toast(t.detailsSaved) });
  };
  return (
    <form onSubmit={submit} className="flex max-w-lg flex-col gap-4">
      <Field label={t.invoiceName}>
        {(links) => (
          <Input
            {...links}
            value={name}
            onChange={({ target }) => setName(target.value)}
            placeholder={account.name}
            maxLength={limits.invoiceNameMaxLength}
            disabled={!mayChange}
            autoComplete="organization"
          />
        )}
      </Field>
      <Field label={t.taxNumber}>
        {(links) => (
          <Input
            {...links}
            value={taxNumber}
            onChange={({ target }) => setTaxNumber(target.value)}
            maxLength={limits.invoiceTaxNumberMaxLength}
            disabled={!mayChange}
          />
        )}
      </Field>
      <Field label={t.address}>
        {(links) => (
          <TextArea
            {...links}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
            rows={3}
            maxLength={limits.invoiceAddressMaxLength}
            disabled={!mayChange}
            autoComplete="street-address"
          />
        )}
      </Field>
      <FailureNotice failure={save.error} />
      {mayChange && (
        <Button type="submit" className="self-start" busy={save.isPending}>
          {t.saveDetails}
        </Button>
      )}
    </form>
  );
}

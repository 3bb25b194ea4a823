/** Opens a renewal of the chosen plan and its payment page. A renewal that still awaits payment is returned again. */
import { randomBytes } from 'node:crypto';
import { type AccountId, ApiError, limits } from '@kurir/contracts';
import { type ChosenPlan, openRenewal, readAccountName, readChosenPlan, type Renewal } from '@kurir/database';
import type { Api } from '../operations/api.js';
import type { PaymentProvider } from '../payments/payment-provider.js';
import { rupiah } from '../payments/invoices/rupiah.js';
import type { Handler } from '../operations/operation-request.js';

/** The token is the only protection of a payment page, so it must be long. */
const pageTokenBytes = 24;

function checkMethod(method: string): void {
  if (method === 'ordinary') return;
  if (method === 'crypto')
    throw new ApiError('PAYMENT_METHOD_UNAVAILABLE', 'payment_method: crypto does not exist yet. Use ordinary.');
  throw new ApiError('INVALID_PAYMENT_METHOD', 'payment_method: must be ordinary (crypto will come later).');
}

/** A repeat with the same key gets the same renewal. */
function checkKey(key: string | null): string | null {
  if (key === null || (key.length >= 1 && key.length <= limits.clientRefMaxLength)) return key;
  throw new ApiError('INVALID_REQUEST', `Idempotency-Key: must be 1 to ${limits.clientRefMaxLength} characters.`);
}

function requireProvider({ payments }: Api): PaymentProvider {
  if (payments !== null) return payments;
  throw new ApiError(
    'PAYMENT_METHOD_UNAVAILABLE',
    'This gateway takes no payments yet. Ask its operator to extend the account.',
  );
}

/** Opens the payment page. If the provider fails, nothing was stored, and the caller may try again. */
async function openPage(
  provider: PaymentProvider,
  plan: ChosenPlan,
  renewal: { id: string; pageToken: string },
): Promise<string> {
  try {
    return await provider.openPage({ ...renewal, amountRupiah: plan.priceRupiah, description: plan.name });
  } catch (cause) {
    throw new ApiError(
      'PAYMENT_PROVIDER_ERROR',
      'The payment provider did not open a payment page. Try again shortly.',
      { cause },
    );
  }
}

async function requireChosenPlan({ database }: Api, accountId: AccountId): Promise<ChosenPlan> {
  const plan = await readChosenPlan(database, accountId);
  if (plan !== null) return plan;
  throw new ApiError(
    'NO_PLAN_CHOSEN',
    'The account has not chosen a plan yet. Choose one in the dashboard, then renew.',
  );
}

const describe = (account: string, { planName, priceRupiah, state }: Renewal): string =>
  state === 'paid'
    ? `Renewal of plan ${planName} for ${account} was paid already.`
    : `Renewal of plan ${planName} for ${account} was created and awaits payment of ${rupiah(priceRupiah, 'en').replace('\u00a0', ' ')}.`;

export const renewAccount: Handler<'renewAccount'> = async (request, api) => {
  const { caller, auditAs, query, idempotencyKey } = request;
  checkMethod(query.paymentMethod);
  const { accountId } = caller;
  const plan = await requireChosenPlan(api, accountId);
  const provider = requireProvider(api);
  const renewal = await openRenewal(
    api.database,
    accountId,
    plan,
    { method: 'ordinary', clientRef: checkKey(idempotencyKey) },
    (made) => openPage(provider, plan, made),
    randomBytes(pageTokenBytes).toString('base64url'),
    auditAs('renewal.requested'),
  );
  const name = await readAccountName(api.database, accountId);
  const account = name === null ? accountId : `${name} (${accountId})`;
  return { description: describe(account, renewal), payment_url: renewal.paymentUrl, renewal_id: renewal.id };
};

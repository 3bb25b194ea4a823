import type { DashboardData } from '@kurir/contracts/dashboard';
import type { Membership } from '@kurir/database';
import type { Api } from '../operations/api.js';
import { sandboxName } from '../payments/invoices/sandbox-name.js';
import { confirmedUntil, type Visitor } from '../sign-in/visitor.js';

type Me = DashboardData<'readMe'>;

const showMembership = ({ accountId, name, country, role, suspendedReason }: Membership) => ({
  account_id: accountId,
  name,
  country,
  role,
  suspended_reason: suspendedReason,
});

const showPayments = ({ payments }: Api): Me['payments'] =>
  payments === null ? null : payments.name === sandboxName ? 'sandbox' : 'midtrans';

/** Shows the signed-in person, and the account of `membership` as the current one. */
export function showMe(visitor: Visitor, api: Api, membership: Membership = visitor.membership): Me {
  const { user, memberships } = visitor;
  const joined = memberships.some(({ accountId }) => accountId === membership.accountId);
  return {
    user: {
      user_id: user.id,
      email: user.email,
      name: user.name,
      language: user.language,
      two_factor: user.twoFactor,
      admin: user.isAdmin,
    },
    account: showMembership(membership),
    accounts: [...memberships, ...(joined ? [] : [membership])].map(showMembership),
    confirmed_until: confirmedUntil(visitor, api.now())?.toISOString() ?? null,
    sandbox: api.simulatorUrl !== null,
    payments: showPayments(api),
    api_url: api.addresses.publicUrl(),
  };
}

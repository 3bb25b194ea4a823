/** The changes of keys, members and invitations that are in the audit log. */
import { randomBytes } from 'node:crypto';
import { type ApiKeyId, newId } from '@kurir/contracts';
import { changeApiKey, createApiKey, revokeApiKey, rotateApiKeySecret } from '../src/accounts/api-keys.js';
import type { Audit } from '../src/accounts/audit.js';
import { acceptInvitation, revokeInvitation, writeInvitation } from '../src/accounts/invitations.js';
import { changeMemberRole, removeMember } from '../src/accounts/members.js';
import { confirmEmailChange, renamePerson, requestEmailChange } from '../src/accounts/profile.js';
import type { World } from './audited-world-fixture.js';
import { type DatabaseFixture, sealer } from './database-fixture.js';

export const accessChanges = (fixture: () => DatabaseFixture, world: () => World) => ({
  'invitation.revoked': {
    run: (audit: Audit) => revokeInvitation(fixture().database, world().tenant.accountId, world().invitation.id, audit),
    subject: () => world().invitation.id,
  },
  'key.created': {
    run: (audit: Audit) => {
      const id = `kk_live_${randomBytes(8).toString('hex')}` as ApiKeyId;
      const key = { id, accountId: world().tenant.accountId, secret: 's', name: 'k', scopes: [], allowedIps: [] };
      return createApiKey(fixture().database, sealer, key, audit);
    },
  },
  'key.changed': {
    run: (audit: Audit) =>
      changeApiKey(fixture().database, { ...world().key, keyId: world().key.id }, { name: 'other' }, audit),
    subject: () => world().key.id,
  },
  'key.rotated': {
    run: (audit: Audit) => rotateApiKeySecret(fixture().database, sealer, world().key, 's2', 60, audit),
    subject: () => world().key.id,
  },
  'key.revoked': {
    run: (audit: Audit) => revokeApiKey(fixture().database, world().tenant.accountId, world().key.id, audit),
    subject: () => world().key.id,
  },
  'member.invited': {
    run: (audit: Audit) =>
      writeInvitation(
        fixture().database,
        { accountId: world().tenant.accountId, email: 'new@example.com', role: 'viewer' },
        audit,
      ),
  },
  'member.joined': {
    run: (audit: Audit) => acceptInvitation(fixture().database, world().invitation.token, world().guest, audit),
    subject: () => world().guest.id,
  },
  'member.left': {
    run: (audit: Audit) => removeMember(fixture().database, world().tenant.accountId, world().viewer.id, audit),
    subject: () => world().viewer.id,
  },
  'person.renamed': {
    run: (audit: Audit) => renamePerson(fixture().database, world().person.id, 'Other', audit),
    subject: () => world().person.id,
  },
  'person.email_change_requested': {
    run: (audit: Audit) =>
      requestEmailChange(fixture().database, world().person.id, `${newId('usr')}@b.example`, audit),
    subject: () => world().person.id,
  },
  'person.email_changed': {
    run: (audit: Audit) => confirmEmailChange(fixture().database, world().person.id, world().emailToken, audit),
    subject: () => world().person.id,
  },
  'member.made_viewer': {
    run: (audit: Audit) =>
      changeMemberRole(fixture().database, world().tenant.accountId, world().person.id, 'viewer', audit),
    subject: () => world().person.id,
  },
  'member.made_agent': {
    run: (audit: Audit) =>
      changeMemberRole(fixture().database, world().tenant.accountId, world().person.id, 'agent', audit),
    subject: () => world().person.id,
  },
  'member.made_developer': {
    run: (audit: Audit) =>
      changeMemberRole(fixture().database, world().tenant.accountId, world().person.id, 'developer', audit),
    subject: () => world().person.id,
  },
  'member.made_owner': {
    run: (audit: Audit) =>
      changeMemberRole(fixture().database, world().tenant.accountId, world().viewer.id, 'owner', audit),
    subject: () => world().viewer.id,
  },
  'member.removed': {
    run: (audit: Audit) => removeMember(fixture().database, world().tenant.accountId, world().person.id, audit),
    subject: () => world().person.id,
  },
});

/** The changes of whole rooms that are in the audit log. */
import { broadcastChanges } from './broadcast-changes.js';
import type { World } from './audited-world-fixture.js';
import type { DatabaseFixture } from './database-fixture.js';
import { contactChanges } from './contact-changes.js';
import { suppressionChanges } from './suppression-changes.js';
import { templateChanges } from './template-changes.js';
import { webhookChanges } from './webhook-changes.js';

export const roomChanges = (fixture: () => DatabaseFixture, world: () => World) => ({
  ...webhookChanges(fixture, world),
  ...templateChanges(fixture, world),
  ...suppressionChanges(fixture, world),
  ...broadcastChanges(fixture, world),
  ...contactChanges(fixture, world),
});

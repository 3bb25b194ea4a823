/** Replays histories of devices step by step, through the statements of the product and through a model. */
import assert from 'node:assert/strict';
import type { DeviceId } from '@kurir/contracts';
import { createAccountKeys } from '../src/accounts/account-keys.js';
import { createContactWriter } from '../src/devices/device-contacts.js';
import { readDeviceDetails } from '../src/devices/device-details.js';
import { acceptTogether } from '../src/messages/accept-messages.js';
import { type ClaimRequest, createClaimer } from '../src/messages/claim-message.js';
import { listMessages } from '../src/messages/reading/list-messages.js';
import { moveMessages } from '../src/messages/write-status.js';
import type { Database } from '../src/postgres/connect.js';
import { writeAccountLimits } from '../src/sessions/device-session.js';
import type { LeaseToken } from '../src/sessions/lease-token.js';
import { messageOf, present, sealer, type Tenant } from './database-fixture.js';
import { allowanceAt, warningAt } from './health-model.js';
import type { HistoryMaker } from './new-contact-histories.js';
import type { ModelDevice, ModelMessage } from './new-contact-model.js';
import type { StoppedClock } from './stopped-clock.js';

/** The pause for the middle of the random numbers. */
export const pauseMs = 40_000;
const middle = () => 0.5;
const nobody = { status: null, deviceId: null, recipient: null, clientRef: null, limit: 100, cursor: null };

export type Pair = { readonly holder: LeaseToken; readonly model: ModelDevice; readonly maker: HistoryMaker };

export type Totals = { moments: number; sent: number; held: number; reports: number };

/** Histories of devices of one account. After each step, the database and the model must agree. */
export class Histories {
  readonly totals: Totals = { moments: 0, sent: 0, held: 0, reports: 0 };
  readonly #tenant: Tenant;
  /** Accepts on the real clock. */
  readonly #real: Database;
  readonly #clock: StoppedClock;
  readonly #pairs: readonly Pair[];
  readonly #claimer;
  readonly #contacts;
  readonly #accountKeys;
  #seq = 0;

  constructor(tenant: Tenant, real: Database, clock: StoppedClock, pairs: readonly Pair[]) {
    this.#real = real;
    this.#tenant = tenant;
    this.#clock = clock;
    this.#pairs = pairs;
    this.#accountKeys = createAccountKeys(real, sealer);
    this.#claimer = createClaimer(clock.database, this.#accountKeys);
    this.#contacts = createContactWriter(clock.database, middle);
  }

  async happen(at: Date): Promise<void> {
    await this.#clock.set(at);
    this.totals.moments++;
    const accepted: { deviceId: DeviceId; recipient: string; priority: number }[] = [];
    for (const { holder, model, maker } of this.#pairs) {
      for (const happening of maker.at(at)) {
        if (happening.kind === 'accept') {
          model.queue.push({ ...happening, seq: this.#seq++ });
          accepted.push({ deviceId: holder.deviceId, ...happening });
        } else if (happening.kind === 'report') {
          model.report(happening.limits, at);
          assert(await writeAccountLimits(this.#clock.database, holder, happening.limits));
          this.totals.reports++;
        } else {
          model.hear(happening.from, at);
          await this.#contacts.submit({ deviceId: holder.deviceId, recipient: happening.from, direction: 'heard' });
        }
      }
    }
    await this.#accept(accepted);
  }

  async #accept(messages: readonly { deviceId: DeviceId; recipient: string; priority: number }[]): Promise<void> {
    const priorities = ['otp', 'normal', 'bulk'] as const;
    const outcomes = await acceptTogether(
      this.#real,
      this.#accountKeys,
      messages.map(({ deviceId, recipient, priority }) =>
        messageOf(this.#tenant, { recipient, text: recipient, priority: priorities[priority] ?? 'bulk' }, { deviceId }),
      ),
    );
    assert(outcomes.every(({ kind }) => kind === 'accepted'));
  }

  /** Sends all that may go now, in the database and in the model. */
  async drain(at: Date): Promise<void> {
    await this.#clock.set(at);
    for (let open: readonly Pair[] = this.#pairs; open.length > 0; ) {
      const claims = await Promise.all(open.map((pair) => this.#claim(pair)));
      const expected = open.map(({ model }) => model.sendNext(at));
      assert.deepEqual(
        claims.map((claim) => claim?.recipient),
        expected.map((message) => message?.recipient),
      );
      const sent = claims.flatMap((claim, n) =>
        claim === null ? [] : [{ ...claim, holder: present(open[n]).holder }],
      );
      await Promise.all(
        sent.map(({ recipient, holder }) =>
          this.#contacts.submit({ deviceId: holder.deviceId, recipient, direction: 'wrote' }),
        ),
      );
      await moveMessages(
        this.#clock.database.pool,
        sent.map(({ id }) => ({ id, to: 'sent' })),
      );
      this.totals.sent += sent.length;
      open = open.filter((_, n) => claims[n] !== null);
    }
  }

  async #claim({ holder }: Pair) {
    const request: ClaimRequest = { ...holder, lastTry: '' };
    const claim = await this.#claimer.submit(request);
    if (claim.kind === 'nothing') return null;
    if (claim.kind !== 'claimed') throw new Error(`a claim ended as ${claim.kind}`);
    return claim.message;
  }

  /** Compares the reads of a few devices. */
  async compare(at: Date, pairs: readonly Pair[]): Promise<void> {
    for (const pair of pairs) {
      await this.#compareHeld(at, pair);
      await this.#compareDevice(at, pair);
    }
  }

  async #compareHeld(at: Date, { holder, model }: Pair): Promise<void> {
    const filter = { ...nobody, status: 'queued', deviceId: holder.deviceId } as const;
    const { messages } = await listMessages(this.#clock.database, this.#tenant.accountId, filter);
    const priorities = { otp: 0, normal: 1, bulk: 2 };
    const shown = messages.map(({ recipient, priority, waiting }) => ({
      recipient,
      priority: priorities[priority],
      waiting,
    }));
    const expected = model.queue
      .toReversed()
      .slice(0, nobody.limit)
      .map((message: ModelMessage) => ({
        recipient: message.recipient,
        priority: message.priority,
        waiting: model.waiting(message, at),
      }));
    this.totals.held += shown.length;
    assert.deepEqual(shown, expected);
  }

  async #compareDevice(at: Date, { holder, model }: Pair): Promise<void> {
    const details = await readDeviceDetails(this.#clock.database, sealer, this.#tenant.accountId, holder.deviceId);
    const { allowance, usedToday, warning, left } = present(details ?? undefined).newContacts;
    const expected = model.isBlocked(at) ? 0 : allowanceAt(model.health, at);
    const used = model.usedAt(at);
    assert.deepEqual(
      { allowance, usedToday, warning, leftForCodes: left?.forCodes },
      {
        allowance: expected,
        usedToday: used,
        warning: warningAt(model.health, at),
        leftForCodes: Math.max(0, expected - used),
      },
    );
  }
}

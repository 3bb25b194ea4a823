/** The plans that an account can choose. */
import { z } from 'zod';
import { limits } from '../http/limits.js';
import type { OperationForPeople, PublicOperation } from '../http/operation-entry.js';
import { plan, subscription } from './plan.js';

/** Programs use these with a key, and people unless `access` is null. */
export const planOperations = {
  latestPlan: {
    method: 'GET',
    path: '/api/v1/account/planchoices/latest',
    summary: "Look up the account's latest plan choice at its present price.",
    scope: 'account:read',
    testKeys: 'any',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({
      plan_name: z.string(),
      plan_type: z.string(),
      duration: z.string().meta({ example: '30 hari' }),
      price: z.int().meta({ description: 'In rupiah.' }),
      quota: z.string().meta({ example: 'Unlimited' }),
    }),
    message: 'Plan found',
    // The specification wants 500, not 503, when the plan cannot be read.
    errors: ['NO_PLAN_CHOSEN'],
  },
} as const satisfies Record<string, PublicOperation>;

/** Only people use these. */
export const planOperationsForPeople = {
  listPlans: {
    method: 'GET',
    path: '/app/api/plans',
    summary: 'List the plans that the account can choose, cheapest first, with its choice and its present period.',
    access: 'viewer',
    audit: null,
    body: null,
    query: null,
    data: z.object({
      plans: z.array(plan),
      chosen_plan_id: z.string().nullable(),
      subscription: subscription.nullable(),
    }),
    message: 'Plans listed',
    errors: [],
  },
  choosePlan: {
    method: 'POST',
    path: '/app/api/plans/{plan_id}/choose',
    summary: 'Choose the plan that the next renewal buys.',
    access: 'owner',
    audit: { whose: 'all', actions: ['plan.chosen'] },
    body: null,
    query: null,
    data: plan,
    message: 'Plan chosen',
    errors: ['PLAN_NOT_FOUND'],
  },
} as const satisfies Record<string, OperationForPeople>;

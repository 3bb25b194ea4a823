import { z } from 'zod';
import { limits } from '../http/limits.js';
import { isStorableText, notStorable } from './storable-text.js';

export const clientRef = z.string().min(1).max(limits.clientRefMaxLength).refine(isStorableText, notStorable).meta({
  description: 'Your own id for this message: a repeat gets the first job_id. Unique per account for at least 24 h.',
  example: 'order-7781',
});

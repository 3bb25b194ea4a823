import { z } from 'zod';
import { limits } from '../http/limits.js';
import { isStorableText, notStorable } from './storable-text.js';

export const clientRef = z.string().min(1).max(limits.clientRefMaxLength).refine(isStorableText, notStorable).meta({
  description:
    'Your own id for this message. A repeated request with this id gets the first job_id. The account can use the id for another message after 24 hours at the earliest.',
  example: 'order-7781',
});

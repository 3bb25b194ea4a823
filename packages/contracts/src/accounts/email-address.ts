import { z } from 'zod';

export const emailAddress = z.email('must be an email address').max(254);

import { z } from 'zod';

export const timestamp = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-21T09:00:00.000Z' });

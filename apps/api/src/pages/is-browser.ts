import type { Request } from 'express';

/** A browser asks for a page by name. A program takes anything. */
export const isBrowser = (req: Request): boolean => req.headers.accept?.includes('text/html') === true;

import { ApiError, type ContactId, isContactId, limits } from '@kurir/contracts';

/** The contact of another account gets the same error. */
export const contactNotFound = (): ApiError =>
  new ApiError('CONTACT_NOT_FOUND', 'The account has no contact with this id. GET /api/v1/contacts finds it by phone.');

/** Throws 404 if the text is not the id of a contact. */
export function requireContactId(text: string): ContactId {
  if (!isContactId(text)) throw contactNotFound();
  return text;
}

export const tooManyAttributes = (): ApiError =>
  new ApiError('INVALID_REQUEST', `attributes: a contact has at most ${limits.attributesMax}. Remove some first.`, {
    fault: { field: 'attributes', rule: 'too_many', limit: limits.attributesMax },
  });

/** What a member of an account may do; each includes the one before it. */
export const memberRoles = ['viewer', 'developer', 'owner'] as const;
export type MemberRole = (typeof memberRoles)[number];

/**
 * Who may ask: anybody, whoever is signed in, a member of the account with at least that role, or an operator of
 * this gateway (`admin`, a mark of the person and not of a membership).
 */
export type Access = 'anyone' | 'signed-in' | MemberRole | 'admin';

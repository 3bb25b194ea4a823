/**
 * The roles of a member of an account. Each role includes the rights of the one before it, with one exception: an agent
 * answers in conversations, and a viewer changes nothing.
 */
export const memberRoles = ['agent', 'viewer', 'developer', 'owner'] as const;
export type MemberRole = (typeof memberRoles)[number];

/**
 * The people who may use an operation. A `MemberRole` means a member of the account with at least that role.
 * `admin` is an operator of this gateway: a mark of the person, not of a membership.
 */
export type Access = 'anyone' | 'signed-in' | MemberRole | 'admin';

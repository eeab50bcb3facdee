/** Roles that a route of the admin API may need. */
import type { Role } from '../../store/adminOperatorsAndSessions.ts';

/** `anybody`: the route asks for itself who comes. */
export type Need = Role | 'anybody';

export const isRoleSufficient = (role: Role, need: Need): boolean => role === 'admin' || need !== 'admin';

/** Which role a route of the admin API needs: one table, for all of them. */
import type { Role } from '../../store/operators.ts';

/** `anybody`: the route asks for itself who comes. */
export type Need = Role | 'anybody';

/** Reads need role operator, and everything else role admin, but for these. */
export const exceptions: Readonly<Record<string, Need>> = {
  'POST /sessions': 'anybody',
  'DELETE /sessions/current': 'operator',
  'GET /sessions': 'admin',
  // What failed, or waits, is tried again.
  'POST /machines/:id/events': 'operator',
  'POST /machines/:id/effects/:effect/retry': 'operator',
  'POST /accounts/:account/deliveries/replay': 'operator',
  // They change nothing.
  'POST /accounts/:account/campaigns/:campaign/forecast': 'operator',
  'POST /campaigns/:campaign/forecast': 'operator',
};

/** `route`: a method and a path with its parameters' names; undefined: there is no such route, and nothing to keep. */
export const needOf = (route: string | undefined): Need =>
  route === undefined ? 'operator' : (exceptions[route] ?? (route.startsWith('GET ') ? 'operator' : 'admin'));

export const suffices = (role: Role, need: Need): boolean => role === 'admin' || need !== 'admin';

/** The routes of the admin API, as they are registered: what walks them needs to remember none. */
import { type AdminDoor, adminRouter } from '../../src/admin/api.ts';

export interface AdminRoute {
  method: string;
  /** With the names of its parameters: `/accounts/:account/tokens/:token`. */
  path: string;
}

/** Registering asks nothing of the door but its rooms. */
const hollow: object = new Proxy(() => {}, { get: () => hollow });

export const adminRoutes = (): AdminRoute[] =>
  adminRouter(hollow as AdminDoor).stack.flatMap(({ path, methods }) =>
    methods
      .filter((method) => method !== 'HEAD')
      .map((method) => ({ method, path: String(path).replace('/admin/api', '') })),
  );

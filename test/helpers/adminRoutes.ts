/** The routes of the admin API, as they are registered: what walks them needs to remember none. */
import { adminRouter } from '../../src/admin/api.ts';
import type { AnyAdminRoute } from '../../src/admin/routeDeclaration.ts';
import type { AdminDeps } from '../../src/admin/deps.ts';
import { findAdminRoute } from '../../src/admin/routes.ts';

export interface AdminRoute {
  /** `GET /accounts/:account`. */
  key: string;
  method: string;
  /** With the names of its parameters: `/accounts/:account/tokens/:token`. */
  path: string;
  /** As it is declared. */
  declared: AnyAdminRoute;
}

/** Registering asks nothing of the door. */
const hollow: object = new Proxy(() => {}, { get: () => hollow });

/** Throws for a route that the router has and nothing declares. */
export const adminRoutes = (): AdminRoute[] =>
  adminRouter(hollow as AdminDeps).stack.flatMap(({ path: whole, methods }) =>
    methods
      .filter((method) => method !== 'HEAD')
      .map((method) => {
        const path = String(whole).replace('/admin/api', '');
        const key = `${method} ${path}`;
        const declared = findAdminRoute(key);
        if (!declared) throw new Error(`nothing declares ${key}`);
        return { key, method, path, declared };
      }),
  );

/** The route that serves a request; undefined: there is none. `path`: below `/admin/api`, without the query. */
export const routeServing = (method: string, path: string): AdminRoute | undefined =>
  (known ??= adminRoutes()).find(
    (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  );

let known: AdminRoute[] | undefined;

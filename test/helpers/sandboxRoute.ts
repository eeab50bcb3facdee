/** The sandbox's SMS route of an account, which its first real route has switched off: on again, behind that one. */
import type { TestService } from './service.ts';

export const switchSandboxOn = async (
  { admin }: Pick<TestService, 'admin'>,
  account: number,
): Promise<void> => {
  const path = `/accounts/${account}/sms-routes`;
  const { sms_routes: routes } = (await admin('GET', path)).body;
  const { route_id: id } = routes.find(({ kind }: { kind: string }) => kind === 'sandbox');
  const { http, body } = await admin('PATCH', `${path}/${id}`, { active: true });
  if (http !== 200) throw new Error(`the route stays off: ${http} ${JSON.stringify(body)}`);
};

/** The declarations of the admin API, read once a page. */
import { AdminApiRequestError } from '../../api.ts';
import {
  type OpenApiDescription,
  type AdminApiResource,
  resourcesFromOpenApi,
} from './resourcesFromOpenApi.ts';

let reading: Promise<ReadonlyMap<string, AdminApiResource>> | undefined;

const read = async (): Promise<ReadonlyMap<string, AdminApiResource>> => {
  const answer = await fetch('/admin/openapi.json').catch(() => undefined);
  if (!answer?.ok) throw new AdminApiRequestError(answer?.status ?? 0, answer ? `HTTP ${answer.status}` : '');
  return resourcesFromOpenApi((await answer.json()) as OpenApiDescription);
};

/** All resources, by where they are. Throws an `AdminApiRequestError`, and asks anew the next time. */
export const readAdminResources = (): Promise<ReadonlyMap<string, AdminApiResource>> =>
  (reading ??= read().catch((error: unknown) => {
    reading = undefined;
    throw error;
  }));

/** The declarations of the admin API, read once a page. */
import { ApiError } from '../../api.ts';
import { type Description, type Resource, resourcesOf } from './resources.ts';

let reading: Promise<ReadonlyMap<string, Resource>> | undefined;

const read = async (): Promise<ReadonlyMap<string, Resource>> => {
  const answer = await fetch('/admin/openapi.json').catch(() => undefined);
  if (!answer?.ok) throw new ApiError(answer?.status ?? 0, answer ? `HTTP ${answer.status}` : '');
  return resourcesOf((await answer.json()) as Description);
};

/** All resources, by where they are. Throws an `ApiError`, and asks anew the next time. */
export const readResources = (): Promise<ReadonlyMap<string, Resource>> =>
  (reading ??= read().catch((error: unknown) => {
    reading = undefined;
    throw error;
  }));

/** The declarations of the admin API, read once a page. */
import { AdminApiRequestError } from '../../api.ts';
import {
  type AdminApiResource,
  type DeclaredOperation,
  declaredOperations,
  type OpenApiDescription,
  resourcesFromOpenApi,
} from './resourcesFromOpenApi.ts';

let reading: Promise<OpenApiDescription> | undefined;

const read = async (): Promise<OpenApiDescription> => {
  const answer = await fetch('/admin/openapi.json').catch(() => undefined);
  if (!answer?.ok) throw new AdminApiRequestError(answer?.status ?? 0, answer ? `HTTP ${answer.status}` : '');
  return (await answer.json()) as OpenApiDescription;
};

const readDescription = (): Promise<OpenApiDescription> =>
  (reading ??= read().catch((error: unknown) => {
    reading = undefined;
    throw error;
  }));

let resources: ReadonlyMap<string, AdminApiResource> | undefined;

/** All resources, by where they are. Throws an `AdminApiRequestError`, and asks anew the next time. */
export const readAdminResources = async (): Promise<ReadonlyMap<string, AdminApiResource>> => {
  const description = await readDescription();
  return (resources ??= resourcesFromOpenApi(description));
};

/** All operations, those of other pages too. Throws as `readAdminResources` does. */
export const readDeclaredOperations = async (): Promise<readonly DeclaredOperation[]> =>
  declaredOperations(await readDescription());

/** Parameters as a body: JSON, or multipart where a file goes along. */
import { operationFacts, type Operations } from './operations.ts';
import type { UploadOptions } from './options.ts';

export interface RequestBody {
  body: string | FormData;
  /** Undefined: the boundary of multipart is the platform's. */
  type: string | undefined;
}

export const buildRequestBody = (
  operation: keyof Operations,
  params: object,
  { file, fileName }: UploadOptions,
): RequestBody => {
  if (!file) return { body: JSON.stringify(params), type: 'application/json' };
  const form = new FormData();
  // A form is taken for ISO-8859-1 where nothing else is said.
  const all = operationFacts[operation].encodes ? { encoding: 'UTF-8', ...params } : params;
  for (const [name, value] of Object.entries(all))
    if (value !== undefined && value !== null) form.set(name, textOf(value));
  form.set('file', file, fileName ?? (file instanceof File ? file.name : 'file'));
  return { body: form, type: undefined };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

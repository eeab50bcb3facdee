/** Which declared operation an action of the audit log was: `PATCH /accounts/3/groups/1` is `PATCH /accounts/{account}/groups/{id}`. Pure. */
import type { DeclaredOperation } from '../resourcesFromOpenApi.ts';

/** Undefined: the action is no route, or none that is declared. */
export const findAuditedOperation = (
  operations: readonly DeclaredOperation[],
  action: string,
): DeclaredOperation | undefined => {
  const [, method, path = ''] = /^([A-Z]+) (\/.+)$/.exec(action) ?? [];
  const given = path.split('/');
  return operations
    .filter((one) => one.method === method && isPathOf(one.path.split('/'), given))
    .toSorted((one, other) => namesIn(one.path) - namesIn(other.path))[0];
};

const isName = (part: string): boolean => part.startsWith('{');

const isPathOf = (template: readonly string[], given: readonly string[]): boolean =>
  template.length === given.length &&
  template.every((part, nth) => (isName(part) ? given[nth] !== '' : part === given[nth]));

const namesIn = (path: string): number => path.split('/').filter(isName).length;

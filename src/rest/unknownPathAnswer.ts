/** An address below `/api/v2/` that is none: the answer names the one that was meant, where there is one. */
import { type OperationResponse, buildRefusalResponse } from '../operations/run.ts';
import { closestKnownName } from '../lib/closestKnownName.ts';

/** `paths`: those that exist, e.g. `/api/v2/MakeSMS.php`. */
export const unknownPathAnswer = (paths: readonly string[]): ((path: string) => OperationResponse) => {
  const byName = new Map(paths.map((path) => [nameIn(path), path]));
  return (path) => {
    const name = nameIn(path);
    const near = byName.has(name) ? name : closestKnownName(name, byName.keys());
    const meant = near === undefined ? '' : `: the path is ${byName.get(near)}`;
    return buildRefusalResponse(undefined, '404', `unknown endpoint${meant}`, 404);
  };
};

const nameIn = (path: string): string =>
  path
    .slice(path.lastIndexOf('/api/v2/') + '/api/v2/'.length)
    .replace(/\/+$/, '')
    .replace(/\.php$/i, '');

/** An address below `/api/v2/` that is none: the answer names the one that was meant, where there is one. */
import { type Answer, refusal } from '../operations/run.ts';
import { nearName } from '../lib/nearName.ts';

/** `paths`: those that exist, e.g. `/api/v2/MakeSMS.php`. */
export const unknownPaths = (paths: readonly string[]): ((path: string) => Answer) => {
  const byName = new Map(paths.map((path) => [nameIn(path), path]));
  return (path) => {
    const name = nameIn(path);
    const near = byName.has(name) ? name : nearName(name, byName.keys());
    const meant = near === undefined ? '' : `: the path is ${byName.get(near)}`;
    return refusal(undefined, '404', `unknown endpoint${meant}`, 404);
  };
};

const nameIn = (path: string): string =>
  path
    .slice(path.lastIndexOf('/api/v2/') + '/api/v2/'.length)
    .replace(/\/+$/, '')
    .replace(/\.php$/i, '');

/** Every file that is made from the code. */
import { machineKinds } from '../../machines/index.ts';
import { operations } from '../../src/operations/index.ts';
import { clientTypes } from './client/operations.ts';
import { brunoCollection } from './collections/bruno.ts';
import { postmanCollection } from './collections/postman.ts';
import { adminPages } from './pages/admin.ts';
import { drawings } from './charts/index.ts';
import { machinesPage } from './pages/machines.ts';
import { operationPages } from './pages/operations.ts';
import { thirdPartyPage } from './pages/thirdParty.ts';
import { toolsPage } from './pages/tools.ts';

export interface Generated {
  /** From the root of the repository. */
  path: string;
  content: string;
}

/** All pages and drawings, as they should stand. */
export const generated = (): Generated[] => [
  ...drawings(machineKinds).map(({ file, svg }) => ({ path: `docs/machines/${file}`, content: svg })),
  { path: 'docs/machines.md', content: machinesPage(machineKinds) },
  { path: 'docs/tools-for-assistants.md', content: toolsPage() },
  { path: 'THIRD_PARTY.md', content: thirdPartyPage() },
  ...operationPages(operations),
  ...adminPages(),
  clientTypes(operations),
  postmanCollection(operations),
  ...brunoCollection(operations),
];

/** What the commands of trunks share: finding one by its name, and its states. */
import type { AdminRouteAnswer } from '../../../admin/client.ts';
import type { CommandContext } from '../../commandActionWrapper.ts';
import { cliRefusedFailure } from '../../failure.ts';
import type { Cell } from '../../formatTerminalTable.ts';

export type TrunkAnswer = AdminRouteAnswer<'GET /trunks/:id'>;

export const fetchTrunksFromService = async ({ client }: CommandContext): Promise<TrunkAnswer[]> =>
  (await client.admin('GET /trunks')).trunks;

/** The trunk of this name, or with this id. */
export const findTrunkByName = async (job: CommandContext, text: string): Promise<TrunkAnswer> => {
  const found = (await fetchTrunksFromService(job)).find(
    ({ name, trunk_id }) => name === text || String(trunk_id) === text,
  );
  if (found) return found;
  throw cliRefusedFailure(
    `there is no trunk ${JSON.stringify(text)}`,
    'npx ramal trunks ls shows all of them.',
  );
};

/** The words of commands, and what they do to new calls. */
export const trunkStateCommands = [
  { word: 'on', state: 'on', says: 'let new calls go' },
  { word: 'drain', state: 'draining', says: 'let no new call go, and those under way go on,' },
  { word: 'off', state: 'off', says: 'let no call go' },
] as const;

/** What takes no calls stands out. */
export const trunkStateCell = ({ state }: { state: string }): string | Cell =>
  state === 'on' ? state : { text: state, style: 'yellow' };

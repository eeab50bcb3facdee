/** Servers of trunks: the Asterisk that the settings name, or the sandbox. */
import * as z from 'zod';
import type { TrunkServer } from '../../generated/prisma/client.ts';
import { route } from '../declare.ts';
import { idIn } from '../fields.ts';
import { notFound } from '../respond.ts';
import { serverRecord, state } from './shapes.ts';
import { writing } from './writing.ts';

const example = {
  ...{ server_id: 1, name: 'asterisk', kind: 'asterisk', state: 'on' },
  ...{ from_settings: true, created_at: 1_795_325_744_421 },
};

const show = ({ id, secret: _secret, settings: _settings, ...row }: TrunkServer) => ({
  server_id: id,
  ...row,
});

export const trunkServerRoutes = {
  'GET /trunk-servers': route({
    role: 'operator',
    summary: 'Lists the servers of trunks.',
    answer: z.object({ trunk_servers: z.array(serverRecord) }),
    example: { answer: { trunk_servers: [example] } },
    handle: async ({ door }) => {
      const rows = await door.trunks.database.trunkServer.findMany({ orderBy: { id: 'asc' } });
      return { trunk_servers: rows.map(show) };
    },
  }),
  'PATCH /trunk-servers/:id': route({
    role: 'admin',
    summary: 'Drains a server, switches it off, or on again.',
    says: 'Calls under way go on; new ones go by trunks of other servers, or wait.',
    path: z.object({ id: idIn('trunk server') }),
    body: z.strictObject({ state }),
    answer: serverRecord,
    example: { body: { state: 'draining' }, answer: { ...example, state: 'draining' } },
    handle: async ({ door, path: { id }, body, written }) => {
      const row = await writing(door, async (db) => {
        const { count } = await db.trunkServer.updateMany({ where: { id }, data: { state: body.state } });
        if (count === 0) throw notFound(`trunk server ${written['id']}`);
        return db.trunkServer.findUniqueOrThrow({ where: { id } });
      });
      return show(row);
    },
  }),
};

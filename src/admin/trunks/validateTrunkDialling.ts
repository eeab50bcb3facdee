/** How a trunk dials, checked as a request writes it: by a pattern, by what is said of its carrier, or in the sandbox. */
import type * as z from 'zod';
import type { Prisma, Trunk } from '../../generated/prisma/client.ts';
import { isSandboxTrunk } from '../../rules/trunks/trunkTypes.ts';
import type { AdminDeps } from '../deps.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import type { newTrunkSchema, trunkChangesSchema } from './trunkSchemas.ts';
import { applySipSettingsChanges, sipFieldNamesIn, type StoredTrunkSip } from './mergeSipSettings.ts';

type Db = Prisma.TransactionClient;

/** Names the field. */
const refusal = (field: string, why: string): AdminError =>
  new AdminError(400, `${field}: ${why}`, { field });

/** Throws a refusal that names the field where there is none. */
export const requireTrunkServer = async (db: Db, name: string) => {
  const server = await db.trunkServer.findUnique({ where: { name } });
  if (!server) throw refusal('server', `there is no trunk server ${name}`);
  return server;
};

/** Of its server: asterisk, sandbox. */
export const readTrunkServerKind = async (db: Db, { server_id }: Trunk): Promise<string> =>
  (await db.trunkServer.findUnique({ where: { id: server_id } }))?.kind ?? 'sandbox';

/** A trunk of which nothing was said yet. */
export const blankTrunkDialling = { dial_pattern: '', sip: {}, sip_secret: '' };

/** The columns of its SIP side after the request. */
export const computeTrunkSipColumns = (
  deps: AdminDeps,
  { id, dial_pattern, sip, sip_secret }: Pick<Trunk, 'id' | 'dial_pattern' | 'sip_secret'> & { sip: unknown },
  body: z.output<typeof trunkChangesSchema>,
) => {
  const standing: StoredTrunkSip = { id, dial_pattern, sip: sip as StoredTrunkSip['sip'], sip_secret };
  const columns = applySipSettingsChanges(deps, standing, body);
  return { ...columns, sip: { ...columns.sip } as Prisma.InputJsonObject };
};

/** How a trunk of the settings dials is not written here. */
export const refuseDialFieldsOnTrunkFromSettings = (
  { from_settings }: Trunk,
  body: { dial_pattern?: unknown },
): void => {
  const field = body.dial_pattern === undefined ? sipFieldNamesIn(body)[0] : 'dial_pattern';
  if (from_settings && field !== undefined) throw refusal(field, 'the settings say how this trunk dials');
};

/** An Asterisk dials by a pattern, or by what is said of the carrier; the sandbox simulates one of two carriers. */
export const checkTrunkFitsServer = (kind: string, body: z.output<typeof newTrunkSchema>): void => {
  const { name, simulates } = body;
  if (isSandboxTrunk(name) !== (kind === 'sandbox'))
    throw refusal('name', 'trunks of the sandbox, and no others, have names that begin with sandbox-');
  refuseDialFieldsOnSandboxTrunk(kind, body);
  requireTrunkDialPatternOrSipHost(kind, {
    dial_pattern: body.dial_pattern ?? '',
    sip: { sip_host: body.sip_host },
  });
  if (kind === 'asterisk' && simulates !== undefined)
    throw refusal('simulates', 'only a trunk of the sandbox simulates');
};

/** The sandbox dials by itself. */
export const refuseDialFieldsOnSandboxTrunk = (kind: string, body: { dial_pattern?: unknown }): void => {
  const field = body.dial_pattern === undefined ? sipFieldNamesIn(body)[0] : 'dial_pattern';
  if (kind === 'sandbox' && field !== undefined) throw refusal(field, 'a trunk of the sandbox has none');
};

/** A trunk of an Asterisk says how it dials, or where its carrier is. */
export const requireTrunkDialPatternOrSipHost = (
  kind: string,
  { dial_pattern, sip }: { dial_pattern: string; sip: unknown },
): void => {
  if (kind === 'asterisk' && dial_pattern === '' && !(sip as { sip_host?: string }).sip_host)
    throw refusal('dial_pattern', 'a trunk of an Asterisk needs one (PJSIP/{number}@carrier), or sip_host');
};

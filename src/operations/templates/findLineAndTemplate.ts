/** The line and the template that an operation is about: found, complete enough, and the account's (spec 4.16 to 4.19). */
import * as z from 'zod';
import type { ChatSenderLine } from '../../providers/contracts/chat.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { type TemplateRow, findTemplateById } from '../../store/reads/templates/templates.ts';
import type { ApiClientIdentity } from '../declare.ts';
import { looseIdSchema } from '../parameterValueSchemas.ts';
import type { Services } from '../services.ts';

/** Parameters and refusals that these operations share. */
export const templateOperationErrors = {
  noTemplateId: { code: '230', text: 'template_id is missing or no number' },
  noApiKey: { code: '233', text: 'v8l_wa_api_key of the line is empty' },
  noBusiness: { code: '234', text: 'v8l_wa_business_id of the line is empty' },
  unknownLine: { code: '235', text: 'the line is not an active one of the account', absent: true },
  unknownTemplate: {
    code: '238',
    text: 'template_id is not a template of the account and this line',
    absent: true,
  },
  badValue: { code: '299', text: 'a parameter is out of range' },
} as const;

/** In `result`, when the upstream refused. */
export const upstreamErrorFieldSchema = z.string().optional().describe('What the upstream said.');

export const anId = () => looseIdSchema(Number.MAX_SAFE_INTEGER).optional();

export const templateParam = {
  rest: 'template_id',
  required: true,
  schema: anId(),
  refusedAs: 'noTemplateId',
  description: 'Stored template.',
} as const;

export const lineIdParam = {
  rest: 'v8l_id',
  required: true,
  aliases: ['app_id'],
  schema: anId(),
  refusedAs: 'noLine',
  description: 'Line of the template.',
} as const;

/** The Msgapp line with this id; undefined: the account has no active one. An answer about a sandbox's is marked. */
export const findActiveMsgappLine = async (
  {
    account: { id, shard },
    services,
    inSandbox,
  }: ApiClientIdentity & { services: Services; inSandbox: () => void },
  line: number,
): Promise<ChatSenderLine | undefined> => {
  const found = await services.chat.line({ shard, account: id }, line);
  if (found?.sandbox) inSandbox();
  return found?.active && found.class === 'msgapp' ? found : undefined;
};

/** A template of this line. */
export const findTemplateOfLineById = async (
  services: Services,
  { id, shard }: AccountRow,
  line: number,
  template: number,
): Promise<TemplateRow | undefined> => {
  const row = await findTemplateById(services.database(shard), id, template);
  return row?.line_id === line ? row : undefined;
};

/** What a line lacks to speak to upstream; undefined: nothing. */
export const missingLineCredential = (line: ChatSenderLine): 'noApiKey' | 'noBusiness' | undefined => {
  if (!line.hasApiKey) return 'noApiKey';
  return line.businessId === '' ? 'noBusiness' : undefined;
};

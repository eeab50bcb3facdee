/** Voices (spec 2.6): those for all accounts under `/voices`, an account's own under `/accounts/:account/voices`. */
import * as z from 'zod';
import { builtInSpeechProvider } from '../../rules/voice/voiceName.ts';
import type { VoiceOwnerAccountId, VoiceRow } from '../../store/voices.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import type { PathResourceLookup } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import {
  at,
  byId,
  maxRecordId,
  nextPageFieldsSchema,
  pageWithCursor,
  text,
  booleanFieldSchema,
} from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, omitUndefined, notFound } from '../adminErrorsAndRequestParsing.ts';

/** What a voice is called by stays: its sample was made with it. */
const change = z.strictObject({
  title: text(120),
  language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag, e.g. pt-BR'),
  gender: z.enum(['F', 'M'], 'must be F or M'),
  type: z.string().regex(/^[a-z]{1,20}$/, 'must be a word in small letters, e.g. tts'),
  active: booleanFieldSchema,
});

const fields = change.partial({ title: true, gender: true, type: true, active: true }).extend({
  provider: z.string(),
  name: z.string().regex(/^[A-Za-z0-9_+-]{1,100}$/, 'must be a voice’s name'),
});

const record = z.object({
  cdwv_id: z.int(),
  cdcs_id: z.int().nullable().describe('Null: for all accounts.'),
  provider: z.string(),
  name: z.string(),
  title: z.string(),
  language: z.string(),
  gender: z.string().describe('F or M.'),
  type: z.string(),
  active: z.boolean(),
  created_at: at,
  spoken: z.boolean().describe('Its provider speaks here.'),
  sample: z.string().describe('The address of a sample.'),
});

const pageSize = 500;

const show = (deps: AdminDeps, { id, account_id, ...voice }: VoiceRow) => ({
  cdwv_id: id,
  cdcs_id: account_id,
  ...voice,
  spoken: deps.voices.providers.includes(voice.provider),
  sample: deps.voices.sampleUrl(id),
});

/** Voices of one owner. `whose`: as the summaries name them. */
const voicesAt = <const At extends string>(
  at: At,
  scope: PathResourceLookup<{ owner: VoiceOwnerAccountId }>,
  whose: string,
) =>
  defineCrudRoutes({
    at,
    id: 'id',
    what: 'voice',
    many: 'voices',
    scope,
    record,
    example: {
      ...{ cdwv_id: 1, cdcs_id: null, provider: 'Espeak', name: 'pt-br', title: 'Espeak', language: 'pt-BR' },
      ...{ gender: 'F', type: 'tts', active: true, created_at: 1_795_325_744_421, spoken: true },
      sample: 'http://localhost:8080/media/samples/1.wav',
    },
    show: (row: VoiceRow, { deps }) => show(deps, row),
    find: ({ deps, owner }, id) => deps.voices.table.one(owner, id),
    create: {
      summary: `Adds a voice ${whose}.`,
      body: fields,
      refuses: { 409: 'There is a voice of this name.' },
      example: { body: { provider: 'Espeak', name: 'pt-br', language: 'pt-BR' } },
      handle: async ({ deps, owner, body }) => {
        const provider = providerOf(deps, owner, body.provider);
        const { name, language } = body;
        const voice = { title: name, gender: 'F', ...omitUndefined(body), name, language, provider };
        const row = await deps.voices.table.add(owner, voice);
        if (!row) throw new AdminError(409, `name: there is a voice ${provider}|${name} already`);
        deps.voices.changed();
        return show(deps, row);
      },
    },
    list: {
      summary: `Lists the voices ${whose} by id, inactive ones too.`,
      query: byId(),
      beside: nextPageFieldsSchema,
      rows: async ({ deps, owner, query }) =>
        pageWithCursor(
          await deps.voices.table.of(owner, Math.min(query.cursor ?? 0, maxRecordId), pageSize + 1),
          pageSize,
        ),
    },
    change: {
      summary: 'Changes how a voice is shown; what it is called by stays.',
      body: change.partial(),
      example: { body: { active: false } },
      handle: async ({ deps, owner, id, body, written }) => {
        const row = await deps.voices.table.change(owner, id, omitUndefined(body));
        if (!row) throw notFound(`voice ${written['id']}`);
        deps.voices.changed();
        return show(deps, row);
      },
    },
    remove: {
      summary: 'Removes a voice.',
      handle: async ({ deps, owner }, { id }) => {
        if (!(await deps.voices.table.remove(owner, id))) return false;
        deps.voices.changed();
        return true;
      },
    },
  });

const ofAll: PathResourceLookup<{ owner: VoiceOwnerAccountId }> = {
  params: {},
  find: () => ({ owner: null }),
};

const ofOne: PathResourceLookup<{ owner: VoiceOwnerAccountId }> = {
  params: accountInPath.params,
  find: async (request) => ({ owner: (await accountInPath.find(request)).account.id }),
};

export const speechVoiceRoutes = {
  ...voicesAt('/voices', ofAll, 'for all accounts'),
  ...voicesAt('/accounts/:account/voices', ofOne, 'of an account'),
};

const oneOf = (providers: readonly string[]): string =>
  providers.length === 0 ? 'none speaks here' : `must be one of ${providers.join(', ')}`;

/** The provider as it is written here. A third party's voices for all accounts are those that it lists itself. */
const providerOf = (deps: AdminDeps, owner: VoiceOwnerAccountId, asked: string): string => {
  const { providers } = deps.voices;
  const provider = providers.find((one) => one.toLowerCase() === asked.trim().toLowerCase());
  if (provider === undefined)
    throw new AdminError(400, `provider: ${oneOf(providers)}`, { field: 'provider' });
  if (owner === null && provider !== builtInSpeechProvider)
    throw new AdminError(400, `provider: the voices of ${provider} for all accounts are those it lists`, {
      field: 'provider',
    });
  return provider;
};

/** Voices (spec 2.6): those for all accounts under `/voices`, an account's own under `/accounts/:account/voices`. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import * as z from 'zod';
import { builtInProvider } from '../rules/voice/voiceName.ts';
import type { VoiceOwner, VoiceRow } from '../store/voices.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { text, yesNo } from './fields.ts';
import { AdminError, given, notFound, pathId, read } from './respond.ts';

/** What a voice is called by stays: its sample was made with it. */
const change = z.strictObject({
  title: text(120),
  language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag, e.g. pt-BR'),
  gender: z.enum(['F', 'M'], 'must be F or M'),
  type: z.string().regex(/^[a-z]{1,20}$/, 'must be a word in small letters, e.g. tts'),
  active: yesNo,
});

const fields = change.partial({ title: true, gender: true, type: true, active: true }).extend({
  provider: z.string(),
  name: z.string().regex(/^[A-Za-z0-9_+-]{1,100}$/, 'must be a voice’s name'),
});

const pageSize = 500;

/** Whose voices a path is about. */
type Owner = (params: Readonly<Record<string, string | undefined>>) => Promise<VoiceOwner>;

export const voiceRoutes = (router: Router, door: AdminDoor): void => {
  routesAt(router, door, '/voices', () => Promise.resolve(null));
  const account: Owner = async (params) => (await accountOf(door, params['account'])).id;
  routesAt(router, door, '/accounts/:account/voices', account);
};

const routesAt = (router: Router, door: AdminDoor, path: string, ownerOf: Owner): void => {
  const { table } = door.voices;
  const show = (row: VoiceRow) => shown(door, row);

  router.post(path, async (ctx) => {
    const owner = await ownerOf(ctx.params);
    const asked = read(fields, ctx.request.body);
    const provider = providerOf(door, owner, asked.provider);
    const voice = { title: asked.name, gender: 'F', ...given(asked), ...required(asked), provider };
    const row = await table.add(owner, voice);
    if (!row) throw new AdminError(409, `name: there is a voice ${provider}|${asked.name} already`);
    door.voices.changed();
    ctx.status = 201;
    ctx.body = show(row);
  });

  router.get(path, async (ctx) => {
    const after = pathId(queryText(ctx, 'cursor') ?? '0', 'cursor');
    const rows = await table.of(await ownerOf(ctx.params), after, pageSize + 1);
    const page = rows.slice(0, pageSize);
    ctx.body = {
      voices: page.map(show),
      cursor: rows.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  router.get(`${path}/:id`, async (ctx) => {
    const row = await table.one(await ownerOf(ctx.params), idOf(ctx.params['id']));
    if (!row) throw notFound(`voice ${ctx.params['id']}`);
    ctx.body = show(row);
  });

  router.patch(`${path}/:id`, async (ctx) => {
    const owner = await ownerOf(ctx.params);
    const asked = read(change.partial(), ctx.request.body);
    const row = await table.change(owner, idOf(ctx.params['id']), given(asked));
    if (!row) throw notFound(`voice ${ctx.params['id']}`);
    door.voices.changed();
    ctx.body = show(row);
  });

  router.delete(`${path}/:id`, async (ctx) => {
    const owner = await ownerOf(ctx.params);
    if (!(await table.remove(owner, idOf(ctx.params['id'])))) throw notFound(`voice ${ctx.params['id']}`);
    door.voices.changed();
    ctx.status = 204;
  });
};

/** The provider as it is written here. A third party's voices for all accounts are those that it lists itself. */
const providerOf = (door: AdminDoor, owner: VoiceOwner, asked: string): string => {
  const { providers } = door.voices;
  const provider = providers.find((one) => one.toLowerCase() === asked.trim().toLowerCase());
  if (provider === undefined)
    throw new AdminError(400, `provider: must be one of ${providers.join(', ')}`, { field: 'provider' });
  if (owner === null && provider !== builtInProvider)
    throw new AdminError(400, `provider: the voices of ${provider} for all accounts are those it lists`, {
      field: 'provider',
    });
  return provider;
};

const required = ({ name, language }: z.output<typeof fields>) => ({ name, language });

const queryText = (ctx: Pick<Context, 'query'>, name: string): string | undefined => {
  const value = ctx.query[name];
  return Array.isArray(value) ? value[0] : value;
};

const idOf = (text: string | undefined): number => {
  const id = pathId(text, 'voice');
  if (id >= 2 ** 31) throw notFound(`voice ${text}`);
  return id;
};

const shown = (door: AdminDoor, { id, account_id, ...voice }: VoiceRow) => ({
  cdwv_id: id,
  cdcs_id: account_id,
  ...voice,
  sample: door.voices.sampleUrl(id),
});

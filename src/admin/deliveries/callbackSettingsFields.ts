/** Settings of an account's callbacks: where they go, in which way, and with which credentials. */
import * as z from 'zod';
import {
  callbackEventNames,
  readEventList,
  findEventListFault,
} from '../../rules/deliveries/callbackEvents.ts';
import {
  type CallbackLogin,
  emptyCallbackLogin,
  basicAuthPasswordFormatProblem,
  basicAuthUserFormatProblem,
  callbackHeadersFault,
} from '../../rules/deliveries/callbackAuthHeaders.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import type { AdminDeps } from '../deps.ts';
import { text, writeOnly } from '../fieldSchemas.ts';
import { checkOutboundUrl, omitUndefined, type PartialOrUndefined } from '../adminErrorsAndRequestParsing.ts';

/** Text that a rule reads, or a sentence of it that completes "<field> …". */
const ruled = (max: number, refuse: (value: string) => string | undefined) =>
  text(max).superRefine((value, context) => {
    const message = refuse(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** One of a few words, in any case. */
const word = <const Word extends string>(plain: (written: string) => string, words: readonly Word[]) =>
  z
    .string()
    .transform(plain)
    .pipe(z.enum(words))
    .meta({ json: { type: 'string', enum: words } });

/** Settings of an account; the login is written and never read back. */
export const callbackSettingsFields = {
  callback_url: text(2_000)
    .transform((url) => url.trim())
    .optional(),
  callback_method: word((method) => method.toUpperCase(), ['POST', 'GET']).optional(),
  callback_type: word((type) => type.toLowerCase(), ['json', 'form']).optional(),
  /** `all`, or a comma list, or a list; empty: the final event only. */
  callback_events: z
    .union(
      [z.string(), z.array(z.string()).transform((names) => names.join(','))],
      'must be text, or a list of names',
    )
    .pipe(ruled(500, (list) => findEventListFault(list, callbackEventNames)))
    .optional(),
  callback_headers: writeOnly(ruled(8_000, callbackHeadersFault)).optional(),
  callback_user: writeOnly(ruled(200, basicAuthUserFormatProblem)).optional(),
  callback_password: writeOnly(ruled(200, basicAuthPasswordFormatProblem)).optional(),
};
const callbackBody = z.object(callbackSettingsFields);
export type CallbackSettingsBody = PartialOrUndefined<z.output<typeof callbackBody>>;

type Current = Pick<AccountRow, 'id'> & Partial<Pick<AccountRow, 'callback_login'>>;

/** A body with these settings as they are kept. `account`: as it is now, or the id of one that is being made. */
export const toCallbackSettingsColumns = <Body extends CallbackSettingsBody>(
  deps: AdminDeps,
  account: Current,
  { callback_headers: headers, callback_user: user, callback_password: password, ...body }: Body,
) => {
  checkOutboundUrl(deps, 'callback_url', body.callback_url);
  const login = omitUndefined({ headers, user, password });
  return {
    ...body,
    callback_events: body.callback_events && readEventList(body.callback_events).join(','),
    callback_login: Object.keys(login).length === 0 ? undefined : changedLogin(deps, account, login),
  };
};

const changedLogin = (
  { callbacks }: AdminDeps,
  { id, callback_login: kept = '' }: Current,
  change: Partial<CallbackLogin>,
): string => {
  // One that cannot be opened any more is replaced.
  const before = kept === '' ? emptyCallbackLogin : (callbacks.openLogin(id, kept) ?? emptyCallbackLogin);
  const login = { ...before, ...change };
  return Object.values(login).every((value) => value === '') ? '' : callbacks.sealLogin(id, login);
};

/** An account as it is shown: what is kept sealed is left out, or opened where people need it. */
export const toAdminAccountAnswer = (
  { callbacks }: AdminDeps,
  { callback_login, webhook_secret_before: _before, ...account }: AccountRow,
) => {
  const { id, webhook_secret } = account;
  const login = callback_login === '' ? emptyCallbackLogin : callbacks.openLogin(id, callback_login);
  return {
    ...account,
    /** Null when another `SECRET_KEY` sealed it. */
    webhook_secret: callbacks.openSecret(id, webhook_secret),
    has_callback_headers: login?.headers !== '',
    has_callback_user: login?.user !== '',
    has_callback_password: login?.password !== '',
  };
};

/** What a request says of the SIP side of a trunk, checked against what stands, as it is stored. */
import type { StoredSipDetails } from '../../rules/trunks/sipTrunkDetails.ts';
import type { AdminDeps } from '../deps.ts';
import { AdminError, omitUndefined, type PartialOrUndefined } from '../adminErrorsAndRequestParsing.ts';
import type * as z from 'zod';
import { sipFields } from './sipFields.ts';

type SipBody = PartialOrUndefined<{ [Name in keyof typeof sipFields]?: z.output<(typeof sipFields)[Name]> }>;

/** How a trunk stands before a request: a new one is empty. */
export interface StoredTrunkSip {
  id: number;
  dial_pattern: string;
  sip: StoredSipDetails;
  sip_secret: string;
}

interface Written extends SipBody {
  dial_pattern?: string | undefined;
}

const refusal = (field: string, why: string): AdminError =>
  new AdminError(400, `${field}: ${why}`, { field });

/** The fields of a body that are of SIP. */
export const sipFieldNamesIn = (body: object): string[] =>
  Object.entries(body).flatMap(([name, value]) => (name in sipFields && value !== undefined ? [name] : []));

/** What the body says of everything else. */
export const withoutSipFields = <Body extends object>(body: Body): Omit<Body, keyof typeof sipFields> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !(name in sipFields))) as Omit<
    Body,
    keyof typeof sipFields
  >;

/** Digits may stand before and behind the number; the endpoint stands once, and last. */
const byEndpoint = /^PJSIP\/[^{}@]*\{number\}[^{}@]*@\{endpoint\}$/;

/** The columns as they are after the request. Throws an `AdminError` that names the field where they do not fit together. */
export const applySipSettingsChanges = (
  { trunks }: AdminDeps,
  standing: StoredTrunkSip,
  body: Written,
): { sip: StoredSipDetails; sip_secret: string } => {
  const said = Object.fromEntries(sipFieldNamesIn(body).map((name) => [name, body[name as keyof SipBody]]));
  const { sip_password, ...fields } = omitUndefined(said) as SipBody;
  const sip = { ...standing.sip, ...fields } as StoredSipDetails;
  const dial = body.dial_pattern ?? standing.dial_pattern;
  if (!sip.sip_host) return withoutHost(dial, fields, sip_password);
  const sip_secret = secretOf(trunks, standing, sip.sip_user ?? '', sip_password);
  expectLogin(sip, sip_secret, sip_password);
  if (dial !== '' && !byEndpoint.test(dial))
    throw refusal('dial_pattern', 'beside sip_host it names the endpoint: PJSIP/{number}@{endpoint}');
  return { sip, sip_secret };
};

/** A login that is taken away takes its password with it. */
const secretOf = (
  trunks: AdminDeps['trunks'],
  { id, sip_secret }: StoredTrunkSip,
  user: string,
  password: string | undefined,
): string => {
  if (user === '') return '';
  if (password === undefined) return sip_secret;
  return password === '' ? '' : trunks.sealSipPassword(id, password);
};

const expectLogin = (sip: StoredSipDetails, secret: string, password: string | undefined): void => {
  const hasUser = (sip.sip_user ?? '') !== '';
  if (!hasUser && password) throw refusal('sip_user', 'a password belongs to a user');
  if (hasUser && secret === '') throw refusal('sip_password', 'a user at the carrier needs a password');
  if (!hasUser && sip.sip_register)
    throw refusal('sip_register', 'to register, it needs sip_user and sip_password');
};

/** A trunk that Asterisk's own files describe; the host is what makes one of ours of it. */
const withoutHost = (
  dial: string,
  { sip_host: _host, ...others }: SipBody,
  password: string | undefined,
): { sip: StoredSipDetails; sip_secret: string } => {
  const said = Object.entries({ ...others, sip_password: password }).find(
    ([, value]) => value !== undefined && value !== '',
  );
  if (said) throw refusal(said[0], 'it needs sip_host beside it');
  if (dial.includes('{endpoint}'))
    throw refusal('dial_pattern', '{endpoint} is that of a trunk with sip_host');
  return { sip: {}, sip_secret: '' };
};

/** SIP details of trunks, as bodies and answers of the admin API write them: nothing here can end a SIP header or a line of a file. */
import { isIPv4 } from 'node:net';
import * as z from 'zod';
import type { Trunk } from '../../generated/prisma/client.ts';
import { sipCodecs, sipSettingsOfTrunk, type StoredSipDetails } from '../../rules/trunks/sipTrunkDetails.ts';
import { text, writeOnly, booleanFieldSchema } from '../fieldSchemas.ts';

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const hostPattern = new RegExp(`^(?:${label}(?:\\.${label})*)?$`);
const hostAndPort = new RegExp(
  `^(?:${label}(?:\\.${label})*(?::(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]))?)?$`,
);

/** A host whose last label is digits is an address, and a whole one. */
const isNameOrAddress = (written: string): boolean => {
  const [host = ''] = written.split(':');
  return !/(?:^|\.)\d+$/.test(host) || isIPv4(host);
};

const address = text(200)
  .regex(hostAndPort, 'must be a host, and a port where it is not 5060: sip.example.net:5070')
  .refine(isNameOrAddress, 'is no whole address: 203.0.113.5');
const user = (pattern: RegExp, what: string) => text(64).regex(pattern, what);
const userPattern = /^[A-Za-z0-9._~+-]*$/;
const plainUser = 'must be letters, digits and . _ ~ + - only';

/** What an operator may say of the SIP side of a trunk; an empty text takes back what was said. */
export const sipFields = {
  sip_host: address,
  sip_transport: z.enum(['udp', 'tcp']),
  sip_user: user(userPattern, plainUser),
  sip_password: writeOnly(text(128).regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')),
  sip_register: booleanFieldSchema,
  sip_registrar: address,
  sip_expiry_seconds: z.int().min(60).max(86_400),
  sip_from_user: user(/^(?:\*|[A-Za-z0-9._~+-]*)$/, `${plainUser}; or * for the caller id of each call`),
  sip_from_domain: text(200)
    .regex(hostPattern, 'must be a host without a port: sip.example.net')
    .refine(isNameOrAddress, 'is no whole address: 203.0.113.5'),
  sip_proxy: address,
  sip_codecs: z
    .array(z.enum(sipCodecs))
    .min(1)
    .max(sipCodecs.length)
    .refine((all) => new Set(all).size === all.length, 'a codec stands there twice'),
  sip_ping_seconds: z.int().min(0).max(3_600),
};

export const trunkSipAnswerSchemas = {
  sip_host: z
    .string()
    .describe(
      'Host, and port, of the carrier. With it the service tells Asterisk itself how the carrier is reached; empty: the files of Asterisk say it.',
    ),
  sip_transport: z.string().describe('udp or tcp.'),
  sip_user: z.string().describe('The login at the carrier; empty: it knows us by our address.'),
  sip_register: z.boolean().describe('It registers. As usual: where there is a login.'),
  sip_registrar: z.string().describe('Where it registers. As usual: at `sip_host`.'),
  sip_expiry_seconds: z.int().describe('For how long it registers at a time.'),
  sip_from_user: z
    .string()
    .describe(
      'In our own address. As usual: `sip_user`, and the caller id stands in P-Asserted-Identity; *: the caller id of each call.',
    ),
  sip_from_domain: z.string().describe('In our own address. As usual: the host of `sip_host`.'),
  sip_proxy: z.string().describe('Requests go by it; empty: they go straight to the carrier.'),
  sip_codecs: z.array(z.string()).describe('In their order: ulaw, alaw, g722, gsm.'),
  sip_ping_seconds: z
    .int()
    .describe(
      'The carrier is asked so often whether it is there, which keeps the way through a router open; while it does not answer, calls to it fail at once. 0: never.',
    ),
  registration: z
    .object({
      state: z
        .string()
        .describe(
          'registered; unregistered: the registrar has not answered; rejected: it said no; notNeeded: it does not register; refused: Asterisk does not take the details; unknown: Asterisk does not tell.',
        ),
      detail: z.string(),
    })
    .nullable()
    .describe(
      'How a trunk with SIP details stands, as the answering node sees it; null: it has none, is off, or its server is away.',
    ),
};

/** Of the sandbox, and of trunks that Asterisk's own files describe. */
const none = {
  ...{ sip_host: '', sip_transport: 'udp', sip_user: '', sip_register: false, sip_registrar: '' },
  ...{ sip_expiry_seconds: 300, sip_from_user: '', sip_from_domain: '', sip_proxy: '' },
  ...{ sip_codecs: [] as string[], sip_ping_seconds: 0 },
};

/** What counts, said or as usual. */
export const showTrunkSip = ({ sip }: Pick<Trunk, 'sip'>) =>
  sipSettingsOfTrunk(sip as StoredSipDetails) ?? none;

export const sipExample = {
  ...showTrunkSip({ sip: { sip_host: 'sip.example.net', sip_user: '5511400' } }),
  registration: { state: 'registered', detail: 'the carrier knows where we are' },
};

/** A trunk with SIP details, as the objects that Asterisk knows it by. All have the name of its endpoint. */
import { endpointOfTrunk, type SipTrunkSettings } from '../../../../rules/trunks/sipTrunkDetails.ts';

/** A trunk that is to be at its Asterisk. */
export interface SipTrunk {
  id: number;
  name: string;
  sip: SipTrunkSettings;
  /** Empty: none. */
  password: string;
}

/** Fields of an object, as Asterisk names and shows them. */
export type PjsipFields = Readonly<Record<string, string>>;

/** Undefined: there is to be none of this sort. */
export interface PjsipObjects {
  auth: PjsipFields | undefined;
  aor: PjsipFields;
  endpoint: PjsipFields;
  registration: PjsipFields | undefined;
}

export const sipObjectsOf = (trunk: SipTrunk): PjsipObjects => {
  const { sip, password } = trunk;
  const hasLogin = sip.sip_user !== '';
  return {
    auth: hasLogin ? { auth_type: 'userpass', username: sip.sip_user, password } : undefined,
    aor: { contact: uriOf(sip.sip_host, sip), qualify_frequency: String(sip.sip_ping_seconds) },
    endpoint: endpointFields(trunk, hasLogin),
    registration: sip.sip_register && hasLogin ? registrationFields(trunk) : undefined,
  };
};

/** Media always comes through Asterisk; no re-INVITE when a bridge changes who is connected, some carriers end the call on one. */
const endpointFields = ({ id, sip }: SipTrunk, hasLogin: boolean): PjsipFields => ({
  context: 'from-carrier',
  disallow: 'all',
  allow: sip.sip_codecs.join(','),
  dtmf_mode: 'rfc4733',
  direct_media: 'no',
  send_connected_line: 'no',
  send_pai: 'yes',
  rtp_symmetric: 'yes',
  aors: endpointOfTrunk(id),
  outbound_auth: hasLogin ? endpointOfTrunk(id) : '',
  from_user: sip.sip_from_user === callerIdOfCall ? '' : sip.sip_from_user,
  from_domain: sip.sip_from_domain,
  outbound_proxy: proxyOf(sip),
});

/** In `sip_from_user`: each call shows its own. */
const callerIdOfCall = '*';

/** What is refused is tried again, seldom enough not to be shut out. */
const registrationFields = ({ id, sip }: SipTrunk): PjsipFields => ({
  outbound_auth: endpointOfTrunk(id),
  server_uri: uriOf(sip.sip_registrar, sip),
  client_uri: `sip:${sip.sip_user}@${sip.sip_from_domain}`,
  contact_user: sip.sip_user,
  expiration: String(sip.sip_expiry_seconds),
  outbound_proxy: proxyOf(sip),
  max_random_initial_delay: '0',
  max_retries: '10000',
  retry_interval: '60',
  forbidden_retry_interval: '300',
  fatal_retry_interval: '300',
  auth_rejection_permanent: 'false',
});

const uriOf = (host: string, { sip_transport }: SipTrunkSettings): string =>
  `sip:${host}${sip_transport === 'tcp' ? ';transport=tcp' : ''}`;

/** A loose router: the request keeps its own address. */
const proxyOf = (sip: SipTrunkSettings): string =>
  sip.sip_proxy === '' ? '' : `${uriOf(sip.sip_proxy, sip)};lr`;

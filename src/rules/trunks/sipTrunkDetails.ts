/** Trunks that bring how their carrier is reached by SIP: what is stored of one, and what counts where nothing is. Pure. */

/** Codecs that the Asterisk of this house has modules for. */
export const sipCodecs = ['ulaw', 'alaw', 'g722', 'gsm'] as const;

/** As it is stored, by the names of the admin API; what is absent, or an empty text, is as usual. */
export interface StoredSipDetails {
  /** Host, and port, of the carrier. */
  sip_host?: string;
  sip_transport?: 'udp' | 'tcp';
  sip_user?: string;
  sip_register?: boolean;
  sip_registrar?: string;
  sip_expiry_seconds?: number;
  sip_from_user?: string;
  sip_from_domain?: string;
  sip_proxy?: string;
  sip_codecs?: (typeof sipCodecs)[number][];
  sip_ping_seconds?: number;
}

/** Everything said. */
export type SipTrunkSettings = Required<StoredSipDetails>;

/** How the carrier of a trunk is reached; undefined: Asterisk's own files say it. */
export const sipSettingsOfTrunk = (stored: StoredSipDetails): SipTrunkSettings | undefined => {
  const { sip_host = '', sip_user = '' } = stored;
  if (sip_host === '') return undefined;
  return {
    sip_host,
    sip_transport: stored.sip_transport ?? 'udp',
    sip_user,
    sip_register: stored.sip_register ?? sip_user !== '',
    sip_registrar: stored.sip_registrar || sip_host,
    sip_expiry_seconds: stored.sip_expiry_seconds ?? 300,
    sip_from_user: stored.sip_from_user || sip_user,
    sip_from_domain: stored.sip_from_domain || hostOf(sip_host),
    sip_proxy: stored.sip_proxy ?? '',
    sip_codecs: stored.sip_codecs ?? ['ulaw', 'alaw'],
    sip_ping_seconds: stored.sip_ping_seconds ?? 0,
  };
};

/** Without the port. */
const hostOf = (host: string): string => host.replace(/:\d+$/, '');

/** What the endpoints of such trunks are called at their Asterisk. */
export const endpointOfTrunk = (trunk: number): string => `ramal-trunk-${trunk}`;

/** The trunk whose endpoint this is; undefined: it is none of ours. */
export const trunkOfEndpoint = (endpoint: string): number | undefined => {
  const [, id] = /^ramal-trunk-(\d{1,10})$/.exec(endpoint) ?? [];
  return id === undefined ? undefined : Number(id);
};

/** How a trunk dials: as it is written, with its endpoint filled in. */
export const dialPatternWithEndpoint = (
  trunk: number,
  written: string,
  { sip_host = '' }: StoredSipDetails,
): string => {
  if (sip_host === '') return written;
  return (written || 'PJSIP/{number}@{endpoint}').replace('{endpoint}', endpointOfTrunk(trunk));
};

/** How such a trunk stands at its Asterisk. */
export interface TrunkRegistration {
  /**
   * `registered`; `unregistered`: the carrier has not answered; `rejected`: it said no; `notNeeded`: it is there and
   * does not register; `refused`: Asterisk does not take its details; `unknown`: Asterisk does not tell.
   */
  state: 'registered' | 'unregistered' | 'rejected' | 'notNeeded' | 'refused' | 'unknown';
  /** A sentence for people. */
  detail: string;
}

/** What an operator has to look at. */
export const isRegistrationFailure = (state: TrunkRegistration['state']): boolean =>
  state === 'rejected' || state === 'refused';

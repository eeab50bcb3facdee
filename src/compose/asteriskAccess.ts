/** How each Asterisk of the table is reached: as the settings of the service say, or as an operator wrote it. */
import type { AriSettings } from '../config.ts';
import type { Log } from '../log.ts';
import { type AsteriskAccess, dialStringTemplatesFromEndpoints } from '../providers/telephony/asterisk.ts';
import type { SipTrunk } from '../providers/telephony/asterisk/trunks/trunkToPjsipObjects.ts';
import type { TelephonyServerRecord } from '../providers/telephony/serverPool/serverConnections.ts';
import { lruOf } from '../lib/lru.ts';
import type { SecretBox } from '../lib/secretBox.ts';
import { sipSettingsOfTrunk } from '../rules/trunks/sipTrunkDetails.ts';
import type { StoredTelephonyServer, StoredTrunk, StoredTrunkTable } from '../store/reads/trunks.ts';
import { trunkServerSealContext, serverSecretBox } from '../store/secrets/trunkServers.ts';
import { trunkSecretSealContext, trunkSecretBox } from '../store/secrets/trunks.ts';

export interface AsteriskAccessDeps {
  /** The server of the settings. */
  ari: AriSettings;
  /** `WA_ENDPOINT` */
  chat: string | undefined;
  /** `SECRET_KEY` */
  secret: string;
  log: Pick<Log, 'warn'>;
}

/** Of each Asterisk of the table. One whose password cannot be opened refuses our login, and is away. */
export const asteriskAccessResolver = ({ ari, chat, secret, log }: AsteriskAccessDeps) => {
  const open = opener(log);
  const [ofServers, ofTrunks] = [serverSecretBox(secret), trunkSecretBox(secret)];
  const passwordOf = ({ id, name, secret: sealed }: StoredTelephonyServer): string =>
    open(ofServers, sealed, { about: trunkServerSealContext(id), what: `trunk server ${name}` });
  const sipPasswordOf = ({ id, name, sipSecret }: StoredTrunk): string =>
    open(ofTrunks, sipSecret, { about: trunkSecretSealContext(id), what: `trunk ${name}` });
  const reachedBy = (
    server: StoredTelephonyServer,
    { trunks }: StoredTrunkTable,
  ): Omit<AsteriskAccess, 'trunks'> => {
    if (server.fromSettings)
      return { login: ari, dial: dialStringTemplatesFromEndpoints(ari.endpoint, chat) };
    const { url = '', username = '', sip_pattern, chat_pattern } = server.settings;
    const first = trunks.find((trunk) => trunk.server === server.id && isThere(trunk))?.dialPattern ?? '';
    const dial =
      first === '' ? { number: '', sip: '' } : dialStringTemplatesFromEndpoints(first, chat_pattern);
    return {
      login: { url, user: username, password: passwordOf(server) },
      dial: { ...dial, ...(sip_pattern && { sip: sip_pattern }) },
    };
  };
  const sipTrunksOf = (server: StoredTelephonyServer, { trunks }: StoredTrunkTable): SipTrunk[] =>
    trunks.flatMap((trunk) => {
      const sip = sipSettingsOfTrunk(trunk.sip);
      if (!sip || trunk.server !== server.id || trunk.state === 'off') return [];
      return { id: trunk.id, name: trunk.name, sip, password: sipPasswordOf(trunk) };
    });
  const accessOf = (server: StoredTelephonyServer, table: StoredTrunkTable): AsteriskAccess => ({
    ...reachedBy(server, table),
    trunks: server.state === 'off' ? [] : sipTrunksOf(server, table),
  });
  return (table: StoredTrunkTable): TelephonyServerRecord<AsteriskAccess>[] =>
    table.servers
      .filter(({ kind }) => kind === 'asterisk')
      .map((server) => ({
        ...{ id: server.id, name: server.name, state: server.state },
        access: accessOf(server, table),
      }));
};

/** One with SIP details is unknown to Asterisk while it is switched off. */
const isThere = ({ state, sip }: StoredTrunk): boolean =>
  state !== 'off' || sipSettingsOfTrunk(sip) === undefined;

/** Opens each sealed password once; one that cannot be opened is empty, and told. */
const opener = (log: AsteriskAccessDeps['log']) => {
  const opened = lruOf<string, string>(1_000);
  return (box: SecretBox, sealed: string, { about, what }: { about: string; what: string }): string => {
    if (sealed === '') return '';
    const key = `${about} ${sealed}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    const password = orNone(() => box.open(sealed, about));
    if (password === '') log.warn({ of: what }, 'the password of a trunk cannot be opened: set it again');
    opened.set(key, password);
    return password;
  };
};

const orNone = (open: () => string): string => {
  try {
    return open();
  } catch {
    return '';
  }
};

/** How each Asterisk of the table is reached: as the settings of the service say, or as an operator wrote it. */
import type { AriSettings } from '../config.ts';
import type { Log } from '../log.ts';
import { type AsteriskAccess, dialPatterns } from '../providers/telephony/asterisk.ts';
import type { Server } from '../providers/telephony/pool/members.ts';
import { lruOf } from '../lib/lru.ts';
import type { StoredServer, StoredTrunks } from '../store/reads/trunks.ts';
import { serverSecretAbout, serverSecretBox } from '../store/secrets/trunkServers.ts';

export interface AccessDeps {
  /** The server of the settings. */
  ari: AriSettings;
  /** `WA_ENDPOINT` */
  chat: string | undefined;
  /** `SECRET_KEY` */
  secret: string;
  log: Pick<Log, 'warn'>;
}

/** Of each Asterisk of the table. One whose password cannot be opened refuses our login, and is away. */
export const asteriskAccesses = ({ ari, chat, secret, log }: AccessDeps) => {
  const box = serverSecretBox(secret);
  const opened = lruOf<string, string>(1_000);
  const passwordOf = ({ id, name, secret: sealed }: StoredServer): string => {
    if (sealed === '') return '';
    const key = `${id} ${sealed}`;
    let password = opened.get(key);
    if (password === undefined) {
      password = orNone(() => box.open(sealed, serverSecretAbout(id)));
      if (password === '')
        log.warn({ server: name }, 'the password of a trunk server cannot be opened: set it again');
      opened.set(key, password);
    }
    return password;
  };
  const accessOf = (server: StoredServer, { trunks }: StoredTrunks): AsteriskAccess => {
    if (server.fromSettings) return { login: ari, dial: dialPatterns(ari.endpoint, chat) };
    const { url = '', username = '', sip_pattern, chat_pattern } = server.settings;
    const first = trunks.find(({ server: on }) => on === server.id)?.dialPattern ?? '';
    const dial = first === '' ? { number: '', sip: '' } : dialPatterns(first, chat_pattern);
    return {
      login: { url, user: username, password: passwordOf(server) },
      dial: { ...dial, ...(sip_pattern && { sip: sip_pattern }) },
    };
  };
  return (table: StoredTrunks): Server<AsteriskAccess>[] =>
    table.servers
      .filter(({ kind }) => kind === 'asterisk')
      .map((server) => ({
        ...{ id: server.id, name: server.name, state: server.state },
        access: accessOf(server, table),
      }));
};

const orNone = (open: () => string): string => {
  try {
    return open();
  } catch {
    return '';
  }
};

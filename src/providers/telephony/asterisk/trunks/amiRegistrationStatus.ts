/**
 * How registrations stand at an Asterisk. ARI does not tell; the manager interface does, by HTTP on the same port and with
 * the same login (`manager.conf`).
 */
import { request } from 'undici';
import { readUpTo } from '../../../readUpTo.ts';
import type { AriLogin } from '../ariRestClient.ts';

export interface AsteriskManagerClient {
  /** Statuses by the names of the registrations; undefined: Asterisk does not tell us. */
  registrations(): Promise<ReadonlyMap<string, string> | undefined>;
}

const patienceMs = 3_000;
/** Of a report: a hundred trunks are a sixth of it. */
const mostBytes = 1024 * 1024;
const ended = 'OutboundRegistrationDetailComplete';

/** Logs in at the first question, and again when Asterisk has forgotten us. */
export const asteriskManagerClient = ({ url, user, password }: AriLogin): AsteriskManagerClient => {
  const door = `${url.replace(/\/(ari\/?)?$/, '')}/rawman`;
  let cookie: string | undefined;

  const ask = async (fields: Record<string, string>): Promise<string> => {
    const answer = await request(door, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(cookie !== undefined && { cookie }),
      },
      body: new URLSearchParams(fields).toString(),
      signal: AbortSignal.timeout(patienceMs),
    });
    const given = answer.headers['set-cookie'];
    cookie = /mansession_id="[0-9a-f]+"/.exec(String(given))?.[0] ?? cookie;
    const text = await readUpTo(answer.body, mostBytes);
    return answer.statusCode === 200 ? text : '';
  };
  const report = () => ask({ action: 'PJSIPShowRegistrationsOutbound' });

  return {
    registrations: async () => {
      const known = cookie === undefined ? '' : await report();
      if (known.includes(ended)) return parseRegistrationStatuses(known);
      cookie = undefined;
      await ask({ action: 'Login', username: user, secret: password });
      const text = cookie === undefined ? '' : await report();
      return text.includes(ended) ? parseRegistrationStatuses(text) : undefined;
    },
  };
};

/** Statuses in a report, by the names of the registrations. Details of logins in it are passed over. */
export const parseRegistrationStatuses = (text: string): Map<string, string> => {
  const events = text
    .split(/\r?\n\r?\n/)
    .filter((event) => /^Event: OutboundRegistrationDetail$/m.test(event));
  return new Map(events.map((event) => [lineOf(event, 'ObjectName'), lineOf(event, 'Status')]));
};

const lineOf = (event: string, name: string): string =>
  new RegExp(`^${name}: *(.*?)\\r?$`, 'm').exec(event)?.[1] ?? '';

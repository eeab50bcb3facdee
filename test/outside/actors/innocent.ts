/** An account that does nothing wrong, and to which nothing is done: it asks once a second, and expects to be served. */
import type { Dice } from '../dice.ts';
import type { Ledger } from '../evidence.ts';
import type { Account } from '../world/admin.ts';
import { jsonOf, postJson } from '../world/ask.ts';
import type { Asker } from '../world/asker.ts';
import { type Envelope, newTag } from './customer.ts';

export interface Innocent {
  stop(): void;
}

export interface InnocentOptions {
  account: Account;
  /** A node that was not taken away. */
  url(): { name: string; url: string } | undefined;
  dice: Dice;
  ledger: Ledger;
  asker: Asker;
}

const everyMs = 1_000;

export const startInnocent = ({ account, url, dice, ledger, asker }: InnocentOptions): Innocent => {
  const { id, token: tsid } = account;
  const probe = async (): Promise<void> => {
    const node = url();
    if (!node) return;
    const door = dice.pick(['MakeTTSCall', 'MakeSMS', 'GetCallStatus'] as const);
    const tag = newTag();
    const work = door === 'MakeSMS' ? 'sms' : 'call';
    const bodies = {
      MakeTTSCall: { dest: '11987650000', text: 'Good morning', ctid: tag, httpdup: 0 },
      MakeSMS: { dest: '11987650000', message: `Good morning ${tag}`, ctid: tag, httpdup: 0 },
      GetCallStatus: { maxreg: 5 },
    };
    if (door !== 'GetCallStatus') ledger.add({ kind: 'asked', work, account: id, tag });
    const answer = await postJson(
      `${node.url}/api/v2/${door}.php`,
      { tsid, ...bodies[door] },
      { timeoutMs: 30_000 },
      asker.ask,
    );
    const { return: said = {} } = jsonOf<Envelope>(answer.text);
    const { status: http, ms, failed, text } = answer;
    const code = String(said.status_code ?? '');
    const words = (failed || (said.status ?? text)).slice(0, 200);
    ledger.add({ kind: 'answered', by: 'innocent', door, tag, node: node.name, http, code, ms, said: words });
    if (http === 200 && door !== 'GetCallStatus') {
      const called = said.cd_id ?? String(said.cdls_id ?? '');
      ledger.add({ kind: 'acknowledged', work, account: id, tag, id: called });
    }
  };
  const timer = setInterval(() => void probe(), everyMs);
  return { stop: () => clearInterval(timer) };
};

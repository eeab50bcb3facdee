/** Blocks that need what must be made first: a dead letter, a message that nobody knows of, an app, a host to send to. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { lackingSshd, startSshd } from '../helpers/sshd.ts';
import type { Block } from './blocks.ts';
import { aFollower, type Follower } from './follower.ts';
import { blocksOf, blocksWith, lackingPrograms, missing, root } from './pages.ts';
import { expectWorks, follow, type Place } from './reader.ts';
import { addTool, toolsIn } from './tools.ts';
import { until } from '../helpers/patience.ts';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const aReader = async (env: Record<string, string> = {}): Promise<Follower> => {
  const reader = await aFollower(env);
  undo.push(() => reader.stop());
  return reader;
};

const followed = async (page: string, blocks: readonly Block[], place: Place): Promise<string> => {
  const done = await follow(page, blocks, place);
  undo.push(done.close);
  expectWorks(done);
  return done.said.join('\n');
};
const needing = (page: string, what: string): Block[] => blocksOf(page).filter(({ needs }) => needs === what);

const tokenOf = ({ place }: Follower, file: string): string =>
  readFileSync(join(place.folder, 'data', file), 'utf8').trim();

// oxlint-disable-next-line typescript/no-explicit-any -- answers are compared with literals, key by key
const change = async (reader: Follower, method: string, path: string, body: object): Promise<any> => {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${tokenOf(reader, 'admin-token')}`,
  };
  const url = `${reader.url}/admin/api/accounts/3/${path}`;
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
};

// oxlint-disable-next-line typescript/no-explicit-any -- likewise
const post = async (reader: Follower, operation: string, body: object): Promise<any> => {
  const url = `${reader.url}/api/v2/${operation}.php`;
  const headers = { 'Content-Type': 'application/json' };
  const sent = JSON.stringify({ tsid: tokenOf(reader, 'demo-token'), ...body });
  return (await fetch(url, { method: 'POST', headers, body: sent })).json();
};

describe.skipIf(missing.length > 0)(`prepared${lackingPrograms}`, () => {
  test('a message that nobody knows of is settled by an operator, as the page on costs shows', async () => {
    const page = 'docs/guides/what-an-sms-costs.md';
    const reader = await aReader();
    const gateway = createServer((request) => {
      // It has heard the message, and nobody hears what it made of it.
      request.resume().on('end', () => request.socket.destroy());
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    undo.push(() => void gateway.close());
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`;
    const settings = { url, body: '{"to":"{to}"}', id: { path: 'id' } };
    const [{ route_id: sandbox }] = (await reader.admin('/accounts/3/sms-routes')).sms_routes;
    const route = await change(reader, 'POST', 'sms-routes', { name: 'Deaf', kind: 'http', settings });
    const message = { dest: '11987654321', message: 'Bom dia' };
    const { return: sent } = await post(reader, 'MakeSMS', message);
    const record = async () => reader.admin(`/accounts/3/messages/${sent.cdls_id}`);
    await until(async () => (await record()).status === 'unknown');
    await change(reader, 'PATCH', `sms-routes/${route.route_id}`, { active: 0 });
    await change(reader, 'PATCH', `sms-routes/${sandbox}`, { active: 1 });

    const replaced = { a_746695698259968: `a_${sent.cdls_id}` };
    await followed(page, blocksWith(page, 'unknown-message'), { ...reader.place, replaced });
    await until(async () => (await record()).refunded);
    expect(await record()).toMatchObject({ status: 'failed', refunded: true });
  });

  test('results that could not be brought are sent again from the command line', async () => {
    const page = 'docs/guides/command-line.md';
    const reader = await aReader({ SANDBOX_SPEED: '50' });
    const results = join(reader.place.folder, 'data/deliveries');
    const folder = { name: 'Results', kind: 'folder', settings: { folder: 'results' } };
    const { profile_id: profile } = await change(reader, 'POST', 'delivery-profiles', folder);
    const campaign = {
      ...{ name: 'nightly', text: 'Oi', cp_ativo: 0, relftp: profile },
      datajson: JSON.stringify([{ phone: '11987650000' }]),
    };
    const { return: made } = await post(reader, 'CreateCampaign', campaign);
    await change(reader, 'PATCH', `delivery-profiles/${profile}`, { active: 0 });
    await post(reader, 'ChangeCampaign', { cp_id: made.cp_id, active: 1 });
    const dead = await until(async () => {
      const [found] = (await reader.admin('/accounts/3/deliveries?state=deadLetter')).deliveries;
      return found;
    });
    await change(reader, 'PATCH', `delivery-profiles/${profile}`, { active: 1 });

    const said = await followed(page, needing(page, 'dead-letter'), {
      ...reader.place,
      replaced: { a_747590412402688: dead.delivery_id },
    });
    expect(said).toContain('the delivery profile');
    expect(said).toContain('1 dead letter is sent again');
    await until(() =>
      readdirSync(results, { recursive: true }).some((file) => String(file).endsWith('.csv')),
    );
  });

  test('the client is built, installed, and its program runs as printed', async () => {
    const page = 'docs/guides/use-the-client.md';
    const reader = await aReader();
    const real = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
    // What belongs to the clone is done in the clone, which the reader's folder stands for.
    addTool(toolsIn(reader.place), 'npm', `[ "$1" != run ] || cd '${root}'\nexec '${real}' "$@"`);
    const [build, run] = needing(page, 'npm');
    const program = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, page), 'utf8'))![1]!;
    const written = program.replace('http://localhost:8080', reader.url);
    const write: Block = { line: 0, script: `cat > call.mjs <<'END'\n${written}END` };
    const said = await followed(page, [build!, write, run!], {
      ...reader.place,
      env: { ...reader.place.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
      replaced: { '/tmp/my-app': join(reader.place.folder, 'my-app') },
    });
    expect(said).toMatch(/^placed a_\d+\n5511987650000 .*\nlist \d+ with 1\nrefused 240 MakeSMS 240: /m);
  });

  const noAge = spawnSync('age', ['--version']).error ? 'age is missing (apt-get install age)' : undefined;
  const lacksHost = lackingSshd() ?? noAge;
  test.skipIf(lacksHost !== undefined)(
    `a backup goes through age and ssh to another host${lacksHost === undefined ? '' : `: ${lacksHost}`}`,
    async () => {
      const page = 'docs/guides/back-up-and-restore.md';
      const [reader, host] = await Promise.all([aReader(), startSshd()]);
      undo.push(() => host.stop());
      const { folder } = reader.place;
      const key = join(folder, 'ssh-key');
      writeFileSync(key, host.privateKey, { mode: 0o600 });
      const options = `-p ${host.port} -l ${host.user} -i '${key}' -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null`;
      addTool(toolsIn(reader.place), 'ssh', `shift\nexec /usr/bin/ssh -q ${options} 127.0.0.1 "$@"`);
      mkdirSync(join(folder, 'keys'));
      const keys = spawnSync('age-keygen', ['-o', join(folder, 'keys/age')], { encoding: 'utf8' });
      const recipient = /age1\w+/.exec(keys.stderr)![0];
      const archive = join(folder, 'ramal.tar.gz.age');
      await followed(page, needing(page, 'ssh'), {
        ...reader.place,
        replaced: { 'age1…': recipient, 'ramal.tar.gz.age': archive },
      });
      const opened = spawnSync('sh', ['-c', `age -d -i '${folder}/keys/age' '${archive}' | tar -tz`], {
        encoding: 'utf8',
      });
      expect([opened.status, opened.stdout]).toEqual([0, expect.stringMatching(/\w/)]);
    },
  );
});

/** Every command of our pages, as printed, in the order of the page, against a service that has just been started. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { aDataDir, type RunningService, startService } from '../service/service.ts';
import { commandBlocks } from './blocks.ts';
import { read } from './reader.ts';

const root = join(import.meta.dirname, '../..');
const below = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const guides = below('docs/guides');
const reference = [...below('docs/operations'), 'docs/tools-for-assistants.md'];
const blocksOf = (page: string) => commandBlocks(readFileSync(join(root, page), 'utf8'));

/** Its ids are those of a service that nothing else has used. */
const alone = 'docs/guides/command-line.md';

/** What pages need that is not here, and the most blocks that may. A higher number wants a reason. */
const needed: Readonly<Record<string, number>> = {
  asterisk: 7,
  bucket: 1,
  clone: 5,
  'closed-shard': 1,
  'dead-letter': 1,
  docker: 2,
  gateway: 1,
  internet: 1,
  journals: 1,
  'msgapp-account': 6,
  npm: 2,
  'own-id': 5,
  'own-process': 2,
  'port-9095': 1,
  'port-9096': 1,
  postgresql: 6,
  smsc: 2,
  ssh: 1,
  terminal: 3,
};

const programs = ['bash', 'curl', 'jq', 'openssl'];
const missing = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);

interface Fresh {
  service: RunningService;
  folder: ReturnType<typeof aDataDir>;
}

const aFreshService = async (): Promise<Fresh> => {
  const folder = aDataDir();
  const env = { SANDBOX_SPEED: '50', ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' };
  return { folder, service: await startService({ dataDir: join(folder.path, 'data'), env, made: true }) };
};

const placeOf = ({ service, folder }: Fresh) => ({
  port: Number(new URL(service.url).port),
  folder: folder.path,
});

/** Sends each example of the served description, with the demo token as its page would; answers what was refused. */
const tryOut = async ({ service, folder }: Fresh): Promise<string[]> => {
  const token = readFileSync(join(folder.path, 'data/demo-token'), 'utf8').trim();
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Record<
      string,
      { post: { requestBody: { content: Record<string, { examples: { bearer: { value: object } } }> } } }
    >;
  };
  const refused: string[] = [];
  for (const { name } of operations.filter(({ example }) => example.needs === undefined)) {
    const path = `/api/v2/${name}.php`;
    const example = paths[path]!.post.requestBody.content['application/json']!.examples.bearer.value;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(example),
    });
    if (!answer.ok) refused.push(`${name}: ${await answer.text()}`);
  }
  return refused;
};

const blocks = (page: string) => blocksOf(page).filter(({ needs }) => needs === undefined);

describe.skipIf(missing.length > 0)(
  missing.length > 0 ? `needs ${missing.join(', ')}, which this machine lacks` : 'as printed',
  () => {
    const fresh: Fresh[] = [];
    const readOn = (at: Fresh, page: string): Promise<string[]> => read(page, blocks(page), placeOf(at));

    beforeAll(async () => {
      fresh.push(...(await Promise.all([aFreshService(), aFreshService()])));
    });
    afterAll(async () => {
      await Promise.all(fresh.map(({ service }) => service.stop()));
      for (const { folder } of fresh) folder.remove();
    });

    test.concurrent(`${alone}, and what /docs shows to be tried out`, async ({ expect: expected }) => {
      expected(await readOn(fresh[1]!, alone)).toEqual([]);
      expected(await tryOut(fresh[1]!)).toEqual([]);
    });

    // One after the other: pages of one service would be duplicates of each other within ten seconds.
    test.concurrent('the README, the other guides, and the reference', async ({ expect: expected }) => {
      const complaints: string[] = [];
      for (const page of ['README.md', ...guides, ...reference].filter((one) => one !== alone))
        complaints.push(...(await readOn(fresh[0]!, page)));
      expected(complaints).toEqual([]);
    });

    test('a page that does not work is complained of', async () => {
      const complaints = async (...scripts: string[]) =>
        (
          await read(
            'a page',
            scripts.map((script, at) => ({ line: at + 1, script })),
            placeOf(fresh[0]!),
          )
        ).map((complaint) => complaint.split('\n')[0]);
      expect(
        await complaints(
          'curl -s http://localhost:8080/api/v2/Nothing.php -d x',
          'nonsense; true',
          'false',
          'npx ramal nonsense; true',
          'exit',
          'true',
        ),
      ).toEqual([
        'a page:1: HTTP 404 of http://localhost:8080/api/v2/Nothing.php',
        expect.stringContaining('nonsense: command not found'),
        'a page:3: it ended with 1',
        expect.stringContaining('a page:4: Error: '),
        'a page:5: the shell ended in it',
        'a page:6: the shell ended before it',
      ]);
    });
  },
);

test('what is not run says what it needs, and there is no more of it than before', () => {
  const counted: Record<string, number> = {};
  for (const page of ['README.md', ...guides, ...reference])
    for (const { needs } of blocksOf(page))
      if (needs !== undefined) counted[needs] = (counted[needs] ?? 0) + 1;
  expect(counted).toEqual(needed);
});

test('each operation has an example that a reader can paste', () => {
  const pages = below('docs/operations').filter((page) => !page.endsWith('README.md'));
  expect(
    pages.filter(
      (page) => !commandBlocks(readFileSync(join(root, page), 'utf8'))[0]?.script.includes('$TOKEN'),
    ),
  ).toEqual([]);
});

describe('the reader of blocks', () => {
  const scripts = (text: string) => commandBlocks(text).map(({ script }) => script.trimEnd());

  test('takes the whole of a shell fence, and what is typed in the others', () => {
    expect(scripts('```sh\na=1\necho $a\n```')).toEqual(['a=1\necho $a']);
    expect(scripts('```\n$ npx ramal x \\\n  --more\nList 1\n\n$ y\n```')).toEqual([
      'npx ramal x \\\n  --more\ny',
    ]);
    expect(scripts('```\ncurl -s x\n  curl -s y\n```')).toEqual(['curl -s x']);
    expect(scripts('```json\n{}\n```\n```js\ncurl(1)\n```')).toEqual([]);
  });

  test('takes a fence out of its list, and knows what it says of itself', () => {
    expect(commandBlocks('# A\n\n1. x\n\n   ```sh needs=gateway\n   curl y\n   ```\n')).toEqual([
      { line: 5, script: 'curl y\n', needs: 'gateway' },
    ]);
    expect(() => commandBlocks('```sh need=x\na\n```')).toThrow('a fence says need');
  });
});

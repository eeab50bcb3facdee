/** Every command of our pages, as printed, in the order of the page, against a service that has just been started. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { aDataDir, freePort, type RunningService, startService } from '../service/service.ts';
import { commandBlocks } from './blocks.ts';
import { allPages, below, blocksWith, lackingPrograms, missing, root } from './pages.ts';
import { follow, type Place, read } from './reader.ts';

/** Its ids are those of a service that nothing else has used, and it starts it. */
const alone = 'docs/guides/command-line.md';

interface Fresh {
  url: string;
  folder: ReturnType<typeof aDataDir>;
  place: Place;
  service?: RunningService;
}

const settings = { SANDBOX_SPEED: '50', ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' };

const aFreshFolder = async (): Promise<Fresh> => {
  const folder = aDataDir();
  const port = await freePort();
  return {
    folder,
    url: `http://127.0.0.1:${port}`,
    place: { folder: folder.path, port, env: { ...settings, REQUESTS_PER_SECOND: '100000' } },
  };
};

const aFreshService = async (): Promise<Fresh> => {
  const fresh = await aFreshFolder();
  const { port, folder } = fresh.place;
  const dataDir = join(folder, 'data');
  return { ...fresh, service: await startService({ dataDir, env: settings, made: true, port }) };
};

/** Pages print fixed ports; those of the reader are free ones. */
const portsIn = async (page: string): Promise<Record<string, string>> => {
  const printed = blocksWith(page).map(({ script }) => script);
  const words: Record<string, (port: number) => string> = {
    'callback listen': (port) => `callback listen --port ${port}`,
    ...{ 9096: String, 9095: String, 'PORT=8081': (port) => `PORT=${port}` },
  };
  const there = Object.entries(words).filter(([word]) => printed.some((script) => script.includes(word)));
  return Object.fromEntries(
    await Promise.all(there.map(async ([word, own]) => [word, own(await freePort())] as const)),
  );
};

/** Sends each example of the served description, with the demo token as its page would; answers what was refused. */
const tryOut = async ({ url, folder }: Fresh): Promise<string[]> => {
  const token = readFileSync(join(folder.path, 'data/demo-token'), 'utf8').trim();
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
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
    const answer = await fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(example),
    });
    if (!answer.ok) refused.push(`${name}: ${await answer.text()}`);
  }
  return refused;
};

describe.skipIf(missing.length > 0)(`as printed${lackingPrograms}`, () => {
  const fresh: Fresh[] = [];
  const readOn = async (
    { place }: Fresh,
    page: string,
    meanwhile: () => Promise<string[]> = () => Promise.resolve([]),
  ): Promise<string[]> => {
    const blocks = blocksWith(page);
    const { complaints, close } = await follow(page, blocks, { ...place, replaced: await portsIn(page) });
    try {
      return [...complaints, ...(await meanwhile())];
    } finally {
      await close();
    }
  };

  beforeAll(async () => {
    fresh.push(...(await Promise.all([aFreshService(), aFreshFolder()])));
  });
  afterAll(async () => {
    await Promise.all(fresh.map(async ({ service }) => service?.stop()));
    for (const { folder } of fresh) folder.remove();
  });

  test.concurrent(`${alone}, and what /docs shows to be tried out`, async ({ expect: expected }) => {
    expected(await readOn(fresh[1]!, alone, () => tryOut(fresh[1]!))).toEqual([]);
  });

  // One after the other: pages of one service would be duplicates of each other within ten seconds.
  test.concurrent('the README, the other guides, and the reference', async ({ expect: expected }) => {
    const complaints: string[] = [];
    for (const page of allPages.filter((one) => one !== alone))
      complaints.push(...(await readOn(fresh[0]!, page)));
    expected(complaints).toEqual([]);
  }, 600_000);

  test('a page that does not work is complained of', async () => {
    const complaints = async (...scripts: string[]) =>
      (
        await read(
          'a page',
          scripts.map((script, at) => ({ line: at + 1, script })),
          fresh[0]!.place,
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

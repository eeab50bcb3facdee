/** How it is with the parts of the service is said in Portuguese: what checks say when all is well, and when it is not. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { explainStorageWords } from '../../src/console/app/explainStorageWords.ts';
import { healthInPortuguese } from '../../src/console/app/portuguese/refusals/pt.ts';
import { describeInBrowser, personsPage, signInAt } from '../helpers/console.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

/** Versions and kinds of routes are called the same in each language. */
const isName = (detail: string): boolean =>
  /^(espeak-ng \S+ \(\S+\)|ffmpeg \S+|WebAssembly|(sandbox|smpp|http)(, (smpp|http))*)$/.test(detail);

type Check = { name: string; ok: boolean; detail: string };

const checksOf = async (service: TestService): Promise<Check[]> =>
  (await service.admin('GET', '/now')).body.checks as Check[];

/** What has no words, in whole or in part. */
const wordless = (checks: readonly Check[]): string[] =>
  checks
    .flatMap(({ name, detail }) => detail.split('; ').map((part) => ({ name, part })))
    .filter(({ part }) => !isName(part) && healthInPortuguese(part) === undefined)
    .map(({ name, part }) => `${name}: ${part}`);

/** Where nothing listens. */
const nowhere = '127.0.0.1:9';

describe('what the checks of a service say', () => {
  test.each<[how: string, env: Record<string, string>, failing: string[]]>([
    ['that is well', {}, []],
    [
      'whose scanner, Redis and voices are away',
      { CLAMD_URL: `tcp://${nowhere}`, REDIS_URL: `redis://${nowhere}`, ESPEAK: 'none' },
      ['redis', 'scanner'],
    ],
    [
      'whose Asterisk is away',
      { CARRIER: 'asterisk', ARI_URL: `http://${nowhere}/ari`, ARI_USER: 'u', ARI_PASSWORD: 'p' },
      ['carrier'],
    ],
  ])('has Portuguese words: one %s', async (_, env, failing) => {
    const service = await startTestService(env);
    try {
      const failed = async () =>
        (await checksOf(service))
          .filter(({ ok }) => !ok)
          .map(({ name }) => name)
          .toSorted();
      await expect.poll(failed).toEqual(failing);
      expect(wordless(await checksOf(service))).toEqual([]);
    } finally {
      await service.stop();
    }
  });

  test.each([
    [
      'shard a has not answered since this node started',
      'parte a do banco de dados (shard): não respondeu desde que este nó começou',
    ],
    [
      'shard a fails for 12 s (heartbeat): timeout expired',
      'parte a do banco de dados (shard): falha há 12 s (heartbeat): timeout expired',
    ],
    [
      'shard b is closed: node 3 knew more; an operator brings the journals (ramal reconcile) or decides (ramal shard open b)',
      'parte b do banco de dados (shard): fechada: node 3 knew more; um operador traz os registros em disco (diários; ramal reconcile) ou decide (ramal shard open b)',
    ],
    [
      'trunk server one: Asterisk is away: the connection was closed; trunk server two: it is not connected',
      'servidor de troncos one: o Asterisk não responde: a conexão foi fechada; servidor de troncos two: sem conexão',
    ],
    ['smpp; links: 1 of 2 down', 'smpp; links: 1 de 2 fora do ar'],
  ])('is said in its parts: %s', (english, portuguese) => {
    expect(healthInPortuguese(english)).toBe(portuguese);
  });

  test('and a sentence of none of them is left as it came', () => {
    expect(healthInPortuguese('connect ECONNREFUSED')).toBeUndefined();
  });
});

describe('what the service says of its storage', () => {
  test.each([
    [
      'shard a is closed: node 3 knew more; an operator brings the journals (ramal reconcile) or decides (ramal shard open a)',
      'part a of the database (shard) is closed: node 3 knew more; an operator brings the records on disk (journals; ramal reconcile) or decides (ramal shard open a)',
    ],
    ['the database of shard a takes no writes now', 'part a of the database (shard) takes no writes now'],
    ['are as the journals have them', 'are as the records on disk (journals) have them'],
    ['the journal of node 3 cannot be read', 'the record on disk (journal) of node 3 cannot be read'],
    ['shard: must be one of a, b', 'shard: must be one of a, b'],
    ['name: is missing', 'name: is missing'],
  ])('is said in English with what it means: %s', (sentence, explained) => {
    expect(explainStorageWords(sentence)).toBe(explained);
  });
});

/** Those that a page asks for from now on. */
const filesOfPortuguese = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/healthChecks|\/pt[.-]/.test(request.url())) asked.push(request.url());
  });
  return asked;
};

describeInBrowser('a person who reads Portuguese', { CLAMD_URL: `tcp://${nowhere}` }, (here) => {
  test('reads on Now how it is with each part, and which one is not well', async () => {
    const { page, errors } = await personsPage(here.browser, { locale: 'pt-BR' });
    const files = filesOfPortuguese(page);
    await signInAt(here.on, page, '/admin');
    const checks = page.locator('ul.checks').first();
    await checks.getByText('a operadora simulada está no ar').waitFor();
    await checks.getByText('ligações não tocam em lugar nenhum (CARRIER)').waitFor();
    await page.locator('ul.attention b', { hasText: 'antivírus não está bem' }).waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/answers|are served|as the journals/);
    expect([files.length > 0, errors]).toEqual([true, []]);
    await page.context().close();
  });

  test('and one who reads English reads the sentences of the service, without a file of Portuguese', async () => {
    const { page } = await personsPage(here.browser);
    const files = filesOfPortuguese(page);
    await signInAt(here.on, page, '/admin');
    await page.locator('ul.checks').getByText('the sandbox carrier is up').waitFor();
    expect(files).toEqual([]);
    await page.context().close();
  });
});

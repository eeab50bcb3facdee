import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPaceMeter } from '../../src/cli/campaign/pace.ts';
import {
  drawCampaignProgressView,
  type CampaignProgressView,
  campaignSummaryLines,
} from '../../src/cli/campaign/formatCampaignProgress.ts';
import type { CampaignProgress } from '../../src/cli/campaign/readCampaignProgress.ts';
import { readServiceConnection } from '../../src/cli/serviceUrlAndTokens.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../../src/cli/formatTerminalTable.ts';
import {
  formatTimeWithDayUnlessToday,
  dateAndTime,
  formatDateTimeAndZone,
  columnTitleWithZone,
} from '../../src/cli/times.ts';
import { parseTimeOption, span, omitSecretFields } from '../../src/cli/format.ts';

const frame = { paint: (_: string, text: string) => text, width: 80 };
const now = Date.UTC(2026, 10, 20, 12);

test('a moment is written as so long ago, as a date, or as milliseconds', () => {
  expect(parseTimeOption('90s', now)).toBe(now - 90_000);
  expect(parseTimeOption('2h', now)).toBe(now - 7_200_000);
  expect(parseTimeOption('1d', now)).toBe(now - 86_400_000);
  expect(parseTimeOption('2026-11-20T11:00:00Z', now)).toBe(now - 3_600_000);
  expect(parseTimeOption('2026-11-20', now)).toBe(new Date(2026, 10, 20).getTime());
  expect(parseTimeOption(String(now), now)).toBe(now);
  for (const none of ['', 'yesterday', '2', '2026-13-40', '5 weeks'])
    expect(parseTimeOption(none, now)).toBeUndefined();
});

test('a moment stands on the clock that the output names', () => {
  expect(dateAndTime(now, 'America/Sao_Paulo')).toBe('2026-11-20 09:00:00');
  expect(formatDateTimeAndZone(now, 'Asia/Tokyo')).toBe('2026-11-20 21:00:00 Asia/Tokyo');
  expect(formatTimeWithDayUnlessToday(now, now + 1_000, 'UTC')).toBe('12:00:00');
  expect(formatTimeWithDayUnlessToday(now, now + 43_200_000, 'UTC')).toBe('2026-11-20 12:00:00');
  expect(formatTimeWithDayUnlessToday(now, now + 43_200_000, 'America/Sao_Paulo')).toBe('09:00:00');
  expect(columnTitleWithZone('since', 'UTC')).toBe('since (UTC)');
});

test('a length of time has its two largest units', () => {
  expect([900, 61_000, 3_700_000, 90_000_000].map(span)).toEqual([
    '1 s',
    '1 min 1 s',
    '1 h 1 min',
    '1 d 1 h',
  ]);
});

test('the pace is that of the last minute', () => {
  const pace = createPaceMeter();
  pace.count(0, 0);
  expect(pace.perMinute()).toBeUndefined();
  for (let second = 1; second <= 90; second += 1)
    pace.count(second < 60 ? 0 : (second - 60) * 2, second * 1000);
  expect(pace.perMinute()).toBe(60);
});

test('secrets are taken out of a record, and what only tells of them stays', () => {
  const record = {
    name: 'x',
    webhook_secret: 's',
    webhook_secret_before: 's',
    secret: 's',
    has_app_secret: true,
  };
  expect(omitSecretFields(record)).toEqual({ name: 'x', has_app_secret: true });
});

const standing: CampaignProgress = {
  ...{ cp_id: 7, cdcs_id: 3, name: 'Reminders', state: 'active', phase: 'waitingWindow', reason: '' },
  ...{
    calls_per_minute: 60,
    destinations: 1000,
    skipped: 12,
    made: 400,
    answered: 100,
    transferred: 3,
    ended: 250,
  },
  ...{ created_at: now - 600_000, finished_at: null, skipped_by_reason: { duplicate: 10, blocklist: 2 } },
  ...{ mode: 'play', correlation: '', list_id: 1, detail: '', group_id: null, group_name: null },
  ...{ active: true, model: false, date_start: '2026-11-22', date_end: '2026-11-23', max_transfers: null },
  ...{ time_start: '09:00:00', time_end: '18:00:00', transfers: true, definition: {} },
};
const picture: CampaignProgressView = {
  standing,
  perMinute: 58,
  overAt: now + 3_700_000,
  blockers: [
    {
      rule: 'window',
      detail: '500 destinations SP: outside the regional window '.repeat(3),
      until: now,
    },
  ],
  zone: 'America/Sao_Paulo',
  at: now,
};

test('a campaign is drawn as a bar with its counts, pace and end, never wider than the screen', () => {
  const [title, bar, counts, pace, why] = drawCampaignProgressView(picture, frame);
  expect(title).toBe('Reminders (7)  waiting window  on the clock of America/Sao_Paulo');
  expect(bar).toMatch(/^█{14,16}▒{8,10}░+ {2}25 % {2}250 of 1000$/);
  expect(counts).toBe('called 400 of 1000   answered 100 (25 %)   transferred 3   skipped 12');
  expect(pace).toMatch(/^58 calls a minute {3}over about 10:01:40 \(in 1 h 1 min\)$/);
  expect(why).toMatch(/…$/);
  for (const width of [40, 80, 200])
    for (const line of drawCampaignProgressView(picture, { ...frame, width }))
      expect(line.length).toBeLessThanOrEqual(width);
});

test('a campaign without destinations is drawn as well', () => {
  const empty = { ...standing, destinations: 0, made: 0, answered: 0, ended: 0, transferred: 0 };
  expect(drawCampaignProgressView({ ...picture, standing: empty }, frame)[1]).toMatch(
    /^░+ {3}0 % {2}0 of 0$/,
  );
});

test('its end is summed up: who was called, who never was, who was left out', () => {
  const over = { ...standing, state: 'expired', phase: 'expired', finished_at: now };
  expect(campaignSummaryLines({ ...picture, standing: over })).toEqual([
    'Campaign 7 (Reminders) expired after 10 min 0 s.',
    '  called 400 of 1000 numbers, 100 answered (25 %)',
    '  3 were transferred',
    '  600 were never called',
    '  records left out: duplicate 10, blocklist 2',
  ]);
});

test('a table is cut at the width of the screen, and is whole where there is none', () => {
  const rows = [{ id: '1', name: 'a name that is long' }];
  const columns: TerminalTableColumn<{ id: string; name: string }>[] = [
    { title: 'id', cell: ({ id }) => id, right: true },
    { title: 'name', cell: ({ name }) => name },
  ];
  expect(formatTerminalTable(rows, columns, { ...frame, width: 12 })).toEqual(['id  name', ' 1  a name …']);
  expect(formatTerminalTable(rows, columns, { ...frame, width: Infinity })[1]).toBe(
    ' 1  a name that is long',
  );
});

test('the address is that of the environment, and an option goes before it', () => {
  const at = (env: Record<string, string>, url?: string) =>
    readServiceConnection(url === undefined ? {} : { url }, env).url;
  expect(at({})).toBe('http://127.0.0.1:8080');
  expect(at({ PORT: '9000', HOST: '::' })).toBe('http://127.0.0.1:9000');
  expect(at({ PORT: '9000', HOST: '::1' })).toBe('http://[::1]:9000');
  expect(at({ RAMAL_URL: 'https://calls.example/' })).toBe('https://calls.example');
  expect(at({ RAMAL_URL: 'https://calls.example' }, 'http://10.0.0.1:80')).toBe('http://10.0.0.1:80');
});

test('tokens that the service keeps in its folder are shown to no other host', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-tokens-'));
  writeFileSync(join(dataDir, 'admin-token'), 'AdminToken\n');
  writeFileSync(join(dataDir, 'demo-token'), 'DemoToken\n');
  const tokens = (env: Record<string, string>) => {
    const { adminToken, accountToken } = readServiceConnection({}, { DATA_DIR: dataDir, ...env });
    return [adminToken, accountToken];
  };
  expect(tokens({})).toEqual(['AdminToken', 'DemoToken']);
  expect(tokens({ RAMAL_URL: 'http://localhost:9000' })).toEqual(['AdminToken', 'DemoToken']);
  expect(tokens({ RAMAL_URL: 'http://localhost.example:9000' })).toEqual([undefined, undefined]);
  expect(tokens({ ADMIN_TOKEN: 'a', DEMO_TOKEN: 'd' })).toEqual(['a', 'd']);
  expect(tokens({ RAMAL_TOKEN: 't', DEMO_TOKEN: 'd' })).toEqual(['AdminToken', 't']);
  rmSync(dataDir, { recursive: true });
});

test.each([
  [{ url: 'http://ana:sesame@127.0.0.1:8080' }, 'must not hold a user or a password'],
  [{ url: 'http://127.0.0.1:8080/?x=1' }, 'must end before ? and #'],
  [{ url: 'ftp://127.0.0.1' }, 'must begin with http'],
  [{ adminToken: 'one\ntwo' }, 'the admin token holds a blank, a line end'],
  [{ token: 'sesame€' }, 'the token holds a blank, a line end'],
])('what cannot be asked with is wrong usage, and is not repeated: %j', (options, sentence) => {
  const wrong = () => readServiceConnection(options, {});
  expect(wrong).toThrow(sentence);
  expect(wrong).not.toThrow(/sesame|two/);
});

/** Forms of the console, made from the declarations: none lacks a field that the API has, and what is typed is what is sent. */
import { describe, expect, test } from 'vitest';
import { adminOpenApi } from '../../src/admin/openapi.ts';
import {
  requestBodyFromDraft,
  changedFieldsOfDraft,
  draftFromRecord,
} from '../../src/console/app/pages/settings/formInput.ts';
import {
  type FormField,
  fieldShapeFromSchema,
  formFieldsFromSchema,
  formFieldsOfKind,
  type JsonSchema,
} from '../../src/console/app/pages/settings/formFieldsFromSchema.ts';
import {
  resourceNameFromPath,
  matchSettingsPageLocation,
} from '../../src/console/app/pages/settings/settingsPageAddresses.ts';
import {
  type OpenApiDescription,
  type AdminApiOperation,
  type AdminApiResource,
  resourcesFromOpenApi,
} from '../../src/console/app/pages/settings/resourcesFromOpenApi.ts';
import { countGaps, withExample } from '../../src/console/app/pages/settings/template/examples.ts';
import { templateToPhonePreview } from '../../src/console/app/pages/settings/template/preview.ts';
import { localDateTimeToEpoch, epochToLocalDateTime } from '../../src/console/app/zone.ts';
import { consoleActionLabelsEn, resourceNamesEn } from '../../src/console/app/words/settings/names.en.ts';
import { consoleActionLabelsPt, resourceNamesPt } from '../../src/console/app/words/settings/names.pt.ts';
import { adminRoutes } from '../helpers/adminRoutes.ts';

const document = JSON.parse(JSON.stringify(adminOpenApi('http://localhost', '1'))) as OpenApiDescription;
const resources = resourcesFromOpenApi(document);

const operationsOf = (resource: AdminApiResource): AdminApiOperation[] =>
  [
    ...[resource.list, resource.create, resource.read, resource.change, resource.remove],
    ...resource.actions,
    ...resource.actionsOfOne,
  ].filter((one) => one !== undefined);

const shown = new Map(
  [...resources.values()].flatMap(operationsOf).map((one) => [`${one.method} ${one.path}`, one]),
);

/** What pages of their own do, and what programs ask for. */
const elsewhere = [
  'POST /sessions', // signing in
  'DELETE /sessions/{}', // ends any; the own one is signed out by its button
  'POST /sign-in-codes', // the command line's
  'POST /callback-receivers', // of `ramal callback listen`
  'DELETE /callback-receivers/{}/{}',
  'POST /machines/{}/events', // the page of a machine
  'POST /machines/{}/effects/{}/cancel',
  'POST /machines/{}/effects/{}/retry',
  'POST /accounts/{}/campaigns/{}/forecast', // the page of a campaign
  'POST /campaigns/{}/forecast',
  'POST /accounts/{}/campaigns/{}/retry',
  'POST /accounts/{}/lists/{}/mended',
  'POST /accounts/{}/campaigns/{}/close',
  'DELETE /sessions/current',
  'POST /accounts/{}/sandbox-calls', // the page of a first call
  'POST /machines/{}/phone',
  'POST /accounts/{}/conversations/{}/{}/answers', // the page of conversations
];

describe('forms', () => {
  const changing = adminRoutes().filter(({ method, declared }) => method !== 'GET' && declared.http !== 405);

  test.each(changing.map(({ key, method, path, declared }) => [key, { method, path, declared }] as const))(
    '%s has a form, or a page of its own',
    (_, { method, path, declared }) => {
      const written = path.replaceAll(/:(\w+)/g, '{$1}');
      const operation = shown.get(`${method} ${written}`);
      if (!operation) {
        expect(elsewhere).toContain(`${method} ${written.replaceAll(/\{\w+\}/g, '{}')}`);
        return;
      }
      expect(operation.role).toBe(declared.role);
      expect(operation.takesFile).toBe(declared.file);
      const { content } = document.paths[written]![method.toLowerCase()]!.requestBody ?? {};
      const schema: JsonSchema | undefined = content?.['application/json']?.schema;
      expect(paths(operation.body ?? [])).toEqual(schema ? schemaPaths(schema) : []);
    },
  );

  /** All fields of a form, with those of their parts. */
  const paths = (fields: readonly FormField[]): string[] =>
    fields.flatMap(({ name, shape }) => {
      const part = shape.kind === 'list' ? shape.of : shape;
      const within =
        part.kind === 'object'
          ? paths(part.fields)
          : part.kind === 'byKind'
            ? Object.values(part.kinds).flatMap((one) => (one.kind === 'object' ? paths(one.fields) : []))
            : [];
      return [name, ...within.map((one) => `${name}.${one}`)];
    });

  /** The same of a schema, found in another way; another name of a property stands for that. */
  const schemaPaths = ({ properties = {} }: JsonSchema): string[] =>
    Object.entries(properties).flatMap(([name, schema]) => {
      const alias = schema['x-alias-of'];
      if (alias !== undefined && properties[alias]) return [];
      const ways = (schema.anyOf ?? [schema]).map((way) => way.items ?? way);
      return [name, ...ways.flatMap(schemaPaths).map((one) => `${name}.${one}`)];
    });

  test('every resource is called something, and says what it is for and how to begin, in both languages', () => {
    for (const { at } of resources.values())
      for (const book of [resourceNamesEn, resourceNamesPt])
        expect([
          at,
          Object.values(book[resourceNameFromPath(at)] ?? {}).filter((text) => text.length > 1).length,
        ]).toEqual([at, 4]);
    const actions = [...resources.values()].flatMap(({ actions: own, actionsOfOne }) => [
      ...own,
      ...actionsOfOne,
    ]);
    for (const { path } of actions)
      for (const book of [consoleActionLabelsEn, consoleActionLabelsPt])
        expect([path, typeof book[resourceNameFromPath(path)]?.verb]).toEqual([path, 'string']);
    const known = new Set([...resources.keys()].map(resourceNameFromPath));
    expect(Object.keys(resourceNamesEn).filter((name) => !known.has(name))).toEqual([]);
    expect(Object.keys(resourceNamesPt).toSorted()).toEqual(Object.keys(resourceNamesEn).toSorted());
    expect(Object.keys(consoleActionLabelsPt).toSorted()).toEqual(
      Object.keys(consoleActionLabelsEn).toSorted(),
    );
  });

  test('every record is found again by the value that its path takes', () => {
    for (const { at, one, key, columns } of resources.values())
      if (one !== undefined)
        expect([at, columns.map(({ name }) => name)]).toEqual([at, expect.arrayContaining([key])]);
    expect(resources.get('/accounts/{account}/blocklist')!.key).toBe('number');
    expect(resources.get('/accounts/{account}/lines')!.key).toBe('v8l_id');
  });

  test('settings of a kind are the fields of that kind', () => {
    const { body } = resources.get('/accounts/{account}/sms-routes')!.create!;
    const of = (kind: string) => formFieldsOfKind(body!, kind).map(({ name }) => name);
    expect(of('smpp')).toEqual(of('http'));
    expect(of('sandbox')).not.toContain('secret');
    expect(paths(formFieldsOfKind(body!, 'smpp'))).toEqual(
      expect.arrayContaining(['settings.system_id', 'secret.password']),
    );
    expect(paths(formFieldsOfKind(body!, 'smpp'))).not.toContain('settings.url');
  });

  test('an address names a list, a record or a new one, and nothing else', () => {
    const seen = (path: string) => {
      const place = matchSettingsPageLocation(resources, path);
      return place && [place.view, place.resource.at, place.params];
    };
    expect(seen('/accounts')).toEqual(['list', '/accounts', {}]);
    expect(seen('/accounts/new')).toEqual(['new', '/accounts', {}]);
    expect(seen('/accounts/3/lines/1/incoming')).toEqual([
      ...['list', '/accounts/{account}/lines/{line}/incoming', { account: '3', line: '1' }],
    ]);
    expect(seen('/lockouts/%3A%3A1')).toEqual(['one', '/lockouts', { address: '::1' }]);
    for (const path of [
      '/accounts/3/nothing',
      '/accounts/',
      '/machines',
      '/audit/new',
      '/accounts/3/audios/new/x',
    ])
      expect([path, seen(path)]).toEqual([path, undefined]);
  });
});

describe('what is typed', () => {
  const fields = formFieldsFromSchema({
    properties: {
      name: { type: 'string' },
      active: { anyOf: [{ type: 'boolean' }, { type: 'number' }] },
      most: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      networks: { type: 'array', items: { type: 'string' } },
      until: { anyOf: [{ type: ['number', 'string'], format: 'moment' }, { type: 'null' }] },
      members: {
        type: 'array',
        items: { type: 'object', properties: { target: { type: 'string' }, penalty: { type: 'integer' } } },
      },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      windows: {},
    },
  });
  const zone = 'America/Sao_Paulo';
  const record = {
    ...{ name: 'Shop', active: true, most: 3, networks: ['10.0.0.0/8'], until: 1_795_325_744_000 },
    ...{ members: [{ target: '5511987650009', penalty: 0 }], headers: { A: 'b' }, windows: { mon: [9, 18] } },
  };

  test('is the record again, whatever its fields are', () => {
    expect(requestBodyFromDraft(fields, draftFromRecord(fields, record, zone), zone)).toEqual(record);
  });

  test('is sent only where it was changed, and what was emptied is sent as empty, or as null', () => {
    const before = draftFromRecord(fields, record, zone);
    expect(changedFieldsOfDraft(fields, before, before, zone)).toEqual({});
    expect(changedFieldsOfDraft(fields, before, { ...before, active: 'false' }, zone)).toEqual({
      active: false,
    });
    const emptied = { ...before, name: '', most: '', networks: [], until: '', members: [], headers: [] };
    expect(changedFieldsOfDraft(fields, before, emptied, zone)).toEqual({
      ...{ name: '', most: null, networks: [], until: null, members: [], headers: {} },
    });
  });

  test('says where it cannot be read', () => {
    const draft = draftFromRecord(fields, record, zone);
    const wrong = (changed: object): unknown => {
      try {
        return requestBodyFromDraft(fields, { ...draft, ...changed }, zone);
      } catch (error) {
        return [(error as { path: string }).path, (error as Error).message];
      }
    };
    expect(wrong({ windows: '{' })).toEqual(['windows', 'notJson']);
    expect(wrong({ until: 'soon' })).toEqual(['until', 'notMoment']);
    expect(wrong({ members: [{ target: 'a', penalty: 'x' }] })).toEqual(['members.0.penalty', 'notNumber']);
  });

  test.each(['America/Sao_Paulo', 'Europe/Lisbon', 'Asia/Kathmandu', 'UTC'])(
    'is a moment on the clock of %s',
    (place) => {
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 6 * 3_600_000 + 61_000)
        expect([at, localDateTimeToEpoch(epochToLocalDateTime(at, place), place)]).toSatisfy(
          ([one, other]: number[]) =>
            one === other || epochToLocalDateTime(one!, place) === epochToLocalDateTime(other!, place),
        );
    },
  );

  test.each(['America/Sao_Paulo', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'])(
    'is read as the clock of %s shows it, whatever was read before, also where clocks are put forward or back',
    (timeZone) => {
      const clock = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
      // The hours around one in the night in which New York's clocks and Lord Howe's go on or back.
      for (const day of [Date.UTC(2026, 2, 8, 6), Date.UTC(2026, 3, 4, 14), Date.UTC(2026, 9, 3, 14)])
        for (let at = day; at < day + 3 * 3_600_000; at += 61_007)
          for (const moment of [at, day - at, at])
            expect(epochToLocalDateTime(moment, timeZone)).toBe(clock.format(moment).replace(' ', 'T'));
    },
  );
});

describe('a template on the phone', () => {
  const parts = {
    ...{ headerType: 'TEXT', headerText: 'Oi, {{1}}', footerText: 'Loja', buttonType: 'QUICK_REPLY' },
    ...{ bodyText: 'Pedido *{{1}}* de {{2}}', examples: '{"body_text":[["17"]],"header_text":["Ana"]}' },
    buttons: '[{"text":"Sim"},{"type":"URL","url":"https://x.example"}]',
  };

  test('has its gaps filled by their examples, its marks as letters, and its buttons', () => {
    expect(templateToPhonePreview(parts)).toEqual({
      header: {
        kind: 'text',
        runs: [
          { text: 'Oi, ', style: 'plain' },
          { text: 'Ana', style: 'plain' },
        ],
      },
      body: [
        { text: 'Pedido ', style: 'plain' },
        { text: '17', style: 'bold' },
        { text: ' de ', style: 'plain' },
        { text: '{{2}}', style: 'gap' },
      ],
      footer: 'Loja',
      buttons: ['Sim', 'URL'],
    });
  });

  test('is shown while its examples and buttons are half written', () => {
    const half = templateToPhonePreview({ ...parts, headerType: 'image', examples: '{"body', buttons: '[{' });
    expect(half).toMatchObject({ header: { kind: 'media', format: 'IMAGE' }, buttons: [] });
    expect(half.body.filter(({ style }) => style === 'gap')).toHaveLength(2);
  });
});

describe('examples of a template', () => {
  const body = { part: 'body_text', count: 2 };

  test('are one for each gap up to the highest, as the service counts them', () => {
    expect(['Oi', 'Oi {{1}}', '{{ 2 }} de {{1}}', '{{3}}', '{{name}}', '{{999}}'].map(countGaps)).toEqual([
      ...[0, 1, 2, 3, 0, 50],
    ]);
  });

  test('are written as JSON by what is typed, each part for itself', () => {
    const one = withExample('', body, 1, '"a" \\ b');
    expect(JSON.parse(one)).toEqual({ body_text: ['', '"a" \\ b'] });
    const both = withExample(one, { part: 'header_text', count: 1 }, 0, 'Ana');
    expect(JSON.parse(both)).toEqual({ body_text: ['', '"a" \\ b'], header_text: ['Ana'] });
    expect(withExample(withExample(both, body, 1, ''), { part: 'header_text', count: 1 }, 0, '')).toBe('');
  });

  test('begin with what is stored in any form that the service takes', () => {
    expect(JSON.parse(withExample('{"body_text":[["17","Loja"]]}', body, 0, '18'))).toEqual({
      body_text: ['18', 'Loja'],
    });
    expect(JSON.parse(withExample('{"body', body, 0, '18'))).toEqual({ body_text: ['18', ''] });
  });

  test('have a field of their own in a form, by the mark of their schema', () => {
    const marked = { anyOf: [{ type: 'string' }], 'x-examples-of': { body_text: 'cwt_body_text' } };
    expect(fieldShapeFromSchema(marked)).toEqual({ kind: 'examples', of: { body_text: 'cwt_body_text' } });
  });
});

/** Whatever is sent, the tool door answers in its own way, and nothing breaks inside. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../helpers/service.ts';
import { postTool, rpc } from './bed.ts';

let on: TestService;
let tools: { name: string; inputSchema: { properties: Record<string, object>; required?: string[] } }[];
beforeAll(async () => {
  on = await startTestService();
  ({ tools } = (await postTool(on, rpc('tools/list'))).body.result);
});
afterAll(() => on.stop());

const message = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: fc.oneof(fc.constantFrom('tools/list', 'tools/call', 'initialize', 'ping'), fc.jsonValue()),
    params: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

test('any JSON is an answer, an error of the protocol, or a notification', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(message, fc.jsonValue()), async (body) => {
      const { http, body: answer } = await postTool(on, JSON.stringify(body));
      expect([200, 202, 400]).toContain(http);
      expect(answer === undefined).toBe(http === 202);
      if (http === 202) return;
      expect(answer).toMatchObject({ jsonrpc: '2.0' });
      expect('result' in answer || Number.isInteger(answer.error.code)).toBe(true);
    }),
    { numRuns: 80 },
  );
});

test('any arguments of any tool are an outcome, and never an incident', async () => {
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', '\0', '\ud800', '1e309', -1, 2 ** 53, '٣', "';--", true, null),
  );
  for (const { name, inputSchema } of tools) {
    const { properties, required = [] } = inputSchema;
    const given = fc.record(Object.fromEntries(Object.keys(properties).map((key) => [key, odd])), {
      requiredKeys: required,
    });
    await fc.assert(
      fc.asyncProperty(given, async (given) => {
        const { body } = await postTool(on, rpc('tools/call', { name, arguments: given }));
        expect(body.result).toMatchObject({ success: expect.any(Boolean), isError: !body.result.success });
        if (!body.result.success)
          expect([name, body.result.error, body.result.status_code]).not.toContain(500);
      }),
      { numRuns: 5 },
    );
  }
});

test('arguments that cannot be read as text are refused, each by its name', async () => {
  for (const { name, inputSchema } of tools) {
    const { required = [] } = inputSchema;
    for (const key of Object.keys(inputSchema.properties)) {
      const given = { ...Object.fromEntries(required.map((other) => [other, '1'])), [key]: { toString: 0 } };
      const { body } = await postTool(on, rpc('tools/call', { name, arguments: given }));
      if (body.result.success) continue;
      expect([name, key, body.result.status_code]).not.toContain(500);
    }
  }
});

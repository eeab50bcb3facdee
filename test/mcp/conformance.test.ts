/**
 * The conformance suite of the protocol, as far as it fits a server that has tools and nothing else. Its other scenarios
 * ask for tools of certain names (`tools-call-*`, `json-schema-2020-12`, `elicitation-*`), or for what such a server does
 * not have: resources, prompts, completion, logging, streams.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';
import { runScenario, startTokenBearer } from './conformance.ts';

let on: TestService;
let door: Awaited<ReturnType<typeof startTokenBearer>>;
beforeAll(async () => {
  on = await startTestService();
  door = await startTokenBearer(on.url, demoToken);
});
afterAll(async () => {
  await door.stop();
  await on.stop();
});

test.each([
  ['server-initialize', 1],
  ['ping', 1],
  ['tools-list', 1],
  ['dns-rebinding-protection', 2],
])('passes %s', async (scenario, checks) => {
  const { passed, output } = await runScenario(`${door.url}/mcp`, scenario);
  expect(output).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
  expect(passed).toBe(true);
});

/**
 * The protocol's own conformance suite as a program. It brings no token, so that it asks through a door that adds one;
 * and it wants a newer Node than the oldest that we run on, for listing files, which it does not do here.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Passes requests on as they come, `Host` and `NewMachineStart` included, with a token. */
export const startTokenBearer = async (
  target: string,
  token: string,
): Promise<{ url: string; stop(): Promise<void> }> => {
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const passed = request(`${target}${asked.url}`, { method: asked.method, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    passed.once('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Runs one scenario; what it wrote, and whether it passed. */
export const runScenario = async (
  url: string,
  scenario: string,
): Promise<{ passed: boolean; output: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-conformance-'));
  const asked = ['--import', olderNode, suite, 'server', '--url', url, '--scenario', scenario, '-o', folder];
  try {
    return await new Promise((resolve) => {
      execFile(process.execPath, asked, { timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ passed: error === null, output: stdout + stderr }),
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** `fs.globSync` of Node 22, as far as the suite needs it for testing a server: it is there. */
const files = dataUrl(
  `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`,
);
const hooks = dataUrl(`export const resolve = (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('/conformance/')
    ? { url: ${JSON.stringify(files)}, shortCircuit: true }
    : next(specifier, context);`);
const olderNode = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(hooks)});`);

import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { listen } from '../../src/compose/http.ts';

const log = pino({ level: 'silent' });

test('a port that is taken is named', async () => {
  const first = await listen([], { port: 0, host: '127.0.0.1' }, log);
  await expect(listen([], { port: first.port, host: '127.0.0.1' }, log)).rejects.toThrow(
    `PORT ${first.port} of HOST 127.0.0.1 is taken by another program`,
  );
  await first.close(0);
});

test('an address that is not ours is named', async () => {
  await expect(listen([], { port: 0, host: '192.0.2.1' }, log)).rejects.toThrow(
    /^PORT 0 of HOST 192\.0\.2\.1 cannot be listened on: .*EADDRNOTAVAIL/,
  );
});

test('a client that hangs up in the middle of its body is no news', async () => {
  const lines: string[] = [];
  const told = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  let ended: (() => void) | undefined;
  const over = new Promise<void>((resolve) => (ended = resolve));
  const reads = async (ctx: { req: AsyncIterable<unknown> }) => {
    try {
      for await (const _ of ctx.req);
    } finally {
      ended?.();
    }
  };
  const http = await listen([reads], { port: 0, host: '127.0.0.1' }, told);
  const client = connect(http.port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n');
  client.end();
  client.resume();
  await once(client, 'close');
  await over;
  await http.close(0);
  expect(lines).toEqual([]);
});

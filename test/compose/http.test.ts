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

import { expect, test } from 'vitest';
import { closeAll } from '../../src/lib/closeAll.ts';

test('everything is closed, the last first, whatever fails on the way', async () => {
  const closed: string[] = [];
  const failing = async (): Promise<void> => {
    closed.push('engine');
    throw new Error('the database is away');
  };
  const opened = [() => void closed.push('database'), failing, async () => void closed.push('http')];
  await expect(closeAll(opened)).rejects.toMatchObject({
    errors: [expect.objectContaining({ message: 'the database is away' })],
  });
  expect(closed).toEqual(['http', 'engine', 'database']);
});

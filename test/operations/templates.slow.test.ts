/** Templates on slow days, told side by side: each waits as long as a caller does. */
import { test } from 'vitest';
import { openCutter } from '../helpers/cutter.ts';
import { freshDatabase } from '../helpers/database.ts';
import { codeOf, openTemplateBed } from './templates.ts';

test.concurrent('a slow upstream: the caller is told that it goes on, and later it is submitted', async ({
  expect,
}) => {
  const bed = await openTemplateBed();
  try {
    const id = await bed.store();
    bed.upstream.creating = { afterMs: 7_000 };
    const answer = await bed.create(id);
    expect([codeOf(answer), answer.body.return.status]).toEqual([
      [400, '260'],
      'upstream has not answered yet; it goes on: check its status',
    ]);
    await expect.poll(async () => (await bed.row(id)).cwt_status).toBe('PENDING');
    expect((await bed.check(id)).body.return.result).toMatchObject({ meta_status: 'PENDING' });
    expect(bed.upstream.posts).toBe(1);
  } finally {
    await bed.stop();
  }
});

test.concurrent('a database that goes away while upstream deletes: the caller hears it, and the deletion is not lost [4.18/270]', async ({
  expect,
}) => {
  const database = await freshDatabase();
  const address = new URL(database.url);
  const wire = await openCutter(Number(address.port));
  address.port = new URL(wire.url).port;
  const far = await openTemplateBed({ DATABASE_URL: address.href });
  let cut = false;
  try {
    const id = await far.store();
    await far.create(id);
    const removing = far.upstream.kept.length;
    far.server.next({ status: 200, json: { success: true }, afterMs: 2_000 });
    const answer = far.remove(id);
    await expect.poll(() => far.server.seen.at(-1)?.method).toBe('DELETE');
    await wire.cut();
    cut = true;
    expect(codeOf(await answer)).toEqual([400, '270']);
    await wire.mend();
    cut = false;
    await expect
      .poll(async () => (await database.prisma.template.findFirst({ where: { id } }))?.status)
      .toBe('DELETED');
    expect(removing).toBe(1);
  } finally {
    if (cut) await wire.mend();
    await far.stop();
    await wire.close();
    await database.drop();
  }
});

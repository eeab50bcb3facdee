/** A template that is deleted while the database goes away (spec 4.18). */
import { expect, test } from 'vitest';
import { openCutter } from '../helpers/cutter.ts';
import { freshDatabase } from '../helpers/database.ts';
import { codeOf, openTemplateBed } from './templates.ts';

test('a database that goes away while upstream deletes: the caller hears it, and the deletion is not lost [4.18/270]', async () => {
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
    far.server.next({ status: 200, json: { success: true }, afterMs: 400 });
    const answer = far.remove(id);
    await expect.poll(() => far.server.seen.at(-1)?.method).toBe('DELETE');
    await wire.cut();
    cut = true;
    expect(codeOf(await answer)).toEqual([400, '270']);
    await wire.mend();
    cut = false;
    await expect
      .poll(async () => (await database.prisma.template.findFirst({ where: { id } }))?.status, {
        timeout: 20_000,
      })
      .toBe('DELETED');
    expect(removing).toBe(1);
  } finally {
    if (cut) await wire.mend();
    await far.stop();
    await wire.close();
    await database.drop();
  }
}, 60_000);

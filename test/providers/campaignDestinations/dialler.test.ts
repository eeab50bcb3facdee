import { expect, test } from 'vitest';
import type { Databases } from '../../../src/compose/databases.ts';
import { createDatabaseFailoverMonitor } from '../../../src/store/databaseFailover/databaseHostWatches.ts';
import { openLog } from '../../../src/log.ts';
import { createCampaignDestinationPerformers } from '../../../src/providers/campaignDestinations/fetchDestinationsAndWindows.ts';
import { ControlDatabase } from '../../../src/store/controlDatabase.ts';
import { asJournaled, withDatabase } from '../../helpers/database.ts';
import { campaignDestinationRepository } from '../../../src/store/repositories/dialler.ts';

const selection = { mobile: true, skipBlocklist: true, recordsPerName: 0, severalNumbers: false };
const call = <Params>(params: Params) => ({
  ...{ machine: { shard: 'a', account: 3, id: 12, kind: 'campaign' }, params },
  ...{ id: 'e1', name: 'asked', attempt: 1, seen: {}, signal: new AbortController().signal },
});

test('a campaign whose list or destinations the database has forgotten is told so, and tried again', () =>
  withDatabase(async (database) => {
    const { pool } = database;
    const shard = { ...asJournaled(database), writers: pool, bulk: pool, longReads: pool, counting: pool };
    const databases: Databases = {
      ...{ control: asJournaled(database), probe: pool, shards: new Map([['a', shard]]) },
      ...{ failover: createDatabaseFailoverMonitor(openLog('silent')), close: async () => {} },
    };
    const dialler = createCampaignDestinationPerformers({
      repository: campaignDestinationRepository(databases, new ControlDatabase(database.prisma, Date.now)),
      ...{ mintId: () => 1, now: Date.now },
    });
    const fetched = dialler.fetchDestinations(call({ list: 57, cursors: { SP: 20 }, limit: 10, texts: [] }));
    await expect(fetched).rejects.toMatchObject({
      name: 'Retryable',
      message: expect.stringMatching(/^what campaign 12 is to dial of list 57 is not in the database/),
    });
    const generated = dialler.generateDestinations(call({ list: 57, selection }));
    await expect(generated).rejects.toMatchObject({
      name: 'Retryable',
      message: expect.stringMatching(/^list 57 is not in the database/),
    });
  }));

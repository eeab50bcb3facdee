/** One connection for one long piece of work, without a pool and without Prisma: for processes beside the service. */
import { Client } from 'pg';
import { parseMultiHostDatabaseUrl } from '../lib/multiHostDatabaseUrl.ts';
import { databaseHostsOf } from './databaseFailover.ts';
import { createFailoverClientClass } from './databaseFailover/failoverClient.ts';

/** Connects, or rejects. The caller ends the connection. */
export const openSingleDatabaseConnection = async ({
  url,
  schema,
}: {
  url: string;
  schema: string;
}): Promise<Client> => {
  const hosts = databaseHostsOf(url);
  const client = new (hosts ? createFailoverClientClass(hosts) : Client)({
    connectionString: parseMultiHostDatabaseUrl(url).single,
    application_name: 'ramal list',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  // A connection that breaks fails the query and also says so by itself; unheard, that would end the process.
  client.on('error', () => {});
  await client.connect();
  await client.query('SELECT set_config($1, $2, false)', ['search_path', schema]);
  return client;
};

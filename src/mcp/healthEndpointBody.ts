/** Health of the service as the tool interface shows it: `GET /mcp/health`, open to all (spec 4.1). */
export interface HealthCheckResult {
  ok: boolean;
  detail: string;
}

export interface HealthSources {
  version: string;
  /** Seconds since the start. */
  uptime(): number;
  /** By name; `database` decides whether the service is up, `shards` whether all is well. A check that throws has failed. */
  checks: Readonly<Record<string, () => Promise<HealthCheckResult> | HealthCheckResult>>;
}

export interface ServiceHealthReport {
  ok: boolean;
  body: {
    /** `degraded`: it is up, and some shard is not served: closed, being checked, or its database is away. */
    status: 'ok' | 'degraded' | 'down';
    service: 'ramal';
    version: string;
    uptime_s: number;
    checks: Record<string, HealthCheckResult>;
  };
}

/** A check that does not answer in time has failed, milliseconds. */
const patienceMs = 2_000;

export const readHealth = async (sources: HealthSources): Promise<ServiceHealthReport> => {
  const checks = Object.fromEntries(
    await Promise.all(
      Object.entries(sources.checks).map(async ([name, check]) => [name, await settled(check)] as const),
    ),
  );
  const ok = checks['database']?.ok ?? false;
  return {
    ok,
    body: {
      status: ok ? (checks['shards']?.ok === false ? 'degraded' : 'ok') : 'down',
      service: 'ramal',
      version: sources.version,
      uptime_s: Math.floor(sources.uptime()),
      checks,
    },
  };
};

const settled = async (
  check: () => Promise<HealthCheckResult> | HealthCheckResult,
): Promise<HealthCheckResult> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HealthCheckResult>((resolve) => {
    timer = setTimeout(resolve, patienceMs, { ok: false, detail: 'does not answer' });
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    // The page is open to all: what failed inside, and where, stands in the log.
    return { ok: false, detail: 'does not answer' };
  } finally {
    clearTimeout(timer);
  }
};
